import { sceneRequestSchema, type SceneRequest } from '../../shared/contract/review.ts';
import type { ClipId } from '../../shared/ids.ts';

/** A scene in the address: what to open, and where in it to begin (scene ms, null: where the scene says). */
export interface ReviewAddress {
  readonly request: SceneRequest | null;
  readonly atMs: number | null;
}

/** Stands for the camera that nobody knows, where an address names a camera. */
const unknownCamera = '~';
const milliseconds = /^-?\d{1,16}(?:\.\d{1,6})?$/;

/**
 * Reads what follows `#/review/`: `clip/<clipId>[/<atMs>]`, `clips/<clipId>,<clipId>…[/<atMs>]`,
 * `trip/<tripId>[/<atMs>]`, `case/<caseId>[/<atMs>]`, `moment/<psn|~>/<utcMs>`,
 * `place/<lat>,<lng>,<radiusM>/<fromMs>/<toMs>[/<atMs>]`. What is not of this form is the start page. Pure.
 */
export function parseReview(parts: readonly string[]): ReviewAddress {
  const [kind, subject = '', second, third, fourth] = parts;
  const atMs = toMs(kind === 'place' ? fourth : second);
  const moment = toMs(second);
  const candidate = (): unknown => {
    switch (kind) {
      case 'clip':
        return { kind, clipId: subject };
      case 'clips':
        return { kind, clipIds: subject.split(',') };
      case 'trip':
        return atMs === null ? { kind, tripId: subject } : { kind, tripId: subject, atMs };
      case 'case':
        return { kind, caseId: subject };
      case 'moment':
        return { kind, psn: subject === unknownCamera ? null : decodeURIComponent(subject), atMs: moment };
      case 'place': {
        const [latDeg, lngDeg, radiusM] = subject.split(',').map(toNumber);
        return { kind, circle: { latDeg, lngDeg, radiusM }, fromMs: toMs(second), toMs: toMs(third) };
      }
      default:
        return null;
    }
  };
  try {
    const read = sceneRequestSchema.safeParse(candidate());
    if (!read.success) return { request: null, atMs: null };
    const hasOwnTime = read.data.kind === 'trip' || read.data.kind === 'moment';
    return { request: read.data, atMs: hasOwnTime ? null : atMs };
  } catch {
    return { request: null, atMs: null }; // `%` without its digits: not ours
  }
}

function toMs(part: string | undefined): number | null {
  return part !== undefined && milliseconds.test(part) ? Number(part) : null;
}
function toNumber(part: string): number {
  return /^-?\d+(?:\.\d+)?$/.test(part) ? Number(part) : NaN;
}

/** The hash that `parseReview` reads back. Pure. */
export function reviewHash({ request, atMs }: ReviewAddress): string {
  if (request === null) return '#/review';
  const at = atMs === null ? '' : `/${atMs}`;
  switch (request.kind) {
    case 'clip':
      return `#/review/clip/${request.clipId}${at}`;
    case 'clips':
      return `#/review/clips/${request.clipIds.join(',')}${at}`;
    case 'trip':
      return `#/review/trip/${request.tripId}${request.atMs === undefined ? '' : `/${request.atMs}`}`;
    case 'case':
      return `#/review/case/${request.caseId}${at}`;
    case 'moment': {
      const camera = request.psn === null ? unknownCamera : encodeCamera(request.psn);
      return `#/review/moment/${camera}/${request.atMs}`;
    }
    case 'place': {
      const { latDeg, lngDeg, radiusM } = request.circle;
      const circle = [latDeg, lngDeg, radiusM].map(plainNumber).join(',');
      return `#/review/place/${circle}/${request.fromMs}/${request.toMs}${at}`;
    }
  }
}

/** A serial that is `~` itself must not turn into the unknown camera. */
function encodeCamera(psn: string): string {
  return encodeURIComponent(psn).replaceAll('~', '%7E');
}

/** Never in powers of ten: `1e-7` would not be read back. */
function plainNumber(value: number): string {
  const text = String(value);
  return text.includes('e') ? value.toFixed(12) : text;
}

/** What one scene takes (contract `review.scene`). */
const mostClips = 5000;

/** A clip with its other lens and neighbours; several exactly as they are. */
export function requestOfClips(clipIds: readonly ClipId[]): SceneRequest | null {
  const [only] = clipIds;
  if (only === undefined) return null;
  if (clipIds.length === 1) return { kind: 'clip', clipId: only };
  return { kind: 'clips', clipIds: clipIds.slice(0, mostClips) };
}
