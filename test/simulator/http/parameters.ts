/** Reading and refusing query parameters (400 `invalid_parameter`) and body fields (422 `invalid_field`). */
import type { Call } from '../simulation.ts';
import { Problem } from './problem.ts';

export function invalidParameter(name: string, reason: string, allowed?: readonly string[]): Problem {
  return new Problem('invalid_parameter', {
    detail: `Query parameter "${name}" ${reason}.`,
    ...(allowed ? { extensions: { allowed } } : {}),
  });
}

export function invalidField(
  name: string,
  reason: string,
  extensions: Record<string, unknown> = {},
): Problem {
  return new Problem('invalid_field', { detail: `Field "${name}" ${reason}.`, extensions });
}

export function enumParameter<T extends string>(
  call: Call,
  name: string,
  allowed: readonly T[],
): T | undefined {
  const value = call.query.get(name);
  if (value === null) return undefined;
  const known = allowed.find((candidate) => candidate === value);
  if (known === undefined) throw invalidParameter(name, `has the unsupported value "${value}"`, allowed);
  return known;
}

export function enumListParameter(
  call: Call,
  name: string,
  allowed: readonly string[],
): string[] | undefined {
  const value = call.query.get(name);
  if (value === null) return undefined;
  const values = value.split(',').map((part) => part.trim());
  for (const part of values) {
    if (!allowed.includes(part)) throw invalidParameter(name, `has the unsupported value "${part}"`, allowed);
  }
  return values;
}

export function integerParameter(
  call: Call,
  name: string,
  range: { default: number; min: number; max: number },
): number {
  const text = call.query.get(name);
  if (text === null) return range.default;
  const value = /^-?\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isInteger(value) || value < range.min || value > range.max) {
    throw invalidParameter(name, `must be an integer from ${range.min} to ${range.max}`);
  }
  return value;
}

const instantPattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/;
const datePattern = /^\d{4}-\d{2}-\d{2}$/;

export function parseInstant(text: unknown): number | undefined {
  if (typeof text !== 'string' || !instantPattern.test(text)) return undefined;
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? undefined : atMs;
}

/** Midnight UTC of a calendar day; undefined for 30 February and the like. */
export function parseDate(text: string): number | undefined {
  if (!datePattern.test(text)) return undefined;
  const atMs = Date.parse(`${text}T00:00:00Z`);
  return Number.isNaN(atMs) || new Date(atMs).toISOString().slice(0, 10) !== text ? undefined : atMs;
}

export function instantParameter(call: Call, name: string): number | undefined {
  const text = call.query.get(name);
  if (text === null) return undefined;
  const atMs = parseInstant(text);
  if (atMs === undefined) throw invalidParameter(name, 'must be an RFC 3339 timestamp with an offset');
  return atMs;
}

/** `from` and `to` together; a range that runs backwards is refused. */
export function rangeParameters(call: Call): { fromMs: number | undefined; toMs: number | undefined } {
  const fromMs = instantParameter(call, 'from');
  const toMs = instantParameter(call, 'to');
  if (fromMs !== undefined && toMs !== undefined && fromMs > toMs) {
    throw invalidParameter('from', 'must not be later than "to"');
  }
  return { fromMs, toMs };
}

/** The request's JSON object; a body that is no object fails as its first required field would. */
export function bodyObject(call: Call): Record<string, unknown> {
  const body = call.body;
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalidField('body', 'must be a JSON object');
  }
  return body as Record<string, unknown>;
}

export function isStringArray(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
