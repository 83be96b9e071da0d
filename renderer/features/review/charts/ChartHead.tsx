import { ActionIcon, SegmentedControl, Tooltip } from '@mantine/core';
import { IconZoomIn, IconZoomOut, IconZoomReset } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { useStore } from 'zustand';
import { formatCount, Status } from '../../../ui/index.ts';
import { formatMomentTime, momentZoneName, type MomentZone } from '../marks/momentText.ts';
import type { Review } from '../model.ts';
import { trackIndexAt, type OwnTrack } from './ownTrack.ts';
import type { ChartStage } from './stage.ts';
import classes from './charts.module.css';

/** The moment of the cursor, where its values come from, and how the charts are shown. */
export function ChartHead({
  stage,
  review,
  zone,
  ownTrack,
}: {
  stage: ChartStage | null;
  review: Review;
  zone: MomentZone;
  ownTrack: OwnTrack | null;
}) {
  return (
    <div className={classes.head}>
      <CursorReading stage={stage} review={review} zone={zone} ownTrack={ownTrack} />
      <Source review={review} />
      <span className={classes.spacer} />
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
  ownTrack,
}: {
  stage: ChartStage | null;
  review: Review;
  zone: MomentZone;
  ownTrack: OwnTrack | null;
}) {
  const time = useRef<HTMLSpanElement>(null);
  const place = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    if (!stage) return;
    const say = (ms: number) => {
      if (time.current)
        time.current.textContent = `${formatMomentTime(ms, zone)} ${momentZoneName(ms, zone)}`;
      const text = placeText(review, ownTrack, ms);
      if (place.current && place.current.textContent !== text) place.current.textContent = text;
    };
    const ends = [stage.onCursor(say), review.telemetry.subscribe(() => say(review.clock.nowMs()))];
    return () => ends.forEach((end) => end());
  }, [stage, review, zone, ownTrack]);
  return (
    <>
      <span ref={time} className={classes.time} data-testid="review-chart-time" />
      <span ref={place} className={classes.place} />
    </>
  );
}

/** The clips' own position; where they have none that of the imported track, which is then named. */
function placeText(review: Review, ownTrack: OwnTrack | null, ms: number): string {
  const { telemetry } = review.telemetry.getState();
  const gps = telemetry.status === 'ready' ? telemetry.value.gps : null;
  const at = review.telemetry.gpsIndexAt(ms);
  if (gps && at !== null) return coordinates(gps.latDeg[at]!, gps.lngDeg[at]!);
  const onTrack = ownTrack && trackIndexAt(ownTrack, ms, 10_000);
  if (!ownTrack || onTrack === null) return 'no position';
  return `${coordinates(ownTrack.latDeg[onTrack]!, ownTrack.lngDeg[onTrack]!)} (imported track)`;
}
const coordinates = (latDeg: number, lngDeg: number) => `${latDeg.toFixed(5)}, ${lngDeg.toFixed(5)}`;

/** Which of the two sources is drawn, how much of it is read, and what could not be. */
function Source({ review }: { review: Review }) {
  const { telemetry, read, total, origin, canChoose, failures = [] } = useStore(review.telemetry);
  const channels = useStore(review.store, (state) => state.scene.channels);
  // Of several cameras only the first one's is drawn: it must be said whose.
  const isOneOfMany = new Set(channels.map(({ psn }) => psn)).size > 1;
  const camera = channels[0]?.cameraName ?? channels[0]?.psn ?? 'unknown camera';
  const source = origin === 'clip' ? 'from the clip files' : "from the service's metadata";
  const name = isOneOfMany ? `of ${camera}, ${source}` : source;
  return (
    <>
      {canChoose && isOneOfMany && <span className={classes.dim}>of {camera}</span>}
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
