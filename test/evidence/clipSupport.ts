import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { Derived, DerivedKind, Recipe } from '../../shared/contract/derived.ts';
import type { CaseId, ClipId, DerivedId } from '../../shared/ids.ts';
import { createClipRepository } from '../../main/cache/clipRepository.ts';
import { createDerivedRepository } from '../../main/cache/derivedRepository.ts';
import { transact } from '../../main/cache/database.ts';
import { box, motionRecord, movie, rmc, track, u64, vendorFree } from '../media/telemetry/clipWriter.ts';
import type { World } from './support.ts';

/** 32 minutes and 10 seconds past 22 h UTC; the cameras run five hours behind it. */
export const clipStartMs = Date.UTC(2026, 2, 14, 22, 32, 10);
const zoneMs = 5 * 3_600_000;

export interface ClipOptions {
  readonly startMs?: number;
  /** Of pictures; one key frame a second. */
  readonly seconds?: number;
  /** 30 a second unless told. */
  readonly frames?: number;
  /** Seconds of the clip that have a fix; every one unless told. */
  readonly fixes?: readonly number[];
  readonly hasTelemetry?: boolean;
  readonly hasAudio?: boolean;
  /** The file is cut short: of its pictures those up to here are in it. Without sound. */
  readonly picturesEndS?: number;
  /** Makes its bytes its own. */
  readonly tag?: string;
}

const two = (value: number): string => String(value).padStart(2, '0');

/** `20260314_173210_EF.mp4`: the name that a camera gives a clip of that moment. */
export function clipName(startMs = clipStartMs, letters = 'EF'): string {
  const at = new Date(startMs - zoneMs);
  const day = `${at.getUTCFullYear()}${two(at.getUTCMonth() + 1)}${two(at.getUTCDate())}`;
  return `${day}_${two(at.getUTCHours())}${two(at.getUTCMinutes())}${two(at.getUTCSeconds())}_${letters}.mp4`;
}

/** A clip with a fix every second and a G sample every 100 ms. */
export function clipBytes(options: ClipOptions = {}): Buffer {
  const { startMs = clipStartMs, seconds = 20, tag = '', hasTelemetry = true } = options;
  const fixes = options.fixes ?? Array.from({ length: seconds }, (_, i) => i);
  const lines = fixes.map((second) => {
    const utcMs = startMs + second * 1000;
    const fix = { latDeg: 41.5 + second / 10_000, lngDeg: -87.25, knots: 10, headingDeg: 5 };
    return `[${utcMs - zoneMs}]${rmc(utcMs, fix)}`;
  });
  const samples = Array.from({ length: seconds * 10 }, (_, i) =>
    motionRecord(i * 100, 128, i === 50 ? 384 : 0, 0),
  );
  const telemetry = vendorFree(
    box('cprt', `Maker ${tag}\0`),
    box('sttm', u64(startMs - zoneMs)),
    ...(hasTelemetry ? [box('gps ', lines.join('\n')), box('3gf ', ...samples)] : []),
  );
  const keyFrames = Array.from({ length: seconds }, (_, i) => i * 30 + 1);
  const video = track({ times: [[options.frames ?? seconds * 30, 1000]], keyFrames });
  const sound = track({ handler: 'soun', times: [[seconds, 30_000]], format: 'mp4a', keyFrames: null });
  const index = options.hasAudio ? movie(video, sound) : movie(video);
  const brand = box('ftyp', 'isom', Buffer.from([0, 0, 2, 0]), 'isomavc1');
  if (options.picturesEndS !== undefined) {
    const frames = { times: [[seconds * 30, 1000]] as const, keyFrames };
    const mediaAt = brand.length + telemetry.length + index.length + 8;
    const media = box('mdat', Buffer.alloc(seconds * 30 * 100, `pictures ${tag}`));
    const whole = Buffer.concat([
      brand,
      telemetry,
      movie(track({ ...frames, chunkOffsets: [mediaAt] })),
      media,
    ]);
    return whole.subarray(0, mediaAt + options.picturesEndS * 30 * 100);
  }
  return Buffer.concat([brand, telemetry, index, box('mdat', Buffer.alloc(512, `pictures ${tag}`))]);
}

/** Imports a clip as the window does; `psn` as a recall states it. */
export async function aClip(
  world: World,
  name: string,
  bytes: Buffer,
  psn: string | null = 'P1',
): Promise<ClipId> {
  const folder = fs.mkdtempSync(path.join(world.folder, 'card-'));
  const file = path.join(folder, name);
  fs.writeFileSync(file, bytes);
  const sourceId = await world.importFile(file);
  const clips = createClipRepository(world.cache.db);
  const found = clips.list({}).find((one) => one.sourceId === sourceId)!;
  if (psn !== null) transact(world.cache.db, () => clips.saveCamera(found.clipId, psn, found.quality));
  return found.clipId;
}

/** Keeps a still or a trim of a clip as the window's use cases do: a blob, a row, an exhibit. */
export async function aDerived(
  world: World,
  caseId: CaseId,
  clipId: ClipId,
  kind: DerivedKind,
  bytes: Buffer,
): Promise<Derived> {
  const clip = createClipRepository(world.cache.db).get(clipId);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const blob = world.cache.blobs.pathOf(sha256);
  fs.mkdirSync(path.dirname(blob), { recursive: true });
  fs.writeFileSync(blob, bytes);
  const stem = clip.fileName.replace('.mp4', '');
  const fileName =
    kind === 'trim' ? `${stem}-trim.mp4` : kind === 'still' ? `${stem}.png` : `${stem}-stamped.png`;
  const startUtcMs = clip.startUtcMs === null ? null : clip.startUtcMs + 5000;
  const recipe: Recipe = {
    schemaVersion: 1,
    kind,
    source: { clipId, fileName: clip.fileName, sha256: clip.sha256 },
    requestedS: { from: 5.01, to: kind === 'trim' ? 7 : 5.01 },
    actualS: { from: 5, to: kind === 'trim' ? 7 : 5.0333 },
    frameIndex: kind === 'trim' ? null : 150,
    startUtcMs,
    endUtcMs: startUtcMs === null ? null : startUtcMs + (kind === 'trim' ? 2000 : 33),
    uncertaintyMs: 1000,
    clockHow: 'From GPS.',
    tool: { name: 'Evidence Desk', version: '0.1.0' },
    output: { fileName, sha256, sizeBytes: bytes.length, widthPx: null, heightPx: null },
    lost: ['the telemetry'],
    stamp: kind === 'stamped-still' ? 'P1 22:32:15Z' : null,
  };
  const derivedId = `derived_${sha256.slice(0, 16)}` as DerivedId;
  const derived: Derived = {
    derivedId,
    clipId,
    kind,
    fileName,
    sha256,
    sizeBytes: bytes.length,
    caseId,
    actor: 'Inge',
    madeAtMs: world.now(),
    recipe,
  };
  createDerivedRepository(world.cache.db).insert(derived);
  await world.cases['cases.add']({ caseId, refs: [{ kind: 'derived', derivedId }] });
  return derived;
}
