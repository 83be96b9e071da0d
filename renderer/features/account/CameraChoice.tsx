import { Button, Checkbox, SegmentedControl, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { DeviceListing } from '../../../shared/contract/cloud.ts';
import type { Device } from '../../../shared/cloudResources.ts';
import { Failure, formatCounted, Loading, Status } from '../../ui/index.ts';
import classes from './account.module.css';
import { AsOf } from './AsOf.tsx';
import type { Kept } from './kept.ts';
import { isExportable } from './orderRules.ts';
import { problemError } from './problemError.ts';

/** Null is every cloud camera, also those registered after this list was read. */
export type Cameras = ReadonlySet<string> | null;

/** Which cameras an export covers. Wi-Fi-only ones are listed, with the reason why they can't be chosen. */
export function CameraChoice({
  listing,
  chosen,
  onChange,
  onRefresh,
}: {
  listing: Kept<DeviceListing>;
  chosen: Cameras;
  onChange: (cameras: Cameras) => void;
  onRefresh: () => void;
}) {
  const [search, setSearch] = useState('');
  const { value, error, isReading } = listing;
  const devices = value?.devices ?? [];
  const exportable = devices.filter(isExportable);
  const wifi = devices.filter((device) => !isExportable(device));
  const failure = error ?? (value?.problem ? problemError(value.problem) : null);
  const needle = search.trim().toLowerCase();
  const shown = [...exportable, ...wifi].filter(
    (device) => needle === '' || `${device.name ?? ''} ${device.psn}`.toLowerCase().includes(needle),
  );
  const toggle = (psn: string, isOn: boolean) => {
    const next = new Set(chosen ?? []);
    if (isOn) next.add(psn);
    else next.delete(psn);
    onChange(next);
  };
  return (
    <div>
      <div className={classes.label} id="cameras-label">
        Cameras
      </div>
      <SegmentedControl
        fullWidth
        aria-labelledby="cameras-label"
        value={chosen === null ? 'all' : 'chosen'}
        onChange={(next) => onChange(next === 'all' ? null : new Set())}
        data={[
          { value: 'all', label: `All cloud cameras${value ? ` (${exportable.length})` : ''}` },
          { value: 'chosen', label: chosen === null ? 'Choose…' : `Chosen (${chosen.size})` },
        ]}
      />
      {value === null && failure === null && <Loading label="Reading the cameras" />}
      {failure !== null && (
        <Failure
          error={failure}
          isInline
          onRetry={onRefresh}
          {...(devices.length > 0 ? { meaning: 'The list below is older.' } : {})}
        />
      )}
      {chosen === null && value !== null && wifi.length > 0 && (
        <div className={classes.muted} style={{ marginTop: 4 }}>
          Left out: {formatCounted(wifi.length, 'Wi-Fi-only camera')} (
          {wifi.map((device) => device.name ?? device.psn).join(', ')}). They have no cloud connection: read
          their SD card by hand.
        </div>
      )}
      {chosen !== null && devices.length > 0 && (
        <>
          <TextInput
            aria-label="Find a camera"
            placeholder="Find by name or serial"
            mt={6}
            mb={6}
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
          />
          <div className={classes.cameras} role="group" aria-label="Cameras of the export">
            {shown.map((device) => (
              <CameraRow
                key={device.psn}
                device={device}
                isChosen={chosen.has(device.psn)}
                onToggle={(isOn) => toggle(device.psn, isOn)}
              />
            ))}
            {shown.length === 0 && <div className={classes.camera}>No camera of that name</div>}
          </div>
        </>
      )}
      {value !== null && (
        <div className={classes.rowFacts} style={{ marginTop: 4, alignItems: 'center' }}>
          <AsOf atMs={value.fetchedAtMs} />
          <Button
            variant="subtle"
            size="compact-xs"
            aria-label="Refresh cameras"
            loading={isReading}
            onClick={onRefresh}
          >
            Refresh
          </Button>
        </div>
      )}
    </div>
  );
}

function CameraRow({
  device,
  isChosen,
  onToggle,
}: {
  device: Device;
  isChosen: boolean;
  onToggle: (isChosen: boolean) => void;
}) {
  const isOff = !isExportable(device);
  return (
    <div className={classes.camera} data-off={isOff}>
      <Checkbox
        label={device.name ?? device.psn}
        description={
          isOff ? `${device.psn} · Wi-Fi only: no cloud connection, read its SD card by hand` : device.psn
        }
        checked={isChosen}
        disabled={isOff}
        onChange={(event) => onToggle(event.currentTarget.checked)}
        style={{ flex: 1 }}
      />
      {device.entitlement === 'over_limit' && (
        <span title="Beyond the camera seats: video is locked, GPS exports are not">
          <Status tone="quiet">over the limit, GPS export works</Status>
        </span>
      )}
    </div>
  );
}
