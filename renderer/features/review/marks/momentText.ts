import { fromInputText, toInputText, zoneOffsetMs } from '../../../ui/index.ts';
import { formatClock, formatDay, zoneLabel } from '../../timeline/clock.ts';
import type { ReviewScene } from '../../../../shared/contract/review.ts';
import type { ReviewZone } from '../model.ts';

/**
 * How scene times are written: on a zone's clock, on a clock a fixed offset from UTC (the vehicle's), or, where no
 * clock is known, as time since the scene began, which must not look like a time of day.
 */
export type MomentZone =
  | { readonly kind: 'zone'; readonly zone: string }
  | { readonly kind: 'offset'; readonly offsetMin: number }
  | { readonly kind: 'elapsed' };

/** The zone to write with. Where the vehicle's is not known, UTC stands in, and says so by its name. */
export function momentZone(
  scene: Pick<ReviewScene, 'timebase' | 'utcOffsetMin'>,
  zone: ReviewZone,
  localZone: string,
): MomentZone {
  if (scene.timebase === 'elapsed') return { kind: 'elapsed' };
  if (zone === 'local') return { kind: 'zone', zone: localZone };
  if (zone === 'vehicle' && scene.utcOffsetMin !== null) {
    return { kind: 'offset', offsetMin: scene.utcOffsetMin };
  }
  return { kind: 'zone', zone: 'UTC' };
}

const two = (value: number) => String(value).padStart(2, '0');
const three = (value: number) => String(value).padStart(3, '0');

/** "UTC+1", "UTC−3:30" */
export function offsetName(offsetMin: number): string {
  if (offsetMin === 0) return 'UTC';
  const size = Math.abs(offsetMin);
  const minutes = size % 60 === 0 ? '' : `:${two(size % 60)}`;
  return `UTC${offsetMin < 0 ? '−' : '+'}${Math.floor(size / 60)}${minutes}`;
}

/** "0:12.345", "1:02:03.004": ms since the beginning, always with milliseconds. */
export function formatElapsed(ms: number): string {
  const whole = Math.round(Math.abs(ms));
  const hours = Math.floor(whole / 3_600_000);
  const minutes = Math.floor(whole / 60_000) % 60;
  const seconds = `${two(Math.floor(whole / 1000) % 60)}.${three(whole % 1000)}`;
  return `${ms < 0 && whole > 0 ? '−' : ''}${hours > 0 ? `${hours}:${two(minutes)}` : minutes}:${seconds}`;
}

/** Wall clock of the zone as if it were UTC, whole ms. */
function wallMs(utcMs: number, zone: Exclude<MomentZone, { kind: 'elapsed' }>): number {
  const whole = Math.round(utcMs);
  return whole + (zone.kind === 'offset' ? zone.offsetMin * 60_000 : zoneOffsetMs(whole, zone.zone));
}

/** "17:32:09.733": the time of day with milliseconds, or the time since the beginning. Says no zone. */
export function formatMomentTime(sceneMs: number, zone: MomentZone): string {
  if (zone.kind === 'elapsed') return formatElapsed(sceneMs);
  const wall = wallMs(sceneMs, zone);
  const text = formatClock(wall, 'UTC');
  return text.includes('.') ? text : `${text}.000`;
}

/** "CET", "UTC+1", or "from the start" */
export function momentZoneName(sceneMs: number, zone: MomentZone): string {
  if (zone.kind === 'elapsed') return 'from the start';
  return zone.kind === 'offset' ? offsetName(zone.offsetMin) : zoneLabel(Math.round(sceneMs), zone.zone);
}

/** "14 Mar 2026" of the zone; null where no date is known. */
export function formatMomentDay(sceneMs: number, zone: MomentZone): string | null {
  return zone.kind === 'elapsed' ? null : formatDay(wallMs(sceneMs, zone), 'UTC');
}

/** "14 Mar 2026 17:32:09.733 CET" */
export function formatMoment(sceneMs: number, zone: MomentZone): string {
  const day = formatMomentDay(sceneMs, zone);
  return `${day === null ? '' : `${day} `}${formatMomentTime(sceneMs, zone)} ${momentZoneName(sceneMs, zone)}`;
}

/** "2026-03-14 17:32:09.733": as it is typed and read back by `parseMoment`. */
export function momentInputText(sceneMs: number, zone: MomentZone): string {
  if (zone.kind === 'elapsed') return formatElapsed(sceneMs);
  return new Date(wallMs(sceneMs, zone)).toISOString().replace('T', ' ').slice(0, 23);
}

/** How far clocks are put back. */
const repeatsMs = [1_800_000, 3_600_000, 7_200_000];
const clockPattern = /^(\d{1,2}):(\d{2})(?::(\d{2}))?$/;
const elapsedPattern = /^[-−]?(?:(\d+):)?(\d+):(\d{2})(?:\.(\d{1,3}))?$/;
const fractionMs = (digits: string | undefined) => Number((digits ?? '').padEnd(3, '0'));

/**
 * Scene time of what was typed: a time of day (of the day of `nearMs`, or of the day before or after where that is
 * nearer), a date and time, or, without a clock, the time since the beginning. Null for anything else, also for a time
 * of day where `nearMs` is null.
 */
export function parseMoment(text: string, zone: MomentZone, nearMs: number | null): number | null {
  const typed = text.trim();
  if (zone.kind === 'elapsed') return parseElapsed(typed);
  const fraction = /\.(\d{1,3})$/.exec(typed);
  const whole = fraction ? typed.slice(0, fraction.index) : typed;
  const name = zone.kind === 'offset' ? 'UTC' : zone.zone;
  const back = zone.kind === 'offset' ? zone.offsetMin * 60_000 : 0;
  const read = (dated: string): readonly number[] => {
    const first = fromInputText(dated, name);
    if (first === null) return [];
    // A wall clock that is put back shows the same time twice: both are meant until one is nearer.
    const again = repeatsMs
      .map((ms) => first + ms)
      .filter((ms) => toInputText(ms, name) === toInputText(first, name));
    return [first, ...again].map((ms) => ms + fractionMs(fraction?.[1]) - back);
  };
  if (/:\d{1,2}:[6-9]\d$/.test(whole)) return null;
  // Only seconds have a fraction.
  if (fraction && !/:\d{2}:\d{2}$/.test(whole)) return null;
  const isTimeOnly = clockPattern.test(whole);
  if (isTimeOnly && nearMs === null) return null;
  const near = nearMs ?? 0;
  const candidates = isTimeOnly
    ? [-1, 0, 1].flatMap((days) => {
        const day = toInputText(near + back + days * 86_400_000, name).slice(0, 10);
        return read(`${day} ${whole}`);
      })
    : read(whole);
  // Without anything to be near, the first of two.
  const distance = (ms: number) => (nearMs === null ? 0 : Math.abs(ms - nearMs));
  return candidates.reduce<number | null>(
    (best, one) => (best === null || distance(one) < distance(best) ? one : best),
    null,
  );
}

function parseElapsed(typed: string): number | null {
  const match = elapsedPattern.exec(typed);
  if (!match) return null;
  const [, hours, minutes, seconds, fraction] = match;
  if (Number(seconds) > 59 || (hours !== undefined && Number(minutes) > 59)) return null;
  const size =
    Number(hours ?? 0) * 3_600_000 + Number(minutes) * 60_000 + Number(seconds) * 1000 + fractionMs(fraction);
  return /^[-−]/.test(typed) ? -size : size;
}

/** "+1.234 s", "−0.040 s", "+2 h 3 min 4.5 s": a difference with its sign, to the millisecond. */
export function formatShift(shiftMs: number): string {
  const whole = Math.round(Math.abs(shiftMs));
  if (whole === 0) return '0 s';
  const days = Math.floor(whole / 86_400_000);
  const hours = Math.floor(whole / 3_600_000) % 24;
  const minutes = Math.floor(whole / 60_000) % 60;
  const seconds = (whole % 60_000) / 1000;
  const parts = [
    days > 0 && `${days} d`,
    hours > 0 && `${hours} h`,
    minutes > 0 && `${minutes} min`,
    (seconds > 0 || whole < 60_000) && `${seconds.toFixed(whole % 1000 === 0 ? 0 : 3)} s`,
  ].filter((part) => part !== false);
  return `${shiftMs < 0 ? '−' : '+'}${parts.join(' ')}`;
}

/** "± 1.5 s", "± 200 ms"; says so where it is not known. */
export function formatUncertainty(uncertaintyMs: number | null): string {
  if (uncertaintyMs === null) return '± unknown';
  if (uncertaintyMs < 1000) return `± ${Math.round(uncertaintyMs)} ms`;
  return `± ${Number((uncertaintyMs / 1000).toFixed(1))} s`;
}
