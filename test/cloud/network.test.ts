import { mkdtempSync, rmSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CloudClient, type CloudClientOptions } from '../../main/cloud/client.ts';
import { download } from '../../main/cloud/download.ts';
import type { CloudProblem } from '../../main/cloud/problem.ts';
import { explainProblem } from '../../shared/cloudProblem.ts';
import { aCloud, apiRequests, withCloud, type Cloud } from './aCloud.ts';
import { aProxy, aSecureFront, makeCertificates, type Certificates } from './aNetwork.ts';

const host = 'fleet.test';
let folder: string;
let cloud: Cloud;
let certificates: Certificates;
let front: Awaited<ReturnType<typeof aSecureFront>>;

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'evidence-desk-network-'));
  cloud = await aCloud();
  certificates = makeCertificates(folder, host);
  front = await aSecureFront(certificates, cloud.simulator.baseUrl);
});
afterAll(async () => {
  await front.stop();
  await cloud.simulator.stop();
  rmSync(folder, { recursive: true, force: true });
});

function clientAt(baseUrl: string, environment: NodeJS.ProcessEnv, more: Partial<CloudClientOptions> = {}) {
  return new CloudClient({
    baseUrl,
    apiKey: cloud.simulator.keys.enterprise,
    userAgent: 'EvidenceDesk/1.2.3',
    timing: cloud.timing,
    environment,
    ...more,
  });
}
async function problemOf(work: Promise<unknown>): Promise<CloudProblem> {
  return work.then(
    () => Promise.reject(new Error('it worked')),
    (thrown: CloudProblem) => thrown,
  );
}

describe('a company network', () => {
  it('is crossed by HTTPS_PROXY with CONNECT, and the proxy never sees the key', async () => {
    const proxy = await aProxy(front.port);
    try {
      const client = clientAt(`https://${host}/v1`, {
        HTTPS_PROXY: proxy.url,
        NODE_EXTRA_CA_CERTS: certificates.caFile,
      });
      await client.call('groups.list');
      await client.call('devices.reboot', { psn: cloud.simulator.story.ordinaryPsn });
      expect(proxy.asked.map((one) => one.target)).toEqual([`${host}:443`, `${host}:443`]);
      expect(JSON.stringify(proxy.asked)).not.toContain(cloud.simulator.keys.enterprise);
      const requests = apiRequests(cloud.simulator);
      expect(requests.every((request) => request.userAgent === 'EvidenceDesk/1.2.3')).toBe(true);
    } finally {
      await proxy.stop();
    }
  });

  it('is not asked for addresses on this machine, nor for those that NO_PROXY names', async () => {
    const proxy = await aProxy(front.port);
    try {
      const environment = { HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url, NO_PROXY: host };
      await clientAt(cloud.simulator.baseUrl, environment).call('groups.list');
      const direct = clientAt(`https://${host}`, environment);
      expect((await problemOf(direct.call('groups.list'))).code).toBe('address_unreachable');
      expect(proxy.asked).toEqual([]);
    } finally {
      await proxy.stop();
    }
  });

  it('that refuses the way is named, and the call is known not to have been made', async () => {
    const proxy = await aProxy(front.port, 407);
    try {
      const client = clientAt(`https://${host}`, { HTTPS_PROXY: proxy.url });
      const problem = await problemOf(client.call('groups.list', {}, { deadlineMs: 3000 }));
      expect(problem).toMatchObject({ code: 'address_unreachable', isKnownNotDone: true });
      expect(explainProblem(problem)).toMatchObject({
        what: expect.stringContaining('proxy'),
        todo: expect.stringContaining('proxy'),
      });
    } finally {
      await proxy.stop();
    }
  });

  it('with an authority of its own works with the PEM as an option, beside the usual authorities', async () => {
    const proxy = await aProxy(front.port);
    try {
      const client = clientAt(`https://${host}`, { HTTPS_PROXY: proxy.url }, { extraCa: certificates.caPem });
      expect((await client.call('groups.list')).status).toBe(200);
    } finally {
      await proxy.stop();
    }
  });
});

describe('a download', () => {
  it('takes the same way: the proxy, the company’s authority, and no key', async () => {
    const proxy = await aProxy(front.port);
    try {
      const { control } = cloud.simulator;
      const body = { from: '2026-03-13T00:00:00Z', to: '2026-03-13T00:00:00Z', format: 'csv' };
      const { jobId } = await cloud.client().createExport({ ...body, psns: ['FD1E26000002'] });
      await control.advance(60_000);
      const { downloadUrl = '' } = await cloud.client().exportJob(jobId);
      const done = await download({
        url: downloadUrl.replace(cloud.simulator.baseUrl, `https://${host}`),
        path: path.join(folder, 'proxied.zip'),
        expectedBytes: null,
        userAgent: 'EvidenceDesk/1.2.3',
        timing: cloud.timing,
        environment: { HTTPS_PROXY: proxy.url, NODE_EXTRA_CA_CERTS: certificates.caFile },
      });
      expect(done.sizeBytes).toBeGreaterThan(1000);
      expect(proxy.asked.map((one) => one.target)).toEqual([`${host}:443`]);
      expect(control.counters().linkRequestsWithKey).toBe(0);
    } finally {
      await proxy.stop();
    }
  });
});

describe('a connection that can not be trusted', () => {
  it.each<[string, string, { readonly NODE_EXTRA_CA_CERTS?: string }]>([
    ['an unknown authority', `https://${host}`, {}],
    ['another name', 'https://other.test', { NODE_EXTRA_CA_CERTS: 'ca' }],
    [
      'a list of authorities that is not there',
      `https://${host}`,
      { NODE_EXTRA_CA_CERTS: '/nowhere/ca.pem' },
    ],
  ])(
    'is refused for %s, with the remedy, and not one byte of a request is sent',
    async (_, baseUrl, given) => {
      const proxy = await aProxy(front.port);
      const before = apiRequests(cloud.simulator).length;
      try {
        const extra =
          given.NODE_EXTRA_CA_CERTS === 'ca' ? { NODE_EXTRA_CA_CERTS: certificates.caFile } : given;
        const client = clientAt(baseUrl, { HTTPS_PROXY: proxy.url, ...extra });
        const problem = await problemOf(client.call('devices.list'));
        expect(problem).toMatchObject({ code: 'tls_failed', isKnownNotDone: true });
        expect(explainProblem(problem).todo).toContain('NODE_EXTRA_CA_CERTS');
        if (given.NODE_EXTRA_CA_CERTS?.startsWith('/nowhere'))
          expect(problem.detail).toContain('/nowhere/ca.pem');
        expect(proxy.asked).toHaveLength(1);
        expect(apiRequests(cloud.simulator)).toHaveLength(before);
      } finally {
        await proxy.stop();
      }
    },
  );

  it('is refused for an address that speaks no TLS at all', async () => {
    const port = new URL(cloud.simulator.baseUrl).port;
    const problem = await problemOf(clientAt(`https://127.0.0.1:${port}`, {}).call('devices.list'));
    expect(problem.code).toBe('tls_failed');
  });
});

describe('an answer that is not the service’s', () => {
  async function against(
    serve: (request: http.IncomingMessage, response: http.ServerResponse) => void,
    work: (client: CloudClient, asked: http.IncomingMessage[]) => Promise<void>,
  ): Promise<void> {
    const asked: http.IncomingMessage[] = [];
    const server = http.createServer((request, response) => {
      asked.push(request);
      serve(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = server.address() as AddressInfo; // listens on TCP
      await work(clientAt(`http://127.0.0.1:${port}`, {}), asked);
    } finally {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  }

  it('does not lead the key elsewhere by a redirect', () =>
    against(
      (_, response) => response.writeHead(302, { Location: `${cloud.simulator.baseUrl}/v1/devices` }).end(),
      async (client, asked) => {
        const before = apiRequests(cloud.simulator).length;
        expect((await problemOf(client.call('devices.list'))).code).toBe('not_the_service');
        expect(asked).toHaveLength(1);
        expect(apiRequests(cloud.simulator)).toHaveLength(before);
      },
    ));

  it('does not carry the key into an error when the server repeats it', () =>
    against(
      (request, response) => {
        response.writeHead(400, { 'Content-Type': 'application/json' });
        response.end(JSON.stringify({ code: 'invalid_parameter', detail: request.headers.authorization }));
      },
      async (client) => {
        const problem = await problemOf(client.call('devices.list'));
        expect(problem.detail).toBe('Bearer [key]');
        expect(JSON.stringify(problem)).not.toContain(cloud.simulator.keys.enterprise);
      },
    ));

  it('is a web page where a wrong address leads to one', () =>
    against(
      (_, response) => response.writeHead(404, { 'Content-Type': 'text/html' }).end('<html>Not here</html>'),
      async (client, asked) => {
        const problem = await problemOf(client.call('devices.list'));
        expect(problem.code).toBe('not_the_service');
        expect(explainProblem(problem).todo).toContain('base address');
        expect(asked).toHaveLength(1);
      },
    ));

  it('uses a connection of its own for a call with side effects, and keeps those of reads', () =>
    against(
      (_, response) => response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"data":{}}'),
      async (client, asked) => {
        await client.call('groups.list');
        await client.call('groups.list');
        await client.call('devices.reboot', { psn: 'P' });
        expect(asked.map((request) => request.headers.connection)).toEqual([
          'keep-alive',
          'keep-alive',
          'close',
        ]);
      },
    ));
});

describe('time', () => {
  it('ends a call at its deadline although the server never answers, and says so', () =>
    withCloud(async ({ simulator, client }) => {
      simulator.control.addFault({ effect: { kind: 'hang' } });
      const problem = await problemOf(client().call('groups.list', {}, { deadlineMs: 300 }));
      expect(problem).toMatchObject({ code: 'deadline_exceeded', status: 0 });
    }));

  it('waits for a busy camera as long as the caller allows, tells of each wait, and no longer', () =>
    withCloud(async ({ simulator, client, timing }) => {
      const psn = simulator.story.ordinaryPsn;
      simulator.control.setDevice({ psn, busyForSeconds: 17 });
      const waits: number[] = [];
      const onWait = (wait: { waitMs: number }) => waits.push(wait.waitMs);
      await client().call('sdFiles.list', { psn }, { deadlineMs: 60_000, onWait });
      expect(waits).toEqual([5000, 5000, 5000, 5000]);
      simulator.control.setDevice({ psn, busyForSeconds: 900 });
      const startMs = timing.now();
      const problem = await problemOf(client().call('sdFiles.list', { psn }, { deadlineMs: 12_000 }));
      expect(problem.code).toBe('device_busy');
      expect(timing.now() - startMs).toBeLessThanOrEqual(12_000);
    }));

  it('stops at once when the caller cancels, with the caller’s reason', () =>
    withCloud(async ({ simulator, client }) => {
      simulator.control.addFault({ effect: { kind: 'hang' } });
      const abort = new AbortController();
      const reason = new Error('the user pressed Ctrl+C');
      const call = client().call('groups.list', {}, { signal: abort.signal });
      setImmediate(() => abort.abort(reason));
      await expect(call).rejects.toBe(reason);
    }));

  it('knows how far this machine’s clock is off', () =>
    withCloud(async ({ simulator, timing, clientWith }) => {
      const late = { ...timing, now: () => timing.now() - 3_600_000 };
      const client = clientWith(simulator.keys.enterprise, { timing: late });
      expect(client.transport.clockSkewMs).toBeNull();
      await client.call('groups.list');
      expect(client.transport.clockSkewMs).toBe(-3_600_000);
    }));
});
