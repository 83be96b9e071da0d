import type { ClipId } from '../../../../shared/ids.ts';
import { channelName, placeOfClip } from '../marks/anchors.ts';
import type { ReviewState, ShownFrame } from '../model.ts';

/** The frame of one recording that is on screen (whatever its quality); null where none is. */
export function frameOfClip(state: ReviewState, clipId: ClipId): ShownFrame | null {
  const place = placeOfClip(state.scene, clipId);
  if (!place) return null;
  const frame = state.frames.get(place.channel.channelId);
  if (!frame) return null;
  return placeOfClip(state.scene, frame.clipId)?.segment === place.segment ? frame : null;
}

/** The frames on screen, left to right. */
export function framesShown(state: ReviewState): readonly ShownFrame[] {
  return state.shown.flatMap((channelId) => state.frames.get(channelId) ?? []);
}

/** "Van 07 · front, frame 301 (10.033 s)" */
export function frameName(state: ReviewState, frame: ShownFrame): string {
  const channel = state.scene.channels.find(({ channelId }) => channelId === frame.channelId);
  const number = frame.frameIndex === null ? '' : `frame ${frame.frameIndex}, `;
  return `${channel ? channelName(channel) : 'picture'}, ${number}${frame.clipS.toFixed(3)} s`;
}

/** UTC of a clip's first frame if the frame shown was at `utcMs`. */
export function startFromFrame(state: ReviewState, frame: ShownFrame, utcMs: number): number {
  const rate = placeOfClip(state.scene, frame.clipId)?.segment.rate ?? 1;
  return utcMs - frame.clipS * 1000 * rate;
}
