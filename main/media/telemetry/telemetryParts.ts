import type { ClipGSensorColumns, ClipName, TelemetryFormat } from '../../../shared/contract/clips.ts';
import type { BoxWalk } from './boxes.ts';
import { ReadBudgetExceeded, type ClipBytes } from './byteSource.ts';
import { readCamm } from './camm.ts';
import { parseClipName } from './clipName.ts';
import {
  clockOfNmea,
  clockOfNovatek,
  clockOfTimedRows,
  unknownClock,
  type FoundClock,
  type StartCandidate,
} from './clock.ts';
import type { GpsRow, GSensorRows, SkipCounts } from './columns.ts';
import { readGpmf } from './gpmf.ts';
import { readGSensorRecords } from './gSensorRecords.ts';
import type { Movie } from './movie.ts';
import { readNmeaText, type NmeaReading } from './nmeaText.ts';
import { readNovatek } from './novatek.ts';
import { freeBoxesOf, readVendorParts, type VendorParts } from './vendorBox.ts';

/** The telemetry of a clip, whatever way it lies in there. */
export interface TelemetryParts {
  readonly format: TelemetryFormat | null;
  /** Null: no GPS part at all. */
  readonly rows: readonly GpsRow[] | null;
  readonly gSensor: GSensorRows | null;
  readonly axisNames: ClipGSensorColumns['axisNames'];
  readonly clock: FoundClock;
  readonly vendor: VendorParts | null;
  readonly notes: readonly string[];
}

const cameraAxes = ['vertical', 'lateral', 'longitudinal'] as const;
const openAxes = ['x', 'y', 'z'] as const;

const nothing: TelemetryParts = {
  format: null,
  rows: null,
  gSensor: null,
  axisNames: openAxes,
  clock: { clock: unknownClock, notes: [] },
  vendor: null,
  notes: [],
};

/**
 * Looks for telemetry in order of worth: the vendor's `free` boxes, Novatek, GoPro, CAMM. What can't be read is
 * never a failure of the clip: it is said in `notes` and counted in `skips`.
 */
export function readTelemetry(
  bytes: ClipBytes,
  walk: BoxWalk,
  movie: Movie | null,
  name: ClipName | null,
  skips: SkipCounts,
): TelemetryParts {
  try {
    const vendor = readVendorParts(bytes, freeBoxesOf(walk), skips);
    if (vendor && (vendor.gps || vendor.gSensor)) return ofVendor(vendor, name, skips);
    const other = movie
      ? (ofNovatek(bytes, movie, name, skips) ?? ofTracks(bytes, movie, name, skips))
      : null;
    if (other) return { ...other, vendor };
    return vendor ? { ...nothing, format: 'free-box', vendor } : nothing;
  } catch (thrown) {
    if (!(thrown instanceof ReadBudgetExceeded)) throw thrown;
    return { ...nothing, notes: [`Its telemetry was not read: ${thrown.message}.`] };
  }
}

function ofVendor(vendor: VendorParts, name: ClipName | null, skips: SkipCounts): TelemetryParts {
  const text = vendor.gps ? readNmeaText(vendor.gps, skips) : null;
  const innerName = vendor.originalName === null ? null : parseClipName(vendor.originalName);
  const named = name ?? innerName;
  const starts: StartCandidate[] = [
    ...(vendor.startLocalMs === null ? [] : [{ localMs: vendor.startLocalMs, from: 'sttm' as const }]),
    ...(named === null ? [] : [{ localMs: named.localMs, from: 'name' as const }]),
  ];
  const reading: NmeaReading = text ?? { rows: [], kind: null };
  const clock = clockOfNmea(reading, starts);
  return {
    ...nothing,
    format: 'free-box',
    rows: text && placeOnClip(text, starts, clock.clock.startUtcMs),
    gSensor: vendor.gSensor ? readGSensorRecords(vendor.gSensor, skips) : null,
    axisNames: cameraAxes,
    clock,
    vendor,
  };
}

/**
 * The camera's clock in front of a line places it on the clip; where that clock was set to another zone in the
 * meantime, or is missing, GPS time does.
 */
function placeOnClip(
  reading: NmeaReading,
  starts: readonly StartCandidate[],
  startUtcMs: number | null,
): readonly GpsRow[] {
  const { rows } = reading;
  const firstLocalMs = rows.find((row) => !Number.isNaN(row.cameraLocalMs))?.cameraLocalMs ?? NaN;
  const near = starts.find((one) => Math.abs(firstLocalMs - one.localMs) < 600_000);
  const startLocalMs = near?.localMs ?? firstLocalMs;
  const firstUtcMs = rows.find((row) => !Number.isNaN(row.utcMs))?.utcMs ?? NaN;
  const zeroUtcMs = startUtcMs ?? firstUtcMs;
  for (const row of rows) {
    const byCamera = row.cameraLocalMs - startLocalMs;
    const byGps = row.utcMs - zeroUtcMs;
    const isCameraUsable = !Number.isNaN(byCamera) && !(row.hasFix && Math.abs(byCamera - byGps) > 60_000);
    row.clipMs = isCameraUsable ? byCamera : byGps;
  }
  return rows;
}

function ofNovatek(
  bytes: ClipBytes,
  movie: Movie,
  name: ClipName | null,
  skips: SkipCounts,
): TelemetryParts | null {
  if (!movie.novatekIndex) return null;
  const read = readNovatek(bytes, movie.novatekIndex, skips);
  if (!read)
    return { ...nothing, notes: ['Unsupported telemetry: its GPS blocks are of an unknown layout.'] };
  const { isUtc, ...clock } = clockOfNovatek(read.rows, name?.localMs ?? null);
  const rows = isUtc ? read.rows : read.rows.map((row) => ({ ...row, utcMs: NaN, cameraLocalMs: row.utcMs }));
  return {
    ...nothing,
    format: 'novatek',
    rows,
    gSensor: read.gSensor.length > 0 ? read.gSensor : null,
    clock,
  };
}

function ofTracks(
  bytes: ClipBytes,
  movie: Movie,
  name: ClipName | null,
  skips: SkipCounts,
): TelemetryParts | null {
  for (const [trackFormat, format, read] of [
    ['gpmd', 'gopro', readGpmf],
    ['camm', 'camm', readCamm],
  ] as const) {
    const track = movie.tracks.find((one) => one.format === trackFormat);
    if (!track) continue;
    const { rows, gSensor } = read(bytes, track, skips);
    if (rows.length === 0 && gSensor.length === 0) {
      const note =
        movie.fragmentDefaults === null
          ? 'Its telemetry track holds no position and no acceleration.'
          : 'Unsupported telemetry: its telemetry track is written in fragments.';
      return { ...nothing, format, notes: [note] };
    }
    return {
      ...nothing,
      format,
      rows: rows.length > 0 ? rows : null,
      gSensor: gSensor.length > 0 ? gSensor : null,
      clock: clockOfTimedRows(rows, format, name?.localMs ?? null),
    };
  }
  return null;
}
