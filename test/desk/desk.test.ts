import fs from 'node:fs';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { requests } from '../../shared/contract/index.ts';
import type { TripId } from '../../shared/ids.ts';
import { aCsv, aDesk, aFile, aPlace, type Place } from './aDesk.ts';

let place: Place;
let desk: Awaited<ReturnType<typeof aDesk>>;
beforeEach(async () => {
  place = aPlace();
  desk = await aDesk(place);
});
afterEach(async () => {
  await desk.close();
  place.remove();
});

describe('the desk', () => {
  it('has an answer of its own to every request of the contract, whatever is asked', async () => {
    for (const name of Object.keys(requests)) {
      const reply = await desk.dispatch(name, { nonsense: true });
      expect(reply, name).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
    }
    expect(await desk.dispatch('no.such', {})).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
    expect(await desk.dispatch('constructor', {})).toMatchObject({ ok: false });
  });

  it('refuses a folder that another desk has open, and opens it once that is closed', async () => {
    await expect(aDesk(place)).rejects.toMatchObject({ code: 'cache_locked', remedy: expect.any(String) });
    await desk.close();
    desk = await aDesk(place);
  });

  it('goes on when one listener fails', async () => {
    const heard: string[] = [];
    desk.subscribeAll(() => {
      throw new Error('a broken window');
    });
    desk.subscribeAll((name) => heard.push(name));
    await desk.client.invoke('cases.create', { name: 'Case 7' });
    expect(heard).toContain('cases.changed');
    expect(desk.bugs).toMatchObject([{ message: 'a broken window' }]);
  });

  it('may be closed twice, and while an import runs', async () => {
    const running = desk.importFiles([aFile(place, 'long.csv', aCsv({ points: 100_000 }))]);
    const ended = expect(running).rejects.toMatchObject({ code: 'canceled' });
    await Promise.all([desk.close(), desk.close()]);
    await ended;
    desk = await aDesk(place);
    expect(await desk.client.invoke('jobs.list', {})).toMatchObject([{ state: { status: 'interrupted' } }]);
    expect(await desk.client.invoke('sources.list', {})).toEqual([]);
  });

  it('seals a case into a file of the user’s choice and verifies it, both in the tray', async () => {
    const { sources } = await desk.importFiles([aFile(place, 'a.csv', aCsv())]);
    const { caseId } = await desk.client.invoke('cases.create', { name: 'Case 7' });
    await desk.client.invoke('cases.add', {
      caseId,
      refs: [{ kind: 'source', sourceId: sources[0]!.sourceId! }],
    });
    const outPath = path.join(place.root, 'out.zip');
    const sealed = await desk.sealTo(caseId, outPath);
    expect(sealed).toMatchObject({ fileName: 'out.zip', sizeBytes: fs.statSync(outPath).size });
    expect(await desk.verifyFile(outPath)).toMatchObject({
      ok: true,
      isOwnSeal: true,
      signedBy: sealed.signedBy,
    });
    expect((await desk.client.invoke('app.info', {})).sealFingerprint).toBe(sealed.signedBy);
    await expect(desk.sealTo(caseId, outPath)).rejects.toMatchObject({ code: 'out_exists' });
    const jobs = await desk.client.invoke('jobs.list', {});
    expect(jobs.map((job) => [job.kind, job.state.status])).toEqual([
      ['seal', 'failed'],
      ['verify', 'done'],
      ['seal', 'done'],
      ['import', 'done'],
    ]);
    const media = desk.mediaFile(`media/package/${sealed.packageId}`);
    expect(media).toMatchObject({ path: outPath, contentType: 'application/zip', downloadName: 'out.zip' });
    fs.rmSync(outPath);
    expect(desk.mediaFile(`media/package/${sealed.packageId}`)).toBeNull();
  });

  it('writes a trip as it came in, and waits for a slow reader', async () => {
    await desk.importFiles([aFile(place, 'a.csv', aCsv({ points: 20_000 }))]);
    const [trip] = await desk.client.invoke('trips.list', {});
    const out = new PassThrough({ highWaterMark: 1024 });
    const written = desk.trackText(trip!.tripId, 'csv', out).then(() => out.end());
    const rows = (await text(out)).trimEnd().split('\r\n');
    await written;
    expect(rows).toHaveLength(20_001);
    expect(rows[1]).toBe('PSN1,Van 1,2026-03-14T10:00:00.000Z,52.100000,4.300000,7,90,');
    expect(rows[2]).toBe('PSN1,Van 1,2026-03-14T10:00:01.000Z,52.100100,4.300000,7,90,1');
    await expect(desk.trackText('trip_gone' as TripId, 'csv', new PassThrough())).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});

describe('media paths', () => {
  it('lead to originals by id, to be saved and never shown', async () => {
    const { sources } = await desk.importFiles([aFile(place, 'a.csv', aCsv())]);
    const media = desk.mediaFile(`media/source/${sources[0]!.sourceId}`);
    expect(media).toMatchObject({ contentType: 'application/octet-stream', downloadName: 'a.csv' });
    expect(fs.readFileSync(media!.path, 'utf8')).toBe(aCsv());
  });

  it.each([
    'media/source/../cache.sqlite',
    'media/source/..',
    'media/source/%2e%2e',
    'media/source/..%2fcache.sqlite',
    'media/source/..%5ccache.sqlite',
    'media/source/..\\cache.sqlite',
    'media/source/src_1\0',
    'media/source/src_1/..',
    'media//source/src_1',
    '//media/source/src_1',
    'media/source/C:',
    'media/basemap/\\\\server\\share',
    'media/cache/cache.sqlite',
    'media/source/',
    'media/source',
    'media/source/src_unknown',
    'media/package/package_unknown',
    `media/basemap/${'a'.repeat(64)}`,
    `media/source/${'a'.repeat(5000)}`,
    'cache.sqlite',
    '',
  ])('lead nowhere: %j', (mediaPath) => {
    expect(desk.mediaFile(mediaPath)).toBeNull();
    expect(desk.mediaFile(`/${mediaPath}`)).toBeNull();
  });
});
