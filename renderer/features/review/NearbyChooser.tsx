import { Button, Popover } from '@mantine/core';
import { IconCameraPlus, IconPlus } from '@tabler/icons-react';
import { useStore } from 'zustand';
import type { NearbyClip, ReviewScene } from '../../../shared/contract/review.ts';
import type { ClipId } from '../../../shared/ids.ts';
import { formatCount, formatCounted, useZone } from '../../ui/index.ts';
import type { ReviewLinks } from './links.ts';
import { formatMomentTime, momentZone, momentZoneName } from './marks/momentText.ts';
import type { Review } from './model.ts';
import classes from './review.module.css';

/** The clips of a scene, one for each recording; pure. */
export function sceneClipIds(scene: Pick<ReviewScene, 'channels'>): readonly ClipId[] {
  return scene.channels.flatMap(({ segments }) => segments.map(({ clipId }) => clipId));
}

/**
 * "at least 35 m away"; above a kilometre in km. It is measured between the areas that both drove through, so the
 * vehicles themselves were no nearer. Pure.
 */
export function distanceText(distanceM: number | null): string {
  if (distanceM === null) return 'distance not known';
  if (distanceM < 1) return 'in the same area';
  return distanceM < 1000
    ? `at least ${formatCount(Math.round(distanceM))} m away`
    : `at least ${(distanceM / 1000).toFixed(distanceM < 9_950 ? 1 : 0)} km away`;
}

/** Clips of other cameras that ran at the same time: nearest first, each added to what is open. */
export function NearbyChooser({ review, links }: { review: Review; links: ReviewLinks }) {
  const scene = useStore(review.store, (state) => state.scene);
  if (scene.nearby.length === 0) return null;
  const nearby = [...scene.nearby].sort((a, b) => (a.distanceM ?? Infinity) - (b.distanceM ?? Infinity));
  const add = (clipIds: readonly ClipId[]) =>
    links.go(
      { kind: 'clips', clipIds: [...new Set([...sceneClipIds(scene), ...clipIds])] },
      Math.round(review.clock.nowMs()),
    );
  return (
    <Popover position="bottom-end" shadow="md" width={420} trapFocus>
      <Popover.Target>
        <Button variant="subtle" color="gray" size="compact-sm" leftSection={<IconCameraPlus size={14} />}>
          Nearby {formatCount(scene.nearby.length)}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <div className={classes.popoverHead}>
          <strong>Other cameras at the same time</strong>
          {nearby.length > 1 && (
            <Button variant="default" size="compact-xs" onClick={() => add(nearby.map((one) => one.clipId))}>
              Add all {formatCounted(nearby.length, 'clip')}
            </Button>
          )}
        </div>
        <ul className={classes.nearby} aria-label="Clips of other cameras at the same time">
          {nearby.map((clip) => (
            <NearbyRow key={clip.clipId} review={review} clip={clip} onAdd={() => add([clip.clipId])} />
          ))}
        </ul>
      </Popover.Dropdown>
    </Popover>
  );
}

function NearbyRow({ review, clip, onAdd }: { review: Review; clip: NearbyClip; onAdd: () => void }) {
  const { localZone } = useZone();
  const scene = useStore(review.store, (state) => state.scene);
  const kind = useStore(review.store, (state) => state.zone);
  const zone = momentZone(scene, kind, localZone);
  const camera = clip.cameraName ?? clip.psn ?? 'Unknown camera';
  const second = (ms: number) => formatMomentTime(Math.round(ms / 1000) * 1000, zone).slice(0, 8);
  return (
    <li>
      <span className={classes.nearbyText}>
        <span className={classes.ellipsis}>
          <strong>{camera}</strong> {clip.direction ?? ''}
        </span>
        <span className={classes.dim} title={clip.fileName}>
          {distanceText(clip.distanceM)} · {second(clip.startMs)}–{second(clip.endMs)}{' '}
          {momentZoneName(clip.startMs, zone)}
        </span>
      </span>
      <Button
        variant="default"
        size="compact-xs"
        leftSection={<IconPlus size={12} />}
        aria-label={`Add ${camera} ${clip.direction ?? ''} to the scene`}
        onClick={onAdd}
      >
        Add
      </Button>
    </li>
  );
}
