import { useState } from 'react';
import type { ClipDetail } from '../../../shared/contract/clips.ts';
import type { ClipId } from '../../../shared/ids.ts';
import { useClient } from '../../app/client/index.ts';
import { HashText, Notice } from '../../ui/index.ts';
import classes from './cameras.module.css';

/** Clips are kept under the beginning of their hash. */
export function clipIdOf(sha256: string): ClipId {
  return `clip_${sha256.slice(0, 16)}` as ClipId; // the brand has no runtime form
}

/** What the library knows of a clip that does not play; null: it does not know the clip. */
type Known = { readonly clip: ClipDetail | null };

/** A held clip, played from this machine. What this window has no decoder for is said in words, not shown black. */
export function ClipPlayer({
  sha256,
  title,
  fileName,
  mediaUrl,
}: {
  sha256: string;
  title: string;
  /** Of a saved copy. */
  fileName: string;
  mediaUrl: (mediaPath: string) => string;
}) {
  const client = useClient();
  const [known, setKnown] = useState<Known | null>(null);
  const clipId = clipIdOf(sha256);
  const address = mediaUrl(`media/clip/${clipId}`);
  const explain = () => {
    client.invoke('clips.get', { clipId }).then(
      (clip) => setKnown({ clip }),
      () => setKnown({ clip: null }),
    );
  };
  return (
    <div className={classes.player}>
      {known !== null ? (
        <Notice tone="warn">
          <strong>This clip can’t be shown here.</strong> {whyNot(known)}{' '}
          {known.clip !== null && (
            <>
              The file is complete and kept:{' '}
              <a href={address} download={fileName}>
                save a copy
              </a>{' '}
              to watch it in another player.
            </>
          )}
        </Notice>
      ) : (
        <video
          controls
          muted
          preload="metadata"
          src={address}
          aria-label={title}
          onError={explain}
          onLoadedMetadata={(event) => {
            // Sound without a picture: the video track is of a kind that is not decoded here.
            if (event.currentTarget.videoWidth === 0) explain();
          }}
        />
      )}
      <HashText hash={sha256} />
    </div>
  );
}

function whyNot({ clip }: Known): string {
  if (clip === null) return 'The library does not hold it.';
  const video = clip.facts?.video;
  if (video?.isH265) return `Its video is H.265 (${video.codec}), for which this window has no decoder.`;
  if (video) return `This window does not play its video (${video.codec}).`;
  return 'Its video could not be read.';
}
