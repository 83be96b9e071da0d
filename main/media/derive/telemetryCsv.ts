import type { ClipTelemetry } from '../../../shared/contract/clips.ts';
import type { SourceClock } from '../../../shared/contract/review.ts';
import { csvText } from '../../../shared/csvText.ts';
import { toRfc3339 } from '../../../shared/time.ts';

/** What the statement in front of the rows, and the UTC in them, need of a clock. */
export type CsvClock = Pick<
  SourceClock,
  'origin' | 'how' | 'startUtcMs' | 'utcOffsetMin' | 'uncertaintyMs' | 'rate' | 'driftNote' | 'manual'
>;

export interface TelemetryCsvInput {
  readonly fileName: string;
  /** Of the clip that the telemetry was read from. */
  readonly sha256: string;
  readonly telemetry: ClipTelemetry;
  /** The clip's clock in use: `startUtcMs` is the UTC of its first frame. */
  readonly clock: CsvClock;
  /** Where telemetry was moved against the pictures: its own clock; null or left out: it goes by the clip's. */
  readonly telemetryClock?: CsvClock | null;
  /** Seconds on the clip, half-open: a slice. Rows without a time on the clip are only in the whole. */
  readonly fromS?: number;
  readonly toS?: number;
}

/** About as much as is handed on at once. */
const pieceChars = 64 * 1024;

/**
 * The telemetry of a clip as CSV, in pieces, CRLF (evidence-package.md, `telemetry/`): lines of `# what,value`
 * with source, units and clock, one header line, then one row for each GPS time and G-sensor sample in order of
 * clip time. What is absent is empty, never zero; text cells are safe to open in a spreadsheet. The same input
 * gives the same bytes. Null where the clip holds no telemetry.
 */
export function clipTelemetryCsv(input: TelemetryCsvInput): Iterable<string> | null {
  const { gps, gSensor } = input.telemetry;
  return gps === null && gSensor === null ? null : pieces(input);
}

function* pieces(input: TelemetryCsvInput): Generator<string> {
  let text = '';
  for (const line of lines(input)) {
    text += `${line}\r\n`;
    if (text.length < pieceChars) continue;
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}

function* lines(input: TelemetryCsvInput): Generator<string> {
  const { gps, gSensor } = input.telemetry;
  for (const [what, value] of statement(input)) yield `# ${what},${csvText(value.replace(/\s+/g, ' '))}`;
  const axes = gSensor?.axisNames ?? [];
  yield [
    'sample',
    'clip_time_s',
    'utc',
    'gps_utc',
    'camera_local_time',
    'latitude_deg',
    'longitude_deg',
    'speed_kmh',
    'heading_deg',
    'altitude_m',
    ...axes.map((axis) => `${axis}_g`),
  ].join(',');

  const utcOf = utcBy(input.telemetryClock ?? input.clock);
  // The rows keep the time that telemetry itself gave them; what it was moved by decides only what a slice holds.
  const movedMs = movedBy(input);
  const isWhole = input.fromS === undefined && input.toS === undefined;
  const fromMs = (input.fromS ?? -Infinity) * 1000;
  const toMs = (input.toS ?? Infinity) * 1000;
  const isInside = (clipMs: number): boolean =>
    isWhole || (clipMs + movedMs >= fromMs && clipMs + movedMs < toMs);

  const noAxes = ','.repeat(axes.length);
  const gpsOrder = orderOf(gps?.clipMs);
  const gOrder = orderOf(gSensor?.clipMs);
  for (let i = 0, j = 0; i < gpsOrder.length || j < gOrder.length;) {
    const gpsMs = gps && i < gpsOrder.length ? gps.clipMs[gpsOrder[i]!]! : null;
    const gMs = gSensor && j < gOrder.length ? gSensor.clipMs[gOrder[j]!]! : null;
    // Without a time on the clip (NaN) a row comes after those that have one.
    if (gps && gpsMs !== null && (gMs === null || gpsMs <= gMs || Number.isNaN(gMs))) {
      const row = gpsOrder[i++]!;
      if (!isInside(gpsMs)) continue;
      yield `gps,${secondsText(gpsMs)},${utcOf(gpsMs)},${timeText(gps.utcMs[row]!)},${localText(gps.cameraLocalMs[row]!)},${numberText(gps.latDeg[row]!)},${numberText(gps.lngDeg[row]!)},${numberText(gps.speedKmh[row]!)},${numberText(gps.headingDeg[row]!)},${numberText(gps.altitudeM[row]!)}${noAxes}`;
    } else if (gSensor && gMs !== null) {
      const row = gOrder[j++]!;
      if (!isInside(gMs)) continue;
      const [a, b, c] = gSensor.axesG;
      yield `g-sensor,${secondsText(gMs)},${utcOf(gMs)},,,,,,,,${numberText(a[row]!)},${numberText(b[row]!)},${numberText(c[row]!)}`;
    }
  }
}

/** What is known of the rows as a whole, in words. */
function statement(input: TelemetryCsvInput): readonly (readonly [string, string])[] {
  const { clock, telemetryClock, telemetry } = input;
  const start = toRfc3339(clock.startUtcMs);
  const said: [string, string][] = [
    ['telemetry of', input.fileName],
    ['sha256 of that file', input.sha256],
  ];
  if (input.fromS !== undefined || input.toS !== undefined) {
    const to = input.toS === undefined ? 'the end' : `${numberText(input.toS)} s`;
    said.push(['slice', `from ${numberText(input.fromS ?? 0)} s to ${to} of the clip`]);
  }
  said.push(
    ['clock', start === null ? 'unknown: the UTC column is empty' : clock.how],
    ['clock start', start === null ? 'unknown' : `the first frame was at ${start}`],
    [
      'clock uncertainty',
      clock.uncertaintyMs === null ? 'unknown' : `${numberText(clock.uncertaintyMs / 1000)} s to either side`,
    ],
    ['camera clock minus UTC', clock.utcOffsetMin === null ? 'unknown' : `${clock.utcOffsetMin} min`],
  );
  if (clock.rate !== 1) {
    const why = clock.driftNote === null ? '' : ` ${clock.driftNote}`;
    said.push(['clock rate', `${clock.rate} s of UTC pass for one second of the clip.${why}`]);
  }
  if (telemetryClock) said.push(['telemetry on the clip', telemetryClock.how]);
  for (const [whose, one] of [
    ['clip', clock],
    ['telemetry', telemetryClock ?? null],
  ] as const) {
    if (!one?.manual) continue;
    const { shiftMs, actor, setAtMs, reason } = one.manual;
    const what = shiftMs === null ? 'its start was set' : `moved by ${numberText(shiftMs / 1000)} s`;
    said.push([
      `clock of the ${whose} set by hand`,
      `${what} by ${actor} at ${toRfc3339(setAtMs)}: ${reason}`,
    ]);
  }
  said.push(
    ['utc', 'by the clock above, what was moved by hand included; empty where it is unknown'],
    ['clip_time_s', 'seconds from the start of the clip, as the telemetry states it'],
  );
  if (telemetry.gps) {
    said.push(
      ['gps_utc', 'as the GPS receiver gave it; camera_local_time is the wall clock of the camera, no zone'],
      ['latitude_deg and longitude_deg', 'degrees, WGS 84; empty where the receiver had no fix'],
      ['speed_kmh', 'km/h, recorded by the GPS receiver, not computed from positions'],
      ['heading_deg', 'degrees from true north, clockwise; altitude_m is metres as the receiver gave it'],
    );
  }
  if (telemetry.gSensor) {
    said.push([
      telemetry.gSensor.axisNames.map((axis) => `${axis}_g`).join(' '),
      'units of g (9.80665 m/s2), camera frame, gravity included',
    ]);
  }
  said.push(['numbers', 'rounded to 8 decimals; empty is absent, never zero']);
  return said;
}

function utcBy(clock: CsvClock): (clipMs: number) => string {
  const { startUtcMs, rate } = clock;
  return (clipMs) => (startUtcMs === null ? '' : timeText(startUtcMs + clipMs * rate));
}

/** How far telemetry was moved against its clip, ms of the clip. */
function movedBy({ clock, telemetryClock }: TelemetryCsvInput): number {
  return (telemetryClock?.manual?.shiftMs ?? 0) / clock.rate;
}

/** Rows by time, those without one last; rows of one time stay in their order. */
function orderOf(times: Float64Array | undefined): Uint32Array {
  const order = Uint32Array.from(times ?? [], (_, i) => i);
  if (!times || times.every((time, i) => i === 0 || times[i - 1]! <= time)) return order;
  const rank = (i: number): number => (Number.isNaN(times[i]!) ? Infinity : times[i]!);
  return order.sort((a, b) => (rank(a) === rank(b) ? a - b : rank(a) - rank(b)));
}

const secondsText = (ms: number): string => numberText(ms / 1000);

/** UTC to the millisecond; empty for NaN and for what no calendar holds. */
function timeText(ms: number): string {
  return Math.abs(ms) <= 8.64e15 ? new Date(ms).toISOString() : '';
}

function localText(ms: number): string {
  return timeText(ms).slice(0, -1);
}

/** Plain decimals, at most 8; empty for NaN. Never an exponent: not every reader of CSV knows them. */
function numberText(value: number): string {
  if (!Number.isFinite(value)) return '';
  const rounded = Math.round(value * 1e8) / 1e8;
  if (rounded === 0) return '0'; // -0 as well
  const text = String(rounded);
  return text.includes('e') ? rounded.toFixed(8).replace(/\.?0+$/, '') : text;
}
