import type { RecordingRow } from '../../../shared/contract/cards.ts';
import { typeKey } from './recordingFilter.ts';
import { directionName, typeName, wallMsOf } from './words.ts';

/** Recordings of one camera and one type along the card's wall clock. */
export interface Lane {
  readonly key: string;
  readonly direction: string;
  readonly letter: string;
  readonly name: string;
  /** Ascending; wall-clock ms (no instant) and the row it belongs to. */
  readonly marks: readonly { readonly wallMs: number; readonly rowId: string }[];
}

export interface WallRange {
  readonly fromMs: number;
  readonly toMs: number;
}

const dayMs = 86_400_000;
const leastSpanMs = 5 * 60_000;

/** Driving first, then what happened, then parking: the order in which one looks. */
function rank(type: string): number {
  if (type === 'normal') return 0;
  if (type === 'parking') return 2;
  return type.startsWith('unknown') ? 3 : 1;
}

/** Lanes by camera and type letter, front first. Rows without a readable time are on none. */
export function lanesOf(rows: readonly RecordingRow[]): readonly Lane[] {
  const found = new Map<
    string,
    Omit<Lane, 'marks'> & { type: string; marks: { wallMs: number; rowId: string }[] }
  >();
  for (const row of rows) {
    const wallMs = wallMsOf(row.recordedAtLocal);
    if (wallMs === null) continue;
    const type = typeKey(row);
    for (const part of row.parts) {
      const direction = directionName(part.direction, part.directionCode);
      const key = `${direction}/${type}`;
      let lane = found.get(key);
      if (!lane) {
        lane = {
          key,
          direction,
          type,
          letter: row.typeCode ?? '?',
          name: typeName(row.type, row.typeCode),
          marks: [],
        };
        found.set(key, lane);
      }
      lane.marks.push({ wallMs, rowId: row.rowId });
    }
  }
  for (const lane of found.values()) lane.marks.sort((a, b) => a.wallMs - b.wallMs);
  const order = (lane: { direction: string }) =>
    lane.direction === 'front' ? 0 : lane.direction === 'option' ? 1 : 2;
  return [...found.values()].sort(
    (a, b) =>
      order(a) - order(b) ||
      (a.direction < b.direction ? -1 : a.direction > b.direction ? 1 : 0) ||
      rank(a.type) - rank(b.type) ||
      (a.name < b.name ? -1 : 1),
  );
}

/** The days that have recordings, newest first, `YYYY-MM-DD`, with how many rows. */
export function daysOf(
  rows: readonly RecordingRow[],
): readonly { readonly day: string; readonly count: number }[] {
  const counts = new Map<string, number>();
  for (const { recordedAtLocal } of rows) {
    if (wallMsOf(recordedAtLocal) === null || recordedAtLocal === null) continue;
    const day = recordedAtLocal.slice(0, 10);
    counts.set(day, (counts.get(day) ?? 0) + 1);
  }
  return [...counts].map(([day, count]) => ({ day, count })).sort((a, b) => (a.day < b.day ? 1 : -1));
}

export function rangeOfDay(day: string): WallRange {
  const fromMs = Date.parse(`${day}T00:00:00Z`);
  return { fromMs, toMs: fromMs + dayMs };
}

/** Whole days around all lanes; null without any. */
export function rangeOfLanes(lanes: readonly Lane[]): WallRange | null {
  let fromMs = Number.POSITIVE_INFINITY;
  let toMs = Number.NEGATIVE_INFINITY;
  for (const { marks } of lanes) {
    fromMs = Math.min(fromMs, marks[0]?.wallMs ?? fromMs);
    toMs = Math.max(toMs, marks[marks.length - 1]?.wallMs ?? toMs);
  }
  if (fromMs > toMs) return null;
  return { fromMs: Math.floor(fromMs / dayMs) * dayMs, toMs: (Math.floor(toMs / dayMs) + 1) * dayMs };
}

/** The range made `factor` times as long around `atMs`, never shorter than five minutes nor beyond `outer`. */
export function zoomRange(range: WallRange, factor: number, atMs: number, outer: WallRange): WallRange {
  const span = Math.min(
    Math.max((range.toMs - range.fromMs) * factor, leastSpanMs),
    Math.max(outer.toMs - outer.fromMs, leastSpanMs),
  );
  const share = (atMs - range.fromMs) / (range.toMs - range.fromMs);
  return within(atMs - span * share, span, outer);
}

/** The range moved by a part of its own length. */
export function panRange(range: WallRange, share: number, outer: WallRange): WallRange {
  const span = range.toMs - range.fromMs;
  return within(range.fromMs + span * share, span, outer);
}

function within(fromMs: number, span: number, outer: WallRange): WallRange {
  const start = Math.max(outer.fromMs, Math.min(fromMs, outer.toMs - span));
  return { fromMs: start, toMs: start + span };
}

/**
 * The lane's recordings in the range as one SVG path over 0…`width` and 0…1: a recording reaches to the next one
 * when that follows within `joinMs` (the listing states no durations), else it is `leastWidth` wide.
 */
export function lanePath(
  marks: Lane['marks'],
  range: WallRange,
  width: number,
  leastWidth: number,
  joinMs = 70_000,
): string {
  const scale = width / (range.toMs - range.fromMs);
  const parts: string[] = [];
  let openX: number | null = null;
  let endX = 0;
  const flush = () => {
    if (openX !== null) parts.push(`M${openX.toFixed(1)} 0H${endX.toFixed(1)}V1H${openX.toFixed(1)}Z`);
  };
  for (let i = 0; i < marks.length; i += 1) {
    const mark = marks[i];
    if (!mark || mark.wallMs > range.toMs) break;
    const next = marks[i + 1];
    const isJoined = next !== undefined && next.wallMs - mark.wallMs <= joinMs;
    const endMs = isJoined ? next.wallMs : mark.wallMs;
    if (endMs < range.fromMs) continue;
    const x = Math.max(0, (mark.wallMs - range.fromMs) * scale);
    const to = Math.min(width, Math.max(x + leastWidth, (endMs - range.fromMs) * scale));
    // Marks closer than half a pixel are one: the path stays short at any zoom.
    if (openX !== null && x <= endX + 0.5) {
      endX = Math.max(endX, to);
    } else {
      flush();
      openX = x;
      endX = to;
    }
  }
  flush();
  return parts.join('');
}

/** The lanes that have anything in the range: the others would only take room. */
export function lanesIn(lanes: readonly Lane[], range: WallRange): readonly Lane[] {
  return lanes.filter(({ marks }) =>
    marks.some(({ wallMs }) => wallMs >= range.fromMs && wallMs <= range.toMs),
  );
}

/** The recording nearest to a time, no further than `reachMs`; null without one. */
export function nearestMark(
  marks: Lane['marks'],
  wallMs: number,
  reachMs: number,
): Lane['marks'][number] | null {
  let best: Lane['marks'][number] | null = null;
  for (const mark of marks) {
    if (best === null || Math.abs(mark.wallMs - wallMs) < Math.abs(best.wallMs - wallMs)) best = mark;
  }
  return best !== null && Math.abs(best.wallMs - wallMs) <= reachMs ? best : null;
}

const hourMs = 3_600_000;
const steps = [
  60_000,
  300_000,
  900_000,
  hourMs,
  3 * hourMs,
  6 * hourMs,
  12 * hourMs,
  dayMs,
  7 * dayMs,
] as const;

/** At most about `most` round times in the range, as the axis labels them. */
export function ticksOf(
  range: WallRange,
  most: number,
): readonly { readonly wallMs: number; readonly label: string }[] {
  const span = range.toMs - range.fromMs;
  const stepMs = steps.find((step) => span / step <= most) ?? 7 * dayMs;
  const ticks: { wallMs: number; label: string }[] = [];
  for (let at = Math.ceil(range.fromMs / stepMs) * stepMs; at <= range.toMs; at += stepMs) {
    const text = new Date(at).toISOString();
    ticks.push({
      wallMs: at,
      label: stepMs >= dayMs || at % dayMs === 0 ? text.slice(5, 10) : text.slice(11, 16),
    });
  }
  return ticks;
}
