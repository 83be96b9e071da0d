import type { MarkAnchor } from '../../../../shared/contract/marks.ts';
import type {
  ReviewChannel,
  ReviewScene,
  ReviewSegment,
  SourceClock,
} from '../../../../shared/contract/review.ts';
import type { ClipId } from '../../../../shared/ids.ts';
import { segmentAt, toClipS, toSceneMs, type ReviewState, type ShownFrame } from '../model.ts';

/** A picture further from the clock than this belongs to a moment before a jump: it is still being loaded. */
const staleMs = 1000;

interface Place {
  readonly channel: ReviewChannel;
  readonly segment: ReviewSegment;
}
/** Scenes are never changed, only replaced: what was found in one holds. */
const placesOfScene = new WeakMap<ReviewScene, ReadonlyMap<ClipId, Place>>();

function placesOf(scene: ReviewScene): ReadonlyMap<ClipId, Place> {
  const known = placesOfScene.get(scene);
  if (known) return known;
  const places = new Map<ClipId, Place>();
  for (const channel of scene.channels) {
    for (const segment of channel.segments) {
      for (const { clipId } of segment.alternatives) places.set(clipId, { channel, segment });
      places.set(segment.clipId, { channel, segment });
    }
  }
  placesOfScene.set(scene, places);
  return places;
}

/** Where a clip lies in the scene; other qualities of a segment's recording lie where the segment does. */
export function placeOfClip(scene: ReviewScene, clipId: ClipId): Place | null {
  return placesOf(scene).get(clipId) ?? null;
}

/** Every clip of the scene, other qualities included. */
export function clipIdsOf(scene: ReviewScene): readonly ClipId[] {
  return [...placesOf(scene).keys()];
}

/** Scene time of a place on a clip by the clock in use; null where the clip is not in the scene. */
export function sceneMsOf(scene: ReviewScene, anchor: MarkAnchor): number | null {
  const place = placeOfClip(scene, anchor.clipId);
  return place ? toSceneMs(place.segment, anchor.clipS) : null;
}

/** "Van 07 · front" */
export function channelName(channel: ReviewChannel): string {
  const camera = channel.cameraName ?? channel.psn ?? 'Unknown camera';
  const direction =
    channel.direction === 'unknown'
      ? channel.directionCode === null
        ? null
        : `lens ${channel.directionCode}`
      : channel.direction;
  return direction === null ? camera : `${camera} · ${direction}`;
}

/** A segment's name is that of the quality it stands for; another one that was chosen is told apart by its quality. */
export function shownFileName(
  segment: Pick<ReviewSegment, 'clipId' | 'fileName' | 'alternatives'>,
  clipId: ClipId,
): string {
  if (clipId === segment.clipId) return segment.fileName;
  const chosen = segment.alternatives.find((one) => one.clipId === clipId);
  return `${segment.fileName} (${chosen?.quality ?? 'other'} quality)`;
}

/** The mapping of a clip's pictures to UTC; null where the scene has none. */
export function clockOfClip(scene: ReviewScene, clipId: ClipId): SourceClock | null {
  const place = placeOfClip(scene, clipId);
  const find = (wanted: ClipId) =>
    scene.clocks.find(({ subject }) => subject.kind === 'clip' && subject.clipId === wanted) ?? null;
  return find(clipId) ?? (place ? find(place.segment.clipId) : null);
}

/** Channels in the order in which a mark is pinned to one: the enlarged pane, those shown, then the others. */
function channelsByWeight(state: ReviewState): readonly ReviewChannel[] {
  const order = [state.enlarged, ...state.shown].filter((id) => id !== null);
  const byId = new Map(state.scene.channels.map((channel) => [channel.channelId, channel]));
  const first = order.flatMap((id) => byId.get(id) ?? []);
  return [...new Set([...first, ...state.scene.channels])];
}

/** The frame on screen that a mark of now is pinned to; null where no pane shows a picture of now. */
export function frameOf(state: ReviewState, sceneMs: number): ShownFrame | null {
  for (const { channelId } of channelsByWeight(state)) {
    const frame = state.frames.get(channelId);
    if (frame && Math.abs(frame.sceneMs - sceneMs) <= staleMs) return frame;
  }
  return null;
}

/** Where on a clip a scene time lies, by the weightiest channel that has a picture then. */
export function anchorAt(state: ReviewState, sceneMs: number): MarkAnchor | null {
  for (const { segments } of channelsByWeight(state)) {
    // A range may end where a clip ends: that instant is the clip's last.
    const segment = segmentAt(segments, sceneMs) ?? segments.find(({ endMs }) => endMs === sceneMs);
    if (!segment) continue;
    return {
      clipId: state.chosenClip.get(segment.clipId) ?? segment.clipId,
      clipS: Math.min(segment.durationS, Math.max(0, toClipS(segment, sceneMs))),
    };
  }
  return null;
}
