import { Button, SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { useStore } from 'zustand';
import type { SourceClock } from '../../../../shared/contract/review.ts';
import type { ClipId } from '../../../../shared/ids.ts';
import { placeOfClip } from '../marks/anchors.ts';
import { MomentInput } from '../marks/MomentInput.tsx';
import { formatMoment, parseMoment } from '../marks/momentText.ts';
import { useClockZone } from '../marks/useMomentZone.ts';
import type { Review } from '../model.ts';
import classes from './clocks.module.css';
import type { Draft } from './draft.ts';
import { frameName, frameOfClip, startFromFrame } from './frameShown.ts';
import { useCameraStart } from './useCameraStart.ts';

/** For a clip: the frame on screen was at a moment that is known, from a clock in the picture or a witness. */
export function MatchFrame({
  review,
  clock,
  clipId,
  onDraft,
}: {
  review: Review;
  clock: SourceClock;
  clipId: ClipId;
  onDraft: (draft: Draft) => void;
}) {
  const state = useStore(review.store);
  const frame = frameOfClip(state, clipId);
  const [utcMs, setUtcMs] = useState<number | null>(null);
  const cameraText = useCameraStart(review, clock.startUtcMs === null ? clipId : null);
  // A time of day is typed here even where the scene has none yet.
  const zone = useClockZone(review);
  const segment = placeOfClip(state.scene, clipId)?.segment;
  // A wall clock without a zone says the day well enough.
  const cameraMs = cameraText === null ? null : parseMoment(cameraText, zone, null);
  const nearMs = clock.startUtcMs ?? cameraMs;
  return (
    <form
      className={classes.mode}
      onSubmit={(event) => {
        event.preventDefault();
        if (!frame || utcMs === null) return;
        onDraft({
          change: { kind: 'start', startUtcMs: startFromFrame(state, frame, utcMs) },
          reason: `The frame at ${frame.clipS.toFixed(3)} s${frame.frameIndex === null ? '' : ` (frame ${frame.frameIndex})`} was at ${formatMoment(utcMs, { kind: 'zone', zone: 'UTC' })}: `,
        });
      }}
    >
      {frame ? (
        <div>
          <span className={classes.muted}>On screen: </span>
          {frameName(state, frame)}
        </div>
      ) : (
        <div className={classes.result}>
          <span>Go to a moment at which this clip is on screen.</span>
          <Button
            variant="default"
            disabled={!segment}
            onClick={() => segment && review.clock.seek(segment.startMs + 1)}
          >
            Go to its start
          </Button>
        </div>
      )}
      <div className={classes.labelRow}>
        <span className={classes.label}>True time of this frame</span>
        {/* Where nothing has a time of day yet, the screen offers no zone to choose. */}
        {state.scene.timebase === 'elapsed' && (
          <SegmentedControl
            size="xs"
            aria-label="Zone of the time typed"
            value={state.zone === 'utc' ? 'utc' : 'local'}
            onChange={(value) => review.store.setState({ zone: value === 'utc' ? 'utc' : 'local' })}
            data={[
              { value: 'local', label: 'Local' },
              { value: 'utc', label: 'UTC' },
            ]}
          />
        )}
      </div>
      <MomentInput
        label="True time of this frame"
        ms={utcMs}
        zone={zone}
        nearMs={nearMs}
        onChange={setUtcMs}
        withDay
      />
      {cameraMs !== null && frame && (
        <div className={classes.result}>
          <span className={classes.muted}>
            The camera’s own clock began the clip at {cameraText}; it names no zone.
          </span>
          <Button variant="default" size="compact-xs" onClick={() => setUtcMs(cameraMs + frame.clipS * 1000)}>
            Take it in the zone shown
          </Button>
        </div>
      )}
      <div className={classes.result}>
        <span className={classes.muted}>From a clock in the picture, or another source.</span>
        <Button type="submit" disabled={!frame || utcMs === null}>
          Check and set…
        </Button>
      </div>
    </form>
  );
}
