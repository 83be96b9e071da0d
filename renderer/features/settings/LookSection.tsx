import { SegmentedControl, Select, Stack } from '@mantine/core';
import { useMemo, useState } from 'react';
import type { Settings } from '../../../shared/contract/app.ts';
import { Failure, machineZone, Section } from '../../ui/index.ts';
import type { ChangeSettings } from './InvestigatorSection.tsx';
import { zoneListName } from './zoneNames.ts';
import classes from './settings.module.css';

const ofMachine = '';

/** Theme, and the zone of "local" times. */
export function LookSection({ settings, onChange }: { settings: Settings; onChange: ChangeSettings }) {
  const [error, setError] = useState<unknown>(null);
  const zones = useMemo(
    () => [
      { value: ofMachine, label: `This computer's zone (${machineZone()})` },
      ...Intl.supportedValuesOf('timeZone').map((zone) => ({ value: zone, label: zoneListName(zone) })),
    ],
    [],
  );
  const change = (patch: Partial<Settings>) => {
    setError(null);
    onChange(patch).catch(setError);
  };
  return (
    <Section title="Display">
      <Stack gap="sm">
        <div>
          <div className={classes.label} id="theme-label">
            Theme
          </div>
          <SegmentedControl
            aria-labelledby="theme-label"
            value={settings.theme}
            onChange={(value) => change({ theme: value as Settings['theme'] })} // one of the values in data
            data={[
              { value: 'system', label: 'As the system' },
              { value: 'light', label: 'Light' },
              { value: 'dark', label: 'Dark' },
            ]}
          />
        </div>
        <Select
          label="Local time is"
          description="Every time on screen names its zone. What is stored and sealed is always UTC."
          value={settings.localZone ?? ofMachine}
          onChange={(value) => change({ localZone: value === null || value === ofMachine ? null : value })}
          data={zones}
          searchable
          allowDeselect={false}
          limit={200}
          nothingFoundMessage="No zone of that name"
        />
        {error !== null && <Failure error={error} isInline />}
      </Stack>
    </Section>
  );
}
