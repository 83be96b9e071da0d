import type { Handlers } from '../../shared/contract/index.ts';
import type { ClockSubject, reviewRequests, SourceClock } from '../../shared/contract/review.ts';
import { AppError } from '../../shared/errors.ts';
import type { ClipId } from '../../shared/ids.ts';
import { subjectIdOf, type ClockSetting } from '../cache/clockRepository.ts';
import { createCustodyRepository } from '../cache/custodyRepository.ts';
import { transact } from '../cache/database.ts';
import { createReviewLibrary } from '../media/review/library.ts';
import { momentsOf } from '../media/review/moments.ts';
import { openScene } from '../media/review/scene.ts';
import { toMetadataClock, toTelemetryClock, toTripClock } from '../media/review/sourceClock.ts';
import { metadataOfClip } from '../media/review/storedMetadata.ts';
import type { DeskDeps } from './deps.ts';

type ReviewHandlers = Pick<Handlers, keyof typeof reviewRequests>;

/** Scenes, and clocks set by hand: each change is one transaction with its custody entry; originals never change. */
export function createReviewHandlers(
  deps: Pick<DeskDeps, 'cache' | 'now' | 'actor' | 'emit'>,
): ReviewHandlers {
  const { db } = deps.cache;
  const library = createReviewLibrary(deps);
  const custody = createCustodyRepository(db, deps.now);

  /** The clock in use of any source. AppError not_found where there is no such source. */
  function clockOf(subject: ClockSubject): SourceClock {
    if (subject.kind === 'trip') {
      const trip = library.trips.get(subject.tripId);
      const source = library.sources.get(trip.sourceId);
      const file = { fileName: source?.fileName ?? '', sha256: source?.sha256 ?? null };
      return toTripClock(trip, file, library.settings.find(subject));
    }
    const clock = library.clocks.of(subject.clipId);
    if (subject.kind === 'clip') return clock;
    const clip = library.clips.get(subject.clipId);
    const setting = library.settings.find(subject);
    if (subject.kind === 'telemetry') {
      if (!clip.facts?.gps && !clip.facts?.gSensor)
        throw new AppError('not_found', `${clip.fileName} holds no telemetry.`, {
          remedy: 'Move the clip itself, or the service’s metadata of it.',
          details: { clipId: clip.clipId },
        });
      return toTelemetryClock(clip, clock, setting);
    }
    const known = library.clocks.metadataOf([clip])(clip);
    if (!known)
      throw new AppError('not_found', `Nothing that the service told of ${clip.fileName} is stored here.`, {
        remedy: 'Look at the recording on its camera’s card first: its metadata is kept from then on.',
        details: { clipId: clip.clipId },
      });
    return toMetadataClock(clock, clip, { known, setting });
  }

  /** What the log keeps of a setting. */
  const stated = (setting: ClockSetting | null, clock: SourceClock) => ({
    shiftMs: setting?.shiftMs ?? null,
    setStart: toTime(setting?.startUtcMs ?? null),
    start: toTime(clock.startUtcMs),
  });

  /** Changes what is set of a source's clock; front ends hear of it once it is kept. */
  function change(
    subject: ClockSubject,
    action: 'clock.set' | 'clock.reset',
    reason: string,
    work: (before: SourceClock) => void,
  ): SourceClock {
    const after = transact(db, () => {
      const clockBefore = clockOf(subject);
      const settingBefore = library.settings.find(subject);
      work(clockBefore);
      const clockAfter = clockOf(subject);
      custody.append({
        actor: deps.actor(),
        action,
        subject: { kind: subject.kind, id: subjectIdOf(subject), sha256: clockBefore.sha256 },
        detail: {
          source: clockBefore.label,
          found: clockBefore.origin,
          before: stated(settingBefore, clockBefore),
          after: stated(library.settings.find(subject), clockAfter),
          reason,
        },
      });
      return clockAfter;
    });
    deps.emit('review.clockChanged', { subject });
    return after;
  }

  function save(
    subject: ClockSubject,
    set: { shiftMs: number | null; startUtcMs: number | null },
    reason: string,
  ) {
    library.settings.set(subject, { ...set, reason, actor: deps.actor(), setAtMs: deps.now() });
  }

  return {
    'review.scene': (request) => openScene(library, request),
    'review.moments': (filter) => momentsOf(library, filter),
    'review.metadata': ({ clipId }) => metadataOfClip(library, clipId),

    'review.shiftClock': ({ subject, shiftMs, reason }) =>
      change(subject, 'clock.set', reason, (before) => {
        if (subject.kind === 'clip') refuseUnfound(library, subject.clipId, before);
        save(subject, { shiftMs, startUtcMs: null }, reason);
      }),

    'review.setClipStart': ({ clipId, startUtcMs, reason }) => {
      if (toTime(startUtcMs) === null || Math.abs(startUtcMs) > 253_402_300_799_000)
        throw new AppError('invalid_input', 'This time lies beyond the calendar.', {
          remedy: 'Give the time of the first frame as date and time of day.',
        });
      const subject = { kind: 'clip', clipId } as const;
      return change(subject, 'clock.set', reason, () => save(subject, { shiftMs: null, startUtcMs }, reason));
    },

    'review.resetClock': ({ subject, reason }) => {
      const clock = clockOf(subject);
      // Nothing was set: there is nothing to take back, and nothing to record.
      if (library.settings.find(subject) === null) return clock;
      return change(subject, 'clock.reset', reason, () => library.settings.remove(subject));
    },
  };
}

/** A shift is from what was found; where nothing was, only a moment can be said. */
function refuseUnfound(
  library: ReturnType<typeof createReviewLibrary>,
  clipId: ClipId,
  clock: SourceClock,
): void {
  const [clip] = library.clocked([clipId]);
  if (clip?.clock.found) return;
  throw new AppError('invalid_input', `The clock of ${clock.label} is unknown: there is nothing to move.`, {
    remedy: 'Say when one of its frames was instead.',
    details: { clipId },
  });
}

function toTime(ms: number | null): string | null {
  if (ms === null) return null;
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}
