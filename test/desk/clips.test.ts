import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ClipId } from '../../shared/ids.ts';
import type { Desk } from '../../main/desk/desk.ts';
import { createClipRepository } from '../../main/cache/clipRepository.ts';
import { transact } from '../../main/cache/database.ts';
import { createSourceRepository } from '../../main/cache/sourceRepository.ts';
import { createClipUseCases } from '../../main/desk/clips.ts';
import { openCache, openCacheConnection } from '../../main/cache/openCache.ts';
import { box, clip, fileType, motionRecord, rmc, u64, vendorFree } from '../media/telemetry/clipWriter.ts';
import { aCsv, aDesk, aFile, anUpload, aPlace, endOf, type Place } from './aDesk.ts';

let place: Place;
let desk: Desk & { bugs: unknown[] };
beforeEach(async () => {
  place = aPlace();
  desk = await aDesk(place);
});
afterEach(async () => {
  await desk.close();
  place.remove();
});

const start = Date.UTC(2026, 2, 14, 22, 32, 10);
const local = start - 5 * 3_600_000;
const name = '20260314_173210_EF.mp4';

/** A clip of one second with a fix and a bump; `tag` makes its bytes its own. */
function aClip(tag = '', startMs = start): Buffer {
  return clip(
    vendorFree(
      box('cprt', `Maker ${tag}\0`),
      box('sttm', u64(startMs - start + local)),
      box('gps ', `[${startMs - start + local}]${rmc(startMs, { latDeg: 41.5, lngDeg: -87.25, knots: 10 })}`),
      box('3gf ', motionRecord(0, 128, 0, 0), motionRecord(110, 128, 256, 0)),
      box('thum', Buffer.from([0, 0, 0, 4, 0xff, 0xd8, 0xff, 0xd9])),
    ),
  );
}
const list = () => desk.client.invoke('clips.list', {});

describe('importing clips', () => {
  it('makes a source and a clip of an .mp4, with what it says of itself', async () => {
    const bytes = aClip('A');
    const { sources } = await desk.importFiles([aFile(place, name, bytes)]);
    expect(sources).toMatchObject([
      {
        status: 'imported',
        trips: 0,
        points: 0,
        fromMs: start,
        toMs: start + 1000,
        error: null,
        entries: [{ name, format: 'mp4', status: 'imported', skipped: [], flagged: [], error: null }],
      },
    ]);
    const [found] = await list();
    expect(found).toMatchObject({
      fileName: name,
      origin: 'import',
      psn: null,
      mainName: name,
      quality: 'main',
      typeCode: 'E',
      directionCode: 'F',
      recordedAtLocal: '2026-03-14T17:32:10',
      startUtcMs: start,
      endUtcMs: start + 1000,
      durationS: 1,
      bbox: [-87.25, 41.5, -87.25, 41.5],
      sizeBytes: bytes.length,
      isRead: true,
    });
    const { facts } = await desk.client.invoke('clips.get', { clipId: found!.clipId });
    expect(facts).toMatchObject({
      makerText: 'Maker A',
      clock: { utcOffsetMin: -300 },
      video: { frames: 30 },
    });
    expect(await desk.client.invoke('sources.list', {})).toMatchObject([{ kind: 'clip', fileName: name }]);
  });

  it('takes uploads, in a thread as well as in line, and tells the window', async () => {
    await desk.close();
    for (const runner of ['worker', 'inline'] as const) {
      const other = aPlace();
      const host = await aDesk(other, { runner });
      let changes = 0;
      host.client.on('library.changed', () => (changes += 1));
      const uploadIds = [await anUpload(other, name, aClip())];
      const job = await endOf(host, (await host.client.invoke('imports.start', { uploadIds })).jobId);
      expect(job.state).toMatchObject({
        status: 'done',
        result: { outcome: { sources: [{ status: 'imported' }] } },
      });
      expect(await host.client.invoke('clips.list', {})).toHaveLength(1);
      expect(changes).toBe(1);
      expect(host.bugs).toEqual([]);
      await host.close();
      other.remove();
    }
  });

  it('knows the same bytes again, whatever their name', async () => {
    await desk.importFiles([aFile(place, name, aClip())]);
    const { sources } = await desk.importFiles([
      aFile(place, 'copy.mp4', aClip()),
      aFile(place, 'other.mp4', aClip('2')),
    ]);
    expect(sources.map(({ status }) => status)).toEqual(['duplicate', 'imported']);
    expect(await list()).toHaveLength(2);
  });

  it('takes folders as they were copied from a card, and passes over what is none of its business', async () => {
    const card = path.join(place.root, 'card');
    for (const folder of ['event', 'normal/deep']) fs.mkdirSync(path.join(card, folder), { recursive: true });
    fs.writeFileSync(path.join(card, 'event', name), aClip('event'));
    for (let i = 0; i < 60; i++) {
      const file = `20260314_18${String(i).padStart(2, '0')}00_NF.mp4`;
      fs.writeFileSync(path.join(card, 'normal/deep', file), aClip(String(i), start + i * 60_000));
    }
    fs.writeFileSync(path.join(card, 'normal', 'export.csv'), aCsv());
    fs.writeFileSync(path.join(card, 'normal', 'index.dat'), 'of the camera');
    fs.writeFileSync(path.join(card, 'normal', '._20260314_180000_NF.mp4'), 'of a Mac');
    fs.symlinkSync(card, path.join(card, 'normal', 'loop'));
    const { sources } = await desk.importFiles([card]);
    expect(sources).toHaveLength(62);
    expect(sources.every(({ status }) => status === 'imported')).toBe(true);
    const clips = await list();
    expect(clips).toHaveLength(61);
    expect(clips.map(({ startUtcMs }) => startUtcMs)).toEqual(
      clips.map(({ startUtcMs }) => startUtcMs).toSorted((a, b) => a! - b!),
    );
    expect(fs.readdirSync(path.join(place.dataFolder, 'partial', 'uploads'))).toEqual([]);
  });

  it('keeps a damaged clip, which may be all there is, and says what is wrong; refuses what is no clip', async () => {
    const { sources } = await desk.importFiles([
      aFile(place, 'cut.mp4', aClip('cut').subarray(0, 400)),
      aFile(place, 'no-index.mp4', Buffer.concat([fileType, box('mdat', Buffer.alloc(50))])),
      aFile(place, 'text.mp4', 'a text that somebody renamed'),
      aFile(place, 'empty.mp4', ''),
      aFile(place, 'good.mp4', aClip()),
    ]);
    expect(
      sources.map(({ status, error, entries }) => [status, error?.code ?? null, entries[0]?.status ?? null]),
    ).toEqual([
      ['imported', null, 'partial'],
      ['imported', null, 'partial'],
      ['failed', 'unsupported_format', null],
      ['failed', 'file_empty', null],
      ['imported', null, 'imported'],
    ]);
    expect(sources[1]!.entries[0]!.error).toMatch(/never finished/);
    expect(await list()).toHaveLength(3);
  });

  it('counts lines that could not be used, without calling the clip incomplete', async () => {
    const bytes = clip(vendorFree(box('gps ', `[${local}]$GPRMC,broken\n`)));
    const { sources } = await desk.importFiles([aFile(place, name, bytes)]);
    expect(sources[0]!.entries).toMatchObject([
      {
        status: 'imported',
        skipped: [],
        flagged: [{ where: 'gps byte 15', reason: 'a line that is cut short', count: 1 }],
      },
    ]);
  });
});

describe('recalled clips', () => {
  it('are clips of the library from their arrival on, and are read afterwards', async () => {
    await desk.close();
    const cache = openCache({ folder: place.dataFolder });
    let changes = 0;
    const useCases = createClipUseCases({
      cache,
      now: () => start,
      actor: () => 'Test',
      emit: () => (changes += 1),
    });
    const arrive = (bytes: Buffer, quality: 'main' | 'sub') => {
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      const part = path.join(place.dataFolder, 'partial', 'arrived');
      fs.writeFileSync(part, bytes);
      cache.blobs.adopt(part, sha256);
      const clip = { sha256, sizeBytes: bytes.length, fileName: name, psn: 'P1', quality };
      const arrived = transact(cache.db, () => useCases.addArrived(clip));
      cache.blobs.settle(sha256);
      return arrived;
    };
    const { clipId, sourceId } = arrive(aClip(), 'sub');
    arrive(Buffer.from('not a clip at all, whatever the service sent'), 'main');
    const clips = createClipRepository(cache.db);
    expect(clips.find(clipId)).toMatchObject({
      origin: 'recall',
      psn: 'P1',
      quality: 'sub',
      mainName: name,
      isRead: false,
    });
    expect(clips.named(name, 'sub')).toHaveLength(1);
    await useCases.readUnread();
    expect(clips.get(clipId)).toMatchObject({
      isRead: true,
      quality: 'sub',
      startUtcMs: start,
      facts: { gps: { samples: 1 } },
    });
    expect(createSourceRepository(cache.db).get(sourceId)).toMatchObject({
      kind: 'clip',
      fromMs: start,
      toMs: start + 1000,
    });
    expect(clips.list({ psns: ['P1'] }).map(({ isRead, startUtcMs }) => [isRead, startUtcMs])).toEqual([
      [true, start],
      [true, null],
    ]);
    expect(clips.unread()).toEqual([]);
    expect(changes).toBe(1);
    await useCases.close();
    cache.close();
    desk = await aDesk(place);
  });

  it('that were imported by hand before become their camera’s', async () => {
    await desk.importFiles([aFile(place, name, aClip())]);
    await desk.close();
    const cache = openCache({ folder: place.dataFolder });
    const useCases = createClipUseCases({
      cache,
      now: () => start,
      actor: () => 'Test',
      emit: () => undefined,
    });
    const sha256 = createHash('sha256').update(aClip()).digest('hex');
    const { clipId } = transact(cache.db, () =>
      useCases.addArrived({ sha256, sizeBytes: 1, fileName: name, psn: 'P9', quality: 'main' }),
    );
    expect(createClipRepository(cache.db).list({})).toMatchObject([{ clipId, psn: 'P9', origin: 'import' }]);
    await useCases.close();
    cache.close();
    desk = await aDesk(place);
  });
});

describe('clips in the library', () => {
  const imported = async (): Promise<ClipId> => {
    await desk.importFiles([aFile(place, name, aClip())]);
    return (await list())[0]!.clipId;
  };

  it('give their telemetry as columns, their picture, and an entry of custody for the first look', async () => {
    const clipId = await imported();
    const telemetry = await desk.client.invoke('clips.telemetry', { clipId });
    await desk.client.invoke('clips.telemetry', { clipId });
    expect([...telemetry.gps!.utcMs]).toEqual([start]);
    expect(telemetry.gps!.speedKmh[0]).toBeCloseTo(18.52, 9);
    expect(telemetry.gSensor!.axisNames).toEqual(['vertical', 'lateral', 'longitudinal']);
    expect(telemetry.gSensor!.axesG[1]).toEqual(Float64Array.of(0, 2));
    expect(await desk.client.invoke('clips.thumbnail', { clipId })).toEqual(
      Uint8Array.of(0xff, 0xd8, 0xff, 0xd9),
    );
    const cache = openCacheConnection(place.dataFolder, 'read');
    const actions = cache.db.prepare('SELECT action FROM custody_entry ORDER BY seq').pluck().all();
    cache.close();
    expect(actions).toEqual(['source.import', 'clip.view']);
  });

  it('are played from the original by their id', async () => {
    const clipId = await imported();
    const file = desk.mediaFile(`media/clip/${clipId}`);
    expect(file).toMatchObject({ contentType: 'video/mp4', downloadName: null });
    expect(fs.readFileSync(file!.path)).toEqual(aClip());
    expect(desk.mediaFile('media/clip/clip_0000000000000000')).toBeNull();
    expect(desk.mediaFile(`media/clip/../${clipId}`)).toBeNull();
  });

  it('are found by time, place, camera and name', async () => {
    await imported();
    const found = async (filter: object) => (await desk.client.invoke('clips.list', filter)).length;
    expect(await found({ fromMs: start + 500, toMs: start + 600 })).toBe(1);
    expect(await found({ fromMs: start + 1001 })).toBe(0);
    expect(await found({ toMs: start })).toBe(0);
    expect(await found({ bbox: [-88, 41, -87, 42] })).toBe(1);
    expect(await found({ bbox: [4, 52, 5, 53] })).toBe(0);
    expect(await found({ psns: [null] })).toBe(1);
    expect(await found({ psns: ['P1'] })).toBe(0);
    expect(await found({ mainName: name })).toBe(1);
  });

  it('go into a case and its sealed package as originals, bit for bit, and can’t be removed meanwhile', async () => {
    await imported();
    const [source] = await desk.client.invoke('sources.list', {});
    const sourceId = source!.sourceId;
    const { caseId } = await desk.client.invoke('cases.create', { name: 'Collision' });
    await desk.client.invoke('cases.add', { caseId, refs: [{ kind: 'source', sourceId }] });
    await expect(desk.client.invoke('sources.remove', { sourceId })).rejects.toMatchObject({ code: 'busy' });
    const out = path.join(place.root, 'package.zip');
    await desk.sealTo(caseId, out);
    expect((await desk.verifyFile(out)).ok).toBe(true);
    expect(fs.readFileSync(out).includes(aClip())).toBe(true);
  });

  it('go away with their source', async () => {
    const clipId = await imported();
    const [source] = await desk.client.invoke('sources.list', {});
    await desk.client.invoke('sources.remove', { sourceId: source!.sourceId });
    expect(await list()).toEqual([]);
    await expect(desk.client.invoke('clips.get', { clipId })).rejects.toMatchObject({ code: 'not_found' });
    expect(desk.mediaFile(`media/clip/${clipId}`)).toBeNull();
  });

  it('are named to the recalls that look for a recording by its name and quality', async () => {
    const clipId = await imported();
    const cache = openCacheConnection(place.dataFolder, 'write');
    const clips = createClipRepository(cache.db);
    expect(clips.named(name, 'main').map((one) => one.clipId)).toEqual([clipId]);
    expect(clips.named(name, 'sub')).toEqual([]);
    clips.saveCamera(clipId, 'P1', 'main');
    expect(clips.find(clipId)).toMatchObject({ psn: 'P1', quality: 'main', origin: 'import' });
    cache.close();
  });
});
