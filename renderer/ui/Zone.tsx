import { SegmentedControl, Tooltip } from '@mantine/core';
import { createContext, useContext, useMemo, useState, type ReactNode } from 'react';
import { formatInstant, isZone, machineZone } from './time.ts';

export type ZoneMode = 'utc' | 'local';

export interface ZoneChoice {
  readonly mode: ZoneMode;
  /** IANA zone that times are shown in now. */
  readonly zone: string;
  /** The zone of "local", as set or the machine's. */
  readonly localZone: string;
  setMode(mode: ZoneMode): void;
}

const ZoneContext = createContext<ZoneChoice | null>(null);

/** `localZone` null follows the machine; an unknown name does too. */
export function ZoneProvider({ localZone, children }: { localZone: string | null; children: ReactNode }) {
  const [mode, setMode] = useState<ZoneMode>('local');
  const local = localZone !== null && isZone(localZone) ? localZone : machineZone();
  const choice = useMemo<ZoneChoice>(
    () => ({ mode, zone: mode === 'utc' ? 'UTC' : local, localZone: local, setMode }),
    [mode, local],
  );
  return <ZoneContext.Provider value={choice}>{children}</ZoneContext.Provider>;
}

/** The zone that times are shown in. */
export function useZone(): ZoneChoice {
  const choice = useContext(ZoneContext);
  if (!choice) throw new Error('useZone outside ZoneProvider');
  return choice;
}

/** Switches every time on screen between UTC and the local zone. */
export function ZoneSwitch() {
  const { mode, setMode, localZone } = useZone();
  return (
    <Tooltip label={`Show times in UTC or in local time (${localZone})`}>
      <SegmentedControl
        aria-label="Zone of the times shown"
        value={mode}
        onChange={(value) => setMode(value === 'utc' ? 'utc' : 'local')}
        data={[
          { value: 'local', label: 'Local' },
          { value: 'utc', label: 'UTC' },
        ]}
      />
    </Tooltip>
  );
}

/** An instant with its zone; UTC stands in the tooltip when the local time is shown. "unknown" for null. */
export function Time({ utcMs, style = 'full' }: { utcMs: number | null; style?: 'full' | 'minute' }) {
  const { zone } = useZone();
  if (utcMs === null) return <span>unknown</span>;
  const iso = new Date(utcMs).toISOString();
  return (
    <time dateTime={iso} title={iso}>
      {formatInstant(utcMs, zone, style)}
    </time>
  );
}
