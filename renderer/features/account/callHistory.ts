import type { Usage } from '../../../shared/cloudResources.ts';
import { dayStartMs, toDay } from './orderRules.ts';

/** A UTC day of the window. `calls` null: the service has no figures for it, which is not zero calls (2.11). */
export interface CallDay {
  readonly date: string;
  readonly calls: number | null;
  readonly avgLatencyMs: number | null;
}

export interface CallChart {
  readonly days: readonly CallDay[];
  /** Of the busiest day; 0 when no day had calls. */
  readonly most: number;
  readonly calls: number;
  /** How many days the figures cover. */
  readonly measuredDays: number;
  readonly avgLatencyMs: number | null;
}

/** More would be no chart of 30 days but a mistake of somebody's clock. */
const mostDays = 400;
const dayMs = 86_400_000;
const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null);
const dayOf = (value: unknown): number | null =>
  typeof value === 'string' ? dayStartMs(value.slice(0, 10)) : null;

/** One slot for each day from `from` to `to`; days that the service left out stay out. Null without a history. */
export function toCallChart(history: Usage['callHistory']): CallChart | null {
  if (!history || !Array.isArray(history.days)) return null;
  const stated = new Map<number, CallDay>();
  for (const day of history.days) {
    const atMs = dayOf(day.date);
    if (atMs === null) continue;
    stated.set(atMs, {
      date: toDay(atMs),
      calls: numberOf(day.calls),
      avgLatencyMs: numberOf(day.avgLatencyMs),
    });
  }
  const known = [...stated.keys()];
  const first = Math.min(...known, dayOf(history.from) ?? Number.POSITIVE_INFINITY);
  const last = Math.max(...known, dayOf(history.to) ?? Number.NEGATIVE_INFINITY);
  const days: CallDay[] = [];
  for (let atMs = first; atMs <= last && days.length < mostDays; atMs += dayMs) {
    days.push(stated.get(atMs) ?? { date: toDay(atMs), calls: null, avgLatencyMs: null });
  }
  const counts = days.flatMap(({ calls }) => (calls === null ? [] : [calls]));
  return {
    days,
    most: Math.max(0, ...counts),
    calls: counts.reduce((sum, calls) => sum + calls, 0),
    measuredDays: numberOf(history.aggregatedDays) ?? counts.length,
    avgLatencyMs: numberOf(history.avgLatencyMs),
  };
}
