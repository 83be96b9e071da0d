import { Button } from '@mantine/core';
import {
  IconAlertTriangle,
  IconCloudOff,
  IconFileBroken,
  IconMovieOff,
  IconRefresh,
  IconVolume,
  IconDeviceSdCard,
} from '@tabler/icons-react';
import type { ComponentType, ReactNode } from 'react';
import type { ReviewChannel, ReviewSegment } from '../../../../shared/contract/review.ts';
import { formatDuration } from '../../../ui/index.ts';
import { typeWord } from '../charts/coverage.ts';
import { formatMomentTime, momentZoneName, type MomentZone } from '../marks/momentText.ts';
import { useMomentZone } from '../marks/useMomentZone.ts';
import { toSceneMs, type Review } from '../model.ts';
import type { Pane } from './pane.ts';
import { brokenFromS, type PaneView, type PictureProblem } from './paneState.ts';
import { qualityWord, shortTime } from './playerWords.ts';
import classes from './player.module.css';

/** What stands in the place of a picture: what is the matter, what it means, what to do. */
export function PaneCard({
  review,
  pane,
  channel,
  view,
  segment,
}: {
  review: Review;
  pane: Pane;
  channel: ReviewChannel;
  view: Exclude<PaneView, { kind: 'picture' }>;
  segment: ReviewSegment | null;
}) {
  const zone = useMomentZone(review);
  if (view.kind === 'gap') return <GapCard review={review} channel={channel} view={view} zone={zone} />;
  if (!segment) return null;
  return <ProblemCard review={review} pane={pane} problem={view.problem} segment={segment} />;
}

function Card({
  icon: Icon,
  title,
  children,
  actions,
  kind,
}: {
  icon: ComponentType<{ size?: number; stroke?: number }>;
  title: string;
  children: ReactNode;
  actions?: ReactNode;
  kind: string;
}) {
  return (
    <div className={classes.card} role="status" data-testid="review-pane-card" data-kind={kind}>
      <Icon size={26} stroke={1.4} />
      <h3>{title}</h3>
      <div className={classes.cardText}>{children}</div>
      {actions && <div className={classes.cardActs}>{actions}</div>}
    </div>
  );
}

function GapCard({
  review,
  channel,
  view,
  zone,
}: {
  review: Review;
  channel: ReviewChannel;
  view: Extract<PaneView, { kind: 'gap' }>;
  zone: MomentZone;
}) {
  const { fromMs, toMs, onCard } = view;
  const time = (ms: number) => <b>{formatMomentTime(ms, zone).slice(0, -4)}</b>;
  const here = fromMs ?? toMs;
  const span =
    fromMs !== null && toMs !== null ? (
      <>
        Nothing from {time(fromMs)} to {time(toMs)} ({formatDuration(toMs - fromMs)})
      </>
    ) : fromMs !== null ? (
      <>Nothing after {time(fromMs)}</>
    ) : toMs !== null ? (
      <>Nothing before {time(toMs)}</>
    ) : (
      <>Nothing of this view</>
    );
  const first = onCard[0];
  return (
    <Card
      icon={first ? IconDeviceSdCard : IconMovieOff}
      title={first ? 'On the card, not recalled' : 'No recording here'}
      kind={first ? 'on-card' : 'gap'}
      actions={
        <>
          {fromMs !== null && (
            <Button
              variant="default"
              size="compact-xs"
              onClick={() => {
                const before = channel.segments.findLast(({ endMs }) => endMs <= fromMs);
                if (before) review.clock.seek(before.endMs - 1);
              }}
            >
              Last picture before
            </Button>
          )}
          {toMs !== null && (
            <Button variant="default" size="compact-xs" onClick={() => review.clock.seek(toMs)}>
              First picture after
            </Button>
          )}
        </>
      }
    >
      <p>
        {span}
        {here !== null && <> {momentZoneName(here, zone)}</>}.
      </p>
      {first && (
        <p>
          The card held {first.filename}
          {typeWord(first.typeCode) ? ` (${typeWord(first.typeCode)})` : ''} when it was listed. Recall it
          from the camera’s card to see it here.
        </p>
      )}
    </Card>
  );
}

function ProblemCard({
  review,
  pane,
  problem,
  segment,
}: {
  review: Review;
  pane: Pane;
  problem: PictureProblem;
  segment: ReviewSegment;
}) {
  const damage = segment.damage.map(({ message }) => message).join(' ');
  const save = <SaveCopy review={review} segment={segment} />;
  const retry = (
    <Button
      variant="default"
      size="compact-xs"
      leftSection={<IconRefresh size={13} />}
      onClick={() => pane.retry()}
    >
      Try again
    </Button>
  );
  const file = <span className={classes.cardFile}>{segment.fileName}</span>;
  switch (problem.kind) {
    case 'sound-only':
      return (
        <Card icon={IconVolume} title="Sound without pictures" kind={problem.kind} actions={save}>
          <p>{file} has no video track. Its sound plays along; switch it on above.</p>
        </Card>
      );
    case 'unreadable':
      return (
        <Card
          icon={IconFileBroken}
          title="This file can’t be read as a video"
          kind={problem.kind}
          actions={save}
        >
          <p>
            {file}: {damage || 'no track could be read.'}
          </p>
          <p>
            The file is kept as it came. Recall or copy it from the card again; everything else here goes on.
          </p>
        </Card>
      );
    case 'no-decoder':
      return <NoDecoder review={review} problem={problem} segment={segment} save={save} retry={retry} />;
    case 'ends-early': {
      const fromS = brokenFromS(problem);
      return (
        <Card
          icon={IconAlertTriangle}
          title="The pictures end before this"
          kind={problem.kind}
          actions={
            <>
              {Number.isFinite(problem.playedToS) && (
                <Button
                  variant="default"
                  size="compact-xs"
                  onClick={() => review.clock.seek(toSceneMs(segment, problem.playedToS))}
                >
                  Last picture played
                </Button>
              )}
              {retry}
              {save}
            </>
          }
        >
          <p>
            {file} promises {shortTime(segment.durationS)};{' '}
            {fromS === problem.playedToS ? 'playing it ended at' : 'no picture comes at'} {shortTime(fromS)}.
            {damage && ` ${damage}`}
          </p>
          <p>
            {fromS === problem.playedToS && 'Some frames after it may still be shown: pause there and step. '}
            A fresh copy from the card may be whole.
          </p>
        </Card>
      );
    }
    case 'decoder-fails':
      return (
        <Card
          icon={IconMovieOff}
          title="This browser can’t decode the pictures from here on"
          kind={problem.kind}
          actions={
            <>
              {retry}
              {save}
            </>
          }
        >
          <p>
            Its decoder first gave up at {shortTime(brokenFromS(problem))} of {file};{' '}
            {problem.isFileKnown
              ? damage
                ? `no part of its pictures is known to be missing. ${damage}`
                : 'the file itself shows no damage.'
              : 'whether this quality of it is whole is not known here.'}
          </p>
          <p>
            Step or go to another place, or play into this one from earlier: pictures there may come. Try
            again loads the video anew at this time.
          </p>
        </Card>
      );
    case 'missing':
      return (
        <Card
          icon={IconFileBroken}
          title="The original is not here any more"
          kind={problem.kind}
          actions={retry}
        >
          <p>
            {file} is known to the library, but its file is missing from the cache. Import or recall it again.
          </p>
        </Card>
      );
    case 'host':
      return (
        <Card
          icon={IconCloudOff}
          title="The picture could not be fetched"
          kind={problem.kind}
          actions={retry}
        >
          <p>
            Evidence Desk did not answer for {file}. Check that it still runs on this computer; this view
            tries again by itself when the connection is back.
          </p>
        </Card>
      );
  }
}

function NoDecoder({
  review,
  problem,
  segment,
  save,
  retry,
}: {
  review: Review;
  problem: Extract<PictureProblem, { kind: 'no-decoder' }>;
  segment: ReviewSegment;
  save: ReactNode;
  retry: ReactNode;
}) {
  const isH265 = segment.video?.isH265 ?? false;
  const codec = segment.video?.codec ?? 'unknown';
  const choose = (clipId: ReviewSegment['clipId']) => {
    const { chosenClip } = review.store.getState();
    review.store.setState({ chosenClip: new Map(chosenClip).set(segment.clipId, clipId) });
  };
  return (
    <Card
      icon={IconMovieOff}
      title={isH265 ? 'H.265 can’t be shown on this computer' : 'This video can’t be shown here'}
      kind={problem.kind}
      actions={
        <>
          {segment.alternatives.map(({ clipId, quality }) => (
            <Button key={clipId} variant="default" size="compact-xs" onClick={() => choose(clipId)}>
              Show the {qualityWord(quality)} one
            </Button>
          ))}
          {save}
          {retry}
        </>
      }
    >
      <p>
        <span className={classes.cardFile}>{segment.fileName}</span> is {isH265 ? 'H.265' : 'encoded'} (
        {codec}
        {problem.isSaidToBeSupported ? '; this window says it can decode it, but could not' : ''}), for which
        this window has no {isH265 ? 'hardware ' : ''}decoder.
      </p>
      <p>
        Charts, map, marks, trims and packages work without the picture. To see it: recall the low quality,
        save a copy for another player, or open it on a computer whose graphics decode{' '}
        {isH265 ? 'H.265' : 'it'}.
      </p>
    </Card>
  );
}

function SaveCopy({ review, segment }: { review: Review; segment: ReviewSegment }) {
  return (
    <Button
      component="a"
      href={review.host.mediaUrl(`media/clip/${segment.clipId}`)}
      download={segment.fileName}
      variant="default"
      size="compact-xs"
    >
      Save a copy
    </Button>
  );
}
