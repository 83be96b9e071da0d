import type { CaseFile } from '../../shared/contract/cases.ts';
import type { Mark } from '../../shared/contract/marks.ts';
import type { SourceReport } from '../../shared/contract/sources.ts';
import type { TimeRange } from '../../shared/track.ts';
import type { SealedClip } from './clipFacts.ts';
import type { SealedDerived } from './derivedFacts.ts';
import type { SealedTrip } from './sealFacts.ts';

/** What is to be sealed, as far as somebody should be warned of it. */
export interface ToBeSealed {
  readonly caseFile: CaseFile;
  readonly range: TimeRange;
  /** Originals go in. */
  readonly isWhole: boolean;
  readonly sources: readonly SourceReport[];
  readonly trips: readonly SealedTrip[];
  readonly clips: readonly SealedClip[];
  readonly derived: readonly SealedDerived[];
  readonly marks: readonly Mark[];
  /** Things that the custody log names and that are not in the package. */
  readonly strangers: number;
}

/** What should be known before sealing, one or two sentences each. */
export function warningsOf(what: ToBeSealed): readonly string[] {
  return [...trackWarnings(what), ...clipWarnings(what), ...wordWarnings(what)];
}

function trackWarnings({ range, isWhole, sources, trips, clips, derived }: ToBeSealed): readonly string[] {
  const warnings: string[] = [];
  const isBounded = range.fromMs !== null || range.toMs !== null;
  if (trips.length === 0 && clips.length === 0 && derived.length === 0) {
    warnings.push('Nothing recorded lies inside the range: the package holds no track and no clip.');
  } else if (trips.length === 0 && sources.length > 0) {
    warnings.push('No recorded point of the tracks lies inside the range: the package holds no track.');
  }
  if (isWhole && isBounded && sources.length > 0) {
    warnings.push(
      'The original export files go in whole: they also hold what is outside the range, and other vehicles.',
    );
  }
  const untimed = trips.filter(({ trip }) => !trip.hasPointTimes).length;
  if (isBounded && untimed > 0) {
    const them = untimed === 1 ? "has no times and can't" : "have no times and can't";
    warnings.push(`${counted(untimed, 'trip')} ${them} be cut to the range: whole in the package.`);
  }
  const unknown = trips.filter(({ trip }) => trip.psn === null).length;
  if (unknown > 0) warnings.push(`${counted(unknown, 'trip')} ${isAre(unknown)} of no known camera.`);
  return warnings;
}

function clipWarnings({ range, isWhole, clips, derived }: ToBeSealed): readonly string[] {
  const warnings: string[] = [];
  const isBounded = range.fromMs !== null || range.toMs !== null;
  const reaching = clips.filter((one) => reachesOut(one, range)).length;
  if (isWhole && reaching > 0) {
    warnings.push(
      `${counted(reaching, 'clip')} ${reaching === 1 ? 'reaches' : 'reach'} beyond the range and ${goGoes(reaching)} in whole: originals are never cut.`,
    );
  }
  const untimed = clips.filter((one) => one.startUtcMs === null).length;
  if (untimed > 0) {
    const rest = isBounded
      ? `, so nobody can tell whether ${untimed === 1 ? 'it lies' : 'they lie'} in the range`
      : '';
    warnings.push(
      `Of ${counted(untimed, 'clip')} the time is unknown${rest}. ${untimed === 1 ? 'It goes' : 'They go'} in.`,
    );
  }
  const heard = clips.filter((one) => isWhole && one.clip.facts?.hasAudio).length;
  if (heard > 0) {
    warnings.push(
      `${counted(heard, 'clip')} ${heard === 1 ? 'holds' : 'hold'} sound: what was said in the vehicle may be heard. ` +
        'Originals are never altered; to keep sound out, take such a clip out of the case, or leave originals out.',
    );
  }
  const heardTrims = derived.filter((one) => one.mayHoldSound).length;
  if (heardTrims > 0) {
    const were = heardTrims === 1 ? 'was cut from a clip' : 'were cut from clips';
    warnings.push(`${counted(heardTrims, 'trim')} ${were} with sound, which is in the cut too.`);
  }
  const damaged = clips.filter(
    (one) => (one.clip.facts?.damage.length ?? 0) > 0 || one.clip.facts === null,
  ).length;
  if (damaged > 0) {
    warnings.push(
      `${counted(damaged, 'clip')} ${isAre(damaged)} damaged or can't be read. The files go in as they are.`,
    );
  }
  const nudged = clips.filter((one) => one.clock.manual !== null || one.telemetryClock !== null).length;
  if (nudged > 0) {
    warnings.push(
      `The clock of ${counted(nudged, 'clip')} was set by hand: clock.json says by whom, when and why.`,
    );
  }
  return warnings;
}

function wordWarnings({ caseFile, marks, strangers }: ToBeSealed): readonly string[] {
  const warnings: string[] = [];
  const notes = caseFile.noteList.length;
  if (notes === 1) warnings.push('The note of the case goes in as it is written.');
  if (notes > 1) warnings.push(`The ${notes} notes of the case go in as they are written.`);
  const [mark] = marks;
  if (marks.length === 1) warnings.push(`The ${mark!.kind} of the case goes in with its words.`);
  if (marks.length > 1)
    warnings.push(`The ${marks.length} bookmarks and ranges of the case go in with their words.`);
  if (strangers > 0) {
    warnings.push(
      'The custody log goes in from its beginning, since its entries are chained. It also names ' +
        `${strangers} ${strangers === 1 ? 'file, trip or case that is' : 'files, trips and cases that are'} not in this package.`,
    );
  }
  return warnings;
}

function reachesOut({ startUtcMs, endUtcMs }: SealedClip, { fromMs, toMs }: TimeRange): boolean {
  if (startUtcMs === null) return false;
  return (fromMs !== null && startUtcMs < fromMs) || (toMs !== null && (endUtcMs ?? startUtcMs) > toMs);
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
const isAre = (count: number): string => (count === 1 ? 'is' : 'are');
const goGoes = (count: number): string => (count === 1 ? 'goes' : 'go');
