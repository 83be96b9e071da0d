import { ActionIcon, Select, TextInput, Tooltip } from '@mantine/core';
import { IconFilterOff } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useStore } from 'zustand';
import classes from './cameras.module.css';
import type { CardStore } from './cardStore.ts';
import {
  directionsOf,
  hasStream,
  isFiltering,
  noFilter,
  parseWallClock,
  typesOf,
} from './recordingFilter.ts';
import { documentedTypes, typeName } from './words.ts';

/** Type, camera, stream and time: narrows what is here at once, and is sent along when the card is asked. */
export function CardFilterBar({ store }: { store: CardStore }) {
  const { rows, filter } = useStore(store.store);
  const types = useMemo(() => typesOf(rows), [rows]);
  const directions = useMemo(() => directionsOf(rows), [rows]);
  const streams = useMemo(
    () => ({
      sub: rows.filter((row) => hasStream(row, 'sub')).length,
      main: rows.filter((row) => hasStream(row, 'main')).length,
    }),
    [rows],
  );
  const here = types.map(({ value, count, row }) => ({
    value,
    label: `${typeName(row.type, row.typeCode)} (${count})`,
  }));
  // Until the card was listed, what is here says little: the documented types may be asked for as well.
  const others = documentedTypes
    .filter((type) => type !== 'unknown' && !types.some(({ value }) => value === type))
    .map((value) => ({ value, label: typeName(value, null) }));
  return (
    <div className={classes.filters} role="search" aria-label="Filter the recordings">
      <Select
        aria-label="Type"
        placeholder="All types"
        clearable
        searchable
        selectFirstOptionOnChange
        data={[
          ...(here.length > 0 ? [{ group: 'On this card', items: here }] : []),
          { group: 'Not seen on it', items: others },
        ]}
        value={filter.type}
        onChange={(type) => store.setFilter({ type })}
        style={{ width: 165 }}
      />
      <Select
        aria-label="Camera"
        placeholder="All cameras"
        clearable
        data={[...new Set([...directions, 'front', 'option'])]}
        value={filter.direction}
        onChange={(direction) => store.setFilter({ direction })}
        style={{ width: 118 }}
      />
      <Select
        aria-label="Stream"
        placeholder="Any stream"
        clearable
        data={[
          { value: 'sub', label: `has low (${streams.sub})` },
          { value: 'main', label: `has full (${streams.main})` },
        ]}
        value={filter.stream}
        onChange={(value) => store.setFilter({ stream: value === 'sub' || value === 'main' ? value : null })}
        style={{ width: 132 }}
      />
      <TimeField label="From" store={store} edge="from" />
      <TimeField label="To" store={store} edge="to" />
      <Tooltip label="Clear the filter">
        <ActionIcon
          aria-label="Clear the filter"
          disabled={!isFiltering(filter)}
          onClick={() => store.setFilter(noFilter)}
        >
          <IconFilterOff size={16} />
        </ActionIcon>
      </Tooltip>
    </div>
  );
}

function TimeField({ label, store, edge }: { label: string; store: CardStore; edge: 'from' | 'to' }) {
  const value = useStore(store.store, ({ filter }) => filter[edge]);
  const [typed, setTyped] = useState<{ readonly text: string; readonly of: string | null } | null>(null);
  // What was typed stands until the filter is changed from elsewhere.
  const text = typed !== null && typed.of === value ? typed.text : (value?.replace('T', ' ') ?? '');
  const isWrong = text.trim() !== '' && parseWallClock(text, edge === 'to') === null;
  return (
    <TextInput
      aria-label={`${label}, by the camera’s clock`}
      placeholder={`${label} 2026-03-14 17:30`.slice(0, edge === 'from' ? 15 : 13)}
      title="By the camera’s clock: YYYY-MM-DD or YYYY-MM-DD HH:MM"
      value={text}
      error={isWrong}
      onChange={(event) => {
        const next = event.currentTarget.value;
        const parsed = next.trim() === '' ? null : parseWallClock(next, edge === 'to');
        if (next.trim() === '' || parsed !== null) {
          setTyped({ text: next, of: parsed });
          store.setFilter(edge === 'from' ? { from: parsed } : { to: parsed });
        } else {
          setTyped({ text: next, of: value });
        }
      }}
      style={{ width: 152 }}
    />
  );
}
