import fs from 'node:fs';
import path from 'node:path';
import { isInstalled, median, runOrFail, sizeOf } from './measure.ts';

export interface SealResult {
  readonly what: string;
  readonly bytes: number;
  readonly sealSeconds: number;
  /** `cp` and then `openssl dgst -sha256` of the same bytes; null where a program is missing. */
  readonly peerSeconds: number | null;
  readonly packageBytes: number;
  readonly files: number;
  readonly peakBytes: number | null;
}

interface Sealed {
  readonly files: number;
  readonly bytes: number;
}

/**
 * Seals a case of one imported source, in turns with a plain copy and hash of the same bytes.
 * - originals: a range in which nothing was driven, so that the package holds the original file and little else
 * - whole: the original and every trip as CSV, GPX and KML; the peer copies and hashes the unpacked package
 */
export async function benchSealing(options: {
  readonly cli: string;
  readonly dataFolder: string;
  readonly original: string;
  readonly folder: string;
  readonly rounds: number;
  readonly kind: 'originals' | 'whole';
}): Promise<SealResult> {
  const { cli, dataFolder, original, folder, rounds, kind } = options;
  const run = (...args: string[]) =>
    runOrFail(process.execPath, [cli, ...args, '--json', '--data-dir', dataFolder]);
  const name = `bench ${kind}`;
  const { sources } = JSON.parse((await run('sources')).stdout) as { sources: { sourceId: string }[] }; // our own document
  await run('case', 'create', name);
  await run('case', 'add', name, '--source', sources[0]!.sourceId);

  const out = path.join(folder, 'sealed.zip');
  const range = kind === 'originals' ? ['--from', '1990-01-01', '--to', '1990-01-02'] : [];
  const seals: number[] = [];
  const peers: number[] = [];
  let peakBytes: number | null = null;
  let sealed: Sealed = { files: 0, bytes: 0 };
  let bytes = sizeOf(original);
  for (let round = 0; round < rounds; round++) {
    fs.rmSync(out, { force: true });
    const ran = await run('package', '--case', name, '--out', out, ...range);
    seals.push(ran.seconds);
    sealed = JSON.parse(ran.stdout) as Sealed; // as above
    if (ran.peakBytes !== null) peakBytes = Math.max(peakBytes ?? 0, ran.peakBytes);

    const copy = path.join(folder, 'copy');
    fs.rmSync(copy, { recursive: true, force: true });
    if (!isInstalled('openssl') || (kind === 'whole' && !isInstalled('unzip'))) continue;
    if (kind === 'originals') {
      const copied = await runOrFail('cp', [original, copy]);
      const hashed = await runOrFail('openssl', ['dgst', '-sha256', copy]);
      peers.push(copied.seconds + hashed.seconds);
    } else {
      const unpacked = path.join(folder, 'unpacked');
      fs.rmSync(unpacked, { recursive: true, force: true });
      await runOrFail('unzip', ['-q', out, '-d', unpacked]);
      bytes = sizeOf(unpacked);
      const copied = await runOrFail('cp', ['-r', unpacked, copy]);
      const files = fs
        .readdirSync(copy, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => path.join(entry.parentPath, entry.name));
      const hashed = await runOrFail('openssl', ['dgst', '-sha256', ...files]);
      peers.push(copied.seconds + hashed.seconds);
      fs.rmSync(unpacked, { recursive: true, force: true });
    }
    fs.rmSync(copy, { recursive: true, force: true });
  }
  const verified = await runOrFail(process.execPath, [cli, 'verify', out, '--json']);
  if (!(JSON.parse(verified.stdout) as { ok: boolean }).ok)
    throw new Error('the sealed package does not verify');
  fs.rmSync(out, { force: true });
  return {
    what: kind === 'originals' ? 'the original file' : 'the original and every trip as CSV, GPX and KML',
    bytes,
    sealSeconds: median(seals),
    peerSeconds: peers.length === 0 ? null : median(peers),
    packageBytes: sealed.bytes,
    files: sealed.files,
    peakBytes,
  };
}
