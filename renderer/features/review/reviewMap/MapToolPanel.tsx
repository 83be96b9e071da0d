import { Button, CloseButton, SegmentedControl } from '@mantine/core';
import { IconArrowBackUp, IconTrash } from '@tabler/icons-react';
import { useStore } from 'zustand';
import { CopyButton, Failure, formatCounted, Loading, useZone } from '../../../ui/index.ts';
import { CameraMark } from '../../library/CameraMark.tsx';
import { formatMoment, formatMomentTime, momentZone, momentZoneName } from '../marks/momentText.ts';
import type { Review } from '../model.ts';
import { measure, metresText } from './distances.ts';
import type { ReviewMapStore, VehiclePassage } from './mapStore.ts';
import classes from './reviewMap.module.css';

/** What the map tool in use has to say; nothing while none is in use. */
export function MapToolPanel({ review, store }: { review: Review; store: ReviewMapStore }) {
  const tool = useStore(store, (state) => state.tool);
  if (tool === 'none') return null;
  const title = tool === 'distance' ? 'Distance' : 'Time of passage';
  return (
    <div className={classes.toolPanel} role="region" aria-label={title}>
      <div className={classes.toolHead}>
        <strong>{title}</strong>
        <span className={classes.spring} />
        {tool === 'passage' && <Radius store={store} />}
        <CloseButton size="xs" aria-label={`Close: ${title}`} onClick={() => store.setTool('none')} />
      </div>
      {tool === 'distance' ? <Distance store={store} /> : <Passages review={review} store={store} />}
    </div>
  );
}

function Distance({ store }: { store: ReviewMapStore }) {
  const points = useStore(store, (state) => state.points);
  const { legsM, totalM } = measure(points);
  if (points.length < 2) {
    return (
      <div className={classes.dim} role="status">
        {points.length === 0
          ? 'Click points on the map; Enter takes its middle.'
          : 'Click the next point; Backspace takes the last one back.'}
      </div>
    );
  }
  return (
    <div className={classes.toolRow}>
      <span role="status">
        <strong>{metresText(totalM)}</strong>
        {legsM.length > 1 && (
          <span className={classes.dim}>
            {' '}
            over {formatCounted(legsM.length, 'leg')}: {legsM.map(metresText).join(' + ')}
          </span>
        )}
      </span>
      <CopyButton text={`${totalM.toFixed(2)} m`} what="distance" />
      <span className={classes.spring} />
      <Button
        variant="subtle"
        size="compact-xs"
        leftSection={<IconArrowBackUp size={13} />}
        onClick={store.removePoint}
      >
        Last point
      </Button>
      <Button
        variant="subtle"
        size="compact-xs"
        leftSection={<IconTrash size={13} />}
        onClick={() => store.setTool('distance')}
      >
        Clear
      </Button>
    </div>
  );
}

const radii = [5, 15, 50, 150] as const;

function Radius({ store }: { store: ReviewMapStore }) {
  const radiusM = useStore(store, (state) => state.radiusM);
  return (
    <>
      <span className={classes.dim}>within</span>
      <SegmentedControl
        size="xs"
        aria-label="Radius around the point, metres"
        value={String(radiusM)}
        onChange={(value) => store.setRadius(Number(value))}
        data={radii.map((metres, at) => ({
          value: String(metres),
          label: at === radii.length - 1 ? `${metres} m` : String(metres),
        }))}
      />
    </>
  );
}

function Passages({ review, store }: { review: Review; store: ReviewMapStore }) {
  const passages = useStore(store, (state) => state.passages);
  return (
    <>
      {passages === null && (
        <div className={classes.dim} role="status">
          Click a point of the road; Enter takes the map’s middle.
        </div>
      )}
      {passages?.status === 'loading' && <Loading label="Looking for passages" />}
      {passages?.status === 'failed' && <Failure error={passages.error} isInline />}
      {passages?.status === 'ready' && passages.value.length === 0 && (
        <div className={classes.dim} role="status">
          Nobody passed here while this scene was recorded.
        </div>
      )}
      {passages?.status === 'ready' && passages.value.length > 0 && (
        <ul className={classes.passages} aria-label="Passages">
          {passages.value.map((passage) => (
            <li key={passage.key}>
              <PassageRow review={review} passage={passage} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function PassageRow({ review, passage }: { review: Review; passage: VehiclePassage }) {
  const { localZone } = useZone();
  const scene = useStore(review.store, (state) => state.scene);
  const kind = useStore(review.store, (state) => state.zone);
  const zone = momentZone(scene, kind, localZone);
  const { closestMs, closestM, colorIndex, label, isInterpolated } = passage;
  return (
    <button
      type="button"
      className={classes.passage}
      disabled={closestMs === null}
      title={
        closestMs === null
          ? 'No time recorded'
          : `${formatMoment(closestMs, zone)}${isInterpolated ? ', between two recorded points' : ''}`
      }
      onClick={() => closestMs !== null && review.clock.seek(closestMs)}
    >
      {colorIndex === null ? (
        <span className={classes.trailMark} aria-hidden />
      ) : (
        <CameraMark index={colorIndex} />
      )}
      <span className={classes.ellipsis}>{label}</span>
      <span className={classes.spring} />
      <span>
        {closestMs === null ? (
          'no time'
        ) : (
          <>
            {isInterpolated && '≈ '}
            {formatMomentTime(closestMs, zone)}{' '}
            <span className={classes.dim}>{momentZoneName(closestMs, zone)}</span>
          </>
        )}
      </span>
      <span className={classes.metres}>{metresText(closestM)}</span>
    </button>
  );
}
