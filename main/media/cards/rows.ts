import type { SdRecording } from '../../../shared/cloudResources.ts';
import type {
  CardClock,
  CardFilters,
  ClipQuality,
  PartStream,
  RecordingPart,
  RecordingRow,
} from '../../../shared/contract/cards.ts';
import { parseLocal, segmentAt } from './clock.ts';

export type HeldClips = ReadonlyMap<string, string>;
export const heldKey = (filename: string, quality: ClipQuality): string => `${quality}/${filename}`;

/** Parts of a recording's name (2.1); null where it has another form, which never is a reason to leave it out. */
export function parseFilename(
  filename: string,
): { readonly localText: string; readonly typeCode: string; readonly directionCode: string } | null {
  const match = /^(\d{4})(\d\d)(\d\d)_(\d\d)(\d\d)(\d\d)_([A-Z])([A-Z])[A-Z]?\.mp4$/i.exec(filename);
  if (!match) return null;
  const [, year, month, day, hour, minute, second, typeCode, directionCode] = match;
  return {
    localText: `${year}-${month}-${day}T${hour}:${minute}:${second}`,
    typeCode: typeCode!.toUpperCase(),
    directionCode: directionCode!.toUpperCase(),
  };
}

/** The camera's wall clock at the start of a recording; null where nothing says. */
export function localOf(recording: SdRecording): number | null {
  return parseLocal(recording.recordedAtLocal) ?? parseLocal(parseFilename(recording.filename)?.localText);
}

const directionOrder = (part: RecordingPart): number =>
  part.direction === 'front' ? 0 : part.direction === 'option' ? 1 : 2;

function toStream(sizeBytes: unknown, heldSha256: string | undefined): PartStream {
  const isSize = typeof sizeBytes === 'number' && Number.isFinite(sizeBytes) && sizeBytes > 0;
  return { sizeBytes: isSize ? sizeBytes : null, heldSha256: heldSha256 ?? null };
}

function toPart(recording: SdRecording, held: HeldClips): RecordingPart {
  const { filename } = recording;
  const heldSub = held.get(heldKey(filename, 'sub'));
  // A size of 0 says that there is no such stream; no size says nothing.
  const hasNoSub = recording.subSizeBytes === 0 && heldSub === undefined;
  return {
    filename,
    direction: recording.direction ?? null,
    directionCode: recording.directionCode ?? parseFilename(filename)?.directionCode ?? null,
    main: toStream(recording.mainSizeBytes, held.get(heldKey(filename, 'main'))),
    sub: hasNoSub ? null : toStream(recording.subSizeBytes, heldSub),
    raw: recording,
  };
}

/** The row that a recording belongs to: files of one second and one type letter are one moment's. */
export function rowIdOf(recording: SdRecording): string {
  const name = parseFilename(recording.filename);
  const localMs = localOf(recording);
  if (localMs === null) return recording.filename;
  return `${localMs}_${recording.typeCode ?? name?.typeCode ?? recording.type ?? ''}`;
}

/** Continuous recordings: the ones that a card overwrites in turn. */
const isContinuous = (recording: SdRecording): boolean => recording.type === 'normal';

/** Groups recordings into rows, newest first, with their true time as far as the clock knows it. */
export function toRows(
  recordings: readonly SdRecording[],
  context: {
    readonly clock: CardClock;
    readonly held: HeldClips;
    /** Start of the oldest continuous recording of the whole card; null where that is not known. */
    readonly oldestLocalMs: number | null;
  },
): RecordingRow[] {
  const groups = new Map<string, SdRecording[]>();
  for (const recording of recordings) {
    const rowId = rowIdOf(recording);
    const group = groups.get(rowId);
    if (group) group.push(recording);
    else groups.set(rowId, [recording]);
  }
  const rows = [...groups].map(([rowId, group]) => {
    const [first] = group as [SdRecording, ...SdRecording[]];
    const localMs = localOf(first);
    const segment = localMs === null ? null : segmentAt(context.clock, localMs);
    const canFade = localMs !== null && context.oldestLocalMs !== null && group.every(isContinuous);
    const row: RecordingRow = {
      rowId,
      recordedAtLocal: localMs === null ? null : new Date(localMs).toISOString().slice(0, 19),
      type: first.type ?? null,
      typeCode: first.typeCode ?? parseFilename(first.filename)?.typeCode ?? null,
      parts: group
        .map((recording) => toPart(recording, context.held))
        .sort((a, b) => directionOrder(a) - directionOrder(b) || (a.filename < b.filename ? -1 : 1)),
      startUtcMs: localMs === null || segment === null ? null : localMs - segment.offsetMinutes * 60_000,
      offsetMinutes: segment?.offsetMinutes ?? null,
      uncertaintyMs: segment?.uncertaintyMs ?? null,
      timeSource: segment?.source ?? null,
      livesAboutMs: canFade ? Math.max(0, localMs - context.oldestLocalMs!) : null,
    };
    return { row, sortMs: localMs ?? -Infinity };
  });
  rows.sort((a, b) => b.sortMs - a.sortMs || (a.row.rowId < b.row.rowId ? -1 : 1));
  return rows.map(({ row }) => row);
}

/** Start of the oldest continuous recording; null without one. */
export function oldestContinuousMs(recordings: readonly SdRecording[]): number | null {
  let oldestMs: number | null = null;
  for (const recording of recordings) {
    if (!isContinuous(recording)) continue;
    const localMs = localOf(recording);
    if (localMs !== null && (oldestMs === null || localMs < oldestMs)) oldestMs = localMs;
  }
  return oldestMs;
}

/** The filters of 4.1, applied to what is stored. */
export function matches(recording: SdRecording, filters: CardFilters): boolean {
  if (filters.type !== undefined && recording.type !== filters.type) return false;
  if (filters.direction !== undefined && recording.direction !== filters.direction) return false;
  // A size of 0 says that there is no such stream; no size says nothing, and hides nothing.
  if (filters.stream === 'sub' && recording.subSizeBytes === 0) return false;
  if (filters.stream === 'main' && recording.mainSizeBytes === 0) return false;
  if (filters.from === undefined && filters.to === undefined) return true;
  const localMs = localOf(recording);
  if (localMs === null) return false;
  const fromMs = parseLocal(filters.from) ?? -Infinity;
  const toMs = parseLocal(filters.to) ?? Infinity;
  return localMs >= fromMs && localMs <= toMs;
}
