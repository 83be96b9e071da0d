import { Button, Checkbox, Group, Modal, SegmentedControl, Stack, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { CaseFile, ExhibitRef } from '../../../shared/contract/cases.ts';
import { useHost } from '../../app/client/index.ts';
import {
  Failure,
  formatCounted,
  formatInstant,
  Loading,
  loading,
  useZone,
  VirtualRows,
  type Loadable,
} from '../../ui/index.ts';
import type { CaseStore } from './caseStore.ts';
import classes from './cases.module.css';
import { readCandidates, refKey, type Candidate } from './candidates.ts';

const kinds: readonly { readonly value: ExhibitRef['kind']; readonly label: string }[] = [
  { value: 'trip', label: 'Trips' },
  { value: 'clip', label: 'Clips' },
  { value: 'derived', label: 'Stills and trims' },
  { value: 'source', label: 'Whole sources' },
];
const placeholders: Readonly<Record<ExhibitRef['kind'], string>> = {
  trip: 'Camera, date, trip number',
  clip: 'Camera, front or option, file name, date',
  derived: 'File name, date',
  source: 'File name, date',
};
const emptyTexts: Readonly<Record<ExhibitRef['kind'], string>> = {
  trip: 'The library holds no trips yet. Import an export first.',
  clip: 'The library holds no clips yet. Recall one from a camera’s card, or import .mp4 files.',
  derived: 'Nobody has made a still or a trim yet. Make them while reviewing a clip.',
  source: 'The library holds no export files yet. Import one first.',
};

/** Chooses trips, clips, stills, trims or whole files of the library for the case. */
export function AddExhibitsDialog({
  isOpen,
  store,
  file,
  onClose,
}: {
  isOpen: boolean;
  store: CaseStore;
  file: CaseFile;
  onClose: () => void;
}) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Add to this case" size={720}>
      {isOpen && <Chooser store={store} file={file} onClose={onClose} />}
    </Modal>
  );
}

function Chooser({ store, file, onClose }: { store: CaseStore; file: CaseFile; onClose: () => void }) {
  const { client, mediaUrl } = useHost();
  const { zone } = useZone();
  const [candidates, setCandidates] = useState<Loadable<readonly Candidate[]>>(loading);
  const [kind, setKind] = useState<ExhibitRef['kind']>('trip');
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState<ReadonlyMap<string, ExhibitRef>>(new Map());
  const [state, setState] = useState<{ isBusy: boolean; error: unknown }>({ isBusy: false, error: null });
  useEffect(() => {
    let isCurrent = true;
    readCandidates(client).then(
      (value) => isCurrent && setCandidates({ status: 'ready', value }),
      (error: unknown) => isCurrent && setCandidates({ status: 'failed', error }),
    );
    return () => {
      isCurrent = false;
    };
  }, [client]);
  const held = new Set(file.exhibitList.map((exhibit) => refKey(exhibit.ref)));
  const all = candidates.status === 'ready' ? candidates.value : [];
  const wanted = search.trim().toLowerCase();
  const whenOf = (one: Candidate) => (one.startMs === null ? 'no times' : formatInstant(one.startMs, zone));
  const shown = all.filter(
    (one) =>
      one.ref.kind === kind &&
      (wanted === '' || `${one.title} ${one.facts} ${whenOf(one)}`.toLowerCase().includes(wanted)),
  );
  const toggle = (ref: ExhibitRef) => {
    const next = new Map(chosen);
    if (!next.delete(refKey(ref))) next.set(refKey(ref), ref);
    setChosen(next);
  };
  const add = async () => {
    setState({ isBusy: true, error: null });
    try {
      await store.add(file.caseId, [...chosen.values()]);
      onClose();
    } catch (error) {
      setState({ isBusy: false, error });
    }
  };
  return (
    <Stack gap="sm">
      <Group gap="sm" wrap="nowrap">
        <SegmentedControl
          aria-label="What to add"
          value={kind}
          onChange={(value) => setKind(kinds.find((one) => one.value === value)?.value ?? 'trip')}
          data={[...kinds]}
        />
        <TextInput
          style={{ flex: 1 }}
          aria-label="Search"
          placeholder={placeholders[kind]}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      </Group>
      {candidates.status === 'loading' && <Loading label="Reading the library" />}
      {candidates.status === 'failed' && <Failure error={candidates.error} />}
      {candidates.status === 'ready' &&
        (shown.length === 0 ? (
          <p className={classes.muted}>{wanted === '' ? emptyTexts[kind] : 'Nothing matches.'}</p>
        ) : (
          <VirtualRows
            key={kind}
            className={classes.pickList}
            label={kinds.find((one) => one.value === kind)?.label ?? ''}
            count={shown.length}
            estimatedHeight={45}
            keyOf={(index) => refKey(shown[index]?.ref) || index}
            render={(index) => {
              const one = shown[index];
              if (!one) return null;
              const key = refKey(one.ref);
              const isHeld = held.has(key);
              return (
                <label className={classes.pickRow} data-has-picture={one.picture !== null}>
                  <Checkbox
                    checked={isHeld || chosen.has(key)}
                    disabled={isHeld}
                    onChange={() => toggle(one.ref)}
                    aria-label={`${one.title}, ${whenOf(one)}`}
                  />
                  {one.picture !== null && (
                    <img className={classes.thumb} src={mediaUrl(one.picture)} alt="" loading="lazy" />
                  )}
                  <span className={classes.pickTitle} title={one.facts}>
                    {one.title}
                    <br />
                    <span className={classes.muted}>{isHeld ? 'in this case already' : one.facts}</span>
                  </span>
                  <span className={classes.muted}>{whenOf(one)}</span>
                </label>
              );
            }}
          />
        ))}
      {state.error !== null && <Failure error={state.error} isInline />}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button disabled={chosen.size === 0} loading={state.isBusy} onClick={() => void add()}>
          {chosen.size === 0 ? 'Add' : `Add ${formatCounted(chosen.size, 'exhibit')}`}
        </Button>
      </Group>
    </Stack>
  );
}
