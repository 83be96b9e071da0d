import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { ClipDetail, ClipFrames, ClipTelemetry } from '../../shared/contract/clips.ts';
import type { DerivedKind, Recipe } from '../../shared/contract/derived.ts';
import type { Handlers } from '../../shared/contract/index.ts';
import type { JobResult } from '../../shared/contract/jobs.ts';
import type { SourceClock } from '../../shared/contract/review.ts';
import { AppError } from '../../shared/errors.ts';
import type { CaseId, ClipId } from '../../shared/ids.ts';
import { createClipRepository } from '../cache/clipRepository.ts';
import { createClockRepository } from '../cache/clockRepository.ts';
import { diskFull } from '../cache/database.ts';
import { partialFolderOf } from '../cache/folders.ts';
import { freeBytesOf } from '../cache/freeSpace.ts';
import { discardUpload, findUpload, throwIfCanceled } from '../cache/uploads.ts';
import { createDeriver, type ClipFile } from '../media/derive/deriver.ts';
import { checkPng } from '../media/derive/pngCheck.ts';
import { clipTelemetryCsv } from '../media/derive/telemetryCsv.ts';
import { createClipClocks } from '../media/review/clipClocks.ts';
import { toTelemetryClock } from '../media/review/sourceClock.ts';
import type { DeskDeps, JobContext } from './deps.ts';
import { stillName, trimName } from './derivedNames.ts';
import { createDerivedStore } from './derivedStore.ts';

export interface DerivedUseCases {
  readonly handlers: Pick<
    Handlers,
    | 'derived.list'
    | 'derived.still'
    | 'derived.trimPreview'
    | 'derived.trim'
    | 'derived.remove'
    | 'derived.restore'
    | 'derived.telemetryCsv'
  >;
  close(): Promise<void>;
}

interface TrimInput {
  readonly clip: ClipDetail;
  readonly fromS: number;
  readonly toS: number;
  readonly caseId: CaseId | null;
}

const lostOfStill: readonly string[] = [
  "One frame as the player's decoder drew it: another decoder may differ in the last bits of its colours.",
  'All other frames, the sound and the telemetry of the clip are not in it.',
];

/** Stills, trims and telemetry as text: made from clips, whose originals stay as they are. */
export function createDerivedUseCases(
  deps: Pick<DeskDeps, 'cache' | 'now' | 'actor' | 'emit' | 'jobs' | 'appVersion'>,
  readTelemetry: (clipId: ClipId) => Promise<ClipTelemetry>,
): DerivedUseCases {
  const { cache } = deps;
  const clips = createClipRepository(cache.db);
  const clocks = createClipClocks(deps);
  const settings = createClockRepository(cache.db);
  const store = createDerivedStore(deps);
  const deriver = createDeriver();
  const tool = { name: 'Evidence Desk', version: deps.appVersion };

  const fileOf = ({ clipId, sha256, fileName }: ClipDetail): ClipFile => {
    if (cache.blobs.has(sha256)) return { path: cache.blobs.pathOf(sha256), fileName };
    throw new AppError('blob_missing', `The original of ${fileName} is not in the cache any more.`, {
      remedy: 'Import or recall the clip again.',
      details: { clipId, sha256 },
    });
  };

  /** What a recipe says of the clip and its clock. */
  function recipeOf(
    clip: ClipDetail,
    requestedS: Recipe['requestedS'],
    actualS: Recipe['actualS'],
  ): Omit<Recipe, 'kind' | 'frameIndex' | 'output' | 'lost' | 'stamp'> {
    const clock = clocks.of(clip.clipId);
    const startUtcMs = utcAt(clock, actualS.from);
    return {
      schemaVersion: 1,
      source: { clipId: clip.clipId, fileName: clip.fileName, sha256: clip.sha256 },
      requestedS,
      actualS,
      startUtcMs,
      endUtcMs: utcAt(clock, actualS.to),
      uncertaintyMs: startUtcMs === null ? null : clock.uncertaintyMs,
      clockHow: startUtcMs === null ? null : clock.how,
      tool,
    };
  }

  async function makeTrim({ clip, fromS, toS, caseId }: TrimInput, job: JobContext): Promise<JobResult> {
    const { signal } = job;
    const file = fileOf(clip);
    const folder = partialFolderOf(cache.folder);
    const preview = await deriver.preview(file, { fromS, toS });
    const freeBytes = freeBytesOf(cache.folder);
    const neededBytes = preview?.approximateBytes ?? 0;
    if (freeBytes < neededBytes) throw diskFull(cache.folder, neededBytes, freeBytes);
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    const outPath = path.join(folder, `trim-${randomUUID()}.mp4`);
    try {
      const cut = await deriver.cut(file, {
        fromS,
        toS,
        outPath,
        signal,
        onProgress: ({ stage, doneBytes, totalBytes }) =>
          job.progress({ stage, done: doneBytes, total: totalBytes, unit: 'bytes', points: null }),
      });
      throwIfCanceled(signal);
      const { sha256, sizeBytes } = cut;
      const actualS = { from: cut.fromS, to: cut.toS };
      const recipe = recipeOf(clip, { from: fromS, to: toS }, actualS);
      const fileName = trimName({ clipFileName: clip.fileName, startUtcMs: recipe.startUtcMs }, actualS);
      const { widthPx, heightPx } = cut;
      const { derivedId } = store.keep({
        path: outPath,
        derived: {
          clipId: clip.clipId,
          kind: 'trim',
          fileName,
          sha256,
          sizeBytes,
          caseId,
          recipe: {
            ...recipe,
            kind: 'trim',
            frameIndex: null,
            output: { fileName, sha256, sizeBytes, widthPx, heightPx },
            lost: cut.lost,
            stamp: null,
          },
        },
      });
      return { kind: 'trim', derivedId };
    } finally {
      fs.rmSync(outPath, { force: true });
    }
  }

  const handlers: DerivedUseCases['handlers'] = {
    'derived.list': (filter) => store.list(filter),

    async 'derived.still'({ clipId, frameS, uploadId, caseId, stamp }) {
      try {
        const clip = clips.get(clipId);
        store.checkCase(caseId);
        const upload = findUpload(cache.folder, uploadId);
        const { frames, endS, sizes } = await deriver.shape(fileOf(clip));
        const largestBytes = Math.max(0, ...sizes.map(({ width, height }) => width * height * 9)) + 2 ** 20;
        if (upload.sizeBytes > largestBytes) {
          throw new AppError('invalid_input', `The picture is too large for a frame of ${clip.fileName}.`, {
            remedy: 'Take the still again.',
            details: { sizeBytes: upload.sizeBytes, largestBytes },
          });
        }
        const { widthPx, heightPx } = await checkPng(upload.path, sizes);
        const frame = frameAt(frames, endS, frameS);
        if (frame && frameS > frame.toS + 1) {
          throw new AppError('invalid_input', `${clip.fileName} has no frame at ${frameS.toFixed(3)} s.`, {
            details: { frameS, endS: frame.toS },
          });
        }
        const actualS = frame ? { from: frame.fromS, to: frame.toS } : { from: frameS, to: frameS };
        const kind: DerivedKind = stamp === null ? 'still' : 'stamped-still';
        const recipe = recipeOf(clip, { from: frameS, to: frameS }, actualS);
        const { sha256, sizeBytes } = upload;
        const fileName = stillName(
          { clipFileName: clip.fileName, startUtcMs: recipe.startUtcMs },
          { index: frame?.index ?? null, frameS: actualS.from },
          kind,
        );
        const burned = 'A text was burned into the picture: what lies under it is not in it.';
        return store.keep({
          path: upload.path,
          derived: {
            clipId,
            kind,
            fileName,
            sha256,
            sizeBytes,
            caseId,
            recipe: {
              ...recipe,
              kind,
              frameIndex: frame?.index ?? null,
              output: { fileName, sha256, sizeBytes, widthPx, heightPx },
              lost: stamp === null ? lostOfStill : [...lostOfStill, burned],
              stamp,
            },
          },
        });
      } finally {
        discardUpload(cache.folder, uploadId);
      }
    },

    async 'derived.trimPreview'({ clipId, fromS, toS }) {
      checkSpan(fromS, toS);
      return deriver.preview(fileOf(clips.get(clipId)), { fromS, toS });
    },

    'derived.trim'({ clipId, fromS, toS, caseId }) {
      checkSpan(fromS, toS);
      const clip = clips.get(clipId);
      store.checkCase(caseId);
      fileOf(clip);
      if (clip.durationS !== null && fromS > clip.durationS) {
        throw new AppError('invalid_input', `${clip.fileName} is over at ${clip.durationS.toFixed(3)} s.`, {
          remedy: 'Set the in point inside the clip.',
          details: { fromS, durationS: clip.durationS },
        });
      }
      const work = { clip, fromS, toS, caseId };
      const jobId = deps.jobs.start('trim', `Cut ${clip.fileName}`, (job) => makeTrim(work, job));
      return { jobId };
    },

    'derived.remove'({ derivedId }) {
      store.remove(derivedId);
      return null;
    },
    'derived.restore': ({ derivedId }) => store.restore(derivedId),

    async 'derived.telemetryCsv'({ clipId, fromS, toS }) {
      const clip = clips.get(clipId);
      const clock = clocks.of(clipId);
      const setting = settings.find({ kind: 'telemetry', clipId });
      const text = clipTelemetryCsv({
        fileName: clip.fileName,
        sha256: clip.sha256,
        telemetry: await readTelemetry(clipId),
        clock,
        telemetryClock: setting && toTelemetryClock(clip, clock, setting),
        ...(fromS === undefined ? {} : { fromS }),
        ...(toS === undefined ? {} : { toS }),
      });
      return text && [...text].join('');
    },
  };
  return { handlers, close: () => deriver.close() };
}

function checkSpan(fromS: number, toS: number): void {
  if (toS >= fromS) return;
  throw new AppError('invalid_input', 'The cut ends before it begins.', {
    remedy: 'Choose an out point later than the in point.',
    details: { fromS, toS },
  });
}

function utcAt({ startUtcMs, rate }: SourceClock, clipS: number): number | null {
  return startUtcMs === null ? null : startUtcMs + clipS * 1000 * rate;
}

/** Times that players report are rounded: a frame counts from a millisecond before it is due. */
const slackS = 0.001;

/** The frame that is shown at a time, counted from 0; null where the index names none. */
function frameAt(
  frames: ClipFrames | null,
  endS: number | null,
  atS: number,
): { readonly index: number; readonly fromS: number; readonly toS: number } | null {
  if (!frames) return null;
  const { timesS } = frames;
  let [low, high] = [0, timesS.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (timesS[middle]! <= atS + slackS) low = middle;
    else high = middle - 1;
  }
  const fromS = timesS[low]!; // `frames` has at least one
  return { index: low, fromS, toS: timesS[low + 1] ?? Math.max(endS ?? fromS, fromS) };
}
