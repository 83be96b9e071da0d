import type { SourceClock } from '../../../shared/contract/review.ts';
import { toRfc3339 } from '../../../shared/time.ts';
import type { SealedClip } from '../clipFacts.ts';
import type { SealedSource, SealFacts } from '../sealFacts.ts';
import { toSeconds, toUtc } from './gapText.ts';
import { jsonPart, type PartMaker } from './part.ts';

/** clock.json: for each source and clip, what its times are in UTC and how that is known. Unknown stays unknown. */
export const clockPart: PartMaker = ({ facts }) => [
  jsonPart('clock.json', 'how the time of each source and clip is known', {
    schemaVersion: 2,
    statement:
      'Times of tracks are UTC as their files state them. Nobody has compared those clocks with another one, so how ' +
      'far they may be off is unknown. A clip states the wall clock of its camera, without a zone; its UTC is derived ' +
      'as stated for each. Originals hold the times that they came with: a clock that was set by hand changes only what ' +
      'is derived.',
    sources: facts.sources.map((source) => toSource(source, facts)),
    clips: facts.clips.map(toClip),
    tracksSetByHand: facts.prepared.clocks.flatMap((clock) =>
      clock.subject.kind === 'trip' && isOfPackage(clock, facts)
        ? [
            {
              tripId: clock.subject.tripId,
              ...toManual(clock),
              note: 'the files in tracks/ hold the recorded times',
            },
          ]
        : [],
    ),
  }),
];

function toSource({ report }: SealedSource, facts: SealFacts) {
  const trips = facts.trips.filter(({ trip }) => trip.sourceId === report.sourceId);
  const isStatedByFile = report.kind === 'gpx' || report.kind === 'kml' || report.kind === 'csv';
  return {
    sourceId: report.sourceId,
    fileName: report.fileName,
    sha256: report.sha256,
    zone: 'UTC',
    utcOffsetMinutes: 0,
    howFound: isStatedByFile
      ? 'stated in the file: each time carries Z or an offset, or is read as UTC and then listed under flagged'
      : 'stated by the export service (specification 4.3 rule 6): all times inside an export are UTC',
    spreadSeconds: null,
    uncertaintySeconds: null,
    setBy: null,
    setAt: null,
    from: toRfc3339(report.fromMs),
    to: toRfc3339(report.toMs),
    tripsWithoutTimes: trips.filter(({ trip }) => !trip.hasPointTimes).map(({ trip }) => trip.tripId),
    flagged: report.entries.flatMap((entry) =>
      entry.flagged.map((reason) => ({ entry: entry.name, ...reason })),
    ),
  };
}

/** The card's wall clock, the UTC derived, from what, and how far it may be off. */
function toClip({ clip, clock, telemetryClock, startUtcMs, endUtcMs }: SealedClip) {
  const found = clip.facts?.clock ?? null;
  return {
    clipId: clip.clipId,
    fileName: clip.fileName,
    sha256: clip.sha256,
    cameraWallClock: clip.recordedAtLocal,
    utcOffsetMinutes: clock.utcOffsetMin,
    start: toUtc(startUtcMs),
    end: toUtc(endUtcMs),
    origin: clock.origin,
    howFound: clock.how,
    inTheClipItself: {
      source: found?.source ?? null,
      gpsPairs: found?.samples ?? 0,
      spreadSeconds: secondsOrNull(found?.spreadMs ?? null),
      cameraAheadSeconds: secondsOrNull(found?.cameraAheadMs ?? null),
      start: toUtc(found?.startUtcMs ?? null),
    },
    spreadSeconds: secondsOrNull(clock.spreadMs),
    uncertaintySeconds: secondsOrNull(clock.uncertaintyMs),
    utcSecondsPerClipSecond: clock.rate,
    driftNote: clock.driftNote,
    ...toManual(clock),
    telemetrySetByHand: telemetryClock && {
      start: toUtc(telemetryClock.startUtcMs),
      ...toManual(telemetryClock),
    },
  };
}

/** What a person set; all null where the clock is as found. */
function toManual({ manual }: SourceClock) {
  return {
    shiftSeconds: secondsOrNull(manual?.shiftMs ?? null),
    setBy: manual?.actor ?? null,
    setAt: toRfc3339(manual?.setAtMs ?? null),
    reason: manual?.reason ?? null,
  };
}

function isOfPackage({ subject, manual }: SourceClock, facts: SealFacts): boolean {
  return (
    subject.kind === 'trip' &&
    manual !== null &&
    facts.trips.some(({ trip }) => trip.tripId === subject.tripId)
  );
}

const secondsOrNull = (ms: number | null): number | null => (ms === null ? null : toSeconds(ms));
