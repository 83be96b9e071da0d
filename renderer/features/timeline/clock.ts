import { zoneOffsetMs } from '../../ui/index.ts';

/** How the screen's times are shown: UTC, the investigator's zone, or the zone where the vehicle was. */
export type ZoneKind = 'utc' | 'local' | 'vehicle';

const two = (value: number) => String(value).padStart(2, '0');
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;
const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const;

/** Offsets change at most at quarter hours; asking Intl for each label of a list would cost seconds. */
const offsets = new Map<string, number>();
function offsetMs(utcMs: number, zone: string): number {
  if (zone === 'UTC') return 0;
  const key = `${zone}|${Math.floor(utcMs / 900_000)}`;
  let found = offsets.get(key);
  if (found === undefined) {
    if (offsets.size > 50_000) offsets.clear();
    found = zoneOffsetMs(utcMs, zone);
    offsets.set(key, found);
  }
  return found;
}

/** The zone's wall clock as a Date whose UTC fields are to be read. */
function wallDate(utcMs: number, zone: string): Date {
  return new Date(utcMs + offsetMs(utcMs, zone));
}

/** "17:32:05"; "17:32:05.733" when the instant has a fraction of a second that was recorded. */
export function formatClock(utcMs: number, zone: string): string {
  const at = wallDate(utcMs, zone);
  const whole = `${two(at.getUTCHours())}:${two(at.getUTCMinutes())}:${two(at.getUTCSeconds())}`;
  const fraction = at.getUTCMilliseconds();
  return fraction === 0 ? whole : `${whole}.${String(fraction).padStart(3, '0')}`;
}

/** "17:32" */
export function formatClockMinute(utcMs: number, zone: string): string {
  const at = wallDate(utcMs, zone);
  return `${two(at.getUTCHours())}:${two(at.getUTCMinutes())}`;
}

/** "14 Mar 2025" */
export function formatDay(utcMs: number, zone: string): string {
  const at = wallDate(utcMs, zone);
  return `${at.getUTCDate()} ${months[at.getUTCMonth()] ?? ''} ${at.getUTCFullYear()}`;
}

/** "Fri 14 Mar" */
export function formatShortDay(utcMs: number, zone: string): string {
  const at = wallDate(utcMs, zone);
  return `${weekdays[at.getUTCDay()] ?? ''} ${at.getUTCDate()} ${months[at.getUTCMonth()] ?? ''}`;
}

/** "14 Mar 2025 17:02" */
export function formatDayMinute(utcMs: number, zone: string): string {
  return `${formatDay(utcMs, zone)} ${formatClockMinute(utcMs, zone)}`;
}

/** What the zone is called at that instant: "UTC", "CET", or "UTC+5:30" where it has no common short name. */
export function zoneLabel(utcMs: number, zone: string): string {
  if (zone === 'UTC') return 'UTC';
  const key = `${zone}|${offsetMs(utcMs, zone)}`;
  let found = labels.get(key);
  if (found === undefined) {
    found = findZoneLabel(utcMs, zone);
    labels.set(key, found);
  }
  return found;
}

const labels = new Map<string, string>();
function findZoneLabel(utcMs: number, zone: string): string {
  const named = new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeZoneName: 'short' })
    .formatToParts(utcMs)
    .find((part) => part.type === 'timeZoneName')?.value;
  if (named && !/^(GMT|UTC)[+-]/.test(named)) return named;
  return offsetLabel(utcMs, zone);
}

/** "UTC+1", "UTC−3:30": as the vehicle's offset is written in Review (`offsetName`). */
export function offsetLabel(utcMs: number, zone: string): string {
  const minutes = Math.round(offsetMs(utcMs, zone) / 60_000);
  if (minutes === 0) return 'UTC';
  const size = Math.abs(minutes);
  const part = size % 60 === 0 ? '' : `:${two(size % 60)}`;
  return `UTC${minutes < 0 ? '−' : '+'}${Math.floor(size / 60)}${part}`;
}

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const stepsMs = [
  second, 2 * second, 5 * second, 10 * second, 15 * second, 30 * second,
  minute, 2 * minute, 5 * minute, 10 * minute, 15 * minute, 30 * minute,
  hour, 2 * hour, 3 * hour, 6 * hour, 12 * hour,
  day, 2 * day, 7 * day, 14 * day, 30 * day, 91 * day, 365 * day,
] as const; // prettier-ignore

/** Round times of the zone's wall clock within a range, at most `most` of them: where an axis puts its ticks. */
export function timeTicks(fromMs: number, toMs: number, most: number, zone: string): number[] {
  const span = toMs - fromMs;
  if (!(span > 0) || most < 1) return [];
  const step = stepsMs.find((ms) => span / ms <= most) ?? Math.ceil(span / most / (365 * day)) * 365 * day;
  const ticks: number[] = [];
  // Aligned on the wall clock, so that midnight stays midnight when the clock is put forward or back on the way.
  let wall = Math.ceil((fromMs + offsetMs(fromMs, zone)) / step) * step;
  for (let guard = 0; guard < 2 * most + 4; guard++, wall += step) {
    const guess = wall - offsetMs(fromMs, zone);
    const utcMs = wall - offsetMs(guess, zone);
    if (utcMs > toMs) break;
    if (utcMs >= fromMs) ticks.push(utcMs);
  }
  return ticks;
}

/** Labels of ticks: the time of day always; the date under the first tick and wherever it changes. */
export function tickLabels(ticksMs: readonly number[], zone: string): string[] {
  const step = ticksMs.length > 1 ? (ticksMs[1] ?? 0) - (ticksMs[0] ?? 0) : minute;
  let shownDay = '';
  return ticksMs.map((utcMs) => {
    const time = step < minute ? formatClock(utcMs, zone) : formatClockMinute(utcMs, zone);
    const date = formatShortDay(utcMs, zone);
    if (date === shownDay) return time;
    shownDay = date;
    return `${time}\n${date}`;
  });
}

/** "NE" of a heading in degrees clockwise from north. */
export function compassPoint(headingDeg: number): string {
  const names = ['N', 'NE', 'E', 'SE', 'S', 'SW', 'W', 'NW'] as const;
  return names[((Math.round(headingDeg / 45) % 8) + 8) % 8] ?? 'N';
}
