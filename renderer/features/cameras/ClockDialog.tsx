import { Button, Group, Modal, Stack, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { CardClock, ClockSegment } from '../../../shared/contract/cards.ts';
import { Failure, formatCounted, Notice, Time } from '../../ui/index.ts';
import classes from './cameras.module.css';
import type { CardStore } from './cardStore.ts';
import { offsetText, parseOffset, timeSourceText, uncertaintyText } from './words.ts';

/** The card's clock in one line: "UTC+1 from the clips' GPS, ± 2 s", or that it is not known. */
export function clockSummary(clock: CardClock): string {
  if (clock.manual !== null) return `${offsetText(clock.manual.offsetMinutes)}, set by hand`;
  const [only] = clock.segments;
  if (!only) return 'not known';
  if (clock.segments.length > 1) {
    const offsets = [...new Set(clock.segments.map(({ offsetMinutes }) => offsetText(offsetMinutes)))];
    return `${offsets.join(', then ')}, ${timeSourceText('gps')}`;
  }
  return `${offsetText(only.offsetMinutes)} ${timeSourceText(only.source)}, ${uncertaintyText(only.uncertaintyMs)}`;
}

function spanText({ fromLocal, toLocal }: ClockSegment): string {
  const text = (local: string | null, open: string) => local?.replace('T', ' ') ?? open;
  return `${text(fromLocal, 'the beginning')} to ${text(toLocal, 'the end')}`;
}

/** How the camera's wall clock relates to UTC, and the offset by hand that overrides it. */
export function ClockDialog({
  isOpen,
  clock,
  store,
  onClose,
}: {
  isOpen: boolean;
  clock: CardClock;
  store: CardStore;
  onClose: () => void;
}) {
  const [offset, setOffset] = useState('');
  const [reason, setReason] = useState('');
  const [busy, setBusy] = useState<'learn' | 'set' | 'clear' | null>(null);
  const [error, setError] = useState<unknown>(null);
  const minutes = parseOffset(offset);
  const run = async (what: 'learn' | 'set' | 'clear', act: () => Promise<unknown>) => {
    setBusy(what);
    setError(null);
    try {
      await act();
      if (what !== 'learn') {
        setOffset('');
        setReason('');
        onClose();
      }
    } catch (thrown) {
      setError(thrown);
    } finally {
      setBusy(null);
    }
  };
  return (
    <Modal opened={isOpen} onClose={onClose} title="The camera’s clock" size="lg">
      <Stack gap="sm">
        <div>
          Recordings carry the camera’s wall clock, which names no zone. The true time comes from GPS times
          inside the clips. {formatCounted(clock.clips.used, 'clip')} used, {clock.clips.leftOut} left out as
          contradicting the others, {clock.clips.withoutGps} without GPS.
        </div>
        {clock.segments.length === 0 && clock.manual === null ? (
          <Notice tone="warn">The offset is not known: true times are shown as unknown.</Notice>
        ) : (
          <ul className={classes.segments}>
            {clock.segments.map((segment) => (
              <li key={`${segment.fromLocal}/${segment.toLocal}`}>
                <strong>{offsetText(segment.offsetMinutes)}</strong> {uncertaintyText(segment.uncertaintyMs)},{' '}
                {timeSourceText(segment.source)}
                {segment.clips > 0 && ` (${formatCounted(segment.clips, 'clip')})`}
                <div className={classes.muted}>{spanText(segment)}</div>
              </li>
            ))}
          </ul>
        )}
        {clock.manual !== null && (
          <Notice>
            {offsetText(clock.manual.offsetMinutes)} was set by {clock.manual.actor},{' '}
            <Time utcMs={clock.manual.setAtMs} />: “{clock.manual.reason}”
          </Notice>
        )}
        <Group gap="xs">
          <Button
            variant="default"
            loading={busy === 'learn'}
            onClick={() => void run('learn', () => store.learnClock())}
          >
            Learn from more clips
          </Button>
          <span className={classes.muted}>Asks the camera for some clips’ GPS; nothing is charged.</span>
        </Group>
        <TextInput
          label="Offset by hand"
          description="Camera clock minus UTC, such as +1, -3:30 or 0. It overrides what GPS says."
          value={offset}
          error={offset.trim() !== '' && minutes === null ? 'From -12 to +14 hours, as +1 or -3:30' : null}
          onChange={(event) => setOffset(event.currentTarget.value)}
          style={{ maxWidth: 320 }}
        />
        <Textarea
          label="Reason"
          description="Kept in the chain of custody with your name."
          autosize
          minRows={2}
          maxLength={2000}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        {error !== null && <Failure error={error} isInline />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
          {clock.manual !== null && (
            <Button
              variant="default"
              disabled={reason.trim() === ''}
              loading={busy === 'clear'}
              onClick={() => void run('clear', () => store.setClockByHand(null, reason.trim()))}
            >
              Take the offset back
            </Button>
          )}
          <Button
            disabled={minutes === null || reason.trim() === ''}
            loading={busy === 'set'}
            onClick={() =>
              void run('set', async () => {
                if (minutes !== null) await store.setClockByHand(minutes, reason.trim());
              })
            }
          >
            Set the offset
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
