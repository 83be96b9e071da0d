import { Button, Menu } from '@mantine/core';
import {
  IconBookmark,
  IconCamera,
  IconChevronDown,
  IconMapPin,
  IconPlayerPauseFilled,
  IconPlayerPlayFilled,
  IconPlayerSkipBack,
  IconPlayerSkipForward,
  IconPlayerTrackNext,
  IconPlayerTrackPrev,
  IconRepeat,
} from '@tabler/icons-react';
import { useStore } from 'zustand';
import type { Review } from '../model.ts';
import { actionsOf, speeds } from './actions.ts';
import { BarButton } from './BarButton.tsx';
import { KeyHelp } from './KeyHelp.tsx';
import { StepReading, TimeReading } from './readings.tsx';
import { useReviewKeys } from './useReviewKeys.ts';
import classes from './transport.module.css';

/**
 * Plays, steps and jumps; the time with its zone and uncertainty; the step between the pictures; marks. Hears the
 * player's keys for as long as it is on screen.
 */
export function TransportBar({ review }: { review: Review }) {
  useReviewKeys(review);
  const actions = actionsOf(review);
  const isPlaying = useStore(review.clock.state, (state) => state.isPlaying);
  const isLooping = useStore(review.clock.state, (state) => state.loop !== null);
  const inMs = useStore(review.store, (state) => state.inMs);
  const outMs = useStore(review.store, (state) => state.outMs);
  return (
    <div
      className={classes.bar}
      role="toolbar"
      aria-label="Player"
      // A click with the mouse leaves the focus where it was: Space and the arrows stay the player's.
      onMouseDown={(event) => event.preventDefault()}
    >
      <div className={classes.group}>
        <BarButton label="10 s back" keys="Page up" onClick={() => actions.jumpBy(-10_000)}>
          <IconPlayerTrackPrev size={16} />
        </BarButton>
        <BarButton label="1 s back" keys="Shift+←" onClick={() => actions.jumpBy(-1000)} text="−1 s" />
        <BarButton label="One frame back" keys="← or ," onClick={() => void actions.stepFrame(-1)}>
          <IconPlayerSkipBack size={16} />
        </BarButton>
        <BarButton
          label={isPlaying ? 'Pause' : 'Play'}
          keys="Space, K"
          isMain
          onClick={() => actions.togglePlay()}
        >
          {isPlaying ? <IconPlayerPauseFilled size={18} /> : <IconPlayerPlayFilled size={18} />}
        </BarButton>
        <BarButton label="One frame forward" keys="→ or ." onClick={() => void actions.stepFrame(1)}>
          <IconPlayerSkipForward size={16} />
        </BarButton>
        <BarButton label="1 s forward" keys="Shift+→" onClick={() => actions.jumpBy(1000)} text="+1 s" />
        <BarButton label="10 s forward" keys="Page down" onClick={() => actions.jumpBy(10_000)}>
          <IconPlayerTrackNext size={16} />
        </BarButton>
      </div>
      <div className={classes.group}>
        <SpeedMenu review={review} />
        <JumpMenu review={review} />
        <BarButton
          label={isLooping ? 'Stop looping' : 'Loop between in and out'}
          keys="/"
          isOn={isLooping}
          onClick={() => actions.toggleLoop()}
        >
          <IconRepeat size={16} />
        </BarButton>
      </div>
      <TimeReading review={review} />
      <StepReading review={review} />
      <div className={classes.group}>
        <BarButton label="Bookmark" keys="B" onClick={() => actions.bookmark()} text="B" hasWord>
          <IconBookmark size={15} />
        </BarButton>
        <BarButton
          label={inMs === null ? 'Set in point' : 'Set in point anew'}
          keys="I"
          isOn={inMs !== null}
          onClick={() => actions.setIn()}
          text="In"
        />
        <BarButton
          label={outMs === null ? 'Set out point' : 'Set out point anew'}
          keys="O"
          isOn={outMs !== null}
          onClick={() => actions.setOut()}
          text="Out"
        />
        <BarButton
          label="Still of the leading view"
          keys="S"
          onClick={() => actions.still()}
          text="S"
          hasWord
        >
          <IconCamera size={15} />
        </BarButton>
        <KeyHelp />
      </div>
    </div>
  );
}

function speedName(rate: number): string {
  return `${rate < 0 ? '◂ ' : ''}${Number(Math.abs(rate).toFixed(2))}x`;
}

function SpeedMenu({ review }: { review: Review }) {
  const rate = useStore(review.clock.state, (state) => state.rate);
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Button
          className={classes.menu}
          variant="default"
          size="compact-sm"
          aria-label={`Speed: ${rate < 0 ? 'backwards, ' : ''}${Number(Math.abs(rate).toFixed(2))}x`}
          rightSection={<IconChevronDown size={12} />}
        >
          {speedName(rate)}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Speed (Shift+↑, Shift+↓)</Menu.Label>
        {speeds.map((speed) => (
          <Menu.Item key={speed} fw={speed === rate ? 700 : 400} onClick={() => review.clock.setRate(speed)}>
            {speedName(speed)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function JumpMenu({ review }: { review: Review }) {
  const actions = actionsOf(review);
  const jumps = [
    ['Peak of the G-sensor', 'G', () => actions.toPeakG()],
    ['Next mark or event', ']', () => actions.toMark(1)],
    ['Mark or event before', '[', () => actions.toMark(-1)],
    ['Next gap', 'N', () => actions.toGap(1)],
    ['Gap before', 'Shift+N', () => actions.toGap(-1)],
    ['Start of the scene', 'Home', () => actions.toStart()],
    ['End of the scene', 'End', () => actions.toEnd()],
  ] as const;
  return (
    <Menu position="bottom-start" width={230}>
      <Menu.Target>
        <Button
          className={classes.menu}
          variant="default"
          size="compact-sm"
          leftSection={<IconMapPin size={14} />}
          rightSection={<IconChevronDown size={12} />}
        >
          Go to
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {jumps.map(([words, key, run]) => (
          <Menu.Item key={words} rightSection={<kbd className={classes.key}>{key}</kbd>} onClick={run}>
            {words}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
