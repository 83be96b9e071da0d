import { Button, SegmentedControl, Select } from '@mantine/core';
import { useState } from 'react';
import { useStore } from 'zustand';
import type { SourceClock } from '../../../../shared/contract/review.ts';
import { Failure, Loading } from '../../../ui/index.ts';
import { formatShift } from '../marks/momentText.ts';
import type { Review } from '../model.ts';
import classes from './clocks.module.css';
import { moveBy, subjectKey } from './clockChange.ts';
import { curveChoices } from './curve.ts';
import { CurveSlider } from './CurveSlider.tsx';
import type { Draft } from './draft.ts';
import { useCurves } from './useCurves.ts';

const zooms = [1, 3, 10, 60] as const;

/** Moves a source by dragging its curve under the frame on screen, while playing or standing still. */
export function ByCurve({
  review,
  clock,
  onDraft,
}: {
  review: Review;
  clock: SourceClock;
  onDraft: (draft: Draft) => void;
}) {
  const scene = useStore(review.store, (state) => state.scene);
  const choices = curveChoices(scene, clock);
  const [chosen, setChosen] = useState<string | null>(null);
  const choice = choices.find(({ subject }) => subjectKey(subject) === chosen) ?? choices[0] ?? null;
  const state = useCurves(review, choice?.subject ?? null);
  const [name, setName] = useState<string | null>(null);
  const [halfS, setHalfS] = useState<number>(3);
  const [shiftMs, setShiftMs] = useState(0);
  if (!choice) {
    return (
      <div className={classes.muted}>
        No track and no samples of the service lie beside these pictures to compare with. Use “Match a moment”
        with a time that is seen in the picture.
      </div>
    );
  }
  const curves = state.status === 'ready' ? state.value.curves : [];
  const curve = curves.find((one) => one.name === name) ?? curves[0] ?? null;
  const change = shiftMs === 0 ? null : moveBy(clock, choice.sign * shiftMs);
  return (
    <div className={classes.mode}>
      {choice.sign === -1 && (
        <>
          <div className={classes.muted}>
            What is in the clip moves with its pictures, so drag the curve of another source to where the
            pictures show it; the clip is then moved, not that source.
          </div>
          {choices.length > 1 && (
            <Select
              aria-label="Whose curve"
              data={choices.map(({ subject, label }) => ({ value: subjectKey(subject), label }))}
              value={subjectKey(choice.subject)}
              allowDeselect={false}
              onChange={(key) => {
                setChosen(key);
                setShiftMs(0);
              }}
            />
          )}
        </>
      )}
      {state.status === 'loading' && <Loading label="Reading the curve" />}
      {state.status === 'failed' && <Failure error={state.error} isInline />}
      {state.status === 'ready' && !curve && (
        <div className={classes.muted}>This source has neither speed nor G samples with a time.</div>
      )}
      {curve && (
        <>
          {curves.length > 1 && (
            <SegmentedControl
              fullWidth
              aria-label="Curve"
              value={curve.name}
              onChange={setName}
              data={curves.map((one) => ({ value: one.name, label: one.unit === 'g' ? 'G' : 'Speed' }))}
            />
          )}
          <div className={classes.muted}>{curve.name}</div>
          <CurveSlider
            clock={review.clock}
            curve={curve}
            halfMs={halfS * 1000}
            shiftMs={shiftMs}
            onShift={setShiftMs}
          />
          <SegmentedControl
            fullWidth
            aria-label="Time shown to either side"
            value={String(halfS)}
            onChange={(value) => setHalfS(Number(value))}
            data={zooms.map((seconds) => ({ value: String(seconds), label: `± ${seconds} s` }))}
          />
          <div className={classes.result} aria-live="polite">
            <span>
              {shiftMs === 0 ? 'Drag the curve, or use the arrow keys.' : `Curve ${formatShift(shiftMs)}`}
            </span>
            <Button
              disabled={change === null}
              onClick={() =>
                change &&
                onDraft({
                  change,
                  reason: `The curve (${curve.name.toLowerCase()}) was laid against the pictures by eye.`,
                })
              }
            >
              Check and set…
            </Button>
          </div>
        </>
      )}
    </div>
  );
}
