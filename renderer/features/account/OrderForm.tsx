import { Button, Group, SegmentedControl, Select, Stack, Switch, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { DeviceListing, ExportOrder, UsageReport } from '../../../shared/contract/cloud.ts';
import type { InputOf } from '../../../shared/contract/index.ts';
import { Failure, formatCounted, formatInstant, Notice, Section, useZone } from '../../ui/index.ts';
import classes from './account.module.css';
import { CameraChoice, type Cameras } from './CameraChoice.tsx';
import type { Kept } from './kept.ts';
import {
  checkRange,
  defaultPackaging,
  expectedPoints,
  isExportable,
  lastDays,
  maxRangeDays,
  type RangeCheck,
} from './orderRules.ts';
import { PriceNote } from './PriceNote.tsx';
import { problemOf } from './problemError.ts';

type Order = InputOf<'exports.order'>;

const formats: Record<Order['format'], { label: string; hint: string }> = {
  csv: {
    label: 'CSV',
    hint: 'Every column: position, heading, speed, trip number, camera. The best for evidence.',
  },
  gpx: { label: 'GPX', hint: 'One track for each trip, with times, and speed where it was recorded.' },
  kml: { label: 'KML', hint: 'One line for each trip, for map programs. No speed.' },
};
const packagingTexts = {
  single: 'one file with all cameras',
  perDevice: 'one file for each camera',
} as const;
const suggestions = [
  { days: 1, label: 'Today' },
  { days: 7, label: '7 days' },
  { days: 30, label: '30 days' },
  { days: maxRangeDays + 1, label: 'Longest' },
] as const;

/** Orders a GPS export: what, at what price, and why not right now. */
export function OrderForm({
  devices,
  usage,
  inTheWay,
  onOrder,
  onRefreshDevices,
  nowMs = Date.now,
}: {
  devices: Kept<DeviceListing>;
  usage: Kept<UsageReport>;
  /** The job that must end first; null when none is known. */
  inTheWay: ExportOrder | null;
  /** Rejects with AppError. */
  onOrder: (order: Order) => Promise<unknown>;
  onRefreshDevices: () => void;
  nowMs?: () => number;
}) {
  const [cameras, setCameras] = useState<Cameras>(null);
  const [range, setRange] = useState(() => lastDays(7, nowMs()));
  const [format, setFormat] = useState<Order['format']>('csv');
  const [packaging, setPackaging] = useState<'default' | 'single' | 'perDevice'>('default');
  const [shouldImport, setShouldImport] = useState(true);
  const [state, setState] = useState<{ isBusy: boolean; error: unknown }>({ isBusy: false, error: null });

  const exportable = devices.value?.devices.filter(isExportable).length ?? 0;
  const count = cameras === null ? exportable : cameras.size;
  const check = checkRange(range.fromDay, range.toDay);
  const isReady = check.status === 'ok' && (cameras === null || cameras.size > 0) && inTheWay === null;
  const send = async () => {
    setState({ isBusy: true, error: null });
    try {
      await onOrder({
        ...(cameras === null ? {} : { psns: [...cameras] }),
        ...range,
        format,
        ...(packaging === 'default' ? {} : { packaging }),
        shouldImport,
      });
      setState({ isBusy: false, error: null });
    } catch (error) {
      setState({ isBusy: false, error });
    }
  };
  return (
    <Section title="Order a GPS export" note="The service gathers the tracks; this takes seconds to minutes.">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady && !state.isBusy) void send();
        }}
      >
        <Stack gap="md">
          <CameraChoice
            listing={devices}
            chosen={cameras}
            onChange={setCameras}
            onRefresh={onRefreshDevices}
          />
          <div>
            <div className={classes.two}>
              <TextInput
                type="date"
                label="First day (UTC)"
                value={range.fromDay}
                error={errorOf(check, 'from')}
                onChange={(event) => setRange({ ...range, fromDay: event.currentTarget.value })}
              />
              <TextInput
                type="date"
                label="Last day (UTC), included"
                value={range.toDay}
                error={errorOf(check, 'to')}
                onChange={(event) => setRange({ ...range, toDay: event.currentTarget.value })}
              />
            </div>
            <Group gap={4} mt={6} role="group" aria-label="Ranges up to today">
              {suggestions.map(({ days, label }) => (
                <Button
                  key={days}
                  variant="default"
                  size="compact-xs"
                  onClick={() => setRange(lastDays(days, nowMs()))}
                >
                  {label}
                </Button>
              ))}
            </Group>
            <RangeText check={check} />
          </div>
          <div>
            <div className={classes.label} id="format-label">
              Format
            </div>
            <SegmentedControl
              fullWidth
              aria-labelledby="format-label"
              value={format}
              onChange={(value) => setFormat(value as Order['format'])} // one of the values in data
              data={Object.entries(formats).map(([value, { label }]) => ({ value, label }))}
            />
            <div className={classes.muted} style={{ marginTop: 4 }}>
              {formats[format].hint}
            </div>
          </div>
          <Select
            label="Packaging"
            value={packaging}
            onChange={(value) => setPackaging((value ?? 'default') as typeof packaging)} // one of the values in data
            allowDeselect={false}
            data={[
              { value: 'default', label: `As usual: ${packagingTexts[defaultPackaging(count)]}` },
              { value: 'perDevice', label: 'One file for each camera' },
              { value: 'single', label: 'One file with all cameras' },
            ]}
            description="As usual: one file for each camera when there are several, one file for a single camera."
          />
          <Switch
            label="Import when it is complete"
            description="Otherwise it waits in the list until it expires."
            checked={shouldImport}
            onChange={(event) => setShouldImport(event.currentTarget.checked)}
          />
          {check.status === 'ok' && count > 0 && (
            <div className={classes.muted}>
              To expect: {pointsText(count, check.days)} ({formatCounted(count, 'camera')},{' '}
              {formatCounted(check.days, 'day')}, 300 to 1,000 points for each camera and day).
            </div>
          )}
          <PriceNote usage={usage} />
          {inTheWay !== null && (
            <Notice tone="warn">
              Export <span className={classes.mono}>{inTheWay.job.jobId}</span> is {inTheWay.job.status}. The
              organization can run one export at a time: wait for it, or cancel it in the list.
            </Notice>
          )}
          {state.error !== null && (
            <Failure error={state.error} meaning={orderMeaning(state.error)} isInline />
          )}
          <Button type="submit" size="sm" disabled={!isReady} loading={state.isBusy}>
            Order export
          </Button>
        </Stack>
      </form>
    </Section>
  );
}

/** After a broken answer nobody knows whether the order was taken: the list does. */
function orderMeaning(error: unknown): string {
  const problem = problemOf(error);
  const isDoubtful =
    problem !== null &&
    (problem.status >= 500 ||
      ['connection_lost', 'deadline_exceeded', 'answer_malformed'].includes(problem.code));
  return isDoubtful
    ? 'It is not known whether the order was taken: look at the list before you order again.'
    : 'No order was placed, and nothing was counted.';
}

function errorOf(check: RangeCheck, field: 'from' | 'to'): string | undefined {
  return check.status === 'wrong' && check.field === field ? check.message : undefined;
}

function pointsText(cameras: number, days: number): string {
  const [low, high] = expectedPoints(cameras, days);
  const round = (value: number) => new Intl.NumberFormat('en-GB').format(Number(value.toPrecision(2)));
  return `about ${round(low)} to ${round(high)} points`;
}

/** Whole UTC days begin at another hour for most people: what that is on their clock. */
function RangeText({ check }: { check: RangeCheck }) {
  const { localZone } = useZone();
  if (check.status === 'wrong') {
    return (
      <div className={classes.muted} style={{ marginTop: 4 }}>
        Whole UTC days, at most {maxRangeDays} days from the first to the last.
      </div>
    );
  }
  return (
    <div className={classes.muted} style={{ marginTop: 4 }}>
      {formatCounted(check.days, 'whole UTC day')}
      {localZone === 'UTC' ? null : (
        <>
          : {formatInstant(check.fromMs, localZone, 'minute')} to{' '}
          {formatInstant(check.toMs, localZone, 'minute')}
        </>
      )}
      . The service allows at most {maxRangeDays} days from the first to the last.
    </div>
  );
}
