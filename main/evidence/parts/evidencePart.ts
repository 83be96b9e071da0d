import { refIdOf } from '../../../shared/contract/exhibitRef.ts';
import { shortestGapMs } from '../../../shared/gaps.ts';
import { toRfc3339 } from '../../../shared/time.ts';
import type { SealedSource, SealedTrip, SealFacts } from '../sealFacts.ts';
import { recordedIntervals, uncovered, type StreamCoverage } from '../tripSurvey.ts';
import { coverageOfClips } from '../clipCoverage.ts';
import { toClipCoverage, toClipDocument, toDerivedDocument, toMarkDocument } from './clipDocuments.ts';
import { gapStatement, toGap, toSeconds, totalMs } from './gapText.ts';
import { jsonPart, type PartMaker } from './part.ts';

/** evidence.json: everything the package says, for machines. */
export const evidencePart: PartMaker = ({ facts }) => {
  const part = jsonPart('evidence.json', 'what this package says, for machines', {
    schema: 'evidence-desk/evidence',
    schemaVersion: 2,
    statement:
      'This package is tamper-evident: its hashes, its signature and its custody log show whether bytes are ' +
      'unchanged since sealed. They do not show that a recording is true.',
    units: {
      datum: 'WGS 84',
      position: 'degrees',
      time: 'UTC, RFC 3339',
      speed: 'km/h in CSV, m/s in GPX',
      heading: 'degrees clockwise from north',
      acceleration: 'units of g (9.80665 m/s2), camera frame, gravity included',
      clipTime: 'seconds from the first frame of the clip',
      distance: 'metres',
      absent: 'null here, an empty cell in CSV, a missing element in GPX and KML; never 0',
    },
    case: {
      caseId: facts.caseFile.caseId,
      name: facts.caseFile.name,
      createdAt: toRfc3339(facts.caseFile.createdAtMs),
    },
    range: {
      from: toRfc3339(facts.range.fromMs),
      to: toRfc3339(facts.range.toMs),
      note: 'half-open; null is unbounded. Clips that touch it are whole: an original is never cut',
    },
    originals: facts.originals,
    exhibits: facts.caseFile.exhibitList.map((exhibit) => ({
      exhibitId: exhibit.exhibitId,
      kind: exhibit.ref.kind,
      id: refIdOf(exhibit.ref),
      title: exhibit.title,
      sourceSha256: exhibit.sha256,
      addedAt: toRfc3339(exhibit.addedAtMs),
    })),
    sources: facts.sources.map(toSource),
    trips: facts.trips.map(toTrip),
    clips: facts.clips.map(toClipDocument),
    derived: facts.derived.map(toDerivedDocument),
    marks: facts.marks.map(toMarkDocument),
    notes: facts.caseFile.noteList.map((note) => ({
      noteId: note.noteId,
      text: note.text,
      writtenAt: toRfc3339(note.writtenAtMs),
      editedAt: toRfc3339(note.editedAtMs),
    })),
    coverage: {
      note:
        'Over the range of this package. A gap in a track is a step between points longer than ten seconds and ' +
        'longer than five usual (median) steps of the trip; a gap in a stream of clips is longer than ' +
        'gapsLongerThanSeconds.',
      trips: facts.trips.map(toTripCoverage),
      cameras: toCameraCoverage(facts),
      clips: coverageOfClips(facts.clips, facts.range).map(toClipCoverage),
    },
    leftOut: facts.leftOut,
    nothingLeftOut: facts.leftOut.length === 0,
    custody: facts.custody,
  });
  // What only reading the clips brings is not in a preview.
  const isWhole = facts.prepared.telemetry !== null || facts.clips.length === 0;
  return [isWhole ? part : { ...part, sizeBytes: null }];
};

function toSource({ report, path }: SealedSource) {
  return {
    sourceId: report.sourceId,
    fileName: report.fileName,
    path: path === null ? null : `data/${path}`,
    kind: report.kind,
    sha256: report.sha256,
    sizeBytes: report.sizeBytes,
    importedAt: toRfc3339(report.importedAtMs),
    readerVersion: report.readerVersion,
    trips: report.trips,
    points: report.points,
    skippedRows: report.skippedRows,
    entries: report.entries,
  };
}

function toTrip({ trip, source, survey, fileStem }: SealedTrip) {
  const recorded = trip.speedUnit === 'kmh' ? 'km/h' : 'm/s';
  return {
    tripId: trip.tripId,
    sourceId: trip.sourceId,
    sourceSha256: source.sha256,
    psn: trip.psn,
    psnFrom: trip.psn === null ? null : trip.isPsnAssigned ? 'assigned by a person' : 'stated by the source',
    cameraName: trip.cameraName,
    driveNo: trip.driveNo,
    name: trip.name,
    datum: 'WGS 84',
    points: survey.points,
    isCutToRange: survey.isCut,
    hasPointTimes: trip.hasPointTimes,
    startedAt: toRfc3339(survey.fromMs ?? (trip.hasPointTimes ? null : trip.startedAtMs)),
    endedAt: toRfc3339(survey.toMs ?? (trip.hasPointTimes ? null : trip.endedAtMs)),
    bbox: survey.bbox,
    distance: { metres: Math.round(survey.distanceM * 10) / 10, basis: 'computed from positions' },
    maxSpeed:
      survey.maxSpeedKmh === null
        ? { kmh: null, basis: 'no speed recorded' }
        : { kmh: survey.maxSpeedKmh, basis: 'recorded', unitOfSource: recorded },
    files: ['csv', 'gpx', 'kml'].map((format) => `data/tracks/${fileStem}.${format}`),
  };
}

function toTripCoverage({ trip, survey }: SealedTrip) {
  return {
    tripId: trip.tripId,
    psn: trip.psn,
    gapsLongerThanSeconds: toSeconds(survey.gapThresholdMs),
    streams: survey.streams.map((stream) => ({
      stream: stream.stream,
      basis: 'recorded',
      present: stream.present,
      absent: stream.absent,
      from: toRfc3339(stream.fromMs),
      to: toRfc3339(stream.toMs),
      gaps: stream.gaps.map(toGap),
      missingSeconds: toSeconds(totalMs(stream.gaps)),
      statement: statementOf(stream),
    })),
  };
}

function statementOf(stream: StreamCoverage): string {
  if (stream.present === 0) return 'not recorded';
  if (stream.fromMs === null) return 'recorded without times: gaps are unknown';
  const absent = stream.absent > 0 ? `, absent at ${stream.absent} points` : '';
  return `${gapStatement(stream.gaps)}${absent}`;
}

/** For each camera, when inside the range no trip of the package recorded. */
function toCameraCoverage(facts: SealFacts) {
  const cameras = new Map<string, SealedTrip[]>();
  for (const sealed of facts.trips) {
    const key = JSON.stringify(sealed.trip.psn);
    cameras.set(key, [...(cameras.get(key) ?? []), sealed]);
  }
  return [...cameras.values()].map((trips) => {
    const intervals = trips.flatMap(({ survey }) => recordedIntervals(survey));
    const fromMs = facts.range.fromMs ?? least(intervals.map((one) => one.fromMs));
    const toMs =
      facts.range.toMs ??
      least(
        intervals.map((one) => -one.toMs),
        -1,
      );
    const hasTimes = intervals.length > 0 && fromMs !== null && toMs !== null;
    const gaps = hasTimes ? uncovered(intervals, fromMs, toMs, shortestGapMs) : [];
    return {
      psn: trips[0]!.trip.psn,
      cameraName: trips[0]!.trip.cameraName,
      trips: trips.length,
      from: toRfc3339(fromMs),
      to: toRfc3339(toMs),
      gaps: gaps.map(toGap),
      missingSeconds: hasTimes ? toSeconds(totalMs(gaps)) : null,
      statement: hasTimes ? gapStatement(gaps) : 'recorded without times: gaps are unknown',
    };
  });
}

/** The least of the numbers times `sign`; null of none. A spread of a long list would overflow the stack. */
function least(numbers: readonly number[], sign: 1 | -1 = 1): number | null {
  if (numbers.length === 0) return null;
  return sign * numbers.reduce((a, b) => Math.min(a, b), Infinity);
}
