import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { ClipClock, ClipFacts } from '../../../shared/contract/clips.ts';
import type { ClipId, SourceId } from '../../../shared/ids.ts';
import { clipIdOf, createClipRepository } from '../../../main/cache/clipRepository.ts';
import { transact } from '../../../main/cache/database.ts';
import { openCache, type EvidenceCache } from '../../../main/cache/openCache.ts';
import { createSourceRepository } from '../../../main/cache/sourceRepository.ts';
import { parseClipName } from '../../../main/media/telemetry/clipName.ts';

/** What a made-up clip says of itself; the rest is as an ordinary H.264 clip of a minute has it. */
export interface MadeClip {
  readonly name: string;
  readonly psn?: string | null;
  /** UTC of its first frame by its own GPS; absent: its GPS tells nothing. */
  readonly startMs?: number;
  readonly uncertaintyMs?: number;
  readonly offsetMin?: number;
  readonly durationS?: number | null;
  readonly bbox?: readonly [number, number, number, number] | null;
  readonly maker?: string | null;
  readonly damage?: ClipFacts['damage'];
  readonly peakOffsetMs?: number;
  /** It was cut short: until when it holds pictures. */
  readonly picturesEndS?: number;
  readonly source?: ClipClock['source'];
  /** It can't be read: there are no facts. */
  readonly isUnreadable?: boolean;
  /** Position at its first and last second. */
  readonly places?: readonly [readonly [number, number], readonly [number, number]];
}

export function factsOf(made: MadeClip): ClipFacts {
  const name = parseClipName(made.name);
  const durationS = made.durationS === undefined ? 60 : made.durationS;
  const startMs = made.startMs ?? null;
  const offsetMin = made.offsetMin ?? -300;
  const at = (i: 0 | 1) => {
    const place = made.places?.[i];
    if (!place) return null;
    const utcMs = startMs === null ? null : startMs + i * ((durationS ?? 1) - 1) * 1000;
    return { utcMs, latDeg: place[0], lngDeg: place[1], headingDeg: null, speedKmh: null };
  };
  return {
    fileName: made.name,
    sizeBytes: 1000,
    name,
    originalName: null,
    recordedAtLocal: name?.recordedAtLocal ?? null,
    durationS,
    video:
      durationS === null
        ? null
        : {
            codec: 'avc1.64001f',
            isH265: false,
            width: 1920,
            height: 1080,
            fps: 30,
            isConstantRate: true,
            frames: Math.round(durationS * 30),
            keyFrames: 60,
          },
    ...(made.picturesEndS === undefined ? {} : { picturesEndS: made.picturesEndS }),
    hasAudio: true,
    isFragmented: false,
    damage: made.damage ?? [],
    telemetryFormat: 'free-box',
    makerText: made.maker ?? null,
    hasThumbnail: false,
    clock: {
      startUtcMs: startMs,
      utcOffsetMin: startMs === null ? null : offsetMin,
      source: startMs === null ? null : (made.source ?? 'rmc+sttm'),
      uncertaintyMs: startMs === null ? null : (made.uncertaintyMs ?? 1000),
      spreadMs: startMs === null ? null : 120,
      cameraAheadMs: startMs === null ? null : 0,
      samples: startMs === null ? 0 : 60,
    },
    gps: made.bbox || made.places ? { samples: 60, withoutFix: 0, first: at(0), last: at(1), bbox: made.bbox ?? null } : null, // prettier-ignore
    gSensor: {
      samples: 540,
      rateHz: 9,
      peakG: 1.2,
      peakOffsetMs: made.peakOffsetMs ?? 100,
      peakUtcMs: null,
    },
    skipped: [],
    notes: [],
    bytesRead: 4096,
  };
}

/** A real cache in a folder of its own. */
export function aReviewCache() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'review-'));
  const cache: EvidenceCache = openCache({ folder: path.join(folder, 'data') });
  const clips = createClipRepository(cache.db);
  const sources = createSourceRepository(cache.db);
  let count = 0;
  function insert(made: MadeClip): ClipId {
    const sha256 = createHash('sha256').update(`${made.name}/${++count}`).digest('hex');
    const sourceId = `src_${sha256.slice(0, 16)}` as SourceId; // the brand has no runtime form
    const facts = made.isUnreadable ? null : factsOf(made);
    sources.insert({
      sourceId,
      sha256,
      sizeBytes: 1000,
      fileName: made.name,
      kind: 'clip',
      importedAtMs: 0,
      readerVersion: '1',
      trips: 0,
      points: 0,
      skippedRows: 0,
      fromMs: null,
      toMs: null,
      entries: [],
    });
    const psn = made.psn === undefined ? 'P1' : made.psn;
    clips.insert({ sourceId, sha256, origin: 'import', psn, quality: null, mainName: null, facts });
    return clipIdOf(sha256);
  }
  return {
    cache,
    clips,
    /** Ids in the order given. */
    add: (...made: readonly MadeClip[]): ClipId[] => transact(cache.db, () => made.map(insert)),
    close(): void {
      cache.close();
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}
export type ReviewCache = ReturnType<typeof aReviewCache>;

/** `20260314_173210_NF.mp4` of a wall clock (as if it were UTC). */
export function nameAt(localMs: number, letters: string): string {
  const iso = new Date(localMs).toISOString();
  return `${iso.slice(0, 10).replaceAll('-', '')}_${iso.slice(11, 19).replaceAll(':', '')}_${letters}.mp4`;
}
