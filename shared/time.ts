/** Largest distance from 1970 that a Date can hold. */
const widestMs = 8.64e15;

/**
 * RFC 3339 in UTC, e.g. `2025-03-03T05:00:00Z`; milliseconds only where there are some. Null stays null, as
 * does a time that no calendar holds.
 */
export function toRfc3339(ms: number | null): string | null {
  if (ms === null || !(Math.abs(ms) <= widestMs)) return null;
  return new Date(ms).toISOString().replace('.000Z', 'Z');
}

const rfc3339 =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?([Zz]|[+-]\d{2}:\d{2}))?$/;

/**
 * Reads an RFC 3339 time (with `Z` or an offset; seconds may be left out) or a bare date, which is midnight
 * UTC. Returns UTC milliseconds; null for anything else, among it times without a zone and days that are not
 * in the calendar: guessing a zone would move evidence by hours.
 */
export function parseTimeMs(text: string): number | null {
  const match = rfc3339.exec(text.trim());
  if (!match) return null;
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', zone = 'Z'] = match;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null;
  const startOfDayMs = Date.parse(`${year}-${month}-${day}T00:00:00Z`);
  // Date.parse rolls 30 February over to March; the calendar does not.
  if (Number.isNaN(startOfDayMs) || new Date(startOfDayMs).getUTCDate() !== Number(day)) return null;
  let offsetMinutes = 0;
  if (zone !== 'Z' && zone !== 'z') {
    const zoneHours = Number(zone.slice(1, 3));
    const zoneMinutes = Number(zone.slice(4, 6));
    if (zoneHours > 23 || zoneMinutes > 59) return null;
    offsetMinutes = (zone.startsWith('-') ? -1 : 1) * (zoneHours * 60 + zoneMinutes);
  }
  const seconds = Number(hour) * 3600 + (Number(minute) - offsetMinutes) * 60 + Number(second);
  return startOfDayMs + seconds * 1000 + (fraction === '' ? 0 : Number(`0.${fraction}`) * 1000);
}
