import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** How one run of a program went. */
export interface Run {
  readonly seconds: number;
  /** Peak resident memory of the process; null where this machine has no way to tell. */
  readonly peakBytes: number | null;
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const gnuTime = '/usr/bin/time';
const hasGnuTime = fs.existsSync(gnuTime) && process.platform === 'linux';

/** Runs a program to its end, under GNU time where there is one, so that its peak memory is known. */
export async function runProgram(program: string, args: readonly string[]): Promise<Run> {
  const note = path.join(os.tmpdir(), `bench-time-${process.pid}-${Math.random().toString(36).slice(2)}`);
  const isNode = program === process.execPath;
  const usage = path.join(import.meta.dirname, 'printUsage.mjs');
  const [command, all] = hasGnuTime
    ? [gnuTime, ['-v', '-o', note, program, ...args]]
    : [program, [...(isNode ? ['--import', usage] : []), ...args]];
  const startedAt = performance.now();
  const child = spawn(command, all, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, BENCH_USAGE_FILE: note },
  });
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout.on('data', (piece: Buffer) => stdout.push(piece));
  child.stderr.on('data', (piece: Buffer) => stderr.push(piece));
  const [exitCode] = (await once(child, 'close')) as [number | null]; // the event's own arguments
  const seconds = (performance.now() - startedAt) / 1000;
  let peakBytes: number | null = null;
  if (fs.existsSync(note)) {
    const match = /(?:Maximum resident set size \(kbytes\): |maxRSS )(\d+)/.exec(
      fs.readFileSync(note, 'utf8'),
    );
    if (match) peakBytes = Number(match[1]) * 1024;
    fs.rmSync(note, { force: true });
  }
  return {
    seconds,
    peakBytes,
    exitCode,
    stdout: Buffer.concat(stdout).toString('utf8'),
    stderr: Buffer.concat(stderr).toString('utf8'),
  };
}

/** As runProgram; a failure ends the bench, since a ratio against it would mean nothing. */
export async function runOrFail(program: string, args: readonly string[]): Promise<Run> {
  const run = await runProgram(program, args);
  if (run.exitCode === 0) return run;
  throw new Error(`${program} ${args.join(' ')} ended with ${run.exitCode}:\n${run.stderr || run.stdout}`);
}

/** Whether a program is on the path. */
export function isInstalled(program: string): boolean {
  return (process.env.PATH ?? '')
    .split(path.delimiter)
    .some((folder) => fs.existsSync(path.join(folder, program)));
}

/** The middle one; of an even number, the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  if (sorted.length === 0) return NaN;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Milliseconds of `work`, median over `rounds`. */
export async function timeMs(rounds: number, work: (round: number) => unknown): Promise<number> {
  const all: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const startedAt = performance.now();
    await work(round);
    all.push(performance.now() - startedAt);
  }
  return median(all);
}

/** Bytes of a file, or of all files in a folder. */
export function sizeOf(place: string): number {
  const stat = fs.statSync(place, { throwIfNoEntry: false });
  if (!stat) return 0;
  if (!stat.isDirectory()) return stat.size;
  return fs.readdirSync(place).reduce((sum, name) => sum + sizeOf(path.join(place, name)), 0);
}
