import { cityZone } from './city.ts';

const hourMs = 3_600_000;
const offsetByHour = new Map<number, number>();
const formatter = new Intl.DateTimeFormat('en-US', { timeZone: cityZone, timeZoneName: 'longOffset' });

/** The cameras' wall clock minus UTC, in minutes; cached by the hour because `Intl` is slow. */
export function utcOffsetMinutes(atMs: number): number {
  const hour = Math.floor(atMs / hourMs);
  const known = offsetByHour.get(hour);
  if (known !== undefined) return known;
  const name = formatter.formatToParts(atMs).find((part) => part.type === 'timeZoneName')?.value ?? 'GMT';
  const match = /GMT([+-])(\d\d):(\d\d)/.exec(name);
  const minutes = match ? (Number(match[2]) * 60 + Number(match[3])) * (match[1] === '-' ? -1 : 1) : 0;
  offsetByHour.set(hour, minutes);
  return minutes;
}

/** Milliseconds that a UTC clock would show if it showed the camera's local time. */
export function toLocalMs(utcMs: number): number {
  return utcMs + utcOffsetMinutes(utcMs) * 60_000;
}

/** The instant at which the local wall clock shows the given local milliseconds (the earlier one if twice). */
export function toUtcMs(localMs: number): number {
  const guess = localMs - utcOffsetMinutes(localMs) * 60_000;
  return localMs - utcOffsetMinutes(guess) * 60_000;
}

export const dayMs = 86_400_000;
export const minuteMs = 60_000;
export const toDay = (atMs: number): number => Math.floor(atMs / dayMs);
export const toIso = (atMs: number): string => new Date(atMs).toISOString();
/** Whole seconds, the way the service prints instants. */
export const toTimestamp = (atMs: number): string => new Date(atMs).toISOString().replace(/\.\d{3}Z$/, 'Z');
export const toDateText = (atMs: number): string => toIso(atMs).slice(0, 10);
