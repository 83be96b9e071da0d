/**
 * Reads clips as the product does, in a process of its own, so that its memory can be measured apart from the
 * test runner's: `mutations FIRST COUNT` reads damaged files by seed, `file PATH` one clip. Prints a JSON line
 * (Readings).
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { createClipReader } from '../../../main/media/telemetry/clipReader.ts';
import { AppError } from '../../../shared/errors.ts';
import { mutated } from './mutatedFiles.ts';

export interface Readings {
  /** `whole`, `damaged`, or the code of the error, with the number of files. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** Seeds whose facts JSON can't keep, or that read more than a megabyte of a file of some kilobytes. */
  readonly wrongSeeds: readonly number[];
  /** The most that the whole process ever held, MB, and what it held before the first clip. */
  readonly peakMb: number;
  readonly baseMb: number;
}

const [, , task, ...args] = process.argv;
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'reading-'));
const reader = createClipReader();
const outcomes: Record<string, number> = {};
const wrongSeeds: number[] = [];
const baseMb = process.memoryUsage().rss / 1024 / 1024;

async function outcomeOf(file: string, seed: number): Promise<string> {
  try {
    const { facts } = await reader.read(file, { wantsFrames: true });
    const isKept = isDeepStrictEqual(JSON.parse(JSON.stringify(facts)), facts); // NaN would become null
    if (task === 'mutations' && !(isKept && facts.bytesRead < 1024 * 1024)) wrongSeeds.push(seed);
    return facts.damage.length > 0 ? 'damaged' : 'whole';
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw new Error(`seed ${seed}`, { cause: thrown });
    return thrown.code;
  }
}

try {
  const first = task === 'mutations' ? Number(args[0]) : 0;
  const count = task === 'mutations' ? Number(args[1]) : 1;
  for (let seed = first; seed < first + count; seed++) {
    let file = args[0]!;
    if (task === 'mutations') {
      file = path.join(folder, 'mutated.mp4');
      fs.writeFileSync(file, mutated(seed));
    }
    const outcome = await outcomeOf(file, seed);
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  }
} finally {
  await reader.close();
  fs.rmSync(folder, { recursive: true });
}
const peakMb = process.resourceUsage().maxRSS / 1024;
console.log(JSON.stringify({ outcomes, wrongSeeds, peakMb, baseMb } satisfies Readings));
