import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { useStore } from 'zustand';
import type { SourceClock } from '../../../../shared/contract/review.ts';
import { Failure, Loading, notifyInfo } from '../../../ui/index.ts';
import { MomentInput } from '../marks/MomentInput.tsx';
import { formatMomentTime, formatShift, type MomentZone } from '../marks/momentText.ts';
import type { Review } from '../model.ts';
import classes from './clocks.module.css';
import { moveBy } from './clockChange.ts';
import { nearestSampleMs } from './curve.ts';
import type { Draft } from './draft.ts';
import { frameName, framesShown } from './frameShown.ts';
import { useCurves } from './useCurves.ts';

/** A cursor further than this from any sample points at none. */
const nearMs = 3000;

interface Sample {
  readonly ms: number;
  /** What it is, for the reason. */
  readonly what: string;
}

/** For telemetry and tracks: a sample of the source is what the frame on screen shows. */
export function MatchSample({
  review,
  clock,
  zone,
  onDraft,
}: {
  review: Review;
  clock: SourceClock;
  zone: MomentZone;
  onDraft: (draft: Draft) => void;
}) {
  const state = useStore(review.store);
  const curves = useCurves(review, clock.subject);
  const [sample, setSample] = useState<Sample | null>(null);
  const frame = framesShown(state)[0] ?? null;
  const deltaMs = sample && frame ? frame.sceneMs - sample.ms : null;
  const change = deltaMs === null || Math.abs(deltaMs) < 0.5 ? null : moveBy(clock, deltaMs);
  const takeAtCursor = () => {
    if (curves.status !== 'ready') return;
    const cursorMs = review.clock.nowMs();
    const found = curves.value.curves
      .map((curve) => nearestSampleMs(curve, cursorMs, nearMs))
      .filter((ms) => ms !== null)
      .sort((a, b) => Math.abs(a - cursorMs) - Math.abs(b - cursorMs))[0];
    if (found === undefined) notifyInfo('No sample here', 'This source has no sample near the cursor.');
    else setSample({ ms: found, what: `the sample at ${formatMomentTime(found, zone)}` });
  };
  const peak = curves.status === 'ready' ? curves.value.peak : null;
  return (
    <div className={classes.mode}>
      <div className={classes.label}>1. A moment of the source</div>
      {curves.status === 'loading' && <Loading label="Reading the samples" />}
      {curves.status === 'failed' && <Failure error={curves.error} isInline />}
      <Group gap={4}>
        {peak && (
          <Button
            variant="default"
            size="compact-xs"
            onClick={() =>
              setSample({
                ms: peak.timeMs,
                what: `the G peak of ${peak.valueG.toFixed(1)} g without gravity`,
              })
            }
          >
            G peak, {peak.valueG.toFixed(1)} g
          </Button>
        )}
        <Button
          variant="default"
          size="compact-xs"
          disabled={curves.status !== 'ready'}
          onClick={takeAtCursor}
        >
          Sample at the cursor
        </Button>
      </Group>
      <MomentInput
        label="Moment of the source"
        ms={sample?.ms ?? null}
        zone={zone}
        nearMs={review.clock.nowMs()}
        onChange={(ms) =>
          setSample(
            ms === null ? null : { ms, what: `the moment that it places at ${formatMomentTime(ms, zone)}` },
          )
        }
      />
      <div className={classes.label}>2. The frame that shows it</div>
      <div>
        {frame ? (
          frameName(state, frame)
        ) : (
          <span className={classes.muted}>Go to the frame in which it is seen.</span>
        )}
      </div>
      <div className={classes.result} aria-live="polite">
        <span>
          {deltaMs === null
            ? 'Both are needed.'
            : change === null
              ? 'They lie together already.'
              : `The source moves by ${formatShift(deltaMs)}.`}
        </span>
        <Button
          disabled={!change}
          onClick={() =>
            change &&
            frame &&
            sample &&
            onDraft({ change, reason: `${frameName(state, frame)} shows ${sample.what}.` })
          }
        >
          Check and set…
        </Button>
      </div>
    </div>
  );
}
