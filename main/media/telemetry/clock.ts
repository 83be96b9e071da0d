import type { ClipClock, ClockSource } from '../../../shared/contract/clips.ts';
import type { GpsRow } from './columns.ts';
import type { NmeaReading, NmeaRow } from './nmeaText.ts';

export const unknownClock: ClipClock = {
  startUtcMs: null,
  utcOffsetMin: null,
  source: null,
  uncertaintyMs: null,
  spreadMs: null,
  cameraAheadMs: null,
  samples: 0,
};

/** A clock with what is worth saying about it. */
export interface FoundClock {
  readonly clock: ClipClock;
  readonly notes: readonly string[];
}

const minuteMs = 60_000;
const quarterMs = 15 * minuteMs;
const dayMs = 24 * 60 * minuteMs;
const leastOffsetMs = -12 * 60 * minuteMs;
const mostOffsetMs = 14 * 60 * minuteMs;
/** A camera's clock that agrees with GPS this well is believed: the rest is the way of the GPS line. */
const agreesMs = 2000;
/** Further off a quarter of an hour than this, the rounding could be a guess. */
const surelyRoundedMs = 5 * minuteMs;
/** Dates before this are of a receiver that has no date yet, or counts its weeks wrong. */
const earliestGpsMs = Date.UTC(2010, 0, 1);

/** Two statements of one start further apart than this are of two recordings. */
const sameStartMs = 10 * minuteMs;

/** Where a clip's start may stand on the camera's wall clock, best first. */
export interface StartCandidate {
  readonly localMs: number;
  readonly from: 'sttm' | 'name';
}

/**
 * UTC of a clip from its NMEA lines: the offset is the camera's wall clock in front of each line minus the GPS
 * time in it, rounded to 15 minutes. Lines without a fix tell nothing. Unknown stays unknown.
 */
export function clockOfNmea(reading: NmeaReading, starts: readonly StartCandidate[]): FoundClock {
  const notes: string[] = [];
  const fixed = reading.rows.filter((row) => row.hasFix);
  const hasPrefixes = reading.rows.some((row) => !Number.isNaN(row.cameraLocalMs));
  const start = chooseStart(reading.rows, starts, notes);
  const differences = hasPrefixes
    ? differencesOf(fixed, notes)
    : withoutPrefixes(fixed, start?.localMs ?? null);
  const kind = fixed.some((row) => !Number.isNaN(row.utcMs)) ? 'rmc' : 'gga';
  if (differences.length === 0) return { clock: unknownClock, notes };
  const group = firstGroup(differences, notes);
  const middleMs = median(group);
  const spreadMs = group.reduce((a, b) => Math.max(a, b)) - group.reduce((a, b) => Math.min(a, b));
  const { offsetMs, aheadMs } = roundedOffset(middleMs, notes);

  const firstLocalMs = reading.rows.find((row) => !Number.isNaN(row.cameraLocalMs))?.cameraLocalMs;
  const startLocalMs = start?.localMs ?? firstLocalMs ?? null;
  const correctionMs = aheadMs === null ? 0 : Math.abs(aheadMs) <= agreesMs ? 0 : aheadMs;
  const totalMs = offsetMs === null ? middleMs : offsetMs + correctionMs;
  const floorMs = start === null ? 10_000 : start.from === 'sttm' ? 1000 : agreesMs;
  const apartMs = start === null ? 0 : disagreement(start, starts);
  return {
    clock: {
      startUtcMs: startLocalMs === null ? null : startLocalMs - totalMs,
      utcOffsetMin: offsetMs === null ? null : offsetMs / minuteMs,
      source: (start === null ? kind : `${kind}+${start.from}`) as ClockSource, // every such pair is one
      uncertaintyMs: Math.max(floorMs, apartMs, spreadMs, correctionMs === 0 ? Math.abs(aheadMs ?? 0) : 0),
      spreadMs,
      cameraAheadMs: aheadMs,
      samples: group.length,
    },
    notes,
  };
}

/** A start is believed when the lines begin near it; a clip moved to another name keeps its own inner start. */
function chooseStart(
  rows: readonly NmeaRow[],
  starts: readonly StartCandidate[],
  notes: string[],
): StartCandidate | null {
  const firstLocalMs = rows.find((row) => !Number.isNaN(row.cameraLocalMs))?.cameraLocalMs;
  const near = (one: StartCandidate): boolean =>
    firstLocalMs === undefined || Math.abs(firstLocalMs - one.localMs) < sameStartMs;
  const [first] = starts;
  const chosen = starts.find(near) ?? null;
  if (first && chosen !== first)
    notes.push(
      `The clip's ${first.from === 'sttm' ? 'start time' : 'name'} does not fit the times of its GPS lines.`,
    );
  const other = starts.find((one) => one.from !== chosen?.from);
  if (chosen && other && Math.abs(other.localMs - chosen.localMs) > agreesMs)
    notes.push("The clip's start time and its name are more than 2 seconds apart.");
  return chosen;
}

/** How far the camera's other statement of the same start lies from the chosen one, where that is more than rounding. */
function disagreement(start: StartCandidate, starts: readonly StartCandidate[]): number {
  const apart = starts.map((one) => Math.abs(one.localMs - start.localMs));
  return Math.max(0, ...apart.filter((ms) => ms > agreesMs && ms < sameStartMs));
}

/** Camera wall clock minus UTC for each line that tells both. */
function differencesOf(fixed: readonly NmeaRow[], notes: string[]): number[] {
  const differences: number[] = [];
  let isAmbiguous = false;
  let isImplausible = false;
  for (const row of fixed) {
    if (Number.isNaN(row.cameraLocalMs)) continue;
    if (!Number.isNaN(row.utcMs)) {
      if (row.utcMs < earliestGpsMs) isImplausible = true;
      else differences.push(row.cameraLocalMs - row.utcMs);
    } else if (!Number.isNaN(row.timeOfDayMs)) {
      const difference = differenceByTimeOfDay(row);
      if (difference === null) isAmbiguous = true;
      else differences.push(difference);
    }
  }
  if (isImplausible)
    notes.push('The GPS receiver gave a date before 2010, which was not used for the clock.');
  if (isAmbiguous && differences.length === 0)
    notes.push('The GPS lines carry a time without a date, which fits two zones here.');
  return differences;
}

/**
 * A time of day leaves whole days open. Where two zones of the Earth fit (UTC-12 to -10 against +12 to +14),
 * the longitude decides, except where the date line is bent.
 */
function differenceByTimeOfDay(row: NmeaRow): number | null {
  const localOfDay = ((row.cameraLocalMs % dayMs) + dayMs) % dayMs;
  const raw = localOfDay - row.timeOfDayMs;
  const fits = [raw - dayMs, raw, raw + dayMs].filter(
    (one) => one >= leastOffsetMs - quarterMs / 2 && one <= mostOffsetMs + quarterMs / 2,
  );
  if (fits.length < 2) return fits[0] ?? null;
  if (!(Math.abs(row.lngDeg) <= 180) || row.lngDeg < -150) return null;
  return row.lngDeg > 0 ? Math.max(...fits) : Math.min(...fits);
}

/** Lines without the camera's clock: the first fix against the clip's start. */
function withoutPrefixes(fixed: readonly NmeaRow[], startLocalMs: number | null): number[] {
  const first = fixed.find((row) => row.utcMs >= earliestGpsMs);
  return startLocalMs === null || !first ? [] : [startLocalMs - first.utcMs];
}

/** The clock that counts is the one the clip began with: cameras set theirs when GPS comes in. */
function firstGroup(differences: readonly number[], notes: string[]): number[] {
  const groups = new Map<number, number[]>();
  for (const one of differences) {
    const key = Math.round(one / quarterMs);
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  if (groups.size > 1) notes.push("The camera's clock and GPS differ by changing amounts during the clip.");
  const all = [...groups.values()];
  return all.find((group) => group.length >= 2) ?? all[0]!;
}

function roundedOffset(
  differenceMs: number,
  notes: string[],
): { offsetMs: number | null; aheadMs: number | null } {
  // + 0: never minus zero
  const offsetMs = Math.round(differenceMs / quarterMs) * quarterMs + 0;
  if (offsetMs < leastOffsetMs || offsetMs > mostOffsetMs) {
    notes.push("The camera's clock is further from GPS time than any zone: it was not set.");
    return { offsetMs: null, aheadMs: null };
  }
  const aheadMs = differenceMs - offsetMs;
  if (Math.abs(aheadMs) > surelyRoundedMs)
    notes.push(
      `The camera's clock is ${Math.round(Math.abs(aheadMs) / 1000)} s off: its zone may be another one.`,
    );
  else if (Math.abs(aheadMs) > agreesMs)
    notes.push(
      `The camera's clock is ${(aheadMs / 1000).toFixed(1)} s ahead of GPS; the start is corrected by that.`,
    );
  return { offsetMs, aheadMs };
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
}

/**
 * UTC of a clip whose GPS rows carry both UTC and the place in the clip (GoPro, CAMM). The zone needs a name
 * with the camera's wall clock in it.
 */
export function clockOfTimedRows(
  rows: readonly GpsRow[],
  source: 'gopro' | 'camm',
  nameLocalMs: number | null,
): FoundClock {
  const notes: string[] = [];
  const starts = rows
    .filter((row) => row.utcMs >= earliestGpsMs && !Number.isNaN(row.clipMs))
    .map((row) => row.utcMs - row.clipMs);
  if (starts.length === 0) return { clock: unknownClock, notes };
  const startUtcMs = median(starts);
  const spreadMs = starts.reduce((a, b) => Math.max(a, b)) - starts.reduce((a, b) => Math.min(a, b));
  const zone = nameLocalMs === null ? null : roundedOffset(nameLocalMs - startUtcMs, notes);
  return {
    clock: {
      startUtcMs,
      utcOffsetMin: zone?.offsetMs == null ? null : zone.offsetMs / minuteMs,
      source,
      uncertaintyMs: Math.max(1000, spreadMs),
      spreadMs,
      cameraAheadMs: zone?.aheadMs ?? null,
      samples: starts.length,
    },
    notes,
  };
}

/**
 * Novatek blocks (about one a second) state a time that is UTC on some models and the camera's wall clock on
 * others. A name that differs from it by whole quarters of an hour shows that it is UTC; a name that equals it
 * leaves both open, and so the clock unknown.
 */
export function clockOfNovatek(
  rows: readonly GpsRow[],
  nameLocalMs: number | null,
): FoundClock & { readonly isUtc: boolean } {
  const notes: string[] = [];
  const stated = rows.filter((row) => row.utcMs >= earliestGpsMs).map((row) => row.utcMs - row.clipMs);
  if (stated.length === 0) return { clock: unknownClock, notes, isUtc: false };
  const middleMs = median(stated);
  const spreadMs = stated.reduce((a, b) => Math.max(a, b)) - stated.reduce((a, b) => Math.min(a, b));
  const zone = nameLocalMs === null ? null : roundedOffset(nameLocalMs - middleMs, notes);
  if (zone?.offsetMs === 0) {
    notes.push("The telemetry's time equals the camera's clock: whether it is UTC can't be told.");
    return { clock: unknownClock, notes, isUtc: false };
  }
  const offsetMs = zone?.offsetMs ?? null;
  if (offsetMs === null)
    notes.push("The telemetry's time is taken for UTC; some cameras write local time there.");
  return {
    clock: {
      startUtcMs: middleMs,
      utcOffsetMin: offsetMs === null ? null : offsetMs / minuteMs,
      source: offsetMs === null ? 'novatek' : 'novatek+name',
      uncertaintyMs: Math.max(agreesMs, spreadMs),
      spreadMs,
      cameraAheadMs: zone?.aheadMs ?? null,
      samples: stated.length,
    },
    notes,
    isUtc: true,
  };
}
