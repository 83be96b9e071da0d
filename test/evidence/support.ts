import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import yazl from 'yazl';
import { createClipFactsReader } from '../../main/desk/clipFactsReader.ts';
import { createCaseHandlers } from '../../main/desk/cases.ts';
import { prepareClips } from '../../main/desk/sealClips.ts';
import { createClocksInUse } from '../../main/desk/sealClocks.ts';
import { openCache, type EvidenceCache } from '../../main/cache/openCache.ts';
import { stageFile } from '../../main/cache/uploads.ts';
import { createTripRepository } from '../../main/cache/tripRepository.ts';
import { openSealKey, type SecretBox } from '../../main/evidence/sealKey.ts';
import { sealPackage, type SealControls, type SealedFile } from '../../main/evidence/packageWriter.ts';
import type { SealChoice } from '../../main/evidence/sealFacts.ts';
import { runImport } from '../../main/importer/importJob.ts';
import type { CaseId, PackageId, SourceId, TripId } from '../../shared/ids.ts';

/** A secret store that keeps secrets apart from their plain form (every byte flipped), as a keychain would. */
export const box: SecretBox = {
  protectSecret: async (plain) => plain.map((byte) => byte ^ 0xff),
  revealSecret: async (sealed) => sealed.map((byte) => byte ^ 0xff),
};

export const startMs = Date.parse('2026-03-02T08:00:00Z');

export function temporaryFolder(): string {
  return fs.mkdtempSync(path.join(os.tmpdir(), 'evidence-'));
}

/** A zip as the service makes them. */
export async function zipOf(file: string, entries: Record<string, string | Buffer>): Promise<void> {
  const zip = new yazl.ZipFile();
  for (const [name, content] of Object.entries(entries)) {
    zip.addBuffer(Buffer.from(content), name, { mtime: new Date(startMs) });
  }
  zip.end();
  const out = fs.createWriteStream(file);
  await new Promise<void>((resolve, reject) => {
    zip.outputStream
      .pipe(out)
      .on('close', () => resolve())
      .on('error', reject);
  });
}

export const csvHeader = 'psn,carName,datetime,lat,lng,drive_no,heading,speedKmh';

/** A drive of `points` seconds: every seventh speed is absent, some are 0, one gap of 100 s after the fifth. */
export function csvDrive(
  psn: string,
  carName: string,
  driveNo: number,
  points: number,
  fromMs = startMs,
): string[] {
  return Array.from({ length: points }, (_, i) => {
    const time = new Date(fromMs + (i < 5 ? i : i + 100) * 1000).toISOString().replace('.000Z', 'Z');
    const speed = i % 7 === 3 ? '' : i % 5 === 0 ? '0' : (30 + i / 10).toFixed(1);
    const name = `"${carName.replaceAll('"', '""')}"`;
    return `${psn},${name},${time},${(52.1 + i / 10_000).toFixed(6)},${(4.3 + i / 10_000).toFixed(6)},${driveNo},${i % 360},${speed}`;
  });
}

/** One thread for all imports: starting it takes longer than they do. Idle, it keeps no process alive. */
let clips: ReturnType<typeof createClipFactsReader> | null = null;

export interface World {
  readonly folder: string;
  readonly cache: EvidenceCache;
  readonly cases: ReturnType<typeof createCaseHandlers>;
  readonly now: () => number;
  importFile(file: string): Promise<SourceId>;
  tripIds(sourceId: SourceId): TripId[];
  seal(
    caseId: CaseId,
    outPath: string,
    choice?: Partial<SealChoice>,
    sealedAtMs?: number,
    controls?: Omit<SealControls, 'sign'>,
  ): Promise<SealedFile>;
  close(): void;
}

/** A real cache in a temporary folder, with the real importer and the real use cases of cases. */
export function openWorld(folder = temporaryFolder()): World {
  let clock = startMs + 86_400_000;
  const now = (): number => (clock += 1000);
  const cache = openCache({ folder, now });
  const cases = createCaseHandlers({ cache, now, actor: () => 'Inge Vries', emit: () => {} });
  return {
    folder,
    cache,
    cases,
    now,
    async importFile(file) {
      const upload = await stageFile(folder, file);
      clips ??= createClipFactsReader();
      const outcome = await runImport(cache, [upload], { actor: 'Inge Vries', now, clips });
      const [source] = outcome.sources;
      if (!source?.sourceId) throw new Error(`not imported: ${JSON.stringify(outcome)}`);
      return source.sourceId;
    },
    tripIds: (sourceId) =>
      createTripRepository(cache.db)
        .list({ sourceId })
        .map((trip) => trip.tripId),
    async seal(caseId, outPath, choice = {}, sealedAtMs = now(), controls = {}) {
      const key = await openSealKey(folder, box);
      const { prepared, discard } = await prepareClips(cache, caseId, createClocksInUse(cache), {
        signal: new AbortController().signal,
        progress: () => {},
      });
      return sealPackage(
        folder,
        {
          choice: { caseId, originals: 'whole', ...choice },
          prepared,
          outPath,
          packageId: 'package_0123456789abcdef' as PackageId,
          sealedAtMs,
          appVersion: '0.1.0',
          organization: 'Noordvracht',
          identity: { fingerprint: key.fingerprint, publicKeyPem: key.publicKeyPem },
        },
        { ...controls, sign: async (bytes) => key.sign(bytes) },
      ).finally(discard);
    },
    close() {
      cache.close();
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A case with a note, one source and its trips, ready to seal. */
export async function aCase(world: World, points = 12): Promise<{ caseId: CaseId; sourceId: SourceId }> {
  const file = path.join(world.folder, 'export.zip');
  const rows = [...csvDrive('P1', '=Van 7', 1, points), ...csvDrive('P2', 'Bus "Ö", 2', 4, points)];
  await zipOf(file, { 'export.csv': `${[csvHeader, ...rows].join('\r\n')}\r\n` });
  const sourceId = await world.importFile(file);
  const { caseId } = await world.cases['cases.create']({ name: 'Crossing 12/3: claim' });
  await world.cases['cases.add']({ caseId, refs: [{ kind: 'source', sourceId }] });
  await world.cases['cases.addNote']({ caseId, text: 'Seen at the lights.' });
  return { caseId, sourceId };
}

/** Runs a program and returns what it says; throws when it fails. */
export function run(program: string, args: readonly string[], folder: string): string {
  return execFileSync(program, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}
