import { Button, SegmentedControl, Select, Switch } from '@mantine/core';
import { useState } from 'react';
import type { DeviceListing, ExportOrder, UsageReport } from '../../../shared/contract/cloud.ts';
import type { InputOf } from '../../../shared/contract/index.ts';
import { Failure, formatCounted, Notice } from '../../ui/index.ts';
import classes from './account.module.css';
import { CameraChoice, type Cameras } from './CameraChoice.tsx';
import type { Kept } from './kept.ts';
import { checkRange, defaultPackaging, expectedPoints, isExportable, lastDays } from './orderRules.ts';
import { PriceNote } from './PriceNote.tsx';
import { RangeFields } from './RangeFields.tsx';
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
    <form
      className={classes.orderForm}
      aria-label="Order a GPS export"
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady && !state.isBusy) void send();
      }}
    >
      <div className={classes.orderBody}>
        <h2>Order a GPS export</h2>
        <CameraChoice listing={devices} chosen={cameras} onChange={setCameras} onRefresh={onRefreshDevices} />
        <RangeFields range={range} check={check} onChange={setRange} nowMs={nowMs} />
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
            { value: 'default', label: `As usual for ${usualText(count)}` },
            { value: 'perDevice', label: 'One file for each camera' },
            { value: 'single', label: 'One file with all cameras' },
          ]}
        />
        <Switch
          label="Import when it is complete"
          description="Otherwise it waits in the list until it expires."
          checked={shouldImport}
          onChange={(event) => setShouldImport(event.currentTarget.checked)}
        />
      </div>
      <div className={classes.orderFoot}>
        {check.status === 'ok' && count > 0 && (
          <div className={classes.muted}>
            To expect: {pointsText(count, check.days)}, 300 to 1,000 for each camera and day (
            {formatCounted(count, 'camera')}, {formatCounted(check.days, 'day')}).
          </div>
        )}
        <PriceNote usage={usage} />
        {inTheWay !== null && (
          <Notice tone="warn">
            Export <span className={classes.mono}>{inTheWay.job.jobId}</span> is {inTheWay.job.status}. The
            organization can run one export at a time: wait for it, or cancel it in the list.
          </Notice>
        )}
        {state.error !== null && <Failure error={state.error} meaning={orderMeaning(state.error)} isInline />}
        <Button type="submit" size="sm" disabled={!isReady} loading={state.isBusy}>
          Order export
        </Button>
      </div>
    </form>
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

/** What the service does when packaging is not stated (4.3 rule 2). */
function usualText(cameras: number): string {
  return defaultPackaging(cameras) === 'perDevice'
    ? 'several cameras: one file each'
    : 'one camera: a single file';
}

function pointsText(cameras: number, days: number): string {
  const [low, high] = expectedPoints(cameras, days);
  const round = (value: number) => new Intl.NumberFormat('en-GB').format(Number(value.toPrecision(2)));
  return `about ${round(low)} to ${round(high)} points`;
}
