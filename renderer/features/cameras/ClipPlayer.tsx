import { useState } from 'react';
import { HashText, Notice } from '../../ui/index.ts';
import classes from './cameras.module.css';

/** Where a held clip is played from: clips are kept under the beginning of their hash. */
export function clipPath(sha256: string): string {
  return `media/clip/clip_${sha256.slice(0, 16)}`;
}

/** A held clip, played from this machine. What this window has no decoder for is said in words, not shown black. */
export function ClipPlayer({
  sha256,
  title,
  mediaUrl,
}: {
  sha256: string;
  title: string;
  mediaUrl: (mediaPath: string) => string;
}) {
  const [fault, setFault] = useState<number | null>(null);
  const [size, setSize] = useState<{ width: number; height: number } | null>(null);
  const address = mediaUrl(clipPath(sha256));
  // Sound without a picture: the video track is of a kind that is not decoded here.
  const isPictureless = size !== null && size.width === 0;
  return (
    <div className={classes.player}>
      {fault !== null || isPictureless ? (
        <Notice tone="warn">
          <strong>This clip can’t be shown here.</strong>{' '}
          {fault === MediaError.MEDIA_ERR_NETWORK
            ? 'Its file could not be read.'
            : 'Its video is probably H.265, for which this computer has no decoder in this window.'}{' '}
          The file itself is complete and kept:{' '}
          <a href={address} download>
            save a copy
          </a>{' '}
          to watch it in another player.
        </Notice>
      ) : (
        <video
          controls
          muted
          preload="metadata"
          src={address}
          aria-label={title}
          onError={(event) => setFault(event.currentTarget.error?.code ?? 0)}
          onLoadedMetadata={(event) =>
            setSize({ width: event.currentTarget.videoWidth, height: event.currentTarget.videoHeight })
          }
        />
      )}
      <HashText hash={sha256} />
    </div>
  );
}
