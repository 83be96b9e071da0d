import type { Mark, MarkAnchor } from '../../../shared/contract/marks.ts';
import { toRfc3339 } from '../../../shared/time.ts';
import type { CameraClipCoverage, ClipStreamCoverage } from '../clipCoverage.ts';
import type { SealedClip } from '../clipFacts.ts';
import type { SealedDerived } from '../derivedFacts.ts';
import type { PreparedFile } from '../prepared.ts';
import { gapStatement, toGap, toSeconds, totalMs, toUtc } from './gapText.ts';

/** What evidence.json says of a clip: the file, what is in it, what is wrong with it. Its clock is in clock.json. */
export function toClipDocument({ clip, path, startUtcMs, endUtcMs, telemetry, prepared }: SealedClip) {
  const { facts } = clip;
  return {
    clipId: clip.clipId,
    sourceId: clip.sourceId,
    fileName: clip.fileName,
    path: path === null ? null : `data/${path}`,
    sha256: clip.sha256,
    sizeBytes: clip.sizeBytes,
    origin: clip.origin === 'recall' ? "recalled from the camera's card" : 'imported by a person',
    importedAt: toRfc3339(clip.importedAtMs),
    psn: clip.psn,
    resolution:
      clip.quality === 'main'
        ? 'full'
        : clip.quality === 'sub'
          ? 'low (a second stream of the camera)'
          : clip.quality,
    direction: facts?.name?.direction ?? null,
    directionCode: clip.directionCode,
    type: facts?.name?.type ?? null,
    typeCode: clip.typeCode,
    recordedAtLocal: clip.recordedAtLocal,
    start: toUtc(startUtcMs),
    end: toUtc(endUtcMs),
    durationSeconds: clip.durationS,
    video: facts?.video ?? null,
    hasAudio: facts?.hasAudio ?? null,
    isReadable: facts !== null,
    damage: facts?.damage ?? [],
    madeBy: facts?.makerText ?? null,
    telemetry: telemetry && {
      format: facts?.telemetryFormat ?? null,
      ...fileOf(telemetry),
      positions: facts?.gps
        ? { withFix: facts.gps.samples, withoutFix: facts.gps.withoutFix, bbox: facts.gps.bbox }
        : null,
      gSensor: facts?.gSensor
        ? {
            samples: facts.gSensor.samples,
            rateHz: facts.gSensor.rateHz,
            peakG: facts.gSensor.peakG,
            peakAtSeconds: facts.gSensor.peakOffsetMs === null ? null : toSeconds(facts.gSensor.peakOffsetMs),
          }
        : null,
    },
    telemetryStatement:
      telemetry === null ? 'no telemetry found' : prepared === null ? 'not read' : 'as the file holds it',
    skipped: facts?.skipped ?? [],
    notes: facts?.notes ?? [],
  };
}

/** What evidence.json says of a still or a trim; the recipe beside the file says all of it. */
export function toDerivedDocument({
  derived,
  path,
  recipePath,
  isSourceInside,
  retimed,
  slice,
}: SealedDerived) {
  const { recipe } = derived;
  return {
    derivedId: derived.derivedId,
    kind: derived.kind,
    fileName: derived.fileName,
    path: `data/${path}`,
    recipePath: `data/${recipePath}`,
    sha256: derived.sha256,
    sizeBytes: derived.sizeBytes,
    source: { ...recipe.source, isInPackage: isSourceInside },
    requestedSeconds: recipe.requestedS,
    actualSeconds: recipe.actualS,
    frameIndex: recipe.frameIndex,
    start: toUtc(recipe.startUtcMs),
    end: toUtc(recipe.endUtcMs),
    uncertaintySeconds: secondsOrNull(recipe.uncertaintyMs),
    // `start` and `end` are what was known when it was made, as its recipe, its name and its stamp say.
    byClockInUse: retimed && {
      start: toUtc(retimed.startUtcMs),
      end: toUtc(retimed.endUtcMs),
      note: 'the clock of the clip was set anew after this was made: see clock.json',
    },
    stamp: recipe.stamp,
    lost: recipe.lost,
    telemetry: slice && fileOf(slice),
    madeBy: derived.actor,
    madeAt: toRfc3339(derived.madeAtMs),
    tool: recipe.tool,
  };
}

/** A bookmark or a range as the reviewer wrote it. */
export function toMarkDocument(mark: Mark) {
  return {
    markId: mark.markId,
    kind: mark.kind,
    from: toUtc(mark.fromMs),
    to: toUtc(mark.toMs),
    uncertaintySeconds: secondsOrNull(mark.uncertaintyMs),
    onClip: toAnchor(mark.from),
    toOnClip: toAnchor(mark.to),
    title: mark.title,
    note: mark.note,
    tags: mark.tags,
    madeBy: mark.actor,
    madeAt: toRfc3339(mark.madeAtMs),
    editedAt: toRfc3339(mark.editedAtMs),
  };
}

/** One camera's rows of the coverage table. */
export function toClipCoverage(camera: CameraClipCoverage) {
  return {
    psn: camera.psn,
    clips: camera.clips,
    from: toUtc(camera.fromMs),
    to: toUtc(camera.toMs),
    streams: camera.streams.map((stream) => ({
      stream: stream.stream,
      basis: 'recorded',
      clips: stream.clips,
      samples: stream.samples,
      clipsOfUnknownTime: stream.unplaced,
      gapsLongerThanSeconds: toSeconds(stream.gapsLongerThanMs),
      gaps: stream.gaps?.map(toGap) ?? null,
      missingSeconds: stream.gaps === null ? null : toSeconds(totalMs(stream.gaps)),
      statement: statementOf(stream),
    })),
  };
}

function statementOf({ clips, gaps, unplaced }: ClipStreamCoverage): string {
  if (clips === 0) return 'not recorded';
  if (gaps === null) return 'recorded at an unknown time: gaps are unknown';
  const more =
    unplaced === 0
      ? ''
      : `; ${unplaced} ${unplaced === 1 ? 'clip is' : 'clips are'} of unknown time and not counted`;
  return `${gapStatement(gaps)}${more}`;
}

function fileOf({ path, file }: { readonly path: string; readonly file: PreparedFile | null }) {
  return { path: `data/${path}`, sha256: file?.sha256 ?? null, sizeBytes: file?.sizeBytes ?? null };
}

const toAnchor = (anchor: MarkAnchor | null) => anchor && { clipId: anchor.clipId, seconds: anchor.clipS };

const secondsOrNull = (ms: number | null): number | null => (ms === null ? null : toSeconds(ms));
