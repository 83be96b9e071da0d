/** Formatters are costly to make and asked for thousands of times by lists. */
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatter(zone: string, style: 'full' | 'minute' | 'date' | 'parts'): Intl.DateTimeFormat {
  const key = `${zone}|${style}`;
  let found = formatters.get(key);
  if (!found) {
    found = new Intl.DateTimeFormat('en-GB', { timeZone: zone, ...fieldsOf[style] });
    formatters.set(key, found);
  }
  return found;
}

const date = { day: '2-digit', month: 'short', year: 'numeric' } as const;
const fieldsOf: Record<'full' | 'minute' | 'date' | 'parts', Intl.DateTimeFormatOptions> = {
  full: { ...date, hour: '2-digit', minute: '2-digit', second: '2-digit', timeZoneName: 'short' },
  minute: { ...date, hour: '2-digit', minute: '2-digit', timeZoneName: 'short' },
  date,
  parts: {
    hourCycle: 'h23',
    day: '2-digit',
    month: '2-digit',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  },
};

/** The machine's own zone (IANA name). */
export function machineZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';
}

/** Whether this browser knows the IANA zone. */
export function isZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en-GB', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

/** "14 Mar 2026, 17:02:11 CET" for UTC milliseconds, with the zone always said. */
export function formatInstant(utcMs: number, zone: string, style: 'full' | 'minute' = 'full'): string {
  return inUtc(formatter(zone, style).format(utcMs));
}

/** "UTC+5:45", "UTC−5" for the "GMT+5:45", "GMT-5" of the platform: an offset is written one way everywhere. */
function inUtc(text: string): string {
  return text.replace(/GMT([+-])/, (_, sign: string) => `UTC${sign === '-' ? '−' : '+'}`);
}

/** "CET": what the zone's clocks were called at that instant ("UTC+5" where they have no letters). */
export function zoneName(utcMs: number, zone: string): string {
  const parts = formatter(zone, 'full').formatToParts(utcMs);
  return inUtc(parts.find((part) => part.type === 'timeZoneName')?.value ?? zone);
}

/** "14 Mar 2026" in the zone. */
export function formatDate(utcMs: number, zone: string): string {
  return formatter(zone, 'date').format(utcMs);
}

interface WallClock {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

function wallClock(utcMs: number, zone: string): WallClock {
  const parts: Record<string, number> = {};
  for (const part of formatter(zone, 'parts').formatToParts(utcMs)) parts[part.type] = Number(part.value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return { year, month, day, hour, minute, second };
}

/** Milliseconds that the zone's wall clock is ahead of UTC at this instant. */
export function zoneOffsetMs(utcMs: number, zone: string): number {
  const wholeMs = Math.floor(utcMs / 1000) * 1000;
  const { year, month, day, hour, minute, second } = wallClock(wholeMs, zone);
  return Date.UTC(year, month - 1, day, hour, minute, second) - wholeMs;
}

const two = (value: number) => String(value).padStart(2, '0');

/** "2026-03-14 17:02:11": an instant on the zone's wall clock, as it is typed and read back. */
export function toInputText(utcMs: number, zone: string): string {
  const { year, month, day, hour, minute, second } = wallClock(utcMs, zone);
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)} ${two(hour)}:${two(minute)}:${two(second)}`;
}

/**
 * UTC milliseconds of a wall-clock text ("2026-03-14 17:02:11", seconds or the whole time may be missing) in the
 * zone, or null when it is no date. A time that occurs twice (the clock is put back) is taken as the first; one that a clock put forward skips
 * is moved on by the skipped hour.
 */
export function fromInputText(text: string, zone: string): number | null {
  const match = /^\s*(\d{4})-(\d\d?)-(\d\d?)(?:[T\s]+(\d\d?):(\d\d)(?::(\d\d))?)?\s*$/.exec(text);
  if (!match) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1)
    .map((n) => Number(n ?? 0));
  const asUtcMs = Date.UTC(year, month - 1, day, hour, minute, second);
  const check = new Date(asUtcMs);
  if (check.getUTCMonth() !== month - 1 || check.getUTCDate() !== day || hour > 23 || minute > 59)
    return null;
  const before = zoneOffsetMs(asUtcMs - 86_400_000, zone);
  const after = zoneOffsetMs(asUtcMs + 86_400_000, zone);
  const candidates = [...new Set([before, after])]
    .map((offsetMs) => asUtcMs - offsetMs)
    .filter((utcMs) => zoneOffsetMs(utcMs, zone) === asUtcMs - utcMs)
    .sort((a, b) => a - b);
  return candidates[0] ?? asUtcMs - before;
}
