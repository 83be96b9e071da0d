import { ActionIcon, Button, SegmentedControl, Tooltip } from '@mantine/core';
import { IconFolderOpen, IconInfoCircle, IconDeviceSdCard } from '@tabler/icons-react';
import { useStore } from 'zustand';
import { formatCounted, useZone } from '../../ui/index.ts';
import type { CaseStore } from '../library/caseStore.ts';
import { CaseChooser } from './CaseChooser.tsx';
import { ChannelChooser } from './ChannelChooser.tsx';
import type { ReviewLinks } from './links.ts';
import { offsetName } from './marks/momentText.ts';
import type { Review, ReviewZone } from './model.ts';
import { NearbyChooser } from './NearbyChooser.tsx';
import { UndoButtons } from './undo/UndoButtons.tsx';
import classes from './review.module.css';

/** What is open, and what concerns the whole scene: panes, clips of the same moment, case, zone, undo. */
export function SceneBar({
  review,
  cases,
  links,
  areNotesShown,
  onNotes,
}: {
  review: Review;
  cases: CaseStore;
  links: ReviewLinks;
  areNotesShown: boolean;
  onNotes: () => void;
}) {
  const scene = useStore(review.store, (state) => state.scene);
  const psn = scene.channels[0]?.psn ?? scene.tracks.find(({ isOwn }) => isOwn)?.psn ?? null;
  return (
    <div className={classes.sceneBar} role="toolbar" aria-label="Scene">
      <Tooltip label="Open another clip, moment or case">
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconFolderOpen size={14} />}
          onClick={() => links.go(null, null)}
        >
          Open…
        </Button>
      </Tooltip>
      <h2 className={classes.sceneTitle} title={scene.title}>
        {scene.title}
      </h2>
      {scene.notes.length > 0 && (
        <Button
          variant={areNotesShown ? 'light' : 'subtle'}
          size="compact-sm"
          leftSection={<IconInfoCircle size={14} />}
          aria-expanded={areNotesShown}
          onClick={onNotes}
        >
          {formatCounted(scene.notes.length, 'note')}
        </Button>
      )}
      <span className={classes.spring} />
      <UndoButtons review={review} />
      <ChannelChooser review={review} />
      <NearbyChooser review={review} links={links} />
      {psn !== null && scene.timebase === 'utc' && (
        <Tooltip
          label={
            scene.onCard.length > 0
              ? `Find this moment on the camera’s card: ${formatCounted(scene.onCard.length, 'recording')} of this time not recalled`
              : 'Find the recordings of this moment on the camera’s card'
          }
        >
          <ActionIcon
            aria-label="Find this moment on the card"
            onClick={() => links.openCard(psn, Math.round(review.clock.nowMs()))}
          >
            <IconDeviceSdCard size={16} />
          </ActionIcon>
        </Tooltip>
      )}
      <CaseChooser review={review} cases={cases} links={links} />
      <ZoneChooser review={review} />
    </div>
  );
}

/** Zone of every time of the scene; where no clock is known there is no time of day to show. */
function ZoneChooser({ review }: { review: Review }) {
  const shared = useZone();
  const zone = useStore(review.store, (state) => state.zone);
  const { timebase, utcOffsetMin } = useStore(review.store, (state) => state.scene);
  if (timebase === 'elapsed') {
    return (
      <Tooltip label="No clip’s clock is known. Set one under Clocks to see the time of day.">
        <span className={classes.elapsed} tabIndex={0}>
          elapsed time
        </span>
      </Tooltip>
    );
  }
  const vehicle = utcOffsetMin === null ? 'not known' : offsetName(utcOffsetMin);
  return (
    <Tooltip label={`Local is ${shared.localZone}; the vehicle’s zone: ${vehicle}`}>
      <SegmentedControl
        aria-label="Zone of the times shown"
        value={zone}
        onChange={(value) => {
          const next = value as ReviewZone; // one of the three below
          review.store.setState({ zone: next });
          if (next !== 'vehicle') shared.setMode(next);
        }}
        data={[
          { value: 'local', label: 'Local' },
          { value: 'utc', label: 'UTC' },
          { value: 'vehicle', label: 'Vehicle', disabled: utcOffsetMin === null },
        ]}
      />
    </Tooltip>
  );
}
