import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { inspect } from 'node:util';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import yauzl from 'yauzl';
import { addAccount, aCloudDesk, orderThat, type CloudDesk } from './aCloudDesk.ts';
import { endOf } from './aDesk.ts';

let bench: CloudDesk;
beforeEach(async () => {
  bench = await aCloudDesk();
});
afterEach(() => bench.end());

/** Everything in a zip, unpacked. */
async function contentOf(file: string): Promise<Buffer> {
  const zip = await yauzl.openPromise(file);
  const parts: Buffer[] = [];
  for await (const entry of zip.eachEntry()) {
    parts.push(Buffer.from(entry.fileName));
    for await (const chunk of await zip.openReadStreamPromise(entry)) parts.push(chunk as Buffer);
  }
  return Buffer.concat(parts);
}

it('the key is in no log, error, database, package, file or message to the window, after a full run', async () => {
  const said: string[] = [];
  const listen = (text: unknown): boolean => {
    said.push(typeof text === 'string' ? text : inspect(text, { depth: 20 }));
    return true;
  };
  const spies = (['log', 'info', 'warn', 'error', 'debug'] as const).map((name) =>
    vi.spyOn(console, name).mockImplementation((...args: unknown[]) => void args.forEach(listen)),
  );
  spies.push(vi.spyOn(process.stderr, 'write').mockImplementation(listen) as never);
  const { simulator, place } = bench;
  const { control } = simulator;
  try {
    const desk = await bench.open();
    desk.subscribeAll((name, payload) => listen({ name, payload }));
    /** As a window asks: whatever comes back is kept. */
    const ask = async (name: string, input: unknown = {}) => {
      const result = await desk.dispatch(name, input);
      listen(result);
      return result;
    };
    const account = await addAccount(bench, desk);
    listen(account);
    const given = { baseUrl: simulator.baseUrl, apiKey: simulator.keys.enterprise };
    for (const over of [{}, { baseUrl: 'http://127.0.0.1:9' }, { baseUrl: 'nonsense' }, { baseUrl: 7 }])
      await ask('accounts.test', { ...given, ...over });
    await ask('accounts.add', { ...given, label: '' });
    await ask('accounts.add', { ...given, label: 'x', surplus: given.apiKey.length });
    const ordered = await desk.client.invoke('exports.order', {
      fromDay: '2026-03-12',
      toDay: '2026-03-13',
      format: 'csv',
      psns: ['FD1E26000002'],
      shouldImport: true,
    });
    const done = await orderThat(desk, ordered.job.jobId, (order) => order.delivery.status === 'imported');
    listen(done);
    await ask('usage.read', { isFresh: true });
    await ask('cloudDevices.list', { isFresh: true });
    await ask('exports.list', { isFresh: true });
    // Calls that fail in every way, with their errors looked at to the bottom of their causes.
    const cloud = await desk.cloud();
    const effects = [
      { kind: 'problem', code: 'insufficient_scope' },
      { kind: 'problem', code: 'internal_error' },
      { kind: 'raw', status: 200, body: '<html>' },
      { kind: 'raw', status: 502, body: '' },
      { kind: 'drop', bytes: 0 },
      { kind: 'drop', bytes: 20 },
      { kind: 'cut', bytes: 20 },
    ] as const;
    for (const effect of effects) {
      control.addFault({ effect });
      await cloud.call('devices.list', {}).catch(listen);
      await cloud.call('sdFiles.playback', { psn: 'P', filename: 'F' }).catch(listen);
      await ask('cloudDevices.list', { isFresh: true });
      await ask('usage.read', { isFresh: true });
      await ask('exports.list', { isFresh: true });
      await ask('accounts.check', { accountId: account.accountId });
      control.clearFaults();
    }
    if (done.delivery.status !== 'imported') throw new Error('not imported');
    const { caseId } = await desk.client.invoke('cases.create', { name: 'Key' });
    const ref = { kind: 'source', sourceId: done.delivery.sourceId } as const;
    await desk.client.invoke('cases.add', { caseId, refs: [ref] });
    const out = path.join(place.root, 'sealed.zip');
    await desk.sealTo(caseId, out);
    for (const job of await desk.client.invoke('jobs.list', {})) listen(await endOf(desk, job.jobId));
    await simulator.stop();
    await cloud.call('devices.list', {}).catch(listen);
    listen(desk.bugs);
    await desk.close();

    const { apiKey } = given;
    const forms = [
      apiKey,
      Buffer.from(apiKey).toString('base64').replace(/=+$/, ''),
      Buffer.from(apiKey).toString('hex'),
    ];
    const find = (where: string, bytes: Buffer): void => {
      for (const form of forms) expect(bytes.includes(form), `${where} holds the key`).toBe(false);
    };
    // What a search that finds nothing is worth: the same run does leave traces of what is no secret.
    expect(said.join('\n')).toContain(ordered.job.jobId);
    expect(said.length).toBeGreaterThan(50);
    find('what was said', Buffer.from(said.join('\n')));
    const files = readdirSync(place.root, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    expect(files.map((entry) => entry.name)).toContain('accounts.json');
    expect(files.length).toBeGreaterThan(4);
    for (const entry of files) {
      const file = path.join(entry.parentPath, entry.name);
      find(file, readFileSync(file));
      if (entry.name.endsWith('.zip')) find(`${file}, unpacked`, await contentOf(file));
    }
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
});
