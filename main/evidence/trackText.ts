import { ABSENT, LITERAL, POW10, TIME, decimalText, type PointColumns } from '../cache/trackCodec.ts';
export { csvText } from '../../shared/csvText.ts';

/** A decimal number as digits: value = (isNegative ? -1 : 1) * digits / 10 ** decimals. */
interface Decimal {
  readonly isNegative: boolean;
  readonly digits: bigint;
  readonly decimals: number;
}

/** Any decimal text, exponents too; null for what is no number. */
function parseDecimal(text: string): Decimal | null {
  const match = /^\s*([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?\s*$/.exec(text);
  if (!match || !(match[2] || match[3])) return null;
  const fraction = match[3] ?? '';
  const exponent = Number(match[4] ?? 0);
  const digits = BigInt(`${match[2] ?? ''}${fraction}` || '0');
  const decimals = fraction.length - exponent;
  const isNegative = match[1] === '-';
  if (decimals >= 0) return { isNegative, digits, decimals };
  return { isNegative, digits: digits * 10n ** BigInt(-decimals), decimals: 0 };
}

function bigDecimalText(isNegative: boolean, digits: bigint, decimals: number): string {
  const padded = digits.toString().padStart(decimals + 1, '0');
  const whole = padded.slice(0, padded.length - decimals);
  return `${isNegative ? '-' : ''}${whole}${decimals === 0 ? '' : `.${padded.slice(-decimals)}`}`;
}

/** The number in plain notation without exponent, for XML; digits otherwise as in the source; null where absent. */
export function plainTextAt(points: PointColumns, column: number, index: number): string | null {
  const decimals = points.decimals[column]![index]!;
  if (decimals < LITERAL) return decimalText(points.values[column]![index]!, decimals);
  const text = points.textAt(column, index);
  if (text === null) return null;
  const parsed = parseDecimal(text);
  return parsed && bigDecimalText(parsed.isNegative, parsed.digits, parsed.decimals);
}

/** The number as JSON may write it, digits of the source wherever JSON allows them; 'null' where absent. */
export function jsonTextAt(points: PointColumns, column: number, index: number): string {
  const text = points.textAt(column, index);
  if (text === null) return 'null';
  if (/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text)) return text;
  const plain = plainTextAt(points, column, index);
  return plain === null ? 'null' : plain.replace(/^(-?)0+(?=\d)/, '$1');
}

function trimZeros(text: string, leastDecimals: number): string {
  const point = text.indexOf('.');
  if (point < 0) return leastDecimals === 0 ? text : `${text}.${'0'.repeat(leastDecimals)}`;
  let end = text.length;
  while (end - 1 - point > leastDecimals && text.charCodeAt(end - 1) === 48) end--;
  return text.slice(0, end - 1 === point ? point : end);
}

/** A speed of a metres-per-second source in km/h: exactly * 36 / 10, at least one decimal. */
export function metresPerSecondToKmh(text: string): string | null {
  const parsed = parseDecimal(text);
  return parsed && trimZeros(bigDecimalText(parsed.isNegative, parsed.digits * 36n, parsed.decimals + 1), 1);
}

/**
 * A speed of a km/h source in m/s. A third is endless in decimals: four more decimals than the source are kept,
 * so that * 3.6, rounded to the source's decimals, gives the source's number again.
 */
export function kmhToMetresPerSecond(text: string): string | null {
  const parsed = parseDecimal(text);
  if (!parsed) return null;
  const rounded = (parsed.digits * 10_000n * 5n + 9n) / 18n;
  return trimZeros(bigDecimalText(parsed.isNegative, rounded, parsed.decimals + 4), 0);
}

/** Formats many conversions of the same few texts: speeds with one decimal repeat all the time. */
export function remembered(convert: (text: string) => string | null): (text: string) => string | null {
  const known = new Map<string, string | null>();
  return (text) => {
    let result = known.get(text);
    if (result === undefined) {
      result = convert(text);
      if (known.size > 10_000) known.clear();
      known.set(text, result);
    }
    return result;
  };
}

let dayNumber = NaN;
let dayText = '';
const twoDigits = Array.from({ length: 60 }, (_, n) => String(n).padStart(2, '0'));

/** Whole seconds since 1970 as `YYYY-MM-DDTHH:MM:SS`. */
function secondText(second: number): string {
  const day = Math.floor(second / 86_400);
  if (day !== dayNumber) {
    dayText = new Date(day * 86_400_000).toISOString().split('T')[0]!;
    dayNumber = day;
  }
  const rest = second - day * 86_400;
  const hour = Math.floor(rest / 3600);
  const minute = Math.floor((rest - hour * 3600) / 60);
  return `${dayText}T${twoDigits[hour]}:${twoDigits[minute]}:${twoDigits[rest - hour * 3600 - minute * 60]}`;
}

/** A point's time in RFC 3339 UTC with as many fraction digits as the source had; null where absent. */
export function timeTextAt(points: PointColumns, index: number): string | null {
  const decimals = points.decimals[TIME]![index]!;
  if (decimals === ABSENT) return null;
  if (decimals !== LITERAL) {
    const scaled = points.values[TIME]![index]!;
    const scale = POW10[decimals]!;
    const second = Math.floor(scaled / scale);
    if (decimals === 0) return `${secondText(second)}Z`;
    return `${secondText(second)}.${String(scaled - second * scale).padStart(decimals, '0')}Z`;
  }
  const parsed = parseDecimal(points.textAt(TIME, index) ?? '');
  if (!parsed) return null;
  const scale = 10n ** BigInt(parsed.decimals);
  const signed = parsed.isNegative ? -parsed.digits : parsed.digits;
  const fraction = ((signed % scale) + scale) % scale;
  const second = Number((signed - fraction) / scale);
  if (parsed.decimals === 0) return `${secondText(second)}Z`;
  return `${secondText(second)}.${fraction.toString().padStart(parsed.decimals, '0')}Z`;
}

/** A point's time in UTC milliseconds, exact for sources of up to milliseconds; NaN where absent. */
export function timeMsAt(points: PointColumns, index: number): number {
  const decimals = points.decimals[TIME]![index]!;
  if (decimals === ABSENT) return NaN;
  if (decimals === LITERAL) return Number(points.textAt(TIME, index)) * 1000;
  const scaled = points.values[TIME]![index]!;
  return decimals <= 3 ? scaled * POW10[3 - decimals]! : scaled / POW10[decimals - 3]!;
}

/** Text inside XML 1.0: marked-up characters escaped, characters that XML has no form for replaced. */
export function xmlText(text: string): string {
  return (
    text
      .toWellFormed()
      // eslint-disable-next-line no-control-regex -- these are the very characters XML 1.0 forbids
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
  );
}
