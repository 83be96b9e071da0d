import type { TripId } from '../../../../shared/ids.ts';
import { UsageError } from '../arguments.ts';
import { exitCodes, type RunCommand } from '../command.ts';
import { withDesk } from '../openCliDesk.ts';
import { expectPositionals } from '../values.ts';

const formats = ['json', 'csv', 'gpx', 'kml', 'geojson'] as const;

/** `track TRIPID`: the trip's points on standard output, piece by piece whatever its length. */
export const runTrackCommand: RunCommand = async (context) => {
  const { args, output } = context;
  const [tripId] = expectPositionals(args, ['TRIPID']);
  const asked = args.value('--format') ?? 'json';
  const format = formats.find((one) => one === asked);
  if (format === undefined) throw new UsageError(`--format is one of ${formats.join(', ')}, not "${asked}".`);
  await withDesk(context, async (desk) => {
    await desk.client.invoke('trips.get', { tripId: tripId! }); // says not_found before anything is written
    await desk.trackText(tripId as TripId, format, output.stdout); // the line above found it
  });
  return exitCodes.done;
};
