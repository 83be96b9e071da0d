import type { ReviewScene, ReviewSegment } from '../../../../shared/contract/review.ts';
import type { ClipId } from '../../../../shared/ids.ts';
import type { TelemetryState } from '../model.ts';

export type TelemetryOrigin = TelemetryState['origin'];

/** A clip whose telemetry speaks for a stretch of the scene. */
export interface TelemetryClaim {
  readonly segment: ReviewSegment;
  /** Lens that it lies in, for the label. */
  readonly direction: string;
  /** Samples outside of [keepFromMs, keepToMs) are the other lens's to give; infinite where no other lens is. */
  readonly keepFromMs: number;
  readonly keepToMs: number;
  /** What a user moved its telemetry by, ms. That of the service's metadata is in its `clipMs` already. */
  readonly shiftMs: number;
}

/** Shorter stretches that only the other lens has are the lenses' different lengths: not worth a second file. */
const leastPieceMs = 1500;

const hasOrigin = (segment: ReviewSegment, origin: TelemetryOrigin): boolean =>
  origin === 'clip' ? segment.hasGps || segment.hasGSensor : segment.hasMetadata;

/**
 * Which clips' telemetry to read, in order of time: those of the scene's own camera (the first channel's), one lens
 * at a time, since both carry the same samples. Pure.
 */
export function planTelemetry(scene: ReviewScene, origin: TelemetryOrigin): TelemetryClaim[] {
  const psn = scene.channels[0]?.psn ?? null;
  const shifts = origin === 'clip' ? telemetryShifts(scene) : new Map<ClipId, number>();
  const claims: TelemetryClaim[] = [];
  for (const channel of scene.channels) {
    if (channel.psn !== psn) continue;
    // What earlier lenses speak for; within a lens segments do not overlap.
    const taken = [...claims].sort((a, b) => a.segment.startMs - b.segment.startMs);
    for (const segment of channel.segments) {
      if (!hasOrigin(segment, origin)) continue;
      for (const piece of freePieces(segment, taken)) {
        claims.push({
          segment,
          direction: channel.direction,
          ...piece,
          shiftMs: shifts.get(segment.clipId) ?? 0,
        });
      }
    }
  }
  return claims.sort((a, b) => a.segment.startMs - b.segment.startMs);
}

function freePieces(
  segment: ReviewSegment,
  taken: readonly TelemetryClaim[],
): { keepFromMs: number; keepToMs: number }[] {
  const over = taken.filter(
    (claim) => claim.segment.startMs < segment.endMs && claim.segment.endMs > segment.startMs,
  );
  if (over.length === 0) return [{ keepFromMs: -Infinity, keepToMs: Infinity }];
  const pieces: { keepFromMs: number; keepToMs: number }[] = [];
  let fromMs = segment.startMs;
  let keepFromMs = -Infinity;
  for (const { segment: other } of over) {
    if (other.startMs - fromMs >= leastPieceMs) pieces.push({ keepFromMs, keepToMs: other.startMs });
    fromMs = keepFromMs = Math.max(fromMs, other.endMs);
  }
  if (segment.endMs - fromMs >= leastPieceMs) pieces.push({ keepFromMs, keepToMs: Infinity });
  return pieces;
}

function telemetryShifts(scene: ReviewScene): Map<ClipId, number> {
  const shifts = new Map<ClipId, number>();
  for (const { subject, manual } of scene.clocks)
    if (subject.kind === 'telemetry' && manual?.shiftMs) shifts.set(subject.clipId, manual.shiftMs);
  return shifts;
}
