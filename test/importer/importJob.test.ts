import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JobProgress } from '../../shared/contract/jobs.ts';
import { createCustodyRepository } from '../../main/cache/custodyRepository.ts';
import { createSourceRepository } from '../../main/cache/sourceRepository.ts';
import { runImport, runImportInWorker } from '../../main/importer/importJob.ts';
import {
  csvHeader,
  csvOf,
  csvRows,
  filesUnder,
  openTestCache,
  pointsOf,
  requireWhole,
  rowCounts,
  type TestCache,
} from './importing.ts';
import { rawZip } from './rawZip.ts';

let test: TestCache;
beforeEach(() => {
  test = openTestCache();
});
afterEach(() => test.close());

describe('an import', () => {
  it('commits source, report, trips, chunks, custody entry and original together', async () => {
    const bytes = rawZip([
      { name: 'camera-North - Van 3-P1.csv', data: csvOf(5000) },
      { name: 'camera-Bus-P2.csv', data: csvOf(10, 'P2') },
      { name: 'readme.txt', data: 'hello' },
    ]);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const outcome = await test.importBytes('fleet.zip', bytes);
    expect(outcome).toMatchObject({
      status: 'imported',
      sha256,
      trips: 2,
      points: 5010,
      fromMs: 1_741_000_000_000,
    });
    expect(outcome.entries.map((entry) => entry.status)).toEqual(['imported', 'imported', 'skipped']);
    const source = createSourceRepository(test.cache.db).report(outcome.sourceId!);
    expect(source).toMatchObject({
      fileName: 'fleet.zip',
      kind: 'export-zip',
      sizeBytes: bytes.length,
      points: 5010,
      readerVersion: '1',
    });
    expect(source!.entries).toEqual(outcome.entries);
    expect(fs.readFileSync(test.cache.blobs.pathOf(sha256))).toEqual(bytes);
    const custody = createCustodyRepository(test.cache.db);
    expect(custody.list().at(-1)).toMatchObject({
      actor: 'Test',
      action: 'source.import',
      subject: { id: outcome.sourceId, sha256 },
    });
    expect(custody.verifyChain()).toMatchObject({ isWhole: true });
    requireWhole(test.cache);
    expect(pointsOf(test.cache)).toHaveLength(5010);
    expect(filesUnder(`${test.folder}/partial`)).toEqual({});
  });

  it('gives trips the same ids on every machine: source, entry and place of the track', async () => {
    const bytes = rawZip([{ name: 'a.csv', data: csvHeader + csvRows(3, 'P1', 1) + csvRows(3, 'P1', 2) }]);
    const outcome = await test.importBytes('a.zip', bytes);
    const ids = test.cache.db.prepare('SELECT trip_id FROM trip ORDER BY trip_key').pluck().all();
    const expected = [0, 1].map(
      (track) =>
        `trip_${createHash('sha256').update(`${outcome.sha256}/0/${track}`).digest('hex').slice(0, 16)}`,
    );
    expect(ids).toEqual(expected);
    expect(outcome.sourceId).toBe(`src_${outcome.sha256!.slice(0, 16)}`);
  });

  it('states length, top speed, times and bounds of a trip', async () => {
    const rows = ['0,52.0,4.0,10.5', '1,52.001,4.0,', '2,52.001,4.001,0', '62,52.1,4.1,20.0'].map((row) => {
      const [second, lat, lng, speed] = row.split(',');
      return `P1,V,2026-01-01T10:${String(Math.trunc(Number(second) / 60)).padStart(2, '0')}:${String(Number(second) % 60).padStart(2, '0')}Z,${lat},${lng},7,0,${speed}`;
    });
    await test.importBytes('a.csv', `${csvHeader}${rows.join('\n')}\n`);
    const trip = test.cache.db.prepare('SELECT * FROM trip').get() as Record<string, number>;
    // 111.27 m north and 68.68 m east on WGS 84; the minute without recording is no distance.
    expect(trip.distance_m).toBeCloseTo(111.267 + 68.677, 1);
    expect(trip).toMatchObject({
      max_speed_kmh: 20,
      started_at_ms: Date.UTC(2026, 0, 1, 10),
      ended_at_ms: Date.UTC(2026, 0, 1, 10, 1, 2),
      drive_no: 7,
      west: 4,
      east: 4.1,
      south: 52,
      north: 52.1,
      has_point_times: 1,
    });
  });

  it('keeps a speed that is absent apart from 0 and gives back every digit', async () => {
    await test.importBytes(
      'a.csv',
      `${csvHeader}P1,V,2026-01-01T10:00:00Z,52.100000,4.30,1,9,\nP1,V,2026-01-01T10:00:01Z,52.100010,4.31,1,9,0\n`,
    );
    expect(pointsOf(test.cache).map((point) => [point[1], point[2], point[4]])).toEqual([
      ['52.100000', '4.30', ''],
      ['52.100010', '4.31', '0'],
    ]);
  });

  it('puts a trip whose times run backwards in order, equal times as they came', async () => {
    const lines = csvRows(9000).trim().split('\n');
    const shuffled = [...lines.slice(6000), ...lines.slice(0, 6000)];
    const sorted = await test.importBytes('sorted.csv', csvHeader + lines.join('\n') + '\n');
    const outcome = await test.importBytes('shuffled.csv', csvHeader + shuffled.join('\n') + '\n');
    expect(outcome).toMatchObject({ status: 'imported', points: 9000 });
    expect(pointsOf(test.cache, outcome.sourceId!)).toEqual(pointsOf(test.cache, sorted.sourceId!));
    requireWhole(test.cache);
    const lengths = test.cache.db.prepare('SELECT distance_m FROM trip').pluck().all() as number[];
    expect(lengths[0]).toBeCloseTo(lengths[1]!, 6);
  });

  it('refuses to import nothing, and says why of each entry', async () => {
    const outcome = await test.importBytes(
      'empty.zip',
      rawZip([
        { name: 'readme.txt', data: 'x' },
        { name: 'export.csv', data: csvHeader },
      ]),
    );
    expect(outcome).toMatchObject({ status: 'failed', error: { code: 'nothing_imported' } });
    expect(outcome.entries.map((entry) => entry.status)).toEqual(['skipped', 'skipped']);
    expect(rowCounts(test.cache)).toMatchObject({ source: 0, custody_entry: 0 });
    expect(filesUnder(`${test.folder}/blobs`)).toEqual({});
  });

  it.each([
    ['a picture', 'photo.jpg', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16])],
    ['a text', 'notes.txt', Buffer.from('dear diary')],
    ['another XML', 'page.xml', Buffer.from('<?xml version="1.0"?><html/>')],
  ])('says that %s is not an export', async (_, name, bytes) => {
    expect(await test.importBytes(name, bytes)).toMatchObject({
      status: 'failed',
      error: { code: 'unsupported_format' },
    });
  });

  it('knows a CSV and a zip by their content when the name says nothing', async () => {
    expect(await test.importBytes('download', csvOf(3))).toMatchObject({ status: 'imported', points: 3 });
    expect(
      await test.importBytes('download (1)', rawZip([{ name: 'export.csv', data: csvOf(4) }])),
    ).toMatchObject({ points: 4 });
    const kinds = createSourceRepository(test.cache.db)
      .list()
      .map((source) => source.kind);
    expect(kinds.sort()).toEqual(['csv', 'export-zip']);
  });
});

describe('GPX and KML', () => {
  const gpx = `<?xml version="1.0" encoding="UTF-8"?>
<gpx version="1.1" creator="t" xmlns="http://www.topografix.com/GPX/1/1" xmlns:x="http://www.garmin.com/xmlschemas/TrackPointExtension/v2">
<trk><name>Trip 1</name><trkseg>
<trkpt lat="52.10" lon="4.30"><time>2026-01-01T10:00:00Z</time><extensions><x:TrackPointExtension><x:speed>12.34</x:speed></x:TrackPointExtension></extensions></trkpt>
<trkpt lat="52.11" lon="4.30"><time>2026-01-01T10:00:01Z</time></trkpt>
</trkseg></trk></gpx>`;
  const kml = `<?xml version="1.0" encoding="UTF-8"?><kml xmlns="http://www.opengis.net/kml/2.2"><Document><Placemark><name>Shape</name>
<LineString><coordinates>4.3,52.1 4.31,52.1,7 4.32,52.1</coordinates></LineString></Placemark></Document></kml>`;

  it('bring speeds in their own unit, shapes without times, and cameras from the names of the files', async () => {
    const outcome = await test.importBytes(
      'two.zip',
      rawZip([
        { name: 'camera-Van - 3-P7.gpx', data: gpx },
        { name: 'export.kml', data: kml },
      ]),
    );
    expect(outcome).toMatchObject({
      status: 'imported',
      trips: 2,
      points: 5,
      fromMs: Date.UTC(2026, 0, 1, 10),
    });
    expect(outcome.entries.map((entry) => [entry.format, entry.points])).toEqual([
      ['gpx', 2],
      ['kml', 3],
    ]);
    const [timed, shape] = test.cache.db.prepare('SELECT * FROM trip ORDER BY trip_key').all();
    expect(timed).toMatchObject({
      psn: 'P7',
      camera_name: 'Van - 3',
      speed_unit: 'ms',
      max_speed_kmh: 44.424,
      has_point_times: 1,
    });
    expect(shape).toMatchObject({
      psn: null,
      has_point_times: 0,
      started_at_ms: null,
      ended_at_ms: null,
      max_speed_kmh: null,
    });
    expect((shape as { distance_m: number }).distance_m).toBeCloseTo(1370.5, 1);
    expect(createSourceRepository(test.cache.db).list()[0]).toMatchObject({ unknownCameraTrips: 1 });
    expect(
      test.cache.db.prepare('SELECT count(*) FROM chunk_index WHERE from_s <= 5 AND to_s >= 5').pluck().get(),
    ).toBe(1);
    requireWhole(test.cache);
  });

  it('are known by their first element, bare and under any name', async () => {
    expect(await test.importBytes('download.xml', gpx)).toMatchObject({ status: 'imported', points: 2 });
    expect(await test.importBytes('track', kml)).toMatchObject({ status: 'imported', points: 3 });
    expect(
      await test.importBytes('utf16.gpx', Buffer.from(`\ufeff${gpx.replace('UTF-8', 'UTF-16')}`, 'utf16le')),
    ).toMatchObject({ points: 2 });
    expect(
      createSourceRepository(test.cache.db)
        .list()
        .map((source) => source.kind)
        .sort(),
    ).toEqual(['gpx', 'gpx', 'kml']);
  });

  it('refuse entities and broken XML alone, with the place', async () => {
    const bomb = gpx.replace('<gpx', '<!DOCTYPE gpx [<!ENTITY a "aaaa">]><gpx');
    const outcome = await test.importBytes(
      'bad.zip',
      rawZip([
        { name: 'a.gpx', data: bomb },
        { name: 'b.gpx', data: gpx.slice(0, -40) },
        { name: 'export.csv', data: csvOf(5) },
      ]),
    );
    expect(outcome).toMatchObject({ status: 'imported', points: 5, trips: 1 });
    expect(outcome.entries.map((entry) => entry.status)).toEqual(['failed', 'failed', 'imported']);
    for (const entry of outcome.entries.slice(0, 2)) expect(entry.error).toMatch(/line \d+/);
    requireWhole(test.cache);
  });
});

describe('the same bytes again', () => {
  it('are a duplicate of the first, whatever the name, and change nothing', async () => {
    const first = await test.importBytes('a.csv', csvOf(20));
    const before = rowCounts(test.cache);
    const files = filesUnder(`${test.folder}/blobs`);
    expect(await test.importBytes('b.csv', csvOf(20))).toMatchObject({
      status: 'duplicate',
      duplicateOf: first.sourceId,
      sourceId: null,
    });
    expect(rowCounts(test.cache)).toEqual(before);
    expect(filesUnder(`${test.folder}/blobs`)).toEqual(files);
  });

  it('are one within a job too, imported or failed', async () => {
    const files = [
      await test.stage('a.csv', csvOf(20)),
      await test.stage('b.csv', csvOf(20)),
      await test.stage('bad.zip', 'PK\x03\x04 no'),
      await test.stage('bad too.zip', 'PK\x03\x04 no'),
    ];
    const { sources } = await runImport(test.cache, files, { actor: 'Test' });
    expect(sources.map((source) => source.status)).toEqual(['imported', 'duplicate', 'failed', 'failed']);
    expect(sources[1]).toMatchObject({ duplicateOf: sources[0]!.sourceId, fileName: 'b.csv' });
    expect(sources[3]).toMatchObject({ fileName: 'bad too.zip', error: { code: 'archive_damaged' } });
    expect(rowCounts(test.cache).source).toBe(1);
  });

  it('can be imported again after they were removed', async () => {
    const first = await test.importBytes('a.csv', csvOf(20));
    createSourceRepository(test.cache.db).remove(first.sourceId!);
    expect(rowCounts(test.cache)).toMatchObject({ source: 0, trip: 0, trip_chunk: 0, chunk_index: 0 });
    expect(await test.importBytes('a.csv', csvOf(20))).toMatchObject({
      status: 'imported',
      sourceId: first.sourceId,
    });
    requireWhole(test.cache);
  });
});

describe('a job of several files', () => {
  it('imports the good ones when one is bad', async () => {
    const files = [
      await test.stage('a.csv', csvOf(5)),
      await test.stage('b.csv', 'nothing,useful\n1,2\n'),
      await test.stage('c.csv', csvOf(7, 'P3')),
    ];
    const { sources } = await runImport(test.cache, files, { actor: 'Test' });
    expect(sources.map((source) => [source.fileName, source.status])).toEqual([
      ['a.csv', 'imported'],
      ['b.csv', 'failed'],
      ['c.csv', 'imported'],
    ]);
    requireWhole(test.cache);
  });

  it('leaves nothing of any file when it is canceled while reading the last', async () => {
    const before = filesUnder(test.root);
    const cancel = new AbortController();
    const files = [
      await test.stage('a.csv', csvOf(5)),
      await test.stage('b.zip', rawZip([{ name: 'x.csv', data: csvOf(20_000, 'P2') }])),
    ];
    const run = runImport(test.cache, files, {
      actor: 'Test',
      signal: cancel.signal,
      onProgress: (progress) => {
        if (progress.points! > 5) cancel.abort();
      },
    });
    // The first report may come before the second file: cancel then at the latest.
    setImmediate(() => cancel.abort());
    await expect(run).rejects.toMatchObject({ code: 'canceled' });
    expect(rowCounts(test.cache)).toMatchObject({ source: 0, trip: 0, custody_entry: 0 });
    expect(filesUnder(`${test.folder}/blobs`)).toEqual({});
    expect(Object.keys(filesUnder(test.root)).filter((name) => name.includes('staging'))).toEqual([]);
    expect(Object.keys(before).length).toBeGreaterThan(0);
  });

  it('reports bytes and points as it goes, ending with all of them', async () => {
    const seen: JobProgress[] = [];
    const files = [await test.stage('a.csv', csvOf(5000)), await test.stage('b.csv', csvOf(50, 'P2'))];
    await runImport(test.cache, files, { actor: 'Test', onProgress: (progress) => seen.push(progress) });
    const total = files[0]!.sizeBytes + files[1]!.sizeBytes;
    expect(seen.at(-1)).toEqual({ stage: 'saving', done: total, total, unit: 'bytes', points: 5050 });
    const done = seen.map((progress) => progress.done);
    expect(done).toEqual([...done].sort((a, b) => a - b));
  });
});

describe('in a worker thread', () => {
  it('imports with the same outcome as in this one', async () => {
    const bytes = rawZip([{ name: 'camera-Bus-P2.csv', data: csvOf(5000, 'P2') }]);
    const seen: JobProgress[] = [];
    const { sources } = await runImportInWorker(test.folder, [await test.stage('a.zip', bytes)], {
      actor: 'W',
      onProgress: (p) => seen.push(p),
    });
    const inline = openTestCache();
    try {
      expect(sources[0]).toEqual(await inline.importBytes('a.zip', bytes));
      expect(pointsOf(test.cache)).toEqual(pointsOf(inline.cache));
    } finally {
      inline.close();
    }
    expect(seen.at(-1)).toMatchObject({ points: 5000 });
    requireWhole(test.cache);
  });

  it('imports the same file in two threads at once as one source and its duplicate', async () => {
    const bytes = csvOf(20_000);
    const uploads = [await test.stage('a.csv', bytes), await test.stage('b.csv', bytes)];
    const outcomes = await Promise.all(
      uploads.map((upload) => runImportInWorker(test.folder, [upload], { actor: 'W' })),
    );
    expect(outcomes.map(({ sources }) => sources[0]!.status).sort()).toEqual(['duplicate', 'imported']);
    expect(rowCounts(test.cache)).toMatchObject({ source: 1, trip: 1, custody_entry: 1 });
    requireWhole(test.cache);
  });

  it('stops on cancel and leaves nothing', async () => {
    const cancel = new AbortController();
    const upload = await test.stage('a.csv', csvHeader + csvRows(200_000));
    const run = runImportInWorker(test.folder, [upload], {
      actor: 'W',
      signal: cancel.signal,
      onProgress: () => cancel.abort(),
    });
    await expect(run).rejects.toMatchObject({ code: 'canceled' });
    expect(rowCounts(test.cache)).toMatchObject({ source: 0, trip: 0 });
    expect(filesUnder(`${test.folder}/blobs`)).toEqual({});
    await expect(
      runImportInWorker(test.folder, [upload], { actor: 'W', signal: cancel.signal }),
    ).rejects.toMatchObject({ code: 'canceled' });
  });
});
