import { Button, Checkbox, Group, Modal, SegmentedControl, Stack, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { CaseFile, ExhibitRef } from '../../../shared/contract/cases.ts';
import { useClient } from '../../app/client/index.ts';
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

/** Chooses trips or sources of the library for the case. */
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
  const client = useClient();
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
          onChange={(value) => setKind(value === 'trip' ? 'trip' : 'source')}
          data={[
            { value: 'trip', label: 'Trips' },
            { value: 'source', label: 'Whole sources' },
          ]}
        />
        <TextInput
          style={{ flex: 1 }}
          aria-label="Search"
          placeholder={kind === 'trip' ? 'Camera, date, trip number' : 'File name, date'}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      </Group>
      {candidates.status === 'loading' && <Loading label="Reading the library" />}
      {candidates.status === 'failed' && <Failure error={candidates.error} />}
      {candidates.status === 'ready' &&
        (shown.length === 0 ? (
          <p className={classes.muted}>
            {wanted === ''
              ? 'The library holds nothing of this kind yet. Import an export first.'
              : 'Nothing matches.'}
          </p>
        ) : (
          <VirtualRows
            key={kind}
            className={classes.pickList}
            label={kind === 'trip' ? 'Trips' : 'Sources'}
            count={shown.length}
            estimatedHeight={45}
            keyOf={(index) => refKey(shown[index]?.ref) || index}
            render={(index) => {
              const one = shown[index];
              if (!one) return null;
              const key = refKey(one.ref);
              const isHeld = held.has(key);
              return (
                <label className={classes.pickRow}>
                  <Checkbox
                    checked={isHeld || chosen.has(key)}
                    disabled={isHeld}
                    onChange={() => toggle(one.ref)}
                    aria-label={`${one.title}, ${whenOf(one)}`}
                  />
                  <span className={classes.pickTitle}>
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
