import type { ClipDetail } from '../../../shared/contract/clips.ts';
import type { SourceClock } from '../../../shared/contract/review.ts';
import type { Trip } from '../../../shared/contract/trips.ts';
import type { ClockSetting } from '../../cache/clockRepository.ts';
import type { KnownMetadata } from '../../cache/reviewRepository.ts';
import { cameraText, directionOf } from './names.ts';
import type { ResolvedClock } from './resolveClocks.ts';

const unknownHow =
  'Nothing tells: no GPS in the clip, none from the service, no other file of the recording, no clock of its card.';

/** A shift with its sign, as sentences show it. */
const shiftText = (ms: number): string => `${ms < 0 ? '−' : '+'}${(Math.abs(ms) / 1000).toFixed(3)} s`;

const manualOf = (setting: ClockSetting | null): SourceClock['manual'] =>
  setting && {
    shiftMs: setting.shiftMs,
    reason: setting.reason,
    actor: setting.actor,
    setAtMs: setting.setAtMs,
  };

export interface ClipContext {
  readonly cameraName: string | null;
  /** First GPS time of the service's metadata of the recording, as the second source; null without. */
  readonly firstGpsMs: number | null;
}

/** The statement of a clip's clock. */
export function toClipClock(clip: ClipDetail, clock: ResolvedClock, context: ClipContext): SourceClock {
  const { found, setting } = clock;
  const isStartSet = setting?.startUtcMs != null;
  return {
    subject: { kind: 'clip', clipId: clip.clipId },
    label: labelOf(clip, context.cameraName),
    sha256: clip.sha256,
    origin: isStartSet ? 'manual' : (found?.origin ?? 'unknown'),
    how: howOf(clock, context.firstGpsMs),
    startUtcMs: clock.startUtcMs,
    utcOffsetMin: clock.utcOffsetMin,
    spreadMs: isStartSet ? null : (found?.spreadMs ?? null),
    uncertaintyMs: clock.uncertaintyMs,
    ...clock.drift,
    manual: manualOf(setting),
  };
}

function labelOf(clip: ClipDetail, cameraName: string | null): string {
  return `${cameraText(clip.psn, cameraName)}, ${directionOf(clip).direction}, ${clip.fileName}`;
}

function howOf({ found, setting, startUtcMs }: ResolvedClock, firstGpsMs: number | null): string {
  const base = found?.how ?? unknownHow;
  if (setting?.startUtcMs != null) {
    const differs = found === null ? '' : ` It was found ${shiftText(found.startUtcMs - setting.startUtcMs)} of that: ${found.how}`; // prettier-ignore
    return `The time of the first frame was set by hand by ${setting.actor}.${differs}`;
  }
  const moved =
    setting?.shiftMs == null ? '' : ` Shifted by ${shiftText(setting.shiftMs)} by hand by ${setting.actor}.`;
  const second =
    firstGpsMs === null || startUtcMs === null || found?.origin === 'metadata-gps'
      ? ''
      : ` The service's GPS of the same recording begins ${shiftText(firstGpsMs - startUtcMs)} from the first frame by this clock.`;
  return base + moved + second;
}

/** Where the telemetry in a clip lies: on the clip's own time, unless it was shifted by hand. */
export function toTelemetryClock(
  clip: ClipDetail,
  clipClock: SourceClock,
  setting: ClockSetting | null,
): SourceClock {
  const samples = [
    ...(clip.facts?.gps ? [`${clip.facts.gps.samples} positions`] : []),
    ...(clip.facts?.gSensor ? [`${clip.facts.gSensor.samples} G samples`] : []),
  ].join(' and ');
  const shiftMs = setting?.shiftMs ?? null;
  const moved = shiftMs === null ? '' : ` Shifted by ${shiftText(shiftMs)} by hand by ${setting!.actor}.`; // has a shift
  return {
    ...clipClock,
    subject: { kind: 'telemetry', clipId: clip.clipId },
    label: `${clipClock.label}: telemetry`,
    how: `${samples} in the clip, placed on its pictures by the times that the camera wrote.${moved}`,
    startUtcMs: clipClock.startUtcMs === null ? null : clipClock.startUtcMs + (shiftMs ?? 0),
    manual: manualOf(setting),
  };
}

/** The service's samples of a clip's recording. `startUtcMs` is of their first position. */
export function toMetadataClock(
  clipClock: SourceClock,
  clip: ClipDetail,
  parts: { readonly known: KnownMetadata; readonly setting: ClockSetting | null },
): SourceClock {
  const { known, setting } = parts;
  const shiftMs = setting?.shiftMs ?? 0;
  const moved =
    setting?.shiftMs == null ? '' : ` Shifted by ${shiftText(shiftMs)} by hand by ${setting.actor}.`;
  return {
    subject: { kind: 'metadata', clipId: clip.clipId },
    label: `${clipClock.label}: metadata of the service`,
    sha256: null,
    origin: known.firstGpsMs === null ? 'unknown' : 'stated',
    how:
      (known.firstGpsMs === null
        ? 'The service gave no positions; its G samples count from the start of the recording.'
        : 'UTC as the service states it with each position; its G samples count from the start of the recording.') +
      moved,
    startUtcMs: known.firstGpsMs === null ? null : known.firstGpsMs + shiftMs,
    utcOffsetMin: null,
    spreadMs: null,
    uncertaintyMs: null,
    rate: 1,
    driftNote: null,
    manual: manualOf(setting),
  };
}

/** An imported track. `startUtcMs` is of its first point. */
export function toTripClock(
  trip: Trip,
  file: { readonly fileName: string; readonly sha256: string | null },
  setting: ClockSetting | null,
): SourceClock {
  const shiftMs = setting?.shiftMs ?? 0;
  const moved =
    setting?.shiftMs == null ? '' : ` Shifted by ${shiftText(shiftMs)} by hand by ${setting.actor}.`;
  const drive = trip.driveNo === null ? '' : `, trip ${trip.driveNo}`;
  return {
    subject: { kind: 'trip', tripId: trip.tripId },
    label: `${cameraText(trip.psn, trip.cameraName)}${drive}, ${file.fileName}`,
    sha256: file.sha256,
    origin: trip.startedAtMs === null ? 'unknown' : 'stated',
    how: (trip.startedAtMs === null ? 'The file states no times.' : 'UTC as its file states it.') + moved,
    startUtcMs: trip.startedAtMs === null ? null : trip.startedAtMs + shiftMs,
    utcOffsetMin: null,
    spreadMs: null,
    uncertaintyMs: null,
    rate: 1,
    driftNote: null,
    manual: manualOf(setting),
  };
}
