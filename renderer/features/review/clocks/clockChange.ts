import type { ClockSubject, ReviewScene, SourceClock } from '../../../../shared/contract/review.ts';
import { notifyFailure } from '../../../ui/index.ts';
import { placeOfClip } from '../marks/anchors.ts';
import { formatShift } from '../marks/momentText.ts';
import type { Review } from '../model.ts';

/** What is to be set of a source's clock. */
export type ClockChange =
  /** Added to what was found, ms; replaces an earlier shift. */
  | { readonly kind: 'shift'; readonly shiftMs: number }
  /** UTC of a clip's first frame. */
  | { readonly kind: 'start'; readonly startUtcMs: number }
  /** Back to what was found. */
  | { readonly kind: 'reset' };

const longestReason = 2000;

/** Stable for a source over scenes that are opened again. */
export const subjectKey = (subject: ClockSubject): string =>
  `${subject.kind} ${subject.kind === 'trip' ? subject.tripId : subject.clipId}`;

/**
 * Moves a source by `deltaMs` from where it lies now (positive: later). Null for a clip of unknown time, which has
 * nothing to be moved from: its start is set instead.
 */
export function moveBy(clock: SourceClock, deltaMs: number): ClockChange | null {
  if (clock.subject.kind === 'clip') {
    if (clock.startUtcMs === null) return null;
    // A start that was set by hand is not a shift from what was found: it is set anew.
    if (clock.manual?.shiftMs === null) return { kind: 'start', startUtcMs: clock.startUtcMs + deltaMs };
  }
  return { kind: 'shift', shiftMs: (clock.manual?.shiftMs ?? 0) + deltaMs };
}

/** How far a change moves a source from where it lies now, ms; null where it lay nowhere, or will not. */
export function movementOf(clock: SourceClock, change: ClockChange): number | null {
  if (change.kind === 'shift') return change.shiftMs - (clock.manual?.shiftMs ?? 0);
  if (change.kind === 'start') return clock.startUtcMs === null ? null : change.startUtcMs - clock.startUtcMs;
  return clock.manual?.shiftMs == null ? null : -clock.manual.shiftMs;
}

/** What takes a change back. */
export function inverseOf(clock: SourceClock): ClockChange {
  if (clock.manual === null) return { kind: 'reset' };
  if (clock.manual.shiftMs !== null) return { kind: 'shift', shiftMs: clock.manual.shiftMs };
  return clock.startUtcMs === null ? { kind: 'reset' } : { kind: 'start', startUtcMs: clock.startUtcMs };
}

function send({ host }: Pick<Review, 'host'>, subject: ClockSubject, change: ClockChange, reason: string) {
  const text = reason.trim().slice(0, longestReason);
  if (change.kind === 'reset') return host.client.invoke('review.resetClock', { subject, reason: text });
  if (change.kind === 'shift') {
    return host.client.invoke('review.shiftClock', { subject, shiftMs: change.shiftMs, reason: text });
  }
  if (subject.kind !== 'clip') throw new Error('Only a clip has a first frame.');
  const { clipId } = subject;
  return host.client.invoke('review.setClipStart', { clipId, startUtcMs: change.startUtcMs, reason: text });
}

/** The clock is set by then: a scene that can't be read anew is a failure of its own, not of the change. */
async function reopen(review: Pick<Review, 'reload'>): Promise<void> {
  try {
    await review.reload();
  } catch (thrown) {
    notifyFailure('The clock is set, but the scene is still shown by the old one', thrown, [
      { label: 'Open it anew', run: () => void reopen(review) },
    ]);
  }
}

/**
 * Sets a clock, opens the scene anew by it, and can be undone (each of these is an entry of the chain of custody, the
 * undo too: it was once believed). Rejects with AppError; nothing is changed then.
 */
export async function applyChange(
  review: Pick<Review, 'host' | 'undo' | 'reload'>,
  clock: SourceClock,
  change: ClockChange,
  reason: string,
): Promise<void> {
  const { subject, label } = clock;
  const back = inverseOf(clock);
  await send(review, subject, change, reason);
  review.undo.push({
    label: `clock of ${label}`,
    async undo() {
      await send(review, subject, back, `Undone: ${reason}`);
      await reopen(review);
    },
    async redo() {
      await send(review, subject, change, `Done again: ${reason}`);
      await reopen(review);
    },
  });
  await reopen(review);
}

/** What moves with a source, in one sentence. */
export function movesWith(subject: ClockSubject): string {
  switch (subject.kind) {
    case 'clip':
      return 'The pictures of this file move, with what is embedded in it. Other files stay.';
    case 'telemetry':
      return 'Positions and G samples of this file move against its own pictures.';
    case 'metadata':
      return 'The service’s samples of this recording move. The clip stays.';
    case 'trip':
      return 'The track moves. Clips stay.';
  }
}

/** "+1.234 s" against what was found; null where nothing was set, or a start was. */
export function manualShiftText(clock: SourceClock): string | null {
  return clock.manual?.shiftMs == null ? null : formatShift(clock.manual.shiftMs);
}

/** Duration of a frame of the pictures that a source belongs to, ms; null where that is not known. */
export function frameMsOf(scene: ReviewScene, subject: ClockSubject): number | null {
  const segment =
    subject.kind === 'trip'
      ? scene.channels.flatMap(({ segments }) => segments).find(({ video }) => video?.fps)
      : placeOfClip(scene, subject.clipId)?.segment;
  const fps = segment?.video?.fps;
  return fps ? 1000 / fps : null;
}
