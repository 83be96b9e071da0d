import { useEffect, useState } from 'react';
import type { ClipId } from '../../../../shared/ids.ts';
import type { Review } from '../model.ts';

/**
 * The wall clock of the camera at a clip's start, "2026-03-14 17:32:05", as its file says; it names no zone. Null
 * while it is read and where the file says none; null `clipId`: nothing is read.
 */
export function useCameraStart({ host }: Pick<Review, 'host'>, clipId: ClipId | null): string | null {
  const [found, setFound] = useState<{ clipId: ClipId; text: string | null } | null>(null);
  useEffect(() => {
    if (clipId === null) return;
    let isGone = false;
    host.client.invoke('clips.get', { clipId }).then(
      (clip) => {
        const text = clip.recordedAtLocal ?? clip.facts?.recordedAtLocal ?? null;
        if (!isGone) setFound({ clipId, text: text?.replace('T', ' ').slice(0, 19) ?? null });
      },
      () => undefined, // a help that is not there; the time can be typed all the same
    );
    return () => {
      isGone = true;
    };
  }, [host, clipId]);
  return found !== null && found.clipId === clipId ? found.text : null;
}
