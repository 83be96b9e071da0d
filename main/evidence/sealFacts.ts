import type { CaseFile } from '../../shared/contract/cases.ts';
import type { SourceReport } from '../../shared/contract/sources.ts';
import { AppError } from '../../shared/errors.ts';
import type { CaseId, SourceId, TripId } from '../../shared/ids.ts';
import type { TimeRange } from '../../shared/track.ts';
import { createCaseRepository } from '../cache/caseRepository.ts';
import type { Mark } from '../../shared/contract/marks.ts';
import { createCustodyRepository, type CustodyHead } from '../cache/custodyRepository.ts';
import type { EvidenceCache } from '../cache/openCache.ts';
import type { PointColumns } from '../cache/trackCodec.ts';
import { createSourceRepository } from '../cache/sourceRepository.ts';
import { createTripRepository, type StoredTrip } from '../cache/tripRepository.ts';
import { throwIfCanceled } from '../cache/uploads.ts';
import { selectClips, type SealedClip } from './clipFacts.ts';
import { selectDerived, selectMarks, type SealedDerived } from './derivedFacts.ts';
import type { PreparedEvidence } from './prepared.ts';
import { safeName, uniqueNames } from './safeName.ts';
import { warningsOf } from './sealWarnings.ts';
import { surveyTrip, type TripSurvey } from './tripSurvey.ts';

/** What the user chose for a package. */
export interface SealChoice {
  readonly caseId: CaseId;
  /** UTC milliseconds, half-open; narrows the case's own range. */
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
  readonly originals: 'whole' | 'none';
}

export interface SealedSource {
  readonly report: SourceReport;
  /** Below `data/`; null when originals are left out. */
  readonly path: string | null;
  readonly blobPath: string;
}

export interface SealedTrip {
  readonly trip: StoredTrip;
  readonly source: SourceReport;
  /** Of the points that are inside the range. */
  readonly survey: TripSurvey;
  /** Below `data/tracks/`, without the extension. */
  readonly fileStem: string;
}

export interface LeftOut {
  readonly what: string;
  readonly why: string;
}

/**
 * All that a package of the case says, read in one go. The same case, range and choice always give the same
 * facts: nothing of the moment of sealing is in here.
 */
export interface SealFacts {
  readonly caseFile: CaseFile;
  readonly range: TimeRange;
  readonly originals: 'whole' | 'none';
  readonly sources: readonly SealedSource[];
  readonly trips: readonly SealedTrip[];
  readonly clips: readonly SealedClip[];
  readonly derived: readonly SealedDerived[];
  readonly marks: readonly Mark[];
  /** See PreparedEvidence. */
  readonly prepared: PreparedEvidence;
  readonly leftOut: readonly LeftOut[];
  readonly warnings: readonly string[];
  readonly custody: CustodyHead;
}

/**
 * Reads what a package of the case will hold. Throws AppError not_found, case_empty, invalid_input (a range
 * that ends before it begins), cache_corrupt (a custody chain that is not whole is never sealed). Call it
 * inside a read transaction when others may write.
 */
export function readSealFacts(
  cache: EvidenceCache,
  choice: SealChoice,
  prepared: PreparedEvidence,
  signal?: AbortSignal,
): SealFacts {
  const caseFile = createCaseRepository(cache.db).find(choice.caseId);
  if (!caseFile) throw new AppError('not_found', 'There is no such case any more.');
  if (caseFile.exhibitList.length === 0) {
    throw new AppError('case_empty', `The case "${caseFile.name}" holds no trips, clips or files yet.`, {
      remedy: 'Add a trip, a clip or a source to the case, then seal it.',
    });
  }
  const range = narrow(caseFile.range, choice);
  const trips = createTripRepository(cache.db);
  const caseTrips = tripsOf(caseFile, trips);
  const sources = sourcesOf(caseFile, caseTrips, createSourceRepository(cache.db));
  const bySource = new Map(sources.map((source) => [source.sourceId, source]));

  const leftOut: LeftOut[] = [];
  const kept: SealedTrip[] = [];
  for (const trip of caseTrips) {
    throwIfCanceled(signal);
    const survey = surveyTrip(trip, () => trips.chunksOf(trip.tripId), range);
    const source = bySource.get(trip.sourceId)!; // sourcesOf read the source of every trip
    const camera = trip.cameraName ?? trip.psn ?? 'unknown-camera';
    if (survey.points > 0) {
      const fileStem = `${safeName(camera, 'camera', 60).replaceAll(' ', '_')}-${trip.tripId}`;
      kept.push({ trip, source, survey, fileStem });
    }
    const rest = trip.points - survey.points;
    if (rest > 0) {
      leftOut.push({
        what: `${rest} of ${trip.points} points of trip ${trip.tripId} in tracks/`,
        why: 'they are outside the range of this package, or have no time by which to tell',
      });
    }
  }
  const names = uniqueNames(sources.map((source) => ({ name: source.fileName, sha256: source.sha256 })));
  const isWhole = choice.originals === 'whole';
  const { clips, leftOut: clipsOut } = selectClips(cache, caseFile, range, choice.originals, prepared);
  const { derived, leftOut: derivedOut } = selectDerived(cache, caseFile, range, clips, prepared);
  const { marks, leftOut: marksOut } = selectMarks(cache, caseFile, range);
  const custody = custodyOf(
    cache,
    new Set<string>([
      choice.caseId,
      ...sources.map((source) => source.sha256),
      ...caseTrips.map((trip) => trip.tripId),
      ...clips.map(({ clip }) => clip.sha256),
      ...derived.map((one) => one.derived.derivedId),
    ]),
  );
  if (!isWhole) {
    for (const source of sources) {
      leftOut.push({
        what: `original file "${source.fileName}"`,
        why: 'the person who sealed chose to leave originals out',
      });
    }
  }
  return {
    caseFile,
    range,
    originals: choice.originals,
    sources: sources.map((report, i) => ({
      report,
      path: isWhole ? `sources/${names[i]!}` : null,
      blobPath: cache.blobs.pathOf(report.sha256),
    })),
    trips: kept,
    clips,
    derived,
    marks,
    prepared,
    leftOut: [...leftOut, ...clipsOut, ...derivedOut, ...marksOut],
    warnings: warningsOf({
      caseFile,
      range,
      isWhole,
      sources,
      trips: kept,
      clips,
      derived,
      marks,
      strangers: custody.strangers,
    }),
    custody: custody.head,
  };
}

/** The points of a sealed trip, chunk by chunk, as often as asked. */
export function pointsOf(cache: EvidenceCache, tripId: TripId): () => Iterable<PointColumns> {
  const trips = createTripRepository(cache.db);
  return () => trips.chunksOf(tripId);
}

function narrow(range: TimeRange, choice: SealChoice): TimeRange {
  const fromMs = Math.max(range.fromMs ?? -Infinity, choice.fromMs ?? -Infinity);
  const toMs = Math.min(range.toMs ?? Infinity, choice.toMs ?? Infinity);
  if (fromMs >= toMs) {
    throw new AppError('invalid_input', "The package's range is empty: it ends before it begins.", {
      remedy: "Choose a range that overlaps the case's own.",
    });
  }
  return { fromMs: Number.isFinite(fromMs) ? fromMs : null, toMs: Number.isFinite(toMs) ? toMs : null };
}

/** Trips of the case and of its sources, in an order that does not depend on when they were added. */
function tripsOf(caseFile: CaseFile, trips: ReturnType<typeof createTripRepository>): readonly StoredTrip[] {
  const ids = new Set<TripId>();
  for (const { ref } of caseFile.exhibitList) {
    if (ref.kind === 'trip') ids.add(ref.tripId);
    else if (ref.kind === 'source')
      for (const trip of trips.list({ sourceId: ref.sourceId })) ids.add(trip.tripId);
  }
  const start = (trip: StoredTrip): number => trip.startedAtMs ?? Infinity;
  return [...trips.stored([...ids])].sort(
    (a, b) => (start(a) === start(b) ? 0 : start(a) - start(b)) || (a.tripId < b.tripId ? -1 : 1),
  );
}

function sourcesOf(
  caseFile: CaseFile,
  trips: readonly StoredTrip[],
  sources: ReturnType<typeof createSourceRepository>,
): readonly SourceReport[] {
  const ids = new Set<SourceId>(trips.map((trip) => trip.sourceId));
  for (const { ref } of caseFile.exhibitList) if (ref.kind === 'source') ids.add(ref.sourceId);
  return [...ids].sort().map((sourceId) => {
    const report = sources.report(sourceId);
    if (!report) throw new AppError('not_found', `The source ${sourceId} of the case is not in the library.`);
    return report;
  });
}

/**
 * The custody log as the package holds it. Entries of sealing and verifying at its very end are not part of it:
 * they say nothing of the evidence, and with them no two packages of one case could ever be compared.
 */
function custodyOf(
  cache: EvidenceCache,
  known: ReadonlySet<string>,
): { readonly head: CustodyHead; readonly strangers: number } {
  const custody = createCustodyRepository(cache.db);
  const state = custody.verifyChain();
  if (!state.isWhole) {
    throw new AppError('cache_corrupt', `The custody log is not whole: ${state.reason}.`, {
      remedy:
        'Keep the data folder as it is and put back a copy from its backup/ folder before sealing anything.',
      details: { brokenAtSeq: state.brokenAtSeq },
    });
  }
  let head: CustodyHead | null = null;
  const strangers = new Set<string>();
  for (const entry of custody.each()) {
    if (entry.action.startsWith('package.')) continue;
    const { kind, id, sha256 } = entry.subject;
    // A file is one thing, whether an entry calls it a source, a clip or by its name on a card.
    const name = kind === 'source' || kind === 'clip' ? (sha256 ?? id) : id;
    const isNamed = ['source', 'clip', 'trip', 'derived', 'case'].includes(kind);
    if (isNamed && !known.has(name)) strangers.add(name);
    head = { count: entry.seq, lastSeq: entry.seq, lastHash: entry.hash };
  }
  if (head === null) throw new AppError('case_empty', 'The custody log is empty.'); // a case is an entry
  return { head, strangers: strangers.size };
}
