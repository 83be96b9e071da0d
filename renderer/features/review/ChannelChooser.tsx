import { Button, Checkbox, Popover } from '@mantine/core';
import { IconLayoutGrid } from '@tabler/icons-react';
import { useStore } from 'zustand';
import { formatCounted } from '../../ui/index.ts';
import { channelName } from './marks/anchors.ts';
import type { Review } from './model.ts';
import { maxShown } from './sceneLayout.ts';
import classes from './review.module.css';

/** Which lenses have a pane, at most four. */
export function ChannelChooser({ review }: { review: Review }) {
  const { channels } = useStore(review.store, (state) => state.scene);
  const shown = useStore(review.store, (state) => state.shown);
  const enlarged = useStore(review.store, (state) => state.enlarged);
  if (channels.length < 2) return null;
  const toggle = (channelId: string, isOn: boolean) => {
    const next = isOn ? [...shown, channelId].slice(0, maxShown) : shown.filter((one) => one !== channelId);
    review.store.setState({
      shown: next,
      enlarged: enlarged !== null && next.includes(enlarged) ? enlarged : null,
    });
  };
  return (
    <Popover position="bottom-end" shadow="md" trapFocus>
      <Popover.Target>
        <Button variant="subtle" color="gray" size="compact-sm" leftSection={<IconLayoutGrid size={14} />}>
          {shown.length} of {channels.length} shown
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <fieldset className={classes.channels}>
          <legend>Panes, at most {maxShown}</legend>
          {channels.map((channel) => {
            const isOn = shown.includes(channel.channelId);
            const isLast = isOn && shown.length === 1;
            return (
              <Checkbox
                key={channel.channelId}
                label={channelName(channel)}
                description={formatCounted(channel.segments.length, 'clip')}
                checked={isOn}
                disabled={isLast || (!isOn && shown.length >= maxShown)}
                onChange={(event) => toggle(channel.channelId, event.currentTarget.checked)}
              />
            );
          })}
        </fieldset>
      </Popover.Dropdown>
    </Popover>
  );
}
