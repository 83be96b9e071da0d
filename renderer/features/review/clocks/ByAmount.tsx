import { Button, Group, NumberInput, Select } from '@mantine/core';
import { useState } from 'react';
import type { SourceClock } from '../../../../shared/contract/review.ts';
import { formatShift } from '../marks/momentText.ts';
import classes from './clocks.module.css';
import { moveBy } from './clockChange.ts';
import type { Draft } from './draft.ts';

type Unit = 'ms' | 'frames' | 's' | 'min' | 'h';
const msOf: Record<Exclude<Unit, 'frames'>, number> = { ms: 1, s: 1000, min: 60_000, h: 3_600_000 };
/** As far as the contract goes (review.shiftClock). */
const furthestMs = 1e11;

/** Moves a source by a number of milliseconds, frames, seconds, minutes or hours. */
export function ByAmount({
  clock,
  frameMs,
  onDraft,
}: {
  clock: SourceClock;
  /** Duration of a frame, ms; null where that is not known. */
  frameMs: number | null;
  onDraft: (draft: Draft) => void;
}) {
  const [amount, setAmount] = useState<number | string>('');
  const [unit, setUnit] = useState<Unit>('ms');
  const unitMs = unit === 'frames' ? (frameMs ?? 0) : msOf[unit];
  const deltaMs = typeof amount === 'number' ? amount * unitMs : 0;
  const change = deltaMs === 0 || Math.abs(deltaMs) > furthestMs ? null : moveBy(clock, deltaMs);
  const step = (by: number) => setAmount((typeof amount === 'number' ? amount : 0) + by);
  return (
    <form
      className={classes.mode}
      onSubmit={(event) => {
        event.preventDefault();
        if (change) onDraft({ change, reason: '' });
      }}
    >
      <div className={classes.amount}>
        <NumberInput
          size="xs"
          aria-label="Move by"
          placeholder="0"
          value={amount}
          onChange={setAmount}
          decimalScale={3}
          hideControls
        />
        <Select
          aria-label="Unit"
          data={[
            { value: 'ms', label: 'ms' },
            { value: 'frames', label: 'frames', disabled: frameMs === null },
            { value: 's', label: 's' },
            { value: 'min', label: 'min' },
            { value: 'h', label: 'h' },
          ]}
          value={unit}
          allowDeselect={false}
          onChange={(value) =>
            setUnit(value === 'frames' || value === 's' || value === 'min' || value === 'h' ? value : 'ms')
          }
        />
      </div>
      <Group gap={4} role="group" aria-label="Steps">
        {(unit === 'ms' ? [-100, -10, 10, 100] : unit === 'frames' ? [-10, -1, 1, 10] : [-1, 1]).map((by) => (
          <Button key={by} variant="default" size="compact-xs" onClick={() => step(by)}>
            {by < 0 ? '−' : '+'}
            {Math.abs(by)} {unit}
          </Button>
        ))}
      </Group>
      <div className={classes.result}>
        <span>
          {deltaMs === 0
            ? 'A number above 0 moves it later, below 0 earlier.'
            : change === null
              ? 'That is further than a clock can be moved.'
              : `${formatShift(deltaMs)}: ${deltaMs > 0 ? 'later' : 'earlier'}`}
        </span>
        <Button type="submit" disabled={change === null}>
          Check and set…
        </Button>
      </div>
    </form>
  );
}
