import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { CaseFile } from '../../../shared/contract/cases.ts';
import type { TimeRange } from '../../../shared/track.ts';
import { useClient } from '../../app/client/index.ts';
import {
  Failure,
  formatDuration,
  fromInputText,
  Section,
  toInputText,
  useZone,
  zoneName,
} from '../../ui/index.ts';
import type { CaseStore } from './caseStore.ts';
import classes from './cases.module.css';
import { readExtent } from './extent.ts';

/** Text of one end as typed; null is as the case has it. */
interface Draft {
  readonly from: string | null;
  readonly to: string | null;
}
const wrongText = 'Write it as 2026-03-14 17:02:11';
const untouched: Draft = { from: null, to: null };

/** The time that matters: tracks in a package are cut to it. */
export function RangeSection({ store, file }: { store: CaseStore; file: CaseFile }) {
  const client = useClient();
  const { zone } = useZone();
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
  return (
    <Section
      title="Time range"
      note="Tracks in a package are cut to it. Clips that touch it go in whole, export files whole or not at all."
    >
      <form
        className={classes.range}
        onSubmit={(event) => {
          event.preventDefault();
          void set(() => Promise.resolve({ fromMs: from.utcMs, toMs: to.utcMs }));
        }}
      >
        <InstantInput
          label="From"
          text={draft.from ?? textOf(range.fromMs)}
          utcMs={from.utcMs}
          error={from.isWrong ? wrongText : undefined}
          onChange={(text) => setDraft({ ...draft, from: text })}
        />
        <InstantInput
          label="To (not included)"
          text={draft.to ?? textOf(range.toMs)}
          utcMs={to.utcMs}
          error={to.isWrong ? wrongText : isBackward ? 'Must be after the start' : undefined}
          onChange={(text) => setDraft({ ...draft, to: text })}
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
      </form>
      <div className={classes.rangeFacts}>
        {describe(range)} · times in {zone}
      </div>
      {state.error !== null && <Failure error={state.error} isInline />}
    </Section>
  );
}

/** A date and time to be typed or pasted; the zone's letters at that instant stand in the field. */
function InstantInput({
  label,
  text,
  utcMs,
  error,
  onChange,
}: {
  label: string;
  text: string;
  utcMs: number | null;
  error: string | undefined;
  onChange: (text: string) => void;
}) {
  const { zone } = useZone();
  return (
    <TextInput
      className={classes.rangeInput ?? ''}
      label={label}
      placeholder="YYYY-MM-DD hh:mm:ss"
      value={text}
      error={error}
      rightSectionWidth={52}
      rightSection={<span className={classes.muted}>{utcMs === null ? '' : zoneName(utcMs, zone)}</span>}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

/** What was typed, as an instant; an untouched end keeps its fractions of a second. */
function endOf(
  text: string | null,
  kept: number | null,
  zone: string,
): { utcMs: number | null; isWrong: boolean } {
  if (text === null) return { utcMs: kept, isWrong: false };
  if (text.trim() === '') return { utcMs: null, isWrong: false };
  const utcMs = fromInputText(text, zone);
  return { utcMs, isWrong: utcMs === null };
}

function describe(range: TimeRange): string {
  if (range.fromMs === null && range.toMs === null) return 'No limit: everything the exhibits hold';
  if (range.fromMs === null) return 'No start: from the first point';
  if (range.toMs === null) return 'No end: to the last point';
  return `Lasts ${formatDuration(range.toMs - range.fromMs)}`;
}
