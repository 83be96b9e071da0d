import { toRfc3339 } from '../../../../shared/time.ts';
import { exitCodes, type RunCommand } from '../command.ts';
import { withDesk } from '../openCliDesk.ts';
import { table } from '../output.ts';
import { expectPositionals, parseBbox, parseRange } from '../values.ts';

/** `trips`: those that match, by start. */
export const runTripsCommand: RunCommand = async (context) => {
  const { args, output } = context;
  expectPositionals(args, []);
  const psns = args.list('--psn');
  const bbox = args.value('--bbox');
  const filter = {
    ...parseRange(args),
    ...(psns.length === 0 ? {} : { psns: [...psns] }),
    ...(bbox === undefined ? {} : { bbox: parseBbox(bbox) }),
  };
  const all = await withDesk(context, (desk) => desk.client.invoke('trips.list', filter));
  const trips = all.map((trip) => ({
    tripId: trip.tripId,
    psn: trip.psn,
    cameraName: trip.cameraName,
    driveNo: trip.driveNo,
    startedAt: toRfc3339(trip.startedAtMs),
    endedAt: toRfc3339(trip.endedAtMs),
    points: trip.points,
    distanceM: trip.distanceM,
    maxSpeedKmh: trip.maxSpeedKmh,
    bbox: trip.bbox,
    sourceId: trip.sourceId,
  }));
  output.result({ trips }, () =>
    trips.length === 0
      ? 'No trips.\n'
      : table(
          ['TRIP', 'CAMERA', 'NAME', 'START (UTC)', 'END (UTC)', 'POINTS', 'KM', 'TOP KM/H'],
          trips.map((t) => [
            t.tripId,
            t.psn,
            t.cameraName,
            t.startedAt,
            t.endedAt,
            t.points,
            (t.distanceM / 1000).toFixed(1),
            t.maxSpeedKmh === null ? null : t.maxSpeedKmh.toFixed(1),
          ]),
        ),
  );
  return exitCodes.done;
};
