import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { CaseFile } from '../../../shared/contract/cases.ts';
import type { TimeRange } from '../../../shared/track.ts';
import { useClient } from '../../app/client/index.ts';
import { Failure, formatDuration, fromInputText, Section, toInputText, useZone } from '../../ui/index.ts';
import type { CaseStore } from './caseStore.ts';
import classes from './cases.module.css';
import { readExtent } from './extent.ts';

/** Text of one end as typed; null is as the case has it. */
interface Draft {
  readonly from: string | null;
  readonly to: string | null;
}
const untouched: Draft = { from: null, to: null };

/** The time that matters: tracks in a package are cut to it. */
export function RangeSection({ store, file }: { store: CaseStore; file: CaseFile }) {
  const client = useClient();
  const { zone, mode } = useZone();
  const [draft, setDraft] = useState<Draft>(untouched);
  const [state, setState] = useState<{ isBusy: boolean; error: unknown }>({ isBusy: false, error: null });
  const { range } = file;
  const textOf = (utcMs: number | null) => (utcMs === null ? '' : toInputText(utcMs, zone));
  const from = endOf(draft.from, range.fromMs, zone);
  const to = endOf(draft.to, range.toMs, zone);
  const isChanged = from.utcMs !== range.fromMs || to.utcMs !== range.toMs;
  const isBackward = from.utcMs !== null && to.utcMs !== null && from.utcMs >= to.utcMs;
  const set = async (find: () => Promise<TimeRange>) => {
    setState({ isBusy: true, error: null });
    try {
      await store.setRange(file.caseId, await find());
      setDraft(untouched);
      setState({ isBusy: false, error: null });
    } catch (error) {
      setState({ isBusy: false, error });
    }
  };
  const zoneName = mode === 'utc' ? 'UTC' : zone;
  return (
    <Section
      title="Time range"
      note="Tracks in a package are cut to it. Original files always go in whole or not at all."
    >
      <form
        className={classes.range}
        onSubmit={(event) => {
          event.preventDefault();
          void set(() => Promise.resolve({ fromMs: from.utcMs, toMs: to.utcMs }));
        }}
      >
        <TextInput
          className={classes.rangeInput ?? ''}
          type="datetime-local"
          step={1}
          label={`From (${zoneName})`}
          value={draft.from ?? textOf(range.fromMs)}
          error={from.isWrong ? 'Not a date and time' : undefined}
          onChange={(event) => setDraft({ ...draft, from: event.currentTarget.value })}
        />
        <TextInput
          className={classes.rangeInput ?? ''}
          type="datetime-local"
          step={1}
          label={`To, not included (${zoneName})`}
          value={draft.to ?? textOf(range.toMs)}
          error={to.isWrong ? 'Not a date and time' : isBackward ? 'Must be after the start' : undefined}
          onChange={(event) => setDraft({ ...draft, to: event.currentTarget.value })}
        />
        <Button
          type="submit"
          variant={isChanged ? 'filled' : 'default'}
          disabled={!isChanged || isBackward || from.isWrong || to.isWrong}
          loading={state.isBusy}
        >
          Set range
        </Button>
        <Button
          variant="default"
          disabled={file.exhibitList.length === 0 || state.isBusy}
          onClick={() => void set(() => readExtent(client, file))}
        >
          Use the exhibits’ extent
        </Button>
        <Button
          variant="default"
          disabled={(range.fromMs === null && range.toMs === null) || state.isBusy}
          onClick={() => void set(() => Promise.resolve({ fromMs: null, toMs: null }))}
        >
          No limit
        </Button>
        <span className={classes.muted}>{describe(range)}</span>
      </form>
      {state.error !== null && <Failure error={state.error} isInline />}
    </Section>
  );
}

/** What was typed, as an instant; an untouched end keeps its fractions of a second. */
function endOf(
  text: string | null,
  kept: number | null,
  zone: string,
): { utcMs: number | null; isWrong: boolean } {
  if (text === null) return { utcMs: kept, isWrong: false };
  if (text === '') return { utcMs: null, isWrong: false };
  const utcMs = fromInputText(text, zone);
  return { utcMs, isWrong: utcMs === null };
}

function describe(range: TimeRange): string {
  if (range.fromMs === null && range.toMs === null) return 'No limit: everything the exhibits hold';
  if (range.fromMs === null) return 'No start: from the first point';
  if (range.toMs === null) return 'No end: to the last point';
  return `Lasts ${formatDuration(range.toMs - range.fromMs)}`;
}
