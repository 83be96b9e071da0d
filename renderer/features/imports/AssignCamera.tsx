import { Autocomplete, Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Camera } from '../../../shared/contract/sources.ts';
import { Failure, formatCounted, Notice, notifyDone } from '../../ui/index.ts';
import classes from './imports.module.css';
import type { SourceReportView } from './reportStore.ts';

/** Resolves with the number of trips that were assigned. */
export type Assign = (psn: string | null, name: string, entryName?: string) => Promise<number>;

/** Says whose tracks those of an unknown camera are: a known camera, or a serial typed in. */
export function AssignCamera({
  cameras,
  unknownTrips,
  entryName,
  onAssign,
}: {
  cameras: readonly Camera[];
  /** Null inside an entry, where the count stands above already. */
  unknownTrips: number | null;
  entryName?: string;
  onAssign: Assign;
}) {
  const [psn, setPsn] = useState('');
  const [name, setName] = useState('');
  const [state, setState] = useState<{ isBusy: boolean; error: unknown }>({ isBusy: false, error: null });
  const known = cameras.flatMap((camera) =>
    camera.psn === null ? [] : [{ psn: camera.psn, name: camera.name }],
  );
  const nameOf = (serial: string) => known.find((camera) => camera.psn === serial)?.name ?? null;
  const assign = async () => {
    setState({ isBusy: true, error: null });
    try {
      const trips = await onAssign(psn.trim(), name.trim(), entryName);
      notifyDone('Camera assigned', `${formatCounted(trips, 'trip')} now belong to camera ${psn.trim()}.`);
      setState({ isBusy: false, error: null });
    } catch (error) {
      setState({ isBusy: false, error });
    }
  };
  return (
    <Notice tone={unknownTrips === null ? 'info' : 'warn'}>
      <div>
        {unknownTrips === null
          ? 'The tracks of this file name no camera.'
          : `${formatCounted(unknownTrips, 'trip')} of this source name no camera. Say whose they are, and they join that camera's trips. The source itself is not changed; you can take it back.`}
      </div>
      <form
        className={classes.assign}
        onSubmit={(event) => {
          event.preventDefault();
          void assign();
        }}
      >
        <Autocomplete
          size="xs"
          label="Camera serial"
          placeholder="Choose or type"
          value={psn}
          onChange={(value) => {
            setPsn(value);
            setName(nameOf(value) ?? name);
          }}
          data={known.map((camera) => camera.psn)}
          renderOption={({ option }) => (
            <span>
              {option.value}
              {nameOf(option.value) && <span className={classes.muted}> · {nameOf(option.value)}</span>}
            </span>
          )}
          maxLength={100}
          limit={50}
        />
        <TextInput
          label="Name (optional)"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          maxLength={200}
        />
        <Button type="submit" disabled={psn.trim() === ''} loading={state.isBusy}>
          Assign camera
        </Button>
      </form>
      {state.error !== null && <Failure error={state.error} isInline />}
    </Notice>
  );
}

/** What was assigned by hand, with the way back. */
export function AssignedCameras({
  assigned,
  onAssign,
}: {
  assigned: SourceReportView['assigned'];
  onAssign: Assign;
}) {
  const [error, setError] = useState<unknown>(null);
  const takeBack = () => {
    setError(null);
    onAssign(null, '').then(
      (trips) => notifyDone('Assignment taken back', `${formatCounted(trips, 'trip')} name no camera again.`),
      setError,
    );
  };
  return (
    <Notice>
      <div>
        Assigned by hand:{' '}
        {assigned
          .map(
            (camera) =>
              `${formatCounted(camera.trips, 'trip')} to camera ${camera.psn}${camera.name ? ` (${camera.name})` : ''}`,
          )
          .join(', ')}
        .{' '}
        <Button variant="default" size="compact-xs" onClick={takeBack}>
          Take back
        </Button>
      </div>
      {error !== null && <Failure error={error} isInline />}
    </Notice>
  );
}
