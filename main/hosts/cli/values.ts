import type { Bbox } from '../../../shared/track.ts';
import { parseTimeMs } from '../../../shared/time.ts';
import { UsageError, type Arguments } from './arguments.ts';

const decimal = /^[+-]?(\d+\.?\d*|\.\d+)$/;

function numbers(text: string, count: number, what: string): number[] {
  const parts = text.split(',').map((part) => part.trim());
  if (parts.length !== count || parts.some((part) => !decimal.test(part))) {
    throw new UsageError(`${what}, not ${JSON.stringify(text)}.`);
  }
  return parts.map(Number);
}

function requireLatitude(value: number): void {
  if (value < -90 || value > 90) throw new UsageError(`A latitude lies between -90 and 90, not at ${value}.`);
}
function requireLongitude(value: number): void {
  if (value < -180 || value > 180)
    throw new UsageError(`A longitude lies between -180 and 180, not at ${value}.`);
}

/** `LAT,LNG` in degrees. */
export function parsePlace(text: string): { latDeg: number; lngDeg: number } {
  const [latDeg, lngDeg] = numbers(text, 2, 'A place is LAT,LNG in degrees, like 52.10,4.30');
  requireLatitude(latDeg!);
  requireLongitude(lngDeg!);
  return { latDeg: latDeg!, lngDeg: lngDeg! };
}

/** `W,S,E,N` in degrees; west beyond east crosses the 180th meridian. */
export function parseBbox(text: string): [...Bbox] {
  const [west, south, east, north] = numbers(text, 4, 'A box is W,S,E,N in degrees, like 4.2,52.0,4.4,52.2');
  [west!, east!].forEach(requireLongitude);
  [south!, north!].forEach(requireLatitude);
  if (south! > north!)
    throw new UsageError('The box is upside down: it is W,S,E,N, and S is greater than N.');
  return [west!, south!, east!, north!];
}

/** A positive number, at most `most`. */
export function parseAmount(text: string, option: string, most: number): number {
  const value = decimal.test(text) ? Number(text) : NaN;
  if (!(value > 0 && value <= most)) {
    throw new UsageError(`${option} is a number above 0, up to ${most}, not ${JSON.stringify(text)}.`);
  }
  return value;
}

/** `--from` and `--to` as UTC milliseconds, those that were given. */
export function parseRange(args: Arguments): { fromMs?: number; toMs?: number } {
  const read = (option: string): number | undefined => {
    const text = args.value(option);
    if (text === undefined) return undefined;
    const ms = parseTimeMs(text);
    if (ms !== null) return ms;
    throw new UsageError(
      `${option} is a time with its zone, like 2025-03-03T05:00:00Z, or a date, not ${JSON.stringify(text)}.`,
    );
  };
  const fromMs = read('--from');
  const toMs = read('--to');
  if (fromMs !== undefined && toMs !== undefined && fromMs >= toMs) {
    throw new UsageError('The range ends before it begins: --to must be later than --from.');
  }
  return { ...(fromMs === undefined ? {} : { fromMs }), ...(toMs === undefined ? {} : { toMs }) };
}

/** Exactly the positionals that the usage names. */
export function expectPositionals(args: Arguments, names: readonly string[]): string[] {
  const missing = names[args.positionals.length];
  if (missing !== undefined) throw new UsageError(`${missing} is missing.`);
  const extra = args.positionals[names.length];
  if (extra !== undefined) throw new UsageError(`${JSON.stringify(extra)} is too much.`);
  return [...args.positionals];
}
