import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CliBench, cliMain, csvRows, csvText, csvWithBadRow } from './runProcess.ts';

interface Failed {
  error: { code: string; title: string; detail: string };
}
interface Imported {
  sources: {
    sourceId: string | null;
    fileName: string;
    status: string;
    duplicateOf: string | null;
    error: { code: string; detail: string } | null;
    entries: { name: string; status: string; skipped: { where: string; reason: string; count: number }[] }[];
    trips: number;
    points: number;
    from: string | null;
    to: string | null;
  }[];
}
interface Trips {
  trips: { tripId: string; psn: string | null; startedAt: string; points: number; bbox: number[] }[];
}

// One after the other on one data folder, as somebody would use it.
describe('the main job on the command line', () => {
  const bench = new CliBench();
  let zip: string;
  let tripId: string;
  let sourceId: string;
  beforeAll(async () => {
    zip = await bench.zip('export.zip', { 'export.csv': csvText });
  });
  afterAll(() => bench.remove());

  it('imports an export and answers with its report', async () => {
    const ran = await bench.run('import', zip, '--json');
    expect(ran.stderr).toBe('');
    expect(ran.code).toBe(0);
    const [source] = ran.json<Imported>().sources;
    expect(source).toMatchObject({
      fileName: 'export.zip',
      status: 'imported',
      duplicateOf: null,
      error: null,
      trips: 2,
      points: 4,
      from: '2025-03-03T05:00:00Z',
      to: '2025-03-03T06:00:00Z',
      entries: [
        { name: 'export.csv', format: 'csv', status: 'imported', psns: ['P1'], skipped: [], error: null },
      ],
    });
    sourceId = source!.sourceId!;
  });

  it('knows the same file again', async () => {
    const ran = await bench.run('import', zip, '--json');
    expect(ran.code).toBe(0);
    expect(ran.json<Imported>().sources[0]).toMatchObject({ status: 'duplicate', duplicateOf: sourceId });
  });

  it('lists sources and trips', async () => {
    expect((await bench.run('sources', '--json')).json()).toMatchObject({
      sources: [{ sourceId, fileName: 'export.zip', points: 4, unknownCameraTrips: 0 }],
    });
    const { trips } = (await bench.run('trips', '--json')).json<Trips>();
    expect(trips.map((trip) => [trip.psn, trip.startedAt, trip.points])).toEqual([
      ['P1', '2025-03-03T05:00:00Z', 3],
      ['P1', '2025-03-03T06:00:00Z', 1],
    ]);
    expect(Object.keys(trips[0]!)).toEqual([
      'tripId',
      'psn',
      'cameraName',
      'driveNo',
      'startedAt',
      'endedAt',
      'points',
      'distanceM',
      'maxSpeedKmh',
      'bbox',
      'sourceId',
    ]);
    expect(trips[0]).toMatchObject({ driveNo: 7, maxSpeedKmh: 12.5, bbox: [4.3, 52.1, 4.3002, 52.1] });
    tripId = trips[0]!.tripId;
  });

  it('filters trips by camera, time and box', async () => {
    const count = async (...filter: string[]): Promise<number> =>
      (await bench.run('trips', '--json', ...filter)).json<Trips>().trips.length;
    expect(await count('--from', '2025-03-03T05:30:00Z')).toBe(1);
    expect(await count('--to=2025-03-03T06:30:00+01:00')).toBe(1);
    expect(await count('--psn', 'P2')).toBe(0);
    expect(await count('--psn', 'P2', '--psn', 'P1', '--bbox', '-10,52.05,4.35,52.15')).toBe(1);
  });

  it('gives back the digits that came in, absent as absent and 0 as 0', async () => {
    const csv = await bench.run('track', tripId, '--format', 'csv');
    expect(csv.stdout.trimEnd().split('\r\n')).toEqual(csvRows.slice(0, 4));
    const json = (await bench.run('track', tripId)).json<{
      psn: string;
      points: { t: string; speedKmh: unknown }[];
    }>();
    expect(json).toMatchObject({ tripId, psn: 'P1' });
    expect(json.points.map((point) => point.speedKmh)).toEqual([0, 12.5, null]);
    expect(json.points[0]).toEqual({
      t: '2025-03-03T05:00:00Z',
      lat: 52.1,
      lng: 4.3,
      headingDeg: 90,
      speedKmh: 0,
    });
    expect((await bench.run('track', tripId, '--format', 'gpx')).stdout).toContain('<trkpt');
  });

  it('says who passed a place, and which moments are interpolated', async () => {
    const ran = await bench.run('near', '52.1,4.3001', '--radius', '2', '--json');
    expect(ran.json()).toEqual({
      passes: [
        expect.objectContaining({
          tripId,
          psn: 'P1',
          enteredAt: '2025-03-03T05:00:01Z',
          leftAt: '2025-03-03T05:00:01Z',
          closestAt: '2025-03-03T05:00:01Z',
          closestIsInterpolated: false,
        }),
      ],
    });
    const between = await bench.run('near', '52.1,4.30015', '--radius=1', '--json');
    expect(between.json()).toMatchObject({ passes: [{ closestIsInterpolated: true, pointsInside: 0 }] });
    expect((await bench.run('near', '-33.8,-70.6', '--json')).json()).toEqual({ passes: [] });
  });

  it('fills a case by name, seals it, and verifies it without a data folder', async () => {
    const made = await bench.run('case', 'create', 'Kerb', '--json');
    expect(made.json()).toMatchObject({ case: { name: 'Kerb', exhibits: [], notes: [] } });
    const { case: file } = made.json<{ case: { caseId: string } }>();
    const added = await bench.run('case', 'add', 'kerb', '--trip', tripId, '--source', sourceId, '--json');
    expect(added.json()).toMatchObject({
      case: {
        exhibits: [
          { kind: 'trip', tripId },
          { kind: 'source', sourceId },
        ],
      },
    });
    const noted = await bench.run('case', 'note', file.caseId, 'Seen on the map', '--json');
    expect(noted.json()).toMatchObject({ case: { notes: [{ text: 'Seen on the map' }] } });
    expect((await bench.run('case', 'list', '--json')).json()).toMatchObject({
      cases: [{ name: 'Kerb', exhibitCount: 2, noteCount: 1 }],
    });

    const out = bench.file('kerb.zip');
    const sealed = await bench.run('package', '--case', 'Kerb', '--out', out, '--json');
    expect(sealed.stderr).toBe('');
    expect(sealed.code).toBe(0);
    expect(Object.keys(sealed.json())).toEqual([
      'path',
      'sha256',
      'files',
      'bytes',
      'signedBy',
      'custodyHead',
    ]);
    expect(sealed.json()).toMatchObject({ path: out, bytes: fs.statSync(out).size });
    const again = await bench.run('package', '--case', 'Kerb', '--out', out, '--json');
    expect(again.code).toBe(1);
    expect(again.json<Failed>().error.code).toBe('out_exists');

    const elsewhere = bench.file('never');
    const verified = await bench.run('verify', out, '--json', '--data-dir', elsewhere);
    expect(verified.code).toBe(0);
    expect(verified.json()).toMatchObject({
      ok: true,
      signedBy: sealed.json<{ signedBy: string }>().signedBy,
    });
    expect(fs.existsSync(elsewhere)).toBe(false);

    const bytes = fs.readFileSync(out);
    bytes[bytes.length >> 1]! ^= 1;
    fs.writeFileSync(bench.file('changed.zip'), bytes);
    const changed = await bench.run('verify', bench.file('changed.zip'), '--json');
    expect(changed.code).toBe(4);
    expect(changed.json()).toMatchObject({ ok: false });
  });
});

describe('what goes wrong', () => {
  const bench = new CliBench();
  afterAll(() => bench.remove());

  it('is done in part when rows were left out: exit 3, with line and reason', async () => {
    const zip = await bench.zip('bad-row.zip', { 'export.csv': csvWithBadRow, 'broken.gpx': '<gpx><trk>' });
    const ran = await bench.run('import', zip, '--json');
    expect(ran.code).toBe(3);
    const [source] = ran.json<Imported>().sources;
    const csv = source!.entries.find((entry) => entry.name === 'export.csv');
    expect(csv).toMatchObject({ status: 'partial', skipped: [{ where: 'line 6', count: 1 }] });
    expect(source!.entries.find((entry) => entry.name === 'broken.gpx')).toMatchObject({ status: 'failed' });
    const text = await bench.run('import', await bench.zip('again.zip', { 'a.csv': csvWithBadRow }));
    expect(text.stdout).toContain('left out 1: ');
  });

  it('is done in part when one of two files failed, and failed when all did', async () => {
    const good = await bench.zip('good.zip', { 'export.csv': csvText });
    fs.writeFileSync(bench.file('torn.zip'), fs.readFileSync(good).subarray(0, 100));
    const both = await bench.run('import', good, bench.file('torn.zip'), bench.file('none.zip'), '--json');
    expect(both.code).toBe(3);
    expect(both.json<Imported>().sources.map((source) => source.status)).toEqual([
      'imported',
      'failed',
      'failed',
    ]);
    const none = await bench.run('import', bench.file('none.zip'), '--json');
    expect(none.code).toBe(1);
    expect(none.json<Failed & Imported>()).toMatchObject({
      error: {
        code: 'file_vanished',
        title: expect.any(String),
        detail: expect.stringContaining('none.zip'),
      },
      sources: [{ status: 'failed' }],
    });
  });

  it('names every file that failed, whatever is wrong inside, and says why', async () => {
    const torn = bench.file('torn.zip'); // cut off by the test before
    fs.writeFileSync(bench.file('page.zip'), '<html>please log in</html>');
    const one = await bench.run('import', torn, '--json');
    expect(one.json<Failed & { error: { extensions: { fileName: string } } }>().error).toMatchObject({
      title: expect.stringMatching(/^torn\.zip: The archive is damaged/) as string,
      extensions: { fileName: 'torn.zip' },
    });
    const empty = await bench.zip('empty.zip', { 'export.csv': 'no,columns\n1,2\n' });
    const all = await bench.run('import', torn, bench.file('page.zip'), empty);
    expect(all).toMatchObject({ code: 1, stdout: '' });
    expect(all.stderr).toContain('torn.zip: The archive is damaged');
    expect(all.stderr).toContain('page.zip: The archive is damaged: it is no zip file');
    expect(all.stderr).toContain('export.csv: failed. line 1: the header has no column datetime');
  });

  it.skipIf(!fs.existsSync('/dev/full'))('says in one line that its output can not be written', () => {
    const full = fs.openSync('/dev/full', 'w');
    const ran = spawnSync(process.execPath, [cliMain, '--version'], { stdio: ['ignore', full, 'pipe'] });
    fs.closeSync(full);
    expect(ran.status).toBe(1);
    expect(ran.stderr.toString()).toMatch(/^The output can't be written \(ENOSPC\)\. Free some space.*\n$/);
  });

  it('is done, not done in part, when a zip has folders and a camera that did not drive', async () => {
    const zip = await bench.zip('folders.zip', {
      'sub/': '',
      'sub/camera-Van-P8.csv': csvText.slice(0, csvText.indexOf('\n') + 1),
      'sub/export.csv': csvText.replaceAll('P1', 'P7'),
    });
    expect((await bench.run('import', zip)).code).toBe(0);
  });

  it('names what is not there, with a remedy, exit 1', async () => {
    for (const args of [
      ['track', 'trip_0000000000000000'],
      ['case', 'add', 'nobody', '--trip', 'trip_1'],
      ['package', '--case', 'nobody', '--out', bench.file('x.zip')],
    ]) {
      const ran = await bench.run(...args, '--json');
      expect(ran.code, args.join(' ')).toBe(1);
      expect(ran.json<Failed>().error.code).toBe('not_found');
      expect(ran.stderr).not.toBe('');
    }
    expect(fs.existsSync(bench.file('x.zip'))).toBe(false);
  });

  it('makes the case of an import that is not there yet, once', async () => {
    for (const name of ['Fresh', 'fresh']) {
      expect((await bench.run('import', bench.file('good.zip'), '--case', name)).code).toBe(0);
    }
    const { cases } = (await bench.run('case', 'list', '--json')).json<{ cases: unknown[] }>();
    expect(cases).toMatchObject([{ name: 'Fresh', exhibitCount: 1 }]);
  });

  it('says so when another instance has the data folder', async () => {
    const serving = bench.start('serve');
    await new Promise((resolve) => serving.stdout.once('data', resolve));
    const ran = await bench.run('trips', '--json');
    expect(ran.code).toBe(1);
    expect(ran.json<Failed>().error.code).toBe('cache_locked');
    serving.kill('SIGINT');
    const code = await new Promise((resolve) => serving.once('exit', resolve));
    expect(code).toBe(0);
    expect((await bench.run('trips', '--json')).code).toBe(0);
  });
});

describe('serving the window', () => {
  it('keeps a damaged cache under another name when told to, and begins a fresh one', async () => {
    const bench = new CliBench();
    fs.mkdirSync(bench.dataFolder);
    fs.writeFileSync(path.join(bench.dataFolder, 'cache.sqlite'), 'this was a database once'.repeat(200));
    const refused = await bench.run('serve', '--json');
    expect(refused.code).toBe(1);
    expect(refused.json<Failed>().error.code).toBe('cache_corrupt');
    expect(refused.stderr).toContain('--set-aside-damaged');
    const serving = bench.start('serve', '--set-aside-damaged');
    await new Promise((resolve) => serving.stdout.once('data', resolve));
    expect(fs.readdirSync(bench.dataFolder).some((name) => name.startsWith('cache-damaged-'))).toBe(true);
    serving.kill('SIGINT');
    expect(await new Promise((resolve) => serving.once('exit', resolve))).toBe(0);
    bench.remove();
  });

  it('prints one line with its address, answers there, and ends at Ctrl+C', async () => {
    const bench = new CliBench();
    const serving = bench.start('serve');
    let stdout = '';
    await new Promise<void>((resolve) => {
      serving.stdout.setEncoding('utf8').on('data', (text: string) => {
        stdout += text;
        if (stdout.includes('\n')) resolve();
      });
    });
    const address = stdout.trim();
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\//);
    expect((await fetch(address, { redirect: 'manual' })).status).toBe(303);
    expect((await fetch(new URL('/', address), { redirect: 'manual' })).status).not.toBe(200);
    serving.kill('SIGINT');
    expect(await new Promise((resolve) => serving.once('exit', resolve))).toBe(0);
    expect(stdout.split('\n')).toHaveLength(2);
    bench.remove();
  });
});
