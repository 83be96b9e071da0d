import { gapThresholdMs } from '../../../../shared/gaps.ts';
import type { Scheme } from '../../map/colors.ts';
import { compassPoint } from '../../timeline/clock.ts';
import type { SceneTelemetry } from '../model.ts';
import type { PlotSeries } from './chartPlot.ts';
import { firstAfter } from './mergeTelemetry.ts';
import { shownG, type GLook } from './gShown.ts';
import { chartInks } from './inks.ts';
import type { OwnTrack } from './ownTrack.ts';
import { altitudeScale, gScale, headingScale, speedScale, type Scale } from './scales.ts';

export type ChartKey = 'speed' | 'heading' | 'g' | 'altitude';

/** A series with words: what it is called, and how a value of it is written with its unit. */
export interface ChartSeries extends PlotSeries {
  readonly label: string;
  /** More about it, for the pointer. */
  readonly how: string;
  readonly valueText: (value: number) => string;
}
export interface ChartSpec {
  readonly key: ChartKey;
  readonly name: string;
  readonly unit: string;
  /** What must be known to read it right. */
  readonly note: string | null;
  readonly series: readonly ChartSeries[];
  readonly scale: (low: number, high: number) => Scale;
  readonly tickText: (value: number) => string;
  /** Said instead of a chart where nothing was recorded. */
  readonly absent: string;
}

const points = ['N', 'E', 'S', 'W', 'N'] as const;
const headingText = (value: number) => `${value.toFixed(0)}° ${compassPoint(value)}`;

/**
 * The charts of a scene's telemetry; altitude only where it was recorded. An imported track is a line of its own,
 * never mixed with what the clips say. Pure but for what it keeps.
 */
export function chartSpecs(
  telemetry: SceneTelemetry,
  ownTrack: OwnTrack | null,
  scheme: Scheme,
  gLook: GLook,
): ChartSpec[] {
  const ink = chartInks[scheme];
  const { gps, gSensor, origin } = telemetry;
  const source = origin === 'clip' ? 'the clip files' : "the service's metadata";
  const specs: ChartSpec[] = [];
  const gapMs = gps ? gapThresholdMs(gps.timesMs) : 0;
  const base = { timesMs: gps?.timesMs ?? new Float64Array(0), gapMs };
  const ofTrack = ownTrack && {
    timesMs: ownTrack.timesMs,
    gapMs: gapThresholdMs(ownTrack.timesMs),
    key: 'track',
    label: 'imported track',
    style: 'dots' as const,
    color: ink.track,
    widthPx: 2,
  };
  specs.push({
    key: 'speed',
    name: 'Speed',
    unit: 'km/h',
    note: null,
    series: [
      ...(ofTrack
        ? [
            {
              ...ofTrack,
              how: `As recorded in the imported track (${ownTrack.from}), a source of its own.`,
              values: ownTrack.speedKmh,
              valueText: (value: number) => `${value.toFixed(1)} km/h`,
            },
          ]
        : []),
      ...(gps
        ? ([
            {
              ...base,
              key: 'computed',
              label: 'from positions',
              how: 'Computed from the positions before and after; gaps are not bridged. It is never mixed with the recorded speed.',
              values: gps.computedSpeedKmh,
              isStray: true,
              style: 'dash',
              color: ink.computed,
              widthPx: 1.25,
              valueText: (value) => `${value.toFixed(1)} km/h`,
            },
            {
              ...base,
              key: 'recorded',
              label: 'recorded',
              how: `As the camera's GPS receiver wrote it, in ${source}.`,
              values: gps.speedKmh,
              style: 'line',
              color: ink.recorded,
              widthPx: 1.5,
              valueText: (value) => `${value.toFixed(1)} km/h`,
            },
          ] satisfies ChartSeries[])
        : []),
    ],
    scale: speedScale,
    tickText: (value) => String(value),
    absent: 'No positions here',
  });
  specs.push({
    key: 'heading',
    name: 'Heading',
    unit: '°',
    note: null,
    series: gps
      ? [
          {
            ...base,
            key: 'heading',
            label: 'recorded',
            how: `Course over ground as recorded, in ${source}; while standing still it may mean nothing.`,
            values: gps.headingDeg,
            style: 'dots',
            color: ink.heading,
            widthPx: 2,
            valueText: headingText,
          },
        ]
      : ofTrack
        ? [
            {
              ...ofTrack,
              how: `As recorded in the imported track (${ownTrack.from}).`,
              values: ownTrack.headingDeg,
              valueText: headingText,
            },
          ]
        : [],
    scale: headingScale,
    tickText: (value) => points[value / 90] ?? String(value),
    absent: 'No headings here',
  });
  const shown = gSensor ? shownG(gSensor, gLook) : null;
  specs.push({
    key: 'g',
    name: 'G-sensor',
    unit: 'g',
    note: `camera frame, gravity ${gLook.isGravityRemoved ? 'removed' : 'included'}${gLook.smoothingMs > 0 ? `, smoothed over ${gLook.smoothingMs / 1000} s` : ''}`,
    series:
      gSensor && shown
        ? [
            ...shown.axesG.map((values, axis): ChartSeries => ({
              timesMs: gSensor.timesMs,
              gapMs: shown.gapMs,
              key: gSensor.axisNames[axis]!,
              label: gSensor.axisNames[axis]!,
              how:
                axisHow[gSensor.axisNames[axis]!] ??
                'An axis of the sensor; how the camera was turned is not known.',
              values,
              style: 'line',
              color: ink.axes[axis]!,
              widthPx: 1,
              valueText: (value) => `${signed(value)} g`,
            })),
            {
              timesMs: gSensor.timesMs,
              gapMs: shown.gapMs,
              key: 'magnitude',
              label: '|a|',
              how: 'Strength of all three axes together.',
              values: shown.magnitudeG,
              style: 'line',
              color: ink.magnitude,
              widthPx: 1.25,
              valueText: (value) => `${value.toFixed(2)} g`,
            },
          ]
        : [],
    scale: gScale,
    tickText: (value) => String(Number(value.toFixed(2))),
    absent: 'No G-sensor samples here',
  });
  const hasAltitude = gps?.altitudeM.some((value) => !Number.isNaN(value)) ?? false;
  if (gps && hasAltitude) {
    specs.push({
      key: 'altitude',
      name: 'Altitude',
      unit: 'm',
      note: null,
      series: [
        {
          ...base,
          key: 'altitude',
          label: 'recorded',
          how: `Height above sea level as the GPS receiver wrote it, in ${source}; GPS heights are off by tens of metres.`,
          values: gps.altitudeM,
          style: 'line',
          color: ink.altitude,
          widthPx: 1.5,
          valueText: (value) => `${value.toFixed(0)} m`,
        },
      ],
      scale: altitudeScale,
      tickText: (value) => String(value),
      absent: '',
    });
  }
  return specs;
}

const axisHow: Readonly<Record<string, string>> = {
  longitudinal: 'Along the camera: + speeding up, − braking.',
  lateral: 'Across the camera: + right turn, − left turn.',
  vertical: 'Up and down; gravity lies on it when the camera hangs straight.',
};

export const signed = (value: number): string => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(2)}`;

/**
 * The sample in force at a time: the last one at or before it that has a value and is not older than a quarter of
 * what would be a gap (half of it for quick sensors). Null without one. Pure.
 */
export function sampleAt({ timesMs, values, gapMs }: PlotSeries, ms: number): number | null {
  const at = firstAfter(timesMs, ms) - 1;
  if (at < 0) return null;
  const value = values[at]!;
  const oldestMs = gapMs < 4000 ? gapMs / 2 : gapMs / 4;
  return Number.isNaN(value) || ms - timesMs[at]! > oldestMs ? null : value;
}
