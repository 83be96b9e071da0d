import fs from 'node:fs';
import type { EntryReport } from '../../shared/contract/imports.ts';
import type { SourceKind } from '../../shared/contract/sources.ts';
import { AppError } from '../../shared/errors.ts';
import { throwIfCanceled } from '../cache/uploads.ts';
import { inspectArchive, type PlannedEntry } from './archive.ts';
import { stageClip, type ClipFactsReader, type StagedClip } from './clipStaging.ts';
import { createCsvReader } from './csvReader.ts';
import { EntryDamage, fileBytes, type OnPosition } from './entryBytes.ts';
import { contextOfName, shownName } from './entryName.ts';
import { kindOfFile } from './fileKind.ts';
import { createGpxReader } from './gpxReader.ts';
import type { EntryInflater } from './inflateThread.ts';
import { createKmlReader } from './kmlReader.ts';
import { ReaderRefusal, type ReaderContext, type TrackReader, type TrackSink } from './reader.ts';
import { StagedTracks, type StagedTrack } from './stagedTracks.ts';
import type { StagingTape } from './stagingTape.ts';

/** A source read whole into staging: nothing of it is in the cache yet. */
export interface StagedSource {
  readonly kind: SourceKind;
  readonly entries: readonly EntryReport[];
  /** Tracks with the ordinal of their entry, in the order of the archive. */
  readonly tracks: readonly { readonly entryOrdinal: number; readonly track: StagedTrack }[];
  /** Set for a clip. */
  readonly clip: StagedClip | null;
  /** Set when there is nothing to keep: every entry was refused, skipped or empty. */
  readonly failure: AppError | null;
}

export interface StagingContext {
  readonly tape: StagingTape;
  readonly inflater: EntryInflater;
  readonly signal: AbortSignal | undefined;
  readonly freeBytes: () => number;
  readonly clips: ClipFactsReader | undefined;
  /** Position in the file and points so far in it. */
  readonly onProgress: (position: number, points: number) => void;
}

type Format = 'csv' | 'gpx' | 'kml';
const readers: Readonly<Record<Format, (sink: TrackSink, context: ReaderContext) => TrackReader>> = {
  csv: createCsvReader,
  gpx: createGpxReader,
  kml: createKmlReader,
};

/**
 * Reads a staged file entry by entry. An entry that is refused leaves nothing on the tape and its reason in the
 * report; the others are read. Throws AppError for the file as a whole (unsupported_format, archive_*,
 * disk_full) and `canceled`.
 */
export async function stageSource(
  file: { readonly path: string; readonly fileName: string; readonly sizeBytes: number },
  context: StagingContext,
): Promise<StagedSource> {
  const descriptor = fs.openSync(file.path, 'r');
  try {
    const kind = kindOfFile(descriptor, file.fileName);
    if (kind === 'clip') {
      const clip = await stageClip(file, context.clips, context.signal);
      return { kind, entries: [clip.entry], tracks: [], clip, failure: null };
    }
    const { entries, tracks, isAllEncrypted } =
      kind === 'export-zip'
        ? await stageArchive(descriptor, file.sizeBytes, context)
        : await stageBareFile(descriptor, kind, file, context);
    return {
      kind,
      entries,
      tracks,
      clip: null,
      failure: tracks.length > 0 ? null : nothingImported(entries, isAllEncrypted),
    };
  } finally {
    fs.closeSync(descriptor);
  }
}

interface Staged {
  entries: EntryReport[];
  tracks: { entryOrdinal: number; track: StagedTrack }[];
  isAllEncrypted: boolean;
}

async function stageArchive(descriptor: number, sizeBytes: number, context: StagingContext): Promise<Staged> {
  const plan = await inspectArchive(descriptor, sizeBytes, context.freeBytes());
  const staged: Staged = { entries: [], tracks: [], isAllEncrypted: false };
  let pointsBefore = 0;
  for (const entry of plan) {
    throwIfCanceled(context.signal);
    if (entry.action !== 'read') {
      staged.entries.push(unreadReport(entry));
      continue;
    }
    const before = pointsBefore;
    const { report, tracks } = await stageEntry(
      entry.name,
      entry.format,
      entry.context,
      context,
      before,
      (onPosition) => context.inflater.bytes(descriptor, entry.data, onPosition),
    );
    pointsBefore += report.points;
    staged.entries.push(report);
    for (const track of tracks) staged.tracks.push({ entryOrdinal: entry.ordinal, track });
  }
  const wanted = plan.filter((entry) => entry.action !== 'skip');
  staged.isAllEncrypted =
    wanted.length > 0 && wanted.every((entry) => entry.action === 'refuse' && entry.isEncrypted);
  return staged;
}

async function stageBareFile(
  descriptor: number,
  format: Format,
  file: { readonly fileName: string; readonly sizeBytes: number },
  context: StagingContext,
): Promise<Staged> {
  const name = shownName(file.fileName);
  const { report, tracks } = await stageEntry(
    name,
    format,
    contextOfName(file.fileName),
    context,
    0,
    (onPosition) => fileBytes(descriptor, file.sizeBytes, onPosition),
  );
  return {
    entries: [report],
    tracks: tracks.map((track) => ({ entryOrdinal: 0, track })),
    isAllEncrypted: false,
  };
}

async function stageEntry(
  name: string,
  format: Format,
  readerContext: ReaderContext,
  context: StagingContext,
  pointsBefore: number,
  bytesOf: (onPosition: OnPosition) => AsyncIterable<Uint8Array>,
): Promise<{ report: EntryReport; tracks: readonly StagedTrack[] }> {
  const sink = new StagedTracks(context.tape);
  let isKept = false;
  try {
    const reader = readers[format](sink, readerContext);
    let position = 0;
    for await (const piece of bytesOf((at) => (position = at))) {
      throwIfCanceled(context.signal);
      reader.push(piece);
      context.onProgress(position, pointsBefore + reader.points);
    }
    reader.end();
    const tracks = sink.finish();
    isKept = tracks.length > 0;
    return { report: readReport(name, format, reader, tracks), tracks };
  } catch (thrown) {
    const reason = refusalText(thrown);
    if (reason === null) throw thrown;
    return { report: { ...emptyReport(name), format, status: 'failed', error: reason }, tracks: [] };
  } finally {
    if (!isKept) sink.discard();
  }
}

function refusalText(thrown: unknown): string | null {
  if (thrown instanceof ReaderRefusal) return `${thrown.where}: ${thrown.message}`;
  return thrown instanceof EntryDamage ? thrown.message : null;
}

function emptyReport(name: string): EntryReport {
  return {
    name,
    format: null,
    status: 'skipped',
    psns: [],
    trips: 0,
    points: 0,
    rows: 0,
    skipped: [],
    flagged: [],
    error: null,
  };
}

function unreadReport(entry: Exclude<PlannedEntry, { action: 'read' }>): EntryReport {
  if (entry.action === 'refuse') return { ...emptyReport(entry.name), status: 'failed', error: entry.reason };
  const where = `entry ${entry.ordinal + 1}`;
  return { ...emptyReport(entry.name), skipped: [{ where, reason: entry.reason, count: 1 }] };
}

/** Cameras named in a report; the trips themselves carry all. */
const shownPsns = 1000;

function readReport(
  name: string,
  format: Format,
  reader: TrackReader,
  tracks: readonly StagedTrack[],
): EntryReport {
  const { rows, skipped, flagged } = reader.report;
  const points = tracks.reduce((sum, track) => sum + track.points, 0);
  const psns = new Set<string>();
  for (const { identity } of tracks)
    if (identity.psn !== null && psns.size < shownPsns) psns.add(identity.psn);
  const tooLong = tracks.filter((track) => track.wasSorted === null).length;
  const notes = flagged.list();
  if (tooLong > 0) {
    notes.push({
      where: 'trip',
      reason: 'times run backwards in a trip too long to be put in order',
      count: tooLong,
    });
  }
  const isEmpty = points === 0;
  return {
    name,
    format,
    status: isEmpty ? (rows > 0 ? 'failed' : 'skipped') : skipped.total > 0 ? 'partial' : 'imported',
    psns: [...psns],
    trips: tracks.length,
    points,
    rows,
    skipped:
      isEmpty && rows === 0
        ? [...skipped.list(), { where: 'file', reason: 'it holds no points', count: 1 }]
        : skipped.list(),
    flagged: notes,
    error: isEmpty && rows > 0 ? `none of its ${rows} rows could be kept` : null,
  };
}

function nothingImported(entries: readonly EntryReport[], isAllEncrypted: boolean): AppError {
  if (isAllEncrypted) {
    return new AppError('archive_encrypted', 'Every file in the archive is encrypted with a password.', {
      remedy: 'Unpack the archive with its password and import the files inside.',
    });
  }
  const failed = entries.find((entry) => entry.status === 'failed');
  const cause = failed ? ` ${failed.name}: ${failed.error}.` : '';
  return new AppError('nothing_imported', `There is nothing to import in it.${cause}`, {
    remedy: 'The report says for each file inside why. Check that it is a completed GPS export.',
  });
}
