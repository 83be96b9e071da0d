import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { decodeMessage } from '../../shared/contract/wire.ts';
import { AppError } from '../../shared/errors.ts';
import type { TripId } from '../../shared/ids.ts';
import type { HostAbilities } from '../../main/desk/deps.ts';
import { connectDesk, type DeskConnection } from '../../main/desk/deskConnection.ts';
import { aCsv, aDesk, aFile, aPlace, testAbilities, type Place } from './aDesk.ts';

// A thread compiles the sources that it runs; on a busy machine that takes seconds.
vi.setConfig({ testTimeout: 60_000 });

let place: Place;
let bugs: string[];
let open: DeskConnection[];
beforeEach(() => {
  place = aPlace();
  bugs = [];
  open = [];
});
afterEach(async () => {
  await Promise.all(open.map((desk) => desk.close()));
  place.remove();
});

/** The desk in a real worker thread. */
async function connected(
  abilities: HostAbilities = testAbilities(place),
  worker?: URL,
): Promise<DeskConnection> {
  const desk = await connectDesk({
    dataFolder: place.dataFolder,
    abilities,
    runner: 'worker',
    appVersion: '1.2.3',
    samplePath: null,
    ...(worker ? { worker } : {}),
    onBug: (where, thrown) =>
      bugs.push(`${where}: ${thrown instanceof Error ? thrown.message : String(thrown)}`),
  });
  open.push(desk);
  return desk;
}

async function importOne(desk: DeskConnection): Promise<TripId> {
  await desk.importFiles([aFile(place, 'a.csv', aCsv())]);
  const [trip] = await desk.client.invoke('trips.list', {});
  return trip!.tripId;
}

describe('the desk in a thread of its own', () => {
  it('carries the contract: results with columns, absent kept absent, and failures with their code', async () => {
    const desk = await connected();
    const tripId = await importOne(desk);
    const points = await desk.client.invoke('trips.points', { tripId });
    expect(points.speedKmh).toBeInstanceOf(Float64Array);
    expect([...points.speedKmh]).toEqual([NaN, 1, 2, 3, 4]);
    await expect(desk.client.invoke('trips.get', { tripId: 'trip_gone' as TripId })).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(bugs).toEqual([]);
  });

  it('gives the same reply as bytes, for hosts that pass them on', async () => {
    const desk = await connected();
    const bytes = await desk.requestEncoded('settings.get', {});
    expect(decodeMessage(bytes)).toMatchObject({ ok: true, value: { theme: 'system' } });
    const refused = decodeMessage(await desk.requestEncoded('toString', { a: 1 }));
    expect(refused).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
  });

  it('answers an input that can’t be sent instead of hanging', async () => {
    const desk = await connected();
    const reply = decodeMessage(await desk.requestEncoded('settings.get', { call: () => 1 }));
    expect(reply).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
  });

  it('carries events to those who subscribed, until they stop', async () => {
    const desk = await connected();
    const heard: string[] = [];
    const stop = desk.client.on('cases.changed', () => heard.push('cases'));
    desk.subscribeAll((name) => heard.push(name));
    await desk.client.invoke('cases.create', { name: 'One' });
    stop();
    await desk.client.invoke('cases.create', { name: 'Two' });
    expect(heard).toEqual(['cases', 'cases.changed', 'cases.changed']);
  });

  it('carries progress and cancel of host-only calls', async () => {
    const desk = await connected();
    const file = aFile(place, 'long.csv', aCsv({ points: 200_000 }));
    const abort = new AbortController();
    const seen: string[] = [];
    const running = desk.importFiles([file], {
      signal: abort.signal,
      onProgress: ({ stage }) => {
        seen.push(stage);
        abort.abort();
      },
    });
    await expect(running).rejects.toMatchObject({ code: 'canceled' });
    expect(seen.length).toBeGreaterThan(0);
    expect(await desk.client.invoke('sources.list', {})).toEqual([]);
    await expect(desk.importFiles([file], { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'canceled',
    });
  });

  it('seals and verifies with the host’s secret store, which stays in the host', async () => {
    const used: string[] = [];
    const own = testAbilities(place);
    const desk = await connected({
      ...own,
      protectSecret: async (plain) => {
        used.push('protect');
        return own.protectSecret(plain);
      },
      revealSecret: async (sealed) => {
        used.push('reveal');
        return own.revealSecret(sealed);
      },
    });
    const tripId = await importOne(desk);
    const { caseId } = await desk.client.invoke('cases.create', { name: 'Case 7' });
    await desk.client.invoke('cases.add', { caseId, refs: [{ kind: 'trip', tripId }] });
    const outPath = path.join(place.root, 'out.zip');
    const sealed = await desk.sealTo(caseId, outPath);
    expect(used).toContain('protect');
    expect(await desk.verifyFile(outPath)).toMatchObject({ ok: true });
    expect(await desk.mediaFile(`media/package/${sealed.packageId}`)).toMatchObject({ path: outPath });
    await desk.sealTo(caseId, path.join(place.root, 'second.zip'));
    expect(used).toContain('reveal');
    await desk.client.invoke('packages.reveal', { packageId: sealed.packageId });
    expect(own.revealed).toEqual([outPath]);
  });

  it('passes an ability’s refusal on as it is', async () => {
    const desk = await connected({
      ...testAbilities(place),
      protectSecret: async () => {
        throw new AppError('seal_key_unavailable', 'The keychain is locked.', { remedy: 'Unlock it.' });
      },
    });
    const tripId = await importOne(desk);
    const { caseId } = await desk.client.invoke('cases.create', { name: 'Case 7' });
    await desk.client.invoke('cases.add', { caseId, refs: [{ kind: 'trip', tripId }] });
    await expect(desk.sealTo(caseId, path.join(place.root, 'out.zip'))).rejects.toMatchObject({
      code: 'seal_key_unavailable',
      remedy: 'Unlock it.',
    });
  });

  it('rejects with the cause when the folder can’t be opened, and ends its thread', async () => {
    const holder = await aDesk(place);
    await expect(connected()).rejects.toMatchObject({ code: 'cache_locked' });
    await holder.close();
    await connected();
  });

  it('closes in order: the folder is free afterwards, and who asks then is told', async () => {
    const desk = await connected();
    await Promise.all([desk.close(), desk.close()]);
    expect(await desk.transport.request('settings.get', {})).toMatchObject({
      ok: false,
      error: { code: 'connection_lost' },
    });
    await expect(desk.importFiles(['/x'])).rejects.toMatchObject({ code: 'connection_lost' });
    const next = await aDesk(place);
    await next.close();
    expect(bugs).toEqual([]);
  });

  it('tells everybody who waits when the thread dies, logs it, and says it once to the host', async () => {
    const desk = await connected(testAbilities(place), new URL('./dyingWorker.ts', import.meta.url));
    const crashed: AppError[] = [];
    desk.onCrash((error) => crashed.push(error));
    const request = desk.transport.request('trips.list', {});
    const call = desk.importFiles(['/x']).catch((thrown: unknown) => thrown);
    const stopped = { code: 'connection_lost', remedy: expect.stringContaining('Start Evidence Desk again') };
    expect(await request).toMatchObject({ ok: false, error: stopped });
    expect(await call).toMatchObject(stopped);
    expect(await desk.transport.request('trips.list', {})).toMatchObject({ ok: false, error: stopped });
    desk.onCrash((error) => crashed.push(error));
    expect(crashed).toMatchObject([stopped, stopped]);
    expect(bugs).toEqual(['desk thread ended with 1: a bug in the desk’s thread']);
    await desk.close();
  });
});
