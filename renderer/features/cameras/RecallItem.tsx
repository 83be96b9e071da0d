import { ActionIcon, Button, Tooltip } from '@mantine/core';
import {
  IconDeviceDesktopAnalytics,
  IconPlayerPlay,
  IconPlayerStop,
  IconRefresh,
  IconX,
} from '@tabler/icons-react';
import { memo, useState } from 'react';
import type { Recall } from '../../../shared/contract/recalls.ts';
import { toErrorData, type AppError } from '../../../shared/errors.ts';
import type { ClipId, RecallId } from '../../../shared/ids.ts';
import {
  ErrorDetails,
  Failure,
  formatDuration,
  notifyFailure,
  ProgressLine,
  Status,
  Time,
} from '../../ui/index.ts';
import { problemError } from '../account/problemError.ts';
import type { Rate } from '../jobs/index.ts';
import { AddClipToCase, type CaseAccess } from './AddClipToCase.tsx';
import classes from './cameras.module.css';
import { ClipPlayer } from './ClipPlayer.tsx';
import { clipIdOf } from './heldClip.ts';
import { bytesOf, countdownText, isEnded, stateWords, transferFacts } from './recallWords.ts';
import { useSecond } from './useSecond.ts';
import { transferText } from './words.ts';

const qualityNames = { sub: 'low', main: 'full' } as const;

/** One recall; drawn again only when it changed itself. `mediaUrl` null leaves the player out. */
export const RecallItem = memo(function RecallItem({
  recall,
  camera,
  rate,
  mediaUrl,
  cases,
  onCancel,
  onRetry,
  onDismiss,
  onReview,
}: {
  recall: Recall;
  camera: string;
  rate: Rate | undefined;
  mediaUrl: ((mediaPath: string) => string) | null;
  cases: CaseAccess | null;
  onCancel: (recall: Recall) => void;
  onRetry: (recallId: RecallId, isCostAccepted: boolean) => Promise<void>;
  onDismiss: (recallId: RecallId) => Promise<void>;
  onReview: (clipId: ClipId) => void;
}) {
  const { state, quality, filename } = recall;
  const nowMs = useSecond(state.status === 'waiting');
  const [isPlaying, setPlaying] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const words = stateWords(recall, nowMs);
  const name = `${filename}, ${qualityNames[quality]}`;
  const bytes = bytesOf(recall);
  /** A canceled one has no link any more: asking again is paid for like the first time. */
  const again = state.status === 'stopped' ? state.retryChargeBytes : recall.priceBytes;
  const retry = (isCostAccepted: boolean) => {
    setBusy(true);
    onRetry(recall.recallId, isCostAccepted)
      .catch((thrown: unknown) => notifyFailure('The recall was not taken up', thrown))
      .finally(() => setBusy(false));
  };
  const dismiss = () =>
    onDismiss(recall.recallId).catch((thrown: unknown) =>
      notifyFailure('The recall stays in the list', thrown),
    );
  return (
    <article className={classes.recall} role="listitem" aria-label={`Recall of ${name}, from ${camera}`}>
      <div className={classes.recallHead}>
        <span className={classes.recallName} title={`${camera} · ${filename}`}>
          {mediaUrl === null && <span className={classes.muted}>Recall </span>}
          {camera} · {filename}
        </span>
        <span className={classes.tag}>{qualityNames[quality]}</span>
        {isEnded(recall) ? (
          <Tooltip
            label={state.status === 'done' ? 'Take out of the list; the clip stays' : 'Take out of the list'}
          >
            <ActionIcon size={22} aria-label={`Dismiss ${name}`} onClick={() => void dismiss()}>
              <IconX size={14} />
            </ActionIcon>
          </Tooltip>
        ) : (
          <Tooltip label="Cancel…">
            <ActionIcon size={22} aria-label={`Cancel ${name}`} onClick={() => onCancel(recall)}>
              <IconPlayerStop size={14} />
            </ActionIcon>
          </Tooltip>
        )}
      </div>
      {bytes === null || state.status !== 'transferring' ? (
        <Status tone={words.tone}>{words.text}</Status>
      ) : (
        <>
          {state.problem !== null && <Status tone={words.tone}>{words.text}</Status>}
          <ProgressLine
            label={`Progress of ${name}`}
            share={bytes.total === null || bytes.total <= 0 ? null : Math.min(1, bytes.done / bytes.total)}
            left={transferFacts(recall)}
            right={rateWords(rate)}
          />
        </>
      )}
      {state.status === 'waiting' && (
        <>
          <WaitReason error={problemError(state.problem)} />
          <div className={classes.recallActs}>
            <Button variant="default" size="compact-xs" loading={isBusy} onClick={() => retry(false)}>
              Try now
            </Button>
            {recall.deadlineAtMs !== null && (
              <span className={classes.muted}>
                gives up {countdownText(recall.deadlineAtMs, nowMs)} (
                <Time utcMs={recall.deadlineAtMs} style="minute" />)
              </span>
            )}
          </div>
        </>
      )}
      {state.status === 'needs_consent' && (
        <>
          <div>{state.what}</div>
          <div className={classes.recallActs}>
            <Button size="compact-xs" loading={isBusy} onClick={() => retry(true)}>
              Go on · {transferText(state.chargeBytes)} charged
            </Button>
            <span className={classes.muted}>{transferText(state.receivedBytes)} are here already</span>
          </div>
        </>
      )}
      {state.status === 'stopped' && <Failure error={state.error} isInline />}
      {(state.status === 'stopped' || state.status === 'canceled') && (
        <div className={classes.recallActs}>
          <Button
            variant="default"
            size="compact-xs"
            leftSection={<IconRefresh size={13} />}
            loading={isBusy}
            onClick={() => retry(again > 0)}
          >
            {again > 0 ? `Try again · ${transferText(again)} charged` : 'Go on · nothing charged'}
          </Button>
        </div>
      )}
      {state.status === 'done' && (
        <>
          <div className={classes.recallActs}>
            <Button
              variant="default"
              size="compact-xs"
              leftSection={<IconDeviceDesktopAnalytics size={13} />}
              aria-label={`Review ${name}`}
              onClick={() => onReview(clipIdOf(state.sha256))}
            >
              Review
            </Button>
            {mediaUrl !== null && (
              <Button
                variant="default"
                size="compact-xs"
                leftSection={<IconPlayerPlay size={13} />}
                aria-expanded={isPlaying}
                aria-label={`${isPlaying ? 'Close' : 'Play'} ${name}`}
                onClick={() => setPlaying(!isPlaying)}
              >
                {isPlaying ? 'Close' : 'Play'}
              </Button>
            )}
            {cases !== null && <AddClipToCase sha256={state.sha256} fileName={filename} cases={cases} />}
            {recall.chargedBytes > 0 && (
              <span className={classes.muted}>{transferText(recall.chargedBytes)} charged</span>
            )}
          </div>
          {isPlaying && mediaUrl !== null && (
            <ClipPlayer sha256={state.sha256} title={name} fileName={filename} mediaUrl={mediaUrl} />
          )}
        </>
      )}
    </article>
  );
});

/** Waiting is no alarm: why, and what to do, in plain text. */
function WaitReason({ error }: { error: AppError }) {
  return (
    <div className={classes.muted}>
      {error.message} {error.remedy}
      <ErrorDetails error={toErrorData(error)} />
    </div>
  );
}

function rateWords(rate: Rate | undefined): string {
  if (!rate) return '';
  const parts: string[] = [];
  if (rate.perSecond !== null && rate.perSecond > 0)
    parts.push(`${transferText(Math.round(rate.perSecond))}/s`);
  if (rate.leftMs !== null) parts.push(`${formatDuration(rate.leftMs)} left`);
  return parts.join(' · ');
}
