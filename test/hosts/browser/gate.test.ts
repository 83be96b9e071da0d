import http from 'node:http';
import net from 'node:net';
import os from 'node:os';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { aHost, aWindow, closeHost, send, signIn, type Host } from './aHost.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let host: Host;
let cookie: string;
beforeAll(async () => {
  host = await aHost();
  cookie = await signIn(host);
});
afterAll(() => closeHost(host));

/** Everything that a window may ask for: none of it may be had without the cookie. */
const doors: readonly [method: string, target: string][] = [
  ['GET', '/'],
  ['HEAD', '/'],
  ['GET', '/assets/main-Ab12Cd34.js'],
  ['GET', '/api/events'],
  ['POST', '/api/request'],
  ['POST', '/api/upload?name=a.csv'],
  ['GET', '/media/source/src_1'],
  ['GET', '/no/such/place'],
];
const own = () => ({ host: `127.0.0.1:${host.port}`, origin: host.origin });

describe('the door of the loopback host', () => {
  it('listens on 127.0.0.1 and nowhere else', async () => {
    const others = Object.values(os.networkInterfaces())
      .flat()
      .flatMap((face) => (face && !face.internal && face.family === 'IPv4' ? [face.address] : []));
    for (const address of [...others, '::1']) {
      const reached = await new Promise<boolean>((resolve) => {
        const socket = net.connect({ host: address, port: host.port });
        socket.once('connect', () => resolve(true));
        socket.once('error', () => resolve(false));
      });
      expect(reached, address).toBe(false);
    }
  });

  it('takes its port and its token at random', async () => {
    const other = await aHost();
    expect(new URL(other.address).search).toMatch(/^\?token=[0-9a-f]{64}$/);
    expect(new URL(other.address).search).not.toBe(new URL(host.address).search);
    expect(other.port).not.toBe(host.port);
    await closeHost(other);
  });

  it('exchanges the token once, for a cookie that scripts can’t read and other sites don’t send', async () => {
    const fresh = await aHost();
    const { pathname, search } = new URL(fresh.address);
    const arrive = () =>
      send(fresh.port, pathname + search, { headers: { host: `127.0.0.1:${fresh.port}` } });
    const first = await arrive();
    expect(first.status).toBe(303);
    expect(first.headers.location).toBe('/');
    expect(first.headers['set-cookie']?.[0]).toMatch(
      new RegExp(`^evidence_desk_${fresh.port}=[0-9a-f]{64}; HttpOnly; SameSite=Strict; Path=/$`),
    );
    const second = await arrive();
    expect(second.status).toBe(401);
    expect(second.headers['set-cookie']).toBeUndefined();
    expect(second.body.toString()).toContain('start Evidence Desk again');
    await closeHost(fresh);
  });

  it('lets the same browser use its link again', async () => {
    const { pathname, search } = new URL(host.address);
    const again = await aWindow(host, cookie).get(pathname + search);
    expect(again).toMatchObject({ status: 303 });
  });

  it.each(doors)('refuses %s %s without the cookie (another user of the machine)', async (method, target) => {
    for (const given of [
      undefined,
      'evidence_desk=x',
      cookie.replace(/.$/, (c) => (c === '0' ? '1' : '0')),
      '',
    ]) {
      const headers = given === undefined ? own() : { ...own(), cookie: given };
      const reply = await send(host.port, target, { method, headers });
      expect(reply.status, String(given)).toBe(401);
    }
  });

  it.each(doors)('refuses %s %s under another name (DNS rebinding)', async (method, target) => {
    for (const name of [
      `evil.example:${host.port}`,
      '127.0.0.1',
      `localhost:${host.port}`,
      `127.0.0.1:${host.port}.`,
    ]) {
      // As the rebound page would: its own origin to itself, so no Origin on reads and nothing cross-site.
      const headers = {
        host: name,
        cookie,
        'sec-fetch-site': 'same-origin',
        ...(method === 'POST' ? { origin: host.origin } : {}),
      };
      expect((await send(host.port, target, { method, headers })).status, name).toBe(403);
    }
  });

  it.each(doors)(
    'refuses %s %s to other sites and to other ports of this machine',
    async (method, target) => {
      for (const origin of [
        'https://evil.example',
        `http://127.0.0.1:${host.port + 1}`,
        'null',
        `http://localhost:${host.port}`,
      ]) {
        const reply = await send(host.port, target, { method, headers: { ...own(), cookie, origin } });
        expect(reply.status, origin).toBe(403);
      }
      for (const site of ['cross-site', 'same-site']) {
        const headers = { ...own(), cookie, 'sec-fetch-site': site };
        expect((await send(host.port, target, { method, headers })).status, site).toBe(403);
      }
    },
  );

  it('takes no change that does not say where it comes from', async () => {
    const headers = { host: own().host, cookie, 'content-type': 'application/json' };
    const body = JSON.stringify({ name: 'settings.get', input: {} });
    expect((await send(host.port, '/api/request', { method: 'POST', headers, body })).status).toBe(403);
  });

  it('does not take the token anywhere but at the door', async () => {
    const fresh = await aHost();
    const token = new URL(fresh.address).search;
    const headers = { host: `127.0.0.1:${fresh.port}`, origin: fresh.origin };
    expect((await send(fresh.port, `/api/events${token}`, { headers })).status).toBe(401);
    expect((await send(fresh.port, `/${token}`, { method: 'POST', headers })).status).toBe(401);
    expect(await signIn(fresh)).not.toBe('');
    await closeHost(fresh);
  });

  it('speaks no other protocol', async () => {
    const request = http.request({
      host: '127.0.0.1',
      port: host.port,
      headers: { ...own(), cookie, connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-key': 'AAAA' },
    });
    const outcome = await new Promise<string>((resolve) => {
      request.on('upgrade', () => resolve('upgraded'));
      request.on('response', (response) => resolve(String(response.statusCode)));
      request.on('error', () => resolve('closed'));
      request.end();
    });
    expect(outcome).toBe('closed');
  });

  it('puts the policy on every reply, refusals too', async () => {
    const window = aWindow(host, cookie);
    const replies = [
      await window.get('/'),
      await window.get('/missing'),
      await window.get('/media/source/src_1'),
      await window.post('/api/request', '{}', { 'content-type': 'application/json' }),
      await send(host.port, '/'),
      await send(host.port, new URL(host.address).pathname + new URL(host.address).search, {
        headers: { host: own().host },
      }),
    ];
    for (const { headers } of replies) {
      expect(headers['content-security-policy']).toContain("default-src 'none'; script-src 'self'");
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['referrer-policy']).toBe('no-referrer');
      expect(headers['access-control-allow-origin']).toBeUndefined();
    }
  });
});
