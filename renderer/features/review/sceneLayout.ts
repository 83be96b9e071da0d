import type { ReviewScene, SceneRequest } from '../../../shared/contract/review.ts';
import type { ClipId } from '../../../shared/ids.ts';
import { segmentAt, toClipS, toSceneMs, type SceneSpan } from './model.ts';

/** Panes at most; more would be stamps, not pictures. */
export const maxShown = 4;

/** A longer scene begins zoomed to its focus; the whole of it is one act away. */
const longestFirstViewMs = 30 * 60_000;
const firstViewMs = 15 * 60_000;

/** `sceneMs` brought into the scene. Pure. */
export function withinScene(scene: SceneSpan, sceneMs: number): number {
  return Math.max(scene.fromMs, Math.min(scene.toMs, sceneMs));
}

/**
 * The channels that get a pane at first: those of the first camera (front, option, …); of every camera where the
 * request itself names several. Those without anything at the focus come last. Pure.
 */
export function firstShown(scene: ReviewScene, request: SceneRequest): readonly string[] {
  const { channels, focusMs } = scene;
  const isOfMany = request.kind === 'place' || request.kind === 'clips' || request.kind === 'case';
  const lead = channels.find(({ segments }) => segmentAt(segments, focusMs)) ?? channels[0];
  const wanted = isOfMany ? channels : channels.filter(({ psn }) => psn === lead?.psn);
  const order = [...wanted].sort(
    (a, b) => Number(!segmentAt(a.segments, focusMs)) - Number(!segmentAt(b.segments, focusMs)),
  );
  const chosen = new Set(order.slice(0, isOfMany ? maxShown : 2).map(({ channelId }) => channelId));
  return channels.map(({ channelId }) => channelId).filter((channelId) => chosen.has(channelId));
}

/** What the charts show at first. Pure. */
export function firstView(scene: SceneSpan, focusMs: number): SceneSpan {
  if (scene.toMs - scene.fromMs <= longestFirstViewMs) return { fromMs: scene.fromMs, toMs: scene.toMs };
  const fromMs = Math.max(scene.fromMs, Math.min(focusMs - firstViewMs / 2, scene.toMs - firstViewMs));
  return { fromMs, toMs: fromMs + firstViewMs };
}

/** A picture, by what no clock moves: the clip and the second on it. */
export interface SceneAnchor {
  readonly clipId: ClipId;
  readonly clipS: number;
}

/** What runs at a scene time on the first channel that has something then; null in a gap of all. Pure. */
export function anchorAt(scene: ReviewScene, shown: readonly string[], sceneMs: number): SceneAnchor | null {
  const first = scene.channels.filter(({ channelId }) => shown.includes(channelId));
  for (const { segments } of [...first, ...scene.channels]) {
    const segment = segmentAt(segments, sceneMs);
    if (segment) return { clipId: segment.clipId, clipS: toClipS(segment, sceneMs) };
  }
  return null;
}

/** Where an anchor lies in a scene; null when its clip is not in it. Pure. */
export function sceneMsOf(scene: ReviewScene, anchor: SceneAnchor): number | null {
  for (const { segments } of scene.channels) {
    const segment = segments.find(({ clipId }) => clipId === anchor.clipId);
    if (segment) return toSceneMs(segment, anchor.clipS);
  }
  return null;
}

/** A view moved along with its picture and cut to the scene; the first view where nothing of it is left. Pure. */
export function movedView(view: SceneSpan, byMs: number, scene: SceneSpan, focusMs: number): SceneSpan {
  const fromMs = Math.max(scene.fromMs, view.fromMs + byMs);
  const toMs = Math.min(scene.toMs, view.toMs + byMs);
  return toMs > fromMs ? { fromMs, toMs } : firstView(scene, focusMs);
}
