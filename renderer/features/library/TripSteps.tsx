import { ActionIcon, Tooltip } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import type { TripId } from '../../../shared/ids.ts';
import { formatCount } from '../../ui/index.ts';
import { neighbourTrip, type LaneTrip, type TimeSpan } from '../timeline/lanes.ts';
import classes from './library.module.css';

/** Steps through the chosen trips in order of time: the one in focus is what the time axis shows. */
export function TripSteps({
  order,
  focused,
  shown,
  onTrip,
}: {
  order: readonly LaneTrip[];
  focused: TripId | null;
  shown: TimeSpan | null;
  onTrip: (trip: LaneTrip) => void;
}) {
  const at = focused === null ? -1 : order.findIndex((trip) => trip.tripId === focused);
  const step = (by: -1 | 1, label: string, Icon: typeof IconChevronLeft) => {
    const trip = neighbourTrip(order, focused, shown, by);
    return (
      <Tooltip label={label}>
        <ActionIcon
          variant="default"
          aria-label={label}
          disabled={trip === null}
          onClick={() => trip && onTrip(trip)}
        >
          <Icon size={16} />
        </ActionIcon>
      </Tooltip>
    );
  };
  return (
    <div className={classes.tripSteps} role="group" aria-label="Trips one by one">
      {step(-1, 'Previous trip', IconChevronLeft)}
      <span className={classes.dim}>
        {at >= 0
          ? `Trip ${formatCount(at + 1)} of ${formatCount(order.length)}`
          : `${formatCount(order.length)} trips`}
      </span>
      {step(1, 'Next trip', IconChevronRight)}
    </div>
  );
}
