import { ActionIcon, Button, Menu, Tooltip } from '@mantine/core';
import {
  IconArrowBarToRight,
  IconCut,
  IconPlayerSkipForward,
  IconRepeat,
  IconStackPush,
  IconX,
} from '@tabler/icons-react';
import { useStore } from 'zustand';
import type { Review } from '../model.ts';
import { channelName } from './anchors.ts';
import classes from './marks.module.css';
import { MomentInput } from './MomentInput.tsx';
import { formatElapsed, type MomentZone } from './momentText.ts';
import { chosenSpan } from './trimPlan.ts';

/** In and out: set, typed, gone to, looped, kept as a range, cut. */
export function InOut({ review, zone }: { review: Review; zone: MomentZone }) {
  const inMs = useStore(review.store, (state) => state.inMs);
  const outMs = useStore(review.store, (state) => state.outMs);
  const span = chosenSpan({ inMs, outMs });
  const isBackward = inMs !== null && outMs !== null && inMs >= outMs;
  return (
    <div className={classes.inOut} role="group" aria-label="In and out">
      <div className={classes.ends}>
        <End review={review} zone={zone} end="in" ms={inMs} />
        <End review={review} zone={zone} end="out" ms={outMs} />
      </div>
      <div className={classes.inOutActs}>
        <span className={isBackward ? classes.bad : classes.muted} role={isBackward ? 'alert' : undefined}>
          {isBackward
            ? 'Out is before in'
            : span
              ? `${formatElapsed(span.toMs - span.fromMs)} long`
              : 'No range'}
        </span>
        <Loop review={review} />
        <Button
          variant="default"
          size="compact-xs"
          leftSection={<IconStackPush size={14} />}
          disabled={!span}
          onClick={() => void review.marks.keepRange()}
        >
          Keep range
        </Button>
        <TrimMenu review={review} isPossible={span !== null} />
      </div>
    </div>
  );
}

function End({
  review,
  zone,
  end,
  ms,
}: {
  review: Review;
  zone: MomentZone;
  end: 'in' | 'out';
  ms: number | null;
}) {
  const set = (next: number | null) => review.store.setState(end === 'in' ? { inMs: next } : { outMs: next });
  const { scene } = review.store.getState();
  const name = end === 'in' ? 'In' : 'Out';
  return (
    <div className={classes.end}>
      <span className={classes.endName} aria-hidden>
        {name}
      </span>
      <MomentInput
        label={`${name} point`}
        ms={ms}
        zone={zone}
        nearMs={scene.focusMs}
        onChange={(typed) => set(typed === null ? null : Math.min(scene.toMs, Math.max(scene.fromMs, typed)))}
      />
      <Tooltip label={`Set ${end} to now (${end === 'in' ? 'I' : 'O'})`}>
        <ActionIcon size={24} aria-label={`Set ${end} to now`} onClick={() => set(review.clock.nowMs())}>
          <IconArrowBarToRight size={15} />
        </ActionIcon>
      </Tooltip>
      <Tooltip label={`Go to ${end}`}>
        <ActionIcon
          size={24}
          aria-label={`Go to ${end}`}
          disabled={ms === null}
          onClick={() => ms !== null && review.clock.seek(ms)}
        >
          <IconPlayerSkipForward size={15} />
        </ActionIcon>
      </Tooltip>
      <Tooltip label={`Clear ${end}`}>
        <ActionIcon size={24} aria-label={`Clear ${end}`} disabled={ms === null} onClick={() => set(null)}>
          <IconX size={15} />
        </ActionIcon>
      </Tooltip>
    </div>
  );
}

function Loop({ review }: { review: Review }) {
  const loop = useStore(review.clock.state, (state) => state.loop);
  const inMs = useStore(review.store, (state) => state.inMs);
  const outMs = useStore(review.store, (state) => state.outMs);
  const span = chosenSpan({ inMs, outMs });
  const label = loop ? 'Stop looping' : 'Loop between in and out';
  return (
    <Tooltip label={label} position="bottom">
      <ActionIcon
        size={24}
        variant={loop ? 'filled' : 'subtle'}
        color={loop ? 'accent' : 'gray'}
        aria-label={label}
        aria-pressed={loop !== null}
        disabled={!loop && !span}
        onClick={() => review.clock.setLoop(loop ? null : span)}
      >
        <IconRepeat size={15} />
      </ActionIcon>
    </Tooltip>
  );
}

function TrimMenu({ review, isPossible }: { review: Review; isPossible: boolean }) {
  const scene = useStore(review.store, (state) => state.scene);
  const channels = scene.channels.filter(({ segments }) => segments.some(({ video }) => video));
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          variant="default"
          size="compact-xs"
          leftSection={<IconCut size={14} />}
          disabled={!isPossible || channels.length === 0}
        >
          Trim…
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Cut without loss, between in and out</Menu.Label>
        {channels.map((channel) => (
          <Menu.Item key={channel.channelId} onClick={() => void review.marks.trim(channel.channelId)}>
            {channelName(channel)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
