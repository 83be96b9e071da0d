import { fork } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ImportOutcome } from '../../shared/contract/imports.ts';
import { createCustodyRepository } from '../../main/cache/custodyRepository.ts';
import { openCache } from '../../main/cache/openCache.ts';
import { createSourceRepository } from '../../main/cache/sourceRepository.ts';
import { csvHeader, csvRows, filesUnder, requireWhole, rowCounts } from './importing.ts';
import { rawZip } from './rawZip.ts';

let root: string;
let folder: string;
beforeEach(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), 'kill-'));
  folder = path.join(root, 'data');
});
afterEach(() => fs.rmSync(root, { recursive: true, force: true }));

/** Small, fast, repeatable: mulberry32. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

function startImport(files: readonly string[]) {
  return fork(new URL('./importingChild.ts', import.meta.url), [folder, ...files], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
}

const tripsPerFile = 4;
const pointsPerTrip = 5000;
function makeFile(n: number): string {
  const trips = Array.from({ length: tripsPerFile }, (_, i) =>
    csvRows(pointsPerTrip, `P${n}`, i, 1_741_000_000 + i * 100_000),
  );
  const file = path.join(root, `fleet ${n}.zip`);
  fs.writeFileSync(file, rawZip([{ name: `camera-Van-P${n}.csv`, data: csvHeader + trips.join('') }]));
  return file;
}

/** The next start after a kill: everything that is there is whole, and nothing else is. */
function requireCleanStart(): number {
  const cache = openCache({ folder });
  try {
    requireWhole(cache);
    expect(createCustodyRepository(cache.db).verifyChain()).toMatchObject({ isWhole: true });
    const sources = createSourceRepository(cache.db).list();
    for (const source of sources)
      expect(source).toMatchObject({ trips: tripsPerFile, points: tripsPerFile * pointsPerTrip });
    expect(rowCounts(cache)).toMatchObject({
      trip: sources.length * tripsPerFile,
      custody_entry: sources.length,
    });
    const blobs = Object.keys(filesUnder(`${folder}/blobs`))
      .map((name) => path.basename(name))
      .sort();
    expect(blobs).toEqual(sources.map((source) => source.sha256).sort());
    expect(filesUnder(`${folder}/partial`)).toEqual({});
    return sources.length;
  } finally {
    cache.close();
  }
}

it('20 kills at random moments leave nothing half-imported, and every import can be repeated', async () => {
  const random = createRandom(20_260_301);
  const files = Array.from({ length: 5 }, (_, n) => makeFile(n));
  // How long an import takes on this machine, from the open cache to the outcome, sets the range of the moments.
  const startedAt = performance.now();
  const first = startImport(files);
  await once(first, 'message');
  const openedAfter = performance.now() - startedAt;
  await once(first, 'exit');
  const imported = performance.now() - startedAt - openedAfter;
  expect(requireCleanStart()).toBe(files.length);
  fs.rmSync(folder, { recursive: true });

  let kills = 0;
  let known = 0;
  for (let round = 0; round < 20; round++) {
    const child = startImport(files);
    const gone = once(child, 'exit');
    await once(child, 'message');
    // The test is about any moment: this one is random on purpose.
    await new Promise((resolve) => setTimeout(resolve, random() * imported));
    child.kill('SIGKILL');
    const [, signal] = (await gone) as [number | null, string | null];
    if (signal === 'SIGKILL') kills++;
    const found = requireCleanStart();
    expect(found).toBeGreaterThanOrEqual(known);
    known = found;
    if (known === files.length) {
      fs.rmSync(folder, { recursive: true });
      known = 0;
    }
  }
  expect(kills).toBeGreaterThan(5);

  const last = startImport(files);
  let outcome: ImportOutcome | undefined;
  last.on('message', (message) => {
    if (message !== 'open') outcome = message as ImportOutcome; // the child sends nothing else
  });
  await once(last, 'exit');
  expect(
    outcome!.sources.map((source) => source.status === 'imported' || source.status === 'duplicate'),
  ).toEqual(files.map(() => true));
  expect(requireCleanStart()).toBe(files.length);
});
