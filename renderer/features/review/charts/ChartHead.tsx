import { ActionIcon, SegmentedControl, Select, Tooltip } from '@mantine/core';
import { IconZoomIn, IconZoomOut, IconZoomReset } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { useStore } from 'zustand';
import { formatCount, Status } from '../../../ui/index.ts';
import { formatMomentTime, momentZoneName, type MomentZone } from '../marks/momentText.ts';
import type { Review } from '../model.ts';
import type { GLook } from './gShown.ts';
import type { ChartStage } from './stage.ts';
import classes from './charts.module.css';

const smoothings = [
  { value: '0', label: 'Not smoothed' },
  { value: '250', label: 'Smoothed 0.25 s' },
  { value: '500', label: 'Smoothed 0.5 s' },
  { value: '1000', label: 'Smoothed 1 s' },
];

/** The moment of the cursor, where its values come from, and how the charts are shown. */
export function ChartHead({
  stage,
  review,
  zone,
  gLook,
  onGLook,
}: {
  stage: ChartStage | null;
  review: Review;
  zone: MomentZone;
  gLook: GLook;
  onGLook: (look: GLook) => void;
}) {
  return (
    <div className={classes.head}>
      <CursorReading stage={stage} review={review} zone={zone} />
      <Source review={review} />
      <span className={classes.spacer} />
      <SegmentedControl
        size="xs"
        aria-label="Gravity in the G chart"
        value={gLook.isGravityRemoved ? 'removed' : 'included'}
        onChange={(value) => onGLook({ ...gLook, isGravityRemoved: value === 'removed' })}
        data={[
          { value: 'included', label: 'With gravity' },
          { value: 'removed', label: 'Without' },
        ]}
      />
      <Select
        size="xs"
        w={138}
        aria-label="Smoothing of the G chart"
        value={String(gLook.smoothingMs)}
        onChange={(value) => onGLook({ ...gLook, smoothingMs: Number(value ?? 0) })}
        data={smoothings}
        allowDeselect={false}
        comboboxProps={{ width: 160 }}
      />
      <Tooltip label="Zoom in on the cursor (+)">
        <ActionIcon aria-label="Zoom in" onClick={() => stage?.zoom(0.5)}>
          <IconZoomIn size={16} />
        </ActionIcon>
      </Tooltip>
      <Tooltip label="Zoom out (−)">
        <ActionIcon aria-label="Zoom out" onClick={() => stage?.zoom(2)}>
          <IconZoomOut size={16} />
        </ActionIcon>
      </Tooltip>
      <Tooltip label="Show the whole scene (0). Wheel zooms, Shift and wheel moves, dragging the time axis chooses a stretch.">
        <ActionIcon aria-label="Show all" onClick={() => stage?.showAll()}>
          <IconZoomReset size={16} />
        </ActionIcon>
      </Tooltip>
    </div>
  );
}

function CursorReading({
  stage,
  review,
  zone,
}: {
  stage: ChartStage | null;
  review: Review;
  zone: MomentZone;
}) {
  const time = useRef<HTMLSpanElement>(null);
  const place = useRef<HTMLSpanElement>(null);
  useEffect(
    () =>
      stage?.onCursor((ms) => {
        if (time.current)
          time.current.textContent = `${formatMomentTime(ms, zone)} ${momentZoneName(ms, zone)}`;
        if (!place.current) return;
        const { telemetry } = review.telemetry.getState();
        const gps = telemetry.status === 'ready' ? telemetry.value.gps : null;
        const at = review.telemetry.gpsIndexAt(ms);
        const text =
          gps && at !== null ? `${gps.latDeg[at]!.toFixed(5)}, ${gps.lngDeg[at]!.toFixed(5)}` : 'no position';
        if (place.current.textContent !== text) place.current.textContent = text;
      }),
    [stage, review, zone],
  );
  return (
    <>
      <span ref={time} className={classes.time} data-testid="review-chart-time" />
      <span ref={place} className={classes.place} />
    </>
  );
}

/** Which of the two sources is drawn, how much of it is read, and what could not be. */
function Source({ review }: { review: Review }) {
  const { telemetry, read, total, origin, canChoose, failures = [] } = useStore(review.telemetry);
  const name = origin === 'clip' ? 'from the clip files' : "from the service's metadata";
  return (
    <>
      {canChoose ? (
        <SegmentedControl
          size="xs"
          aria-label="Source of positions and G samples"
          value={origin}
          onChange={(value) => review.telemetry.choose(value === 'metadata' ? 'metadata' : 'clip')}
          data={[
            { value: 'clip', label: 'Clip files' },
            { value: 'metadata', label: 'Metadata' },
          ]}
        />
      ) : (
        telemetry.status === 'ready' && total > 0 && <span className={classes.dim}>{name}</span>
      )}
      {read < total && (
        <span className={classes.dim} role="status">
          reading {formatCount(read)} of {formatCount(total)}…
        </span>
      )}
      {failures.length > 0 && telemetry.status === 'ready' && (
        <Tooltip
          multiline
          maw={360}
          label={`Not read, so that there are gaps: ${failures
            .slice(0, 5)
            .map(({ fileName }) => fileName)
            .join(', ')}${failures.length > 5 ? ' and more' : ''}`}
        >
          <span tabIndex={0}>
            <Status tone="warn">
              {formatCount(failures.length)} {failures.length === 1 ? 'clip' : 'clips'} not read
            </Status>
          </span>
        </Tooltip>
      )}
    </>
  );
}
