import { Button, Select, TextInput } from '@mantine/core';
import { IconCalendarSearch } from '@tabler/icons-react';
import { useState, type FormEvent } from 'react';
import { useStore } from 'zustand';
import { fromInputText, useZone, zoneName, ZoneSwitch } from '../../ui/index.ts';
import type { ReviewLinks } from './links.ts';
import { momentCamera } from './moments.ts';
import type { StartStore } from './startStore.ts';
import classes from './review.module.css';

/** Stands for the camera that nobody knows, among values of a list that are texts. */
const unknownValue = '\u0000';

/** Opens a camera at a date and time of day, the zone of which is said. */
export function MomentSearch({ store, links }: { store: StartStore; links: ReviewLinks }) {
  const { zone } = useZone();
  const { cameras, moments } = useStore(store);
  const [camera, setCamera] = useState<string | null>(null);
  const [text, setText] = useState('');
  const names = new Map<string, string>();
  for (const { psn, name } of cameras) if (psn !== null) names.set(psn, name ?? psn);
  let hasUnknown = cameras.some(({ psn }) => psn === null);
  for (const moment of moments.status === 'ready' ? moments.value : []) {
    if (moment.psn === null) hasUnknown = true;
    else if (!names.has(moment.psn)) names.set(moment.psn, momentCamera(moment));
  }
  const options = [...names]
    .map(([value, name]) => ({ value, label: name === value ? value : `${name} (${value})` }))
    .sort((a, b) => a.label.localeCompare(b.label, undefined, { numeric: true }));
  if (hasUnknown) options.push({ value: unknownValue, label: 'Unknown camera' });
  const chosen = camera ?? (options.length === 1 ? (options[0]?.value ?? null) : null);
  const atMs = fromInputText(text, zone);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (atMs === null || chosen === null) return;
    links.go({ kind: 'moment', psn: chosen === unknownValue ? null : chosen, atMs }, null);
  };
  return (
    <form className={classes.search} onSubmit={submit}>
      <Select
        label="Camera"
        placeholder="Choose a camera"
        searchable
        nothingFoundMessage="No such camera in the library"
        data={options}
        value={chosen}
        onChange={setCamera}
        comboboxProps={{ withinPortal: true }}
      />
      <TextInput
        placeholder="2026-03-14 17:32"
        error={text.trim() !== '' && atMs === null ? 'As 2026-03-14 17:32 or 17:32:05' : null}
        label={`Date and time of day, ${zone === 'UTC' || atMs === null ? zone : `${zone} (${zoneName(atMs, zone)})`}`}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <div className={classes.searchActs}>
        <Button
          type="submit"
          leftSection={<IconCalendarSearch size={14} />}
          disabled={atMs === null || chosen === null}
        >
          Open this moment
        </Button>
        <ZoneSwitch />
      </div>
    </form>
  );
}
