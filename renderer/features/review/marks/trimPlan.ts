import type { ClipId } from '../../../../shared/ids.ts';
import { shownFileName } from './anchors.ts';
import { toClipS, toSceneMs, type ReviewState, type SceneSpan, type TrimPart } from '../model.ts';

/** What is to be cut of one clip, before the core was asked where a lossless cut can be made. */
export interface TrimWish extends Omit<TrimPart, 'actual'> {
  readonly clipId: ClipId;
}

/** In and out as a span; null unless both are set and there is time between them. */
export function chosenSpan(state: Pick<ReviewState, 'inMs' | 'outMs'>): SceneSpan | null {
  const { inMs, outMs } = state;
  return inMs !== null && outMs !== null && inMs < outMs ? { fromMs: inMs, toMs: outMs } : null;
}

/** The parts of a channel's clips that lie in the span, in order of time; those without pictures are left out. */
export function planTrim(state: ReviewState, channelId: string, span: SceneSpan): readonly TrimWish[] {
  const channel = state.scene.channels.find((one) => one.channelId === channelId);
  return (channel?.segments ?? []).flatMap((segment) => {
    if (!segment.video || segment.endMs <= span.fromMs || segment.startMs >= span.toMs) return [];
    const clamp = (clipS: number) => Math.min(segment.durationS, Math.max(0, clipS));
    const clipId = state.chosenClip.get(segment.clipId) ?? segment.clipId;
    return [
      {
        clipId,
        fileName: shownFileName(segment, clipId),
        askedS: { from: clamp(toClipS(segment, span.fromMs)), to: clamp(toClipS(segment, span.toMs)) },
        sceneMsOf: (clipS: number) => toSceneMs(segment, clipS),
      },
    ];
  });
}
