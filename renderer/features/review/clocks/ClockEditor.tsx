import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { useStore } from 'zustand';
import type { SourceClock } from '../../../../shared/contract/review.ts';
import type { MomentZone } from '../marks/momentText.ts';
import type { Review } from '../model.ts';
import { ByAmount } from './ByAmount.tsx';
import { ByCurve } from './ByCurve.tsx';
import classes from './clocks.module.css';
import { frameMsOf, movesWith } from './clockChange.ts';
import type { Draft } from './draft.ts';
import { MatchFrame } from './MatchFrame.tsx';
import { MatchSample } from './MatchSample.tsx';

type Mode = 'match' | 'amount' | 'curve';

/** The three ways to move a source in time. Nothing is set here: a draft is handed on to be checked. */
export function ClockEditor({
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
  const scene = useStore(review.store, (state) => state.scene);
  const { subject } = clock;
  // A clip of unknown time has nothing to be moved from.
  const isUnknown = subject.kind === 'clip' && clock.startUtcMs === null;
  const [chosen, setMode] = useState<Mode>('match');
  const mode = isUnknown ? 'match' : chosen;
  // What was being prepared is done with once the clock was set.
  const version = `${clock.startUtcMs} ${clock.manual?.setAtMs}`;
  return (
    <div className={classes.editor}>
      <div className={classes.muted}>
        {isUnknown ? 'Say when one frame was: the whole file is placed by it.' : movesWith(subject)}
      </div>
      {!isUnknown && (
        <SegmentedControl
          fullWidth
          aria-label="How to move it"
          value={mode}
          onChange={(value) => setMode(value === 'amount' || value === 'curve' ? value : 'match')}
          data={[
            { value: 'match', label: 'Match a moment' },
            { value: 'curve', label: 'Drag' },
            { value: 'amount', label: 'By number' },
          ]}
        />
      )}
      {mode === 'amount' && (
        <ByAmount key={version} clock={clock} frameMs={frameMsOf(scene, subject)} onDraft={onDraft} />
      )}
      {mode === 'curve' && <ByCurve key={version} review={review} clock={clock} onDraft={onDraft} />}
      {mode === 'match' &&
        (subject.kind === 'clip' ? (
          <MatchFrame key={version} review={review} clock={clock} clipId={subject.clipId} onDraft={onDraft} />
        ) : (
          <MatchSample key={version} review={review} clock={clock} zone={zone} onDraft={onDraft} />
        ))}
    </div>
  );
}
