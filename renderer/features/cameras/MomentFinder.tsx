import { Button, TextInput } from '@mantine/core';
import { IconCalendarSearch, IconX } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import type { MomentReport } from '../../../shared/contract/cards.ts';
import { formatCounted, fromInputText, notifyFailure, Notice, Time, useZone } from '../../ui/index.ts';
import classes from './cameras.module.css';
import type { CardStore } from './cardStore.ts';

/** Finds the recordings of a moment in true time: typed here, or handed over (`atMs`) from a track or an event. */
export function MomentFinder({ store, atMs }: { store: CardStore; atMs: number | null }) {
  const { zone } = useZone();
  const [text, setText] = useState('');
  const [isSearching, setSearching] = useState(false);
  const isListed = useStore(store.store, ({ listing }) => listing !== null);
  const typedMs = fromInputText(text, zone);
  const handedOver = useRef<number | null>(null);
  const find = (utcMs: number) => {
    setSearching(true);
    store
      .findMoment(utcMs)
      .catch((thrown: unknown) => notifyFailure('The moment was not looked for', thrown))
      .finally(() => setSearching(false));
  };
  useEffect(() => {
    if (atMs === null || !isListed || handedOver.current === atMs) return;
    handedOver.current = atMs;
    store.findMoment(atMs).catch((thrown: unknown) => notifyFailure('The moment was not looked for', thrown));
  }, [atMs, isListed, store]);
  return (
    <form
      className={classes.moment}
      onSubmit={(event) => {
        event.preventDefault();
        if (typedMs !== null) find(typedMs);
      }}
    >
      <TextInput
        aria-label={`Find the recordings of a moment, in ${zone}`}
        placeholder="Moment 2026-03-14 17:32"
        title={`True time in ${zone}`}
        value={text}
        error={text.trim() !== '' && typedMs === null}
        onChange={(event) => setText(event.currentTarget.value)}
        style={{ width: 200 }}
      />
      <Button
        type="submit"
        variant="default"
        leftSection={<IconCalendarSearch size={14} />}
        disabled={typedMs === null}
        loading={isSearching}
      >
        Find moment
      </Button>
    </form>
  );
}

/** What the search for a moment gave, until it is put away. */
export function MomentResult({ store }: { store: CardStore }) {
  const moment = useStore(store.store, (state) => state.moment);
  if (moment === null) return null;
  return (
    <div className={classes.momentResult}>
      <Notice tone={moment.lack === null ? 'info' : 'warn'}>
        <strong>
          <Time utcMs={moment.utcMs} />:
        </strong>{' '}
        {momentText(moment)}
        <Button
          variant="subtle"
          size="compact-xs"
          leftSection={<IconX size={12} />}
          onClick={() => store.forgetMoment()}
          ml="xs"
        >
          Put away
        </Button>
      </Notice>
    </div>
  );
}

/** How the search went, in one or two sentences. */
export function momentText({ matches, lack }: MomentReport): string {
  switch (lack) {
    case 'clock_unknown':
      return 'the camera’s clock is not known, so its recordings have no true time. Learn the clock, or set it by hand.';
    case 'never_listed':
      return 'this card was never listed. Refresh it first.';
    case 'no_recording':
      return 'nothing on the card was recorded then, as far as it is listed.';
    case null: {
      const covering = matches.filter(({ fit }) => fit === 'covers').length;
      const near = matches.length - covering;
      const parts: string[] = [];
      if (covering > 0)
        parts.push(`${formatCounted(covering, 'recording')} chosen, in which the moment lies`);
      if (near > 0) parts.push(`${near} beside it, within the clock’s uncertainty`);
      return `${parts.join('; ')}.`;
    }
  }
}
