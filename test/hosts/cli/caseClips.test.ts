import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { clipBytes, clipName, clipStartMs } from '../../evidence/clipSupport.ts';
import { CliBench } from './runProcess.ts';

interface Clips {
  clips: { clipId: string; filename: string; psn: string | null; startUtc: string | null }[];
}

const bench = new CliBench();
afterAll(() => bench.remove());
const write = (name: string, bytes: Buffer): string => {
  fs.writeFileSync(bench.file(name), bytes);
  return bench.file(name);
};
const front = clipBytes({ tag: 'front' });
const option = clipBytes({ tag: 'option' });
const run = (program: string, args: readonly string[], folder: string): string =>
  execFileSync(program, args, { cwd: folder, encoding: 'utf8' });

// One after the other on one data folder, as somebody would use it.
describe('clips in a case on the command line', () => {
  let clipIds: string[];
  const out = bench.file('sealed.zip');

  it('lists the clips that were imported, with the ids that "case add" takes', async () => {
    await bench.run(
      'import',
      write(clipName(), front),
      write(clipName(clipStartMs, 'EO'), option),
      '--quiet',
    );
    const ran = await bench.run('clips', '--json');
    expect([ran.code, ran.stderr]).toEqual([0, '']);
    const { clips } = ran.json<Clips>();
    expect(clips).toMatchObject([
      {
        clipId: expect.stringMatching(/^clip_/),
        sourceId: expect.stringMatching(/^src_/),
        filename: clipName(),
        sha256: createHash('sha256').update(front).digest('hex'),
        sizeBytes: front.length,
        psn: null,
        quality: 'main',
        typeCode: 'E',
        directionCode: 'F',
        recordedAtLocal: '2026-03-14T17:32:10',
        startUtc: '2026-03-14T22:32:10Z',
        endUtc: '2026-03-14T22:32:30Z',
        durationS: 20,
        origin: 'import',
      },
      { filename: clipName(clipStartMs, 'EO'), directionCode: 'O' },
    ]);
    clipIds = clips.map((one) => one.clipId);
    expect((await bench.run('clips')).stdout).toContain(clipIds[0]!);
    expect((await bench.run('clips', '--to', '2026-03-14T22:32:10Z', '--json')).json()).toEqual({
      clips: [],
    });
    expect((await bench.run('clips', '--psn', 'P9')).stdout).toBe('No clips.\n');
  });

  it('adds them to a case, and says what is not there', async () => {
    await bench.run('case', 'create', 'Collision');
    const ran = await bench.run(
      'case',
      'add',
      'Collision',
      '--clip',
      clipIds[0]!,
      '--clip',
      clipIds[1]!,
      '--json',
    );
    expect(ran.code).toBe(0);
    expect(ran.json()).toMatchObject({
      case: { exhibits: clipIds.map((clipId) => ({ kind: 'clip', clipId })) },
    });
    const unknown = await bench.run('case', 'add', 'Collision', '--derived', 'derived_x', '--json');
    expect([unknown.code, unknown.json()]).toMatchObject([1, { error: { code: 'not_found' } }]);
    expect((await bench.run('case', 'add', 'Collision')).code).toBe(2);
    expect((await bench.run('case', 'create', 'Other', '--clip', clipIds[0]!)).code).toBe(2);
  });

  it('seals them, and standard tools agree with verify', async () => {
    const ran = await bench.run('package', '--case', 'Collision', '--out', out, '--json');
    expect([ran.code, ran.stderr]).toEqual([0, '']);
    expect(Object.keys(ran.json())).toEqual(['path', 'sha256', 'files', 'bytes', 'signedBy', 'custodyHead']);
    const folder = bench.file('unpacked');
    fs.mkdirSync(folder);
    run('unzip', ['-q', out, '-d', folder], folder);
    const bag = path.join(folder, 'sealed');
    expect(fs.readFileSync(path.join(bag, 'data/clips/unknown-camera', clipName())).equals(front)).toBe(true);
    expect(run('sha256sum', ['-c', 'manifest-sha256.txt'], bag)).toContain(`telemetry/${clipName()}.csv: OK`);
    const key = ['-pubin', '-inkey', 'signature/public-key.pem', '-in', 'tagmanifest-sha256.txt'];
    const said = run(
      'openssl',
      ['pkeyutl', '-verify', '-rawin', ...key, '-sigfile', 'signature/tagmanifest.sig'],
      bag,
    );
    expect(said).toContain('Signature Verified Successfully');
    const verified = await bench.run('verify', out, '--json');
    expect([verified.code, verified.json()]).toMatchObject([0, { ok: true }]);
  });

  it('exits 4 and names the clip when one byte of it is another', async () => {
    const bytes = fs.readFileSync(out);
    bytes[bytes.indexOf(option) + 5000]! ^= 1;
    const changed = write('changed.zip', bytes);
    const ran = await bench.run('verify', changed, '--json');
    expect(ran.code).toBe(4);
    const { checks } = ran.json<{ checks: { name: string; ok: boolean; detail: string }[] }>();
    const failed = checks.filter((one) => !one.ok);
    expect(failed.map((one) => one.name)).toContain('evidence');
    for (const check of failed)
      expect(check.detail).toContain(`data/clips/unknown-camera/${clipName(clipStartMs, 'EO')}`);
  });
});
