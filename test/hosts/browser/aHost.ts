import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { decodeMessage } from '../../../shared/contract/wire.ts';
import { serveBrowser } from '../../../main/hosts/browser/serve.ts';

export interface Reply {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface Ask {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | Uint8Array;
}

/** One real HTTP request, with the path sent exactly as given (fetch would tidy it). */
export function send(
  port: number,
  target: string,
  { method = 'GET', headers = {}, body }: Ask = {},
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const request = http.request(
      { host: '127.0.0.1', port, path: target, method, headers, agent: false },
      (response) => {
        const pieces: Buffer[] = [];
        response.on('data', (piece: Buffer) => pieces.push(piece));
        response.on('error', reject);
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(pieces),
          }),
        );
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}

/** A real browser host over a temporary folder, with a window of three files. */
export async function aHost(options: { worker?: URL } = {}) {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'browser-host-'));
  const rendererFolder = path.join(root, 'renderer');
  fs.mkdirSync(path.join(rendererFolder, 'assets'), { recursive: true });
  fs.writeFileSync(path.join(rendererFolder, 'index.html'), '<!doctype html><title>Evidence Desk</title>');
  fs.writeFileSync(path.join(rendererFolder, 'assets', 'main-Ab12Cd34.js'), 'export {};');
  fs.writeFileSync(path.join(root, 'outside.js'), 'not the window’s');
  const bugs: string[] = [];
  const host = await serveBrowser({
    dataFolder: path.join(root, 'data'),
    configFolder: path.join(root, 'config'),
    rendererFolder,
    appVersion: '1.2.3',
    samplePath: null,
    runner: 'inline',
    ...options,
    onBug: (where, thrown) => bugs.push(`${where}: ${String(thrown)}`),
  });
  const port = Number(new URL(host.origin).port);
  return { ...host, port, root, bugs, dataFolder: path.join(root, 'data') };
}
export type Host = Awaited<ReturnType<typeof aHost>>;

export async function closeHost(host: Host): Promise<void> {
  await host.close();
  fs.rmSync(host.root, { recursive: true, force: true });
}

/** Exchanges the one-time token for the cookie, as a browser does. */
export async function signIn(host: Host): Promise<string> {
  const url = new URL(host.address);
  const reply = await send(host.port, url.pathname + url.search, { headers: { host: url.host } });
  return (reply.headers['set-cookie']?.[0] ?? '').split(';')[0] ?? '';
}

/** A signed-in window: sends what a browser on the right page sends. */
export function aWindow(host: Host, cookie: string) {
  const headers = { host: `127.0.0.1:${host.port}`, cookie, 'sec-fetch-site': 'same-origin' };
  const get = (target: string, more: Record<string, string> = {}, method = 'GET') =>
    send(host.port, target, { method, headers: { ...headers, ...more } });
  const post = (target: string, body: string | Uint8Array, more: Record<string, string> = {}) =>
    send(host.port, target, { method: 'POST', headers: { ...headers, origin: host.origin, ...more }, body });
  return {
    headers,
    get,
    post,
    async ask(name: string, input: unknown = {}): Promise<unknown> {
      const reply = await post('/api/request', JSON.stringify({ name, input }), {
        'content-type': 'application/json',
      });
      return decodeMessage(reply.body);
    },
  };
}
