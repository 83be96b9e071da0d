import { ActionIcon, Select, Tooltip } from '@mantine/core';
import {
  IconArrowLeft,
  IconArrowRight,
  IconCamera,
  IconFlipVertical,
  IconMaximize,
  IconMinimize,
  IconVolume,
  IconVolumeOff,
  IconZoomReset,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useStore } from 'zustand';
import type { ReviewChannel, ReviewSegment } from '../../../../shared/contract/review.ts';
import type { ClipId } from '../../../../shared/ids.ts';
import type { Review } from '../model.ts';
import { actionsOf } from './actions.ts';
import { brokenFromS, type PaneState } from './paneState.ts';
import { PictureAdjust } from './PictureAdjust.tsx';
import { plainPicture, type PictureLook } from './pictureLook.ts';
import { qualityWord, shortTime } from './playerWords.ts';
import { zoomOf } from './usePictureGestures.ts';
import classes from './player.module.css';

/** Head of a pane: what it shows, and everything that can be done with the picture. */
export function PaneTools({
  review,
  channel,
  name,
  place,
  segment,
  clipId,
  isPicture,
  brokenAt,
  look,
  onLook,
  hasSound,
  onSound,
}: {
  review: Review;
  channel: ReviewChannel;
  name: string;
  place: number;
  segment: ReviewSegment | null;
  clipId: ClipId | null;
  /** Without one there is nothing to mirror, brighten or keep. */
  isPicture: boolean;
  brokenAt: PaneState['brokenAt'];
  look: PictureLook;
  onLook: (look: PictureLook) => void;
  hasSound: boolean;
  onSound: (isOn: boolean) => void;
}) {
  const { channelId } = channel;
  const shown = useStore(review.store, (state) => state.shown);
  const isEnlarged = useStore(review.store, (state) => state.enlarged === channelId);
  const actions = actionsOf(review);
  const move = (to: number) => {
    const next = shown.filter((one) => one !== channelId);
    review.store.setState({ shown: [...next.slice(0, to), channelId, ...next.slice(to)] });
  };
  return (
    <header className={classes.tools}>
      <strong className={classes.name} title={segment ? `${name}\n${segment.fileName}` : name}>
        {lensName(channel)}
      </strong>
      <span className={classes.facts}>{factsOf(channel, segment)}</span>
      {brokenAt && (
        <span
          className={classes.warnBadge}
          title={
            brokenAt.kind === 'ends-early'
              ? segment?.damage.map(({ message }) => message).join('\n')
              : `This browser’s decoder gave up there.${brokenAt.isFileKnown && segment?.damage.length === 0 ? ' The file itself shows no damage.' : ''}`
          }
        >
          {brokenAt.kind === 'ends-early' ? 'cut short at' : 'not decoded at'}{' '}
          {shortTime(brokenFromS(brokenAt))}
        </span>
      )}
      <span className={classes.spring} />
      {segment && segment.alternatives.length > 0 && (
        <Quality review={review} segment={segment} clipId={clipId} />
      )}
      {segment?.hasAudio && (
        <Tool
          label={hasSound ? 'Sound off' : 'Sound on (of this view alone)'}
          isOn={hasSound}
          onClick={() => onSound(!hasSound)}
        >
          {hasSound ? <IconVolume size={15} /> : <IconVolumeOff size={15} />}
        </Tool>
      )}
      {isPicture && (
        <>
          <Tool
            label={look.isMirrored ? 'Show as recorded, not mirrored' : 'Mirror, as a rear mirror shows it'}
            isOn={look.isMirrored}
            onClick={() => onLook({ ...look, isMirrored: !look.isMirrored })}
          >
            <IconFlipVertical size={15} />
          </Tool>
          <PictureAdjust look={look} onLook={onLook} name={name} />
          {look.zoom > 1 && (
            <Tool
              label="Show the whole picture (0)"
              onClick={() => onLook({ ...look, ...zoomOf(plainPicture) })}
            >
              <IconZoomReset size={15} />
            </Tool>
          )}
        </>
      )}
      {shown.length > 1 && !isEnlarged && (
        <>
          {place > 0 && (
            <Tool label="Move to the left" onClick={() => move(place - 1)}>
              <IconArrowLeft size={15} />
            </Tool>
          )}
          {place < shown.length - 1 && (
            <Tool label="Move to the right" onClick={() => move(place + 1)}>
              <IconArrowRight size={15} />
            </Tool>
          )}
        </>
      )}
      {isPicture && (
        <Tool
          label={`Still of ${name}: this frame at full size, as PNG`}
          onClick={() => actions.still(channelId)}
        >
          <IconCamera size={15} />
        </Tool>
      )}
      {shown.length > 1 && (
        <Tool
          label={isEnlarged ? 'Side by side again (Enter, double-click)' : 'Enlarge (Enter, double-click)'}
          isOn={isEnlarged}
          onClick={() => actions.toggleEnlarged(channelId)}
        >
          {isEnlarged ? <IconMinimize size={15} /> : <IconMaximize size={15} />}
        </Tool>
      )}
    </header>
  );
}

/** The lens, which is what tells the panes of a camera apart; the camera where the lens is not known. */
function lensName({ direction, directionCode, cameraName, psn }: ReviewChannel): string {
  if (direction !== 'unknown') return `${direction.charAt(0).toUpperCase()}${direction.slice(1)}`;
  if (directionCode !== null) return `Lens ${directionCode}`;
  return cameraName ?? psn ?? 'Unknown camera';
}

function factsOf(
  { psn, cameraName, direction, directionCode }: ReviewChannel,
  segment: ReviewSegment | null,
): string {
  if (!segment) return '';
  const { video } = segment;
  // Nothing else tells files of unknown cameras apart.
  const file = psn === null && direction === 'unknown' ? `${segment.fileName} · ` : '';
  const isCameraSaid = direction === 'unknown' && directionCode === null;
  const of = `${isCameraSaid || (cameraName ?? psn) === null ? '' : `${cameraName ?? psn} · `}${file}`;
  if (!video) return `${of}${segment.hasAudio ? 'sound only' : 'not readable'}`;
  const fps =
    video.fps === null
      ? ''
      : ` · ${Number(video.fps.toFixed(2))} fps${video.isConstantRate ? '' : ', varying'}`;
  return `${of}${video.width}×${video.height}${fps}${video.isH265 ? ' · H.265' : ''}`;
}

/** A small button that leaves the focus where it was when it is clicked, so that keys stay the player's. */
function Tool({
  label,
  isOn,
  onClick,
  children,
}: {
  label: string;
  isOn?: boolean;
  onClick: () => void;
  children: ReactNode;
}) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        size={22}
        variant={isOn ? 'light' : 'subtle'}
        color={isOn ? 'accent' : 'gray'}
        aria-label={label}
        aria-pressed={isOn}
        onMouseDown={(event) => event.preventDefault()}
        onClick={onClick}
      >
        {children}
      </ActionIcon>
    </Tooltip>
  );
}

function Quality({
  review,
  segment,
  clipId,
}: {
  review: Review;
  segment: ReviewSegment;
  clipId: ClipId | null;
}) {
  const choices = [{ clipId: segment.clipId, quality: segment.quality }, ...segment.alternatives];
  return (
    <Select
      className={classes.quality}
      size="xs"
      aria-label="Quality shown"
      allowDeselect={false}
      comboboxProps={{ width: 110, position: 'bottom-end' }}
      value={clipId ?? segment.clipId}
      onChange={(value) => {
        const chosen = choices.find((choice) => choice.clipId === value);
        if (!chosen) return;
        const { chosenClip } = review.store.getState();
        review.store.setState({ chosenClip: new Map(chosenClip).set(segment.clipId, chosen.clipId) });
      }}
      data={choices.map((choice) => ({ value: choice.clipId, label: qualityWord(choice.quality) }))}
    />
  );
}
