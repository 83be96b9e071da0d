import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { download, type DownloadRequest } from '../../main/cloud/download.ts';
import { virtualTiming } from './virtualTiming.ts';

const content = randomBytes(300_000);
const sha256 = createHash('sha256').update(content).digest('hex');
type Serve = (request: IncomingMessage, response: ServerResponse, count: number) => void;

let folder: string;
let server: http.Server;
let url: string;
let serve: Serve;
let requests: IncomingMessage[];

beforeEach(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'evidence-desk-download-'));
  requests = [];
  server = http.createServer((request, response) => {
    requests.push(request);
    serve(request, response, requests.length);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/file?signature=x`;
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true, force: true });
});

const target = () => path.join(folder, 'file.zip');
const fetchIt = (over: Partial<DownloadRequest> = {}) =>
  download({
    url,
    path: target(),
    expectedBytes: null,
    userAgent: 'EvidenceDesk/test',
    timing: virtualTiming(),
    ...over,
  });

const startOf = (request: IncomingMessage): number =>
  Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);

/** An honest server; breaks the connection after `cut` bytes of an answer when told to. */
function answer(
  request: IncomingMessage,
  response: ServerResponse,
  cut = Infinity,
  etag = '"v1"',
  body = content,
): void {
  const from = startOf(request);
  const part = body.subarray(from);
  response.writeHead(from > 0 ? 206 : 200, {
    'Content-Length': part.length,
    ETag: etag,
    ...(from > 0 ? { 'Content-Range': `bytes ${from}-${body.length - 1}/${body.length}` } : {}),
  });
  if (cut >= part.length) response.end(part);
  else response.write(part.subarray(0, cut), () => response.destroy());
}

describe('downloads of presigned links', () => {
  it('ends in the right file after 50 breaks at random bytes, and sends no key', async () => {
    serve = (request, response, count) =>
      answer(request, response, count <= 50 ? (count * 7919) % 9000 : Infinity);
    await expect(fetchIt({ expectedBytes: content.length })).resolves.toEqual({
      path: target(),
      sha256,
      sizeBytes: content.length,
    });
    expect(readFileSync(target())).toEqual(content);
    expect(requests.length).toBeGreaterThanOrEqual(2);
    for (const request of requests) expect(request.headers.authorization).toBeUndefined();
    expect(existsSync(`${target()}.part`)).toBe(false);
    expect(existsSync(`${target()}.part.json`)).toBe(false);
  });

  it('goes on where an earlier session stopped', async () => {
    serve = (request, response) => answer(request, response, 100_000);
    const abort = new AbortController();
    await expect(
      fetchIt({ signal: abort.signal, onProgress: (done) => void (done >= 100_000 && abort.abort()) }),
    ).rejects.toThrow();
    serve = (request, response) => answer(request, response);
    requests = [];
    await expect(fetchIt()).resolves.toMatchObject({ sha256 });
    expect(startOf(requests[0]!)).toBeGreaterThan(0);
  });

  it('bears a server that ignores Range', async () => {
    serve = (_, response, count) => {
      response.writeHead(200, { 'Content-Length': content.length });
      if (count === 1) response.write(content.subarray(0, 123_456), () => response.destroy());
      else response.end(content);
    };
    await expect(fetchIt()).resolves.toMatchObject({ sha256, sizeBytes: content.length });
  });

  it('starts over when the file changed between two ranges', async () => {
    const other = randomBytes(200_000);
    serve = (request, response, count) =>
      count === 1 ? answer(request, response, 50_000) : answer(request, response, Infinity, '"v2"', other);
    await expect(fetchIt()).resolves.toMatchObject({
      sha256: createHash('sha256').update(other).digest('hex'),
    });
  });

  it('starts over when the file became shorter than what is here of it, and does not turn in circles', async () => {
    const other = content.subarray(0, 900);
    const whole = (response: ServerResponse): void =>
      void response.writeHead(200, { 'Content-Length': other.length, ETag: '"v2"' }).end(other);
    serve = (request, response, count) => (count === 1 ? answer(request, response, 50_000) : whole(response));
    await expect(fetchIt()).resolves.toMatchObject({ sizeBytes: 900 });
    expect(requests.length).toBeLessThanOrEqual(3);
  });

  it('gives up on a file that is another one each time', async () => {
    serve = (request, response, count) => answer(request, response, 9000, `"${count}"`, randomBytes(90_000));
    await expect(fetchIt()).rejects.toMatchObject({ code: 'connection_lost' });
    expect(requests.length).toBeLessThan(20);
  });

  it('ends at the deadline although bytes keep trickling in', async () => {
    serve = (_, response) => {
      response.writeHead(200, { 'Content-Length': content.length });
      const trickle = setInterval(() => response.write('x'), 20);
      response.on('close', () => clearInterval(trickle));
    };
    await expect(fetchIt({ deadlineMs: 400 })).rejects.toMatchObject({ code: 'deadline_exceeded' });
  });

  it('does not trust a 206 that starts elsewhere', async () => {
    serve = (request, response, count) => {
      if (count === 2) {
        response.writeHead(206, { 'Content-Range': `bytes 7-${content.length - 1}/${content.length}` });
        response.end(content.subarray(7));
      } else answer(request, response, count === 1 ? 1000 : Infinity);
    };
    await expect(fetchIt()).resolves.toMatchObject({ sha256 });
  });

  it('asks for a fresh link when the old one is refused, and goes on by range', async () => {
    serve = (request, response, count) => {
      if (count === 2) response.writeHead(403).end('expired');
      else answer(request, response, count === 1 ? 70_000 : Infinity);
    };
    let asked = 0;
    await expect(fetchIt({ freshLink: async () => (asked++, url) })).resolves.toMatchObject({ sha256 });
    expect(asked).toBe(1);
    expect(startOf(requests[2]!)).toBeGreaterThan(0);
  });

  it('says that the link has expired when there is no fresh one', async () => {
    serve = (_, response) => response.writeHead(403).end();
    await expect(fetchIt()).rejects.toMatchObject({ code: 'link_expired' });
  });

  it.each([
    ['shorter', content.length + 1],
    ['longer', content.length - 1],
  ])('refuses a file that is %s than announced, and keeps nothing of it', async (_, expectedBytes) => {
    serve = (request, response) => answer(request, response);
    await expect(fetchIt({ expectedBytes })).rejects.toMatchObject({ code: 'download_damaged' });
    expect(existsSync(target())).toBe(false);
    expect(existsSync(`${target()}.part`)).toBe(false);
  });

  it('gives up on a server that never sends a byte, keeping what there is for later', async () => {
    serve = (_, response) => response.destroy();
    await expect(fetchIt()).rejects.toMatchObject({ code: 'connection_lost' });
    expect(existsSync(target())).toBe(false);
  });

  it('stops at the deadline', async () => {
    serve = (_, response) => response.writeHead(503).end();
    const timing = virtualTiming();
    const startMs = timing.now();
    await expect(fetchIt({ timing, deadlineMs: 3000 })).rejects.toMatchObject({ code: 'connection_lost' });
    expect(timing.now() - startMs).toBeLessThanOrEqual(3000);
  });
});
