import { Button } from '@mantine/core';
import { IconDeviceSdCard, IconPlayerPlay } from '@tabler/icons-react';
import type { Circle } from '../../../shared/contract/trips.ts';
import type { TripId } from '../../../shared/ids.ts';
import classes from './library.module.css';

/** Where the Library leads with a trip, a moment of it (UTC ms) or a place. */
export interface MomentLinks {
  /** The videos of a trip, or of a moment of it. */
  readonly review: (tripId: TripId, atMs: number | null) => void;
  /** Every camera at a place in a range of time. */
  readonly reviewPlace: (circle: Circle, fromMs: number, toMs: number) => void;
  /** The recordings of a moment on a camera's card. */
  readonly findOnCard: (psn: string, atMs: number) => void;
}

/** Ways on from a moment of a trip: its videos, or, where they are not here, the camera's card. */
export function MomentActs({
  tripId,
  psn,
  atMs,
  links,
}: {
  tripId: TripId;
  /** Null: nobody knows whose card it would be. */
  psn: string | null;
  atMs: number;
  links: MomentLinks;
}) {
  // The service takes whole milliseconds; what lies between two points is computed.
  const moment = Math.round(atMs);
  return (
    <div className={classes.momentActs}>
      <Button
        variant="default"
        size="compact-xs"
        leftSection={<IconPlayerPlay size={13} />}
        aria-label="Review this moment"
        title="The videos of this moment"
        onClick={() => links.review(tripId, moment)}
      >
        Review
      </Button>
      {psn !== null && (
        <Button
          variant="default"
          size="compact-xs"
          leftSection={<IconDeviceSdCard size={13} />}
          title="Find the recordings of this moment on the camera’s card"
          onClick={() => links.findOnCard(psn, moment)}
        >
          Find on the card
        </Button>
      )}
    </div>
  );
}
