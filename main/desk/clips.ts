import type { ClipTelemetry } from '../../shared/contract/clips.ts';
import type { EntryReport } from '../../shared/contract/imports.ts';
import type { Handlers } from '../../shared/contract/index.ts';
import { AppError } from '../../shared/errors.ts';
import type { ClipId, SourceId } from '../../shared/ids.ts';
import { createCardRepository } from '../cache/cardRepository.ts';
import { clipIdOf, createClipRepository } from '../cache/clipRepository.ts';
import { createCustodyRepository } from '../cache/custodyRepository.ts';
import { transact } from '../cache/database.ts';
import { createSourceRepository } from '../cache/sourceRepository.ts';
import { matchByName } from '../media/cards/matchByName.ts';
import { createClipReader, type ReadOptions } from '../media/telemetry/clipReader.ts';
import type { ClipReading } from '../media/telemetry/clipReading.ts';
import type { DeskDeps } from './deps.ts';

/** A clip whose bytes are a blob already and that is to become part of the library. */
export interface ArrivedClip {
  readonly sha256: string;
  readonly sizeBytes: number;
  /** As the camera named it. */
  readonly fileName: string;
  readonly psn: string;
  readonly quality: 'main' | 'sub';
}

export interface ClipUseCases {
  readonly handlers: Pick<
    Handlers,
    'clips.list' | 'clips.get' | 'clips.telemetry' | 'clips.frames' | 'clips.thumbnail'
  >;
  /**
   * Makes a recalled file a clip of the library, inside the caller's transaction (custody is the caller's affair
   * too). Bytes that are here already become that camera's. Call `readUnread` after the transaction.
   */
  addArrived(clip: ArrivedClip): { readonly sourceId: SourceId; readonly clipId: ClipId };
  /**
   * Says whose the clips are that were copied by hand and that one card alone lists by name; each with its custody
   * entry. Call after imports and listings.
   */
  matchByName(): void;
  /** Reads the clips that nobody has read yet, and says so with `library.changed`. */
  readUnread(): Promise<void>;
  close(): Promise<void>;
}

/** What recalled clips were read with: there is no import job behind them. */
const readerVersion = '1';

/** A recalled file is checked by its length and its hash; what it holds is in the clip's facts. */
const plainEntry: Omit<EntryReport, 'name'> = {
  format: 'mp4',
  status: 'imported',
  psns: [],
  trips: 0,
  points: 0,
  rows: 0,
  skipped: [],
  flagged: [],
  error: null,
};

/** Clips: their facts from the cache, their telemetry from the original file each time it is asked for. */
export function createClipUseCases(deps: Pick<DeskDeps, 'cache' | 'now' | 'actor' | 'emit'>): ClipUseCases {
  const { cache } = deps;
  const clips = createClipRepository(cache.db);
  const sources = createSourceRepository(cache.db);
  const custody = createCustodyRepository(cache.db, deps.now);
  const cards = createCardRepository(cache.db);
  const reader = createClipReader();
  let reading: Promise<void> | null = null;

  async function readOriginal(clipId: ClipId, options: ReadOptions = {}): Promise<ClipReading> {
    const clip = clips.get(clipId);
    if (!cache.blobs.has(clip.sha256)) {
      throw new AppError('blob_missing', `The original of ${clip.fileName} is not in the cache any more.`, {
        remedy: 'Import or recall the clip again.',
        details: { clipId, sha256: clip.sha256 },
      });
    }
    return reader.read(cache.blobs.pathOf(clip.sha256), { ...options, fileName: clip.fileName });
  }

  /** The first look at a clip's telemetry is an entry of the chain (evidence-package.md, "Rules"). */
  function recordView(clipId: ClipId): void {
    const { sourceId, sha256, fileName, psn } = clips.get(clipId);
    custody.appendOnce({
      actor: deps.actor(),
      action: 'clip.view',
      subject: { kind: 'clip', id: clipId, sha256 },
      detail: { sourceId, fileName, psn },
    });
  }

  async function readAll(): Promise<void> {
    const waiting = clips.unread();
    for (const clip of waiting) {
      try {
        const path = cache.blobs.pathOf(clip.sha256);
        const { fileName } = clip;
        const { facts } = await reader.read(path, { fileName, wantsColumns: false });
        transact(cache.db, () => clips.saveFacts(clip.clipId, facts));
      } catch (thrown) {
        if (!(thrown instanceof AppError)) throw thrown;
        if (thrown.code === 'canceled') return; // the desk closes: the next start goes on
        transact(cache.db, () => clips.saveFacts(clip.clipId, null));
      }
    }
    if (waiting.length > 0) deps.emit('library.changed', { reason: 'import' });
  }

  return {
    handlers: {
      'clips.list': (filter) => clips.list(filter),
      'clips.get': ({ clipId }) => clips.get(clipId),
      async 'clips.telemetry'({ clipId }): Promise<ClipTelemetry> {
        const { gps, gSensor } = await readOriginal(clipId);
        recordView(clipId);
        return { gps, gSensor };
      },
      'clips.frames': async ({ clipId }) =>
        (await readOriginal(clipId, { wantsColumns: false, wantsFrames: true })).frames,
      'clips.thumbnail': async ({ clipId }) => (await readOriginal(clipId)).thumbnail,
    },
    addArrived({ sha256, sizeBytes, fileName, psn, quality }) {
      const clipId = clipIdOf(sha256);
      const known = sources.findBySha256(sha256);
      if (known) {
        clips.saveCamera(clipId, psn, quality);
        return { sourceId: known.sourceId, clipId };
      }
      const sourceId = `src_${sha256.slice(0, 16)}` as SourceId; // the brand has no runtime form
      sources.insert({
        sourceId,
        sha256,
        sizeBytes,
        fileName,
        kind: 'clip',
        importedAtMs: deps.now(),
        readerVersion,
        trips: 0,
        points: 0,
        skippedRows: 0,
        fromMs: null,
        toMs: null,
        entries: [{ ...plainEntry, name: fileName }],
      });
      clips.insert({
        sourceId,
        sha256,
        origin: 'recall',
        psn,
        quality,
        mainName: fileName,
        facts: undefined,
      });
      return { sourceId, clipId };
    },
    matchByName() {
      const matches = matchByName(cards.namesakes());
      if (matches.length === 0) return;
      transact(cache.db, () => {
        for (const { clipId, sha256, fileName, mainName, psn, sizeAgrees, seenAtMs } of matches) {
          clips.saveCamera(clipId, psn, null);
          custody.append({
            actor: deps.actor(),
            action: 'clip.matched',
            subject: { kind: 'clip', id: clipId, sha256 },
            detail: { psn, fileName, mainName, sizeAgrees, listedAt: new Date(seenAtMs).toISOString() },
          });
        }
      });
      deps.emit('library.changed', { reason: 'assign' });
      for (const psn of new Set(matches.map((one) => one.psn))) deps.emit('cards.changed', { psn });
    },
    readUnread() {
      // One round after the other, so that a clip that arrives meanwhile is not missed.
      const round = (reading ?? Promise.resolve()).catch(() => undefined).then(readAll);
      reading = round;
      return round;
    },
    async close() {
      await reader.close();
      await reading?.catch(() => undefined);
    },
  };
}
