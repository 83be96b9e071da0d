import { Button, Group, Modal, Stack, Textarea } from '@mantine/core';
import { useState } from 'react';
import type { SourceClock } from '../../../../shared/contract/review.ts';
import { Facts, Failure, Notice } from '../../../ui/index.ts';
import { formatMoment, formatShift, type MomentZone } from '../marks/momentText.ts';
import { useClockZone } from '../marks/useMomentZone.ts';
import type { Review } from '../model.ts';
import classes from './clocks.module.css';
import { applyChange, movementOf, movesWith } from './clockChange.ts';
import type { Draft } from './draft.ts';

const suggestions = [
  'A clock of known accuracy is seen in the picture.',
  'The same event is seen by another camera whose clock is known.',
  'The camera’s clock is known to be off, measured at the vehicle.',
] as const;
const resetSuggestions = ['It was set by mistake.', 'What was found is more reliable.'] as const;

/** Before and after of a clock, and the reason, which goes to the chain of custody. */
export function ClockConfirm({
  review,
  asked,
  onClose,
}: {
  review: Review;
  asked: { readonly clock: SourceClock; readonly draft: Draft } | null;
  onClose: () => void;
}) {
  const isReset = asked?.draft.change.kind === 'reset';
  return (
    <Modal
      opened={asked !== null}
      onClose={onClose}
      title={isReset ? 'Take the clock back to what was found?' : 'Set this clock?'}
      size="lg"
      closeButtonProps={{ 'aria-label': 'Close without setting the clock' }}
    >
      {asked && <Confirm review={review} clock={asked.clock} draft={asked.draft} onClose={onClose} />}
    </Modal>
  );
}

function Confirm({
  review,
  clock,
  draft,
  onClose,
}: {
  review: Review;
  clock: SourceClock;
  draft: Draft;
  onClose: () => void;
}) {
  const [reason, setReason] = useState(draft.reason);
  const [state, setState] = useState<{ isBusy: boolean; error: unknown }>({ isBusy: false, error: null });
  const zone = useClockZone(review);
  const { change } = draft;
  const isReset = change.kind === 'reset';
  const deltaMs = movementOf(clock, change);
  const apply = async () => {
    setState({ isBusy: true, error: null });
    try {
      await applyChange(review, clock, change, reason.trim());
      onClose();
    } catch (error) {
      setState({ isBusy: false, error });
    }
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (reason.trim() !== '' && !state.isBusy) void apply();
      }}
    >
      <Stack gap="sm">
        <Facts
          rows={[
            ['Source', clock.label],
            ['Before', startText(clock.startUtcMs, zone)],
            ['After', afterText(clock, draft, zone)],
            ...(deltaMs === null ? [] : [['Moves by', formatShift(deltaMs)] as const]),
            ...(change.kind === 'shift'
              ? [['From what was found', formatShift(change.shiftMs)] as const]
              : []),
          ]}
        />
        <Notice>
          {movesWith(clock.subject)} The original file is not changed. The change, its reason and your name go
          into the chain of custody, and into the package’s clock statement.
        </Notice>
        <Textarea
          label="Reason"
          description="What makes this time the right one. Needed."
          autosize
          minRows={2}
          maxRows={8}
          maxLength={2000}
          required
          data-autofocus
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey))
              event.currentTarget.form?.requestSubmit();
          }}
        />
        <div className={classes.suggestions} role="group" aria-label="Reasons to begin from">
          {(isReset ? resetSuggestions : suggestions).map((text) => (
            <Button
              key={text}
              variant="default"
              size="compact-xs"
              onClick={() => setReason((now) => (now.trim() === '' ? text : `${now.trim()} ${text}`))}
            >
              {text}
            </Button>
          ))}
        </div>
        {state.error !== null && (
          <Failure error={state.error} isInline meaning="The clock is as it was; the reason is still here." />
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" disabled={reason.trim() === ''} loading={state.isBusy}>
            {isReset ? 'Take back' : 'Set the clock'}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

const startText = (utcMs: number | null, zone: MomentZone) =>
  utcMs === null ? 'time unknown' : `begins ${formatMoment(utcMs, zone)}`;

function afterText(clock: SourceClock, { change }: Draft, zone: MomentZone): string {
  if (change.kind === 'start') return startText(change.startUtcMs, zone);
  const deltaMs = movementOf(clock, change);
  // A start that was set by hand gives way to what is found again, which the core knows.
  if (deltaMs === null) return 'as found; unknown where nothing tells';
  return clock.startUtcMs === null
    ? `${formatShift(deltaMs)} against the pictures`
    : startText(clock.startUtcMs + deltaMs, zone);
}
