import type { JobProgress } from '../../../shared/contract/jobs.ts';

/** How fast a job goes now and when it will end, as far as its last seconds tell. */
export interface Rate {
  /** Units (bytes, files, entries) a second; null while it is too early to say. */
  readonly perSecond: number | null;
  readonly pointsPerSecond: number | null;
  /** Null when the end is unknown or it is too early to say. */
  readonly leftMs: number | null;
}

interface Sample {
  readonly atMs: number;
  readonly progress: JobProgress;
}

/** Samples of the job's present stage, oldest first. */
export type Samples = readonly Sample[];

/** Older samples tell of another file or another load of the machine. */
const windowMs = 6_000;
/** A rate over less than this is noise. */
const leastMs = 700;

/** Adds what was just heard; a new stage, or a count that fell back, starts afresh. */
export function addSample(samples: Samples, progress: JobProgress, nowMs: number): Samples {
  const last = samples[samples.length - 1];
  const isSameStage =
    last !== undefined &&
    last.progress.stage === progress.stage &&
    last.progress.unit === progress.unit &&
    last.progress.done <= progress.done;
  const kept = isSameStage ? samples.filter((sample) => nowMs - sample.atMs <= windowMs) : [];
  return [...kept, { atMs: nowMs, progress }];
}

/** The rate over the samples' span. */
export function rateOf(samples: Samples): Rate {
  const first = samples[0];
  const last = samples[samples.length - 1];
  if (!first || !last || last.atMs - first.atMs < leastMs) {
    return { perSecond: null, pointsPerSecond: null, leftMs: null };
  }
  const seconds = (last.atMs - first.atMs) / 1000;
  const perSecond = (last.progress.done - first.progress.done) / seconds;
  const { total, done } = last.progress;
  const hasPoints = first.progress.points !== null && last.progress.points !== null;
  return {
    perSecond,
    pointsPerSecond: hasPoints
      ? ((last.progress.points ?? 0) - (first.progress.points ?? 0)) / seconds
      : null,
    leftMs: total !== null && perSecond > 0 && total >= done ? ((total - done) / perSecond) * 1000 : null,
  };
}
