import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { encodeMessage, wireContentType } from '../../../shared/contract/wire.ts';
import { aCsv } from '../../desk/aDesk.ts';
import { aHost, aWindow, closeHost, signIn, type Host } from './aHost.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let host: Host;
let window: ReturnType<typeof aWindow>;
beforeAll(async () => {
  host = await aHost();
  window = aWindow(host, await signIn(host));
});
afterAll(async () => {
  expect(host.bugs).toEqual([]);
  await closeHost(host);
});

const octets = { 'content-type': 'application/octet-stream' };
const uploads = () => fs.readdirSync(path.join(host.dataFolder, 'partial', 'uploads'));

/** The event stream as a window reads it. */
async function listen() {
  const request = http.get({
    host: '127.0.0.1',
    port: host.port,
    path: '/api/events',
    headers: window.headers,
    agent: false,
  });
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  let text = '';
  const waiting = new Set<() => void>();
  response.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
    for (const look of waiting) look();
  });
  return {
    response,
    /** Resolves with the payloads of an event once one of them fits. */
    until: (name: string, fits: (payload: never) => boolean = () => true) =>
      new Promise<unknown[]>((resolve) => {
        const look = (): void => {
          const found = [...text.matchAll(/event: (\S+)\ndata: (.*)\n\n/g)].flatMap((match) =>
            match[1] === name ? [JSON.parse(match[2] ?? '') as never] : [],
          );
          if (!found.some(fits)) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
      }),
    close: () => request.destroy(),
  };
}

async function upload(name: string, content: string | Uint8Array) {
  const reply = await window.post(`/api/upload?name=${encodeURIComponent(name)}`, content, octets);
  return JSON.parse(reply.body.toString()) as {
    ok: boolean;
    value: { uploadId: string; sizeBytes: number; sha256: string };
  };
}

describe('the window', () => {
  it('is served with its type and kept as long as its name allows', async () => {
    const page = await window.get('/');
    expect(page).toMatchObject({
      status: 200,
      headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' },
    });
    const script = await window.get('/assets/main-Ab12Cd34.js');
    expect(script.headers['cache-control']).toContain('immutable');
    expect(script.headers['content-type']).toContain('text/javascript');
    const head = await window.get('/assets/main-Ab12Cd34.js', {}, 'HEAD');
    expect(head).toMatchObject({ status: 200, headers: { 'content-length': '10' } });
    expect(head.body).toHaveLength(0);
  });

  it.each([
    '/../outside.js',
    '/%2e%2e/outside.js',
    '/..%2foutside.js',
    '/..%5coutside.js',
    '/assets/../../outside.js',
    '/assets/',
    '/assets',
    '/missing.js',
    '//127.0.0.1/outside.js',
  ])('serves nothing else: %s', async (target) => {
    const reply = await window.get(target);
    expect(reply.status).toBe(404);
    expect(reply.body.toString()).not.toContain('not the window');
  });

  it('refuses what is no address of it', async () => {
    expect((await window.get('http://evil.example/')).status).toBe(400);
  });

  it.each([
    ['POST', '/'],
    ['DELETE', '/media/source/x'],
    ['GET', '/api/request'],
    ['PUT', '/api/upload?name=a'],
    ['OPTIONS', '/api/request'],
  ])('refuses %s %s', async (method, target) => {
    const reply = await window.get(target, { origin: host.origin }, method);
    expect(reply.status).toBe(405);
    expect(reply.headers['allow']).toBeDefined();
  });
});

describe('requests', () => {
  it('carry columns as bytes, uncached', async () => {
    const body = JSON.stringify({ name: 'app.info', input: {} });
    const reply = await window.post('/api/request', body, { 'content-type': 'application/json' });
    expect(reply.headers).toMatchObject({ 'content-type': wireContentType, 'cache-control': 'no-store' });
    expect(await window.ask('app.info')).toMatchObject({
      ok: true,
      value: { abilities: { host: 'browser' } },
    });
  });

  it('may come wire-encoded too', async () => {
    const reply = await window.post('/api/request', encodeMessage({ name: 'trips.list', input: {} }), {
      'content-type': wireContentType,
    });
    expect(reply.status).toBe(200);
  });

  it.each([
    ['text/plain', '{"name":"trips.list","input":{}}'],
    ['application/json', '{'],
    ['application/json', '[]'],
    ['application/json', '{"input":{}}'],
    ['application/json', '{"name":5}'],
    [wireContentType, 'nonsense'],
  ])('in %s with %j are refused with a reason', async (type, body) => {
    const reply = await window.post('/api/request', body, { 'content-type': type });
    expect(reply.status).toBe(400);
    expect(JSON.parse(reply.body.toString())).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
  });

  it('beyond 16 MiB are refused, and the window is told', async () => {
    const reply = await window.post('/api/request', Buffer.alloc(17 * 1024 * 1024, 32), {
      'content-type': 'application/json',
    });
    expect(reply.status).toBe(400);
    expect(reply.body.toString()).toContain('too large');
  });

  it('fail as data: the code of the desk, no text of a bug', async () => {
    expect(await window.ask('trips.get', { tripId: 'gone' })).toMatchObject({
      ok: false,
      error: { code: 'not_found' },
    });
    expect(await window.ask('__proto__')).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
  });
});

describe('files and events', () => {
  it('go from upload to trips: hashed on the way, told to every window', async () => {
    const [one, two] = [await listen(), await listen()];
    const content = aCsv({ psn: 'PSN-E', points: 3 });
    const { value } = await upload('Van 1 – März.csv', content);
    expect(value).toMatchObject({
      sizeBytes: Buffer.byteLength(content),
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    const started = (await window.ask('imports.start', { uploadIds: [value.uploadId] })) as {
      value: { jobId: string };
    };
    for (const stream of [one, two]) {
      const jobs = await stream.until(
        'jobs.changed',
        ({ state }: { state: { status: string } }) => state.status === 'done',
      );
      expect(jobs.at(-1)).toMatchObject({ jobId: started.value.jobId, title: 'Van 1 – März.csv' });
      expect(await stream.until('library.changed')).toEqual([{ reason: 'import' }]);
      expect(stream.response.headers['content-type']).toContain('text/event-stream');
      expect(stream.response.headers['cache-control']).toBe('no-store');
      stream.close();
    }
    expect(await window.ask('sources.list')).toMatchObject({
      value: [{ fileName: 'Van 1 – März.csv', points: 3 }],
    });
  });

  it('keep nothing of an upload whose window goes away', async () => {
    const before = uploads();
    const request = http.request({
      host: '127.0.0.1',
      port: host.port,
      path: '/api/upload?name=cut.csv',
      method: 'POST',
      headers: { ...window.headers, origin: host.origin, ...octets, 'content-length': 1_000_000 },
      agent: false,
    });
    request.on('error', () => {}); // we cut it ourselves
    request.write(Buffer.alloc(100_000, 65));
    await vi.waitFor(() => expect(uploads().length).toBe(before.length + 1));
    request.destroy();
    await vi.waitFor(() => expect(uploads()).toEqual(before));
  });

  it('refuse an upload that has no name, no content, or no room', async () => {
    for (const [target, body, code] of [
      ['/api/upload', 'x', 'invalid_input'],
      [`/api/upload?name=${'n'.repeat(1001)}`, 'x', 'invalid_input'],
      ['/api/upload?name=empty.csv', '', 'file_empty'],
    ] as const) {
      const reply = await window.post(target, body, octets);
      expect(reply.status).toBe(400);
      expect(JSON.parse(reply.body.toString())).toMatchObject({ ok: false, error: { code } });
    }
    // A size that no disk has: refused before a byte is written.
    const request = http.request({
      host: '127.0.0.1',
      port: host.port,
      path: '/api/upload?name=huge.zip',
      method: 'POST',
      headers: { ...window.headers, origin: host.origin, ...octets, 'content-length': 1e17 },
      agent: false,
    });
    request.on('error', () => {});
    request.flushHeaders();
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    expect(response.statusCode).toBe(507);
    request.destroy();
  });

  it('keep names out of paths, however they are written', async () => {
    for (const name of ['../../evil.csv', '..\\evil.csv', '/etc/passwd', 'C:\\x.csv', 'a\0b.csv']) {
      const { ok, value } = await upload(name, aCsv());
      expect(ok, name).toBe(true);
      expect(value.uploadId).toMatch(/^up_[0-9a-f]{32}$/);
    }
    expect(uploads().every((name) => /^up_[0-9a-f]{32}(\.json)?$/.test(name))).toBe(true);
    expect(fs.readdirSync(host.root).sort()).toEqual(['config', 'data', 'outside.js', 'renderer']);
  });
});

describe('media', () => {
  const content = aCsv({ psn: 'PSN-M', points: 40 });
  let target: string;
  beforeAll(async () => {
    const { value } = await upload('or"iginal;.csv', content);
    const stream = await listen();
    await window.ask('imports.start', { uploadIds: [value.uploadId] });
    await stream.until('library.changed');
    stream.close();
    const sources = (await window.ask('sources.list')) as { value: { sourceId: string; fileName: string }[] };
    target = `/media/source/${sources.value.find((source) => source.fileName.startsWith('or'))?.sourceId}`;
  });

  it('is the original, byte for byte, to be saved under its own name', async () => {
    const reply = await window.get(target);
    expect(reply.status).toBe(200);
    expect(reply.body.toString()).toBe(content);
    expect(reply.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'accept-ranges': 'bytes',
      'content-disposition': 'attachment; filename="or_iginal_.csv"; filename*=UTF-8\'\'or%22iginal%3B.csv',
    });
  });

  it.each([
    ['bytes=0-', 206, [0, undefined]],
    ['bytes=10-19', 206, [10, 20]],
    ['bytes=-7', 206, [-7, undefined]],
    ['bytes=5-999999', 206, [5, undefined]],
    ['bytes=0-1,5-6', 200, [0, undefined]],
    ['bytes=5-2', 200, [0, undefined]],
    ['lines=1-2', 200, [0, undefined]],
  ] as const)('answers the range %s', async (range, status, [from, to]) => {
    const reply = await window.get(target, { range });
    expect(reply.status).toBe(status);
    const expected = Buffer.from(content).subarray(from, to);
    expect(reply.body).toEqual(expected);
    expect(reply.headers['content-length']).toBe(String(expected.length));
    if (status !== 206) return;
    const start = from < 0 ? content.length + from : from;
    expect(reply.headers['content-range']).toBe(
      `bytes ${start}-${start + expected.length - 1}/${content.length}`,
    );
  });

  it('says so when a range begins past the end', async () => {
    const reply = await window.get(target, { range: `bytes=${content.length}-` });
    expect(reply).toMatchObject({ status: 416, headers: { 'content-range': `bytes */${content.length}` } });
    expect(reply.body).toHaveLength(0);
  });

  it('answers HEAD with the headers alone', async () => {
    const reply = await window.get(target, {}, 'HEAD');
    expect(reply).toMatchObject({ status: 200, headers: { 'content-length': String(content.length) } });
    expect(reply.body).toHaveLength(0);
  });

  it.each([
    '..',
    '%2e%2e%2fcache.sqlite',
    '..%5ccache.sqlite',
    'src_1%00',
    'src_unknown',
    '../../cache.sqlite',
    '',
  ])('leads nowhere by %j', async (id) => {
    expect((await window.get(`/media/source/${id}`)).status).toBe(404);
  });

  it('adds the user’s tile server to the policy as soon as it is set, for pictures only', async () => {
    await window.ask('settings.set', { onlineTileUrl: 'https://tiles.example/{z}/{x}/{y}.png' });
    const policy = (await window.get('/')).headers['content-security-policy'];
    expect(policy).toContain("img-src 'self' blob: data: https://tiles.example;");
    await window.ask('settings.set', { onlineTileUrl: null });
    expect((await window.get('/')).headers['content-security-policy']).not.toContain('tiles.example');
  });
});

describe('the end', () => {
  it('ends streams, frees the port and the folder', async () => {
    const other = await aHost();
    const signed = aWindow(other, await signIn(other));
    const request = http.get({
      host: '127.0.0.1',
      port: other.port,
      path: '/api/events',
      headers: signed.headers,
      agent: false,
    });
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    const ended = once(response.resume(), 'close');
    await Promise.all([other.close(), other.close()]);
    await ended;
    await expect(signed.get('/')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    fs.rmSync(other.root, { recursive: true, force: true });
  });

  it('tells the windows, and whoever started it, when the desk’s thread dies', async () => {
    const other = await aHost({ worker: new URL('../../desk/dyingWorker.ts', import.meta.url) });
    const signed = aWindow(other, await signIn(other));
    const stopped = { ok: false, error: { code: 'connection_lost', remedy: expect.any(String) } };
    const lost = await Promise.all([signed.ask('trips.list'), signed.ask('trips.list')]);
    expect(lost).toMatchObject([stopped, stopped]);
    expect(await signed.ask('jobs.list')).toMatchObject(stopped);
    expect(await other.crashed).toMatchObject({ code: 'connection_lost' });
    expect(other.bugs).toEqual([expect.stringContaining('a bug in the desk’s thread')]);
    await closeHost(other);
  });

  it('says so when the port is taken, and lets the folder go', async () => {
    const { serveBrowser } = await import('../../../main/hosts/browser/serve.ts');
    const options = {
      dataFolder: path.join(host.root, 'data2'),
      configFolder: path.join(host.root, 'config'),
      rendererFolder: host.root,
      appVersion: '1',
      samplePath: null,
    };
    await expect(serveBrowser({ ...options, port: host.port })).rejects.toMatchObject({
      code: 'busy',
      message: expect.stringContaining(String(host.port)),
    });
    const next = await serveBrowser(options);
    await next.close();
    fs.rmSync(options.dataFolder, { recursive: true });
  });
});
