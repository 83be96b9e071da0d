import { NumberInput, Select, Slider, Tooltip } from '@mantine/core';
import { IconBolt } from '@tabler/icons-react';
import { useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { harshMethod, type HarshMeasure, type HarshMoment } from '../../../../shared/harshMoments.ts';
import { CopyButton, EmptyState, formatCounted, Loading, useZone, VirtualRows } from '../../../ui/index.ts';
import { formatMomentTime, momentZone, momentZoneName, type MomentZone } from '../marks/momentText.ts';
import type { Review, SceneTelemetry } from '../model.ts';
import { signed } from './chartSpecs.ts';
import { harshStoreOf, refractoryMs, thresholdRangeG } from './harshStore.ts';
import classes from './charts.module.css';

const measures: readonly { readonly value: HarshMeasure; readonly label: string }[] = [
  { value: 'magnitude', label: 'Any direction' },
  { value: 'braking', label: 'Braking' },
  { value: 'acceleration', label: 'Acceleration' },
  { value: 'cornering', label: 'Cornering' },
  { value: 'vertical', label: 'Up and down' },
];

/** Moments at or over the threshold, with value, time, speed and place; choosing one goes there. */
export function HarshList({ review }: { review: Review }) {
  const harsh = harshStoreOf(review);
  const { measure, thresholdG, moments, canMeasureAxes } = useStore(harsh);
  const read = useStore(review.telemetry, (state) => state.telemetry);
  const scene = useStore(review.store, (state) => state.scene);
  const chosenZone = useStore(review.store, (state) => state.zone);
  const { localZone } = useZone();
  const zone = useMemo(() => momentZone(scene, chosenZone, localZone), [scene, chosenZone, localZone]);
  const nowIndex = useMomentAt(review, moments);
  const strongestG = moments.reduce((most, { valueG }) => Math.max(most, valueG), thresholdG);

  if (read.status === 'loading') return <Loading label="Reading G samples" />;
  const gSensor = read.status === 'ready' ? read.value.gSensor : null;
  if (!gSensor) {
    return (
      <EmptyState icon={IconBolt} title="No G-sensor samples">
        <p>
          The clips of this scene carry no G-sensor samples that could be read, so no harsh moments can be
          found.
        </p>
      </EmptyState>
    );
  }
  return (
    <div className={classes.harsh}>
      <div className={classes.harshHead}>
        <div className={classes.harshControls}>
          <Select
            label="Find"
            w={128}
            value={measure}
            onChange={(value) => harsh.setMeasure((value ?? 'magnitude') as HarshMeasure)} // one of the list's
            data={measures.map((one) => ({ ...one, disabled: one.value !== 'magnitude' && !canMeasureAxes }))}
            allowDeselect={false}
          />
          <NumberInput
            label="From"
            w={84}
            size="xs"
            suffix=" g"
            step={0.05}
            decimalScale={2}
            fixedDecimalScale
            min={thresholdRangeG.min}
            max={thresholdRangeG.max}
            value={thresholdG}
            onChange={(value) => harsh.setThreshold(Number(value))}
            aria-label="Threshold in g"
          />
          <Slider
            className={classes.harshSlider}
            size="sm"
            thumbLabel="Threshold in g"
            label={null}
            min={thresholdRangeG.min}
            max={1.5}
            step={0.05}
            value={Math.min(1.5, thresholdG)}
            onChange={(value) => harsh.setThreshold(value)}
          />
        </div>
        <Tooltip label={`${harshMethod} The pause is ${refractoryMs / 1000} s.`} multiline maw={340}>
          <div className={classes.harshNote} tabIndex={0}>
            {formatCounted(moments.length, 'moment')} of {thresholdG.toFixed(2)} g or more, gravity removed,
            not smoothed.
            {zone.kind === 'elapsed' && ' Times count from the start: no clock is known.'}
            {!canMeasureAxes && ' How the camera was turned is not known: only the strength is judged.'}
          </div>
        </Tooltip>
      </div>
      {moments.length === 0 ? (
        <EmptyState icon={IconBolt} title="None at this threshold">
          <p>Nothing reached {thresholdG.toFixed(2)} g. Lower the threshold to see milder moments.</p>
        </EmptyState>
      ) : (
        <VirtualRows
          className={classes.harshList}
          label="Harsh moments"
          count={moments.length}
          estimatedHeight={44}
          keyOf={(index) => moments[index]?.timeMs ?? index}
          render={(index) => {
            const moment = moments[index];
            if (!moment || read.status !== 'ready') return null;
            return (
              <MomentItem
                review={review}
                moment={moment}
                zone={zone}
                telemetry={read.value}
                isNow={index === nowIndex}
                share={moment.valueG / strongestG}
              />
            );
          }}
        />
      )}
    </div>
  );
}

function MomentItem({
  review,
  moment,
  zone,
  telemetry,
  isNow,
  share,
}: {
  review: Review;
  moment: HarshMoment;
  zone: MomentZone;
  telemetry: SceneTelemetry;
  isNow: boolean;
  share: number;
}) {
  const { timeMs, valueG, kind, axisName, axisG } = moment;
  const at = review.telemetry.gpsIndexAt(timeMs, 3000);
  const { gps } = telemetry;
  const speedKmh = gps && at !== null ? gps.speedKmh[at]! : NaN;
  const computedKmh = gps && at !== null ? gps.computedSpeedKmh[at]! : NaN;
  const place = gps && at !== null ? `${gps.latDeg[at]!.toFixed(6)}, ${gps.lngDeg[at]!.toFixed(6)}` : null;
  // Computed only where nothing was recorded, and then it says so.
  const speed = !Number.isNaN(speedKmh)
    ? `${speedKmh.toFixed(1)} km/h`
    : !Number.isNaN(computedKmh)
      ? `${computedKmh.toFixed(1)} km/h from positions`
      : 'speed unknown';
  const clock = formatMomentTime(timeMs, zone);
  const time = `${clock} ${momentZoneName(timeMs, zone)}`;
  const what = kind === 'axis' ? `axis ${axisName}` : kind;
  return (
    <div className={classes.moment} data-now={isNow}>
      <button
        type="button"
        className={classes.momentButton}
        aria-current={isNow}
        aria-label={`${valueG.toFixed(2)} g, ${what}, ${time}, ${speed}, ${place ?? 'place unknown'}. Go there`}
        onClick={() => review.clock.seek(timeMs)}
      >
        <span className={classes.momentValue}>
          {valueG.toFixed(2)} g
          <span className={classes.momentBar} style={{ width: `${Math.max(6, share * 100)}%` }} />
        </span>
        <span
          className={classes.momentKind}
          title={`${axisName} ${signed(axisG)} g, |a| ${moment.magnitudeG.toFixed(2)} g`}
        >
          {what}
        </span>
        <span className={classes.momentTime} title={time}>
          {zone.kind === 'elapsed' ? clock : time}
        </span>
        <span className={classes.momentDetail}>
          {speed} · {place ?? 'place unknown'}
        </span>
      </button>
      {place !== null && <CopyButton text={place} what="coordinates" />}
    </div>
  );
}

/** Index of the moment that the clock is in or at (within half a second); −1 outside of all. */
function useMomentAt(review: Review, moments: readonly HarshMoment[]): number {
  const [index, setIndex] = useState(-1);
  useEffect(() => {
    const find = (ms: number) =>
      setIndex(moments.findIndex(({ fromMs, toMs }) => ms >= fromMs - 500 && ms <= toMs + 500));
    find(review.clock.nowMs());
    return review.clock.onTick(find);
  }, [review, moments]);
  return index;
}
