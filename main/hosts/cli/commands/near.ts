import { toRfc3339 } from '../../../../shared/time.ts';
import { exitCodes, type RunCommand } from '../command.ts';
import { withDesk } from '../openCliDesk.ts';
import { table } from '../output.ts';
import { expectPositionals, parseAmount, parsePlace, parseRange } from '../values.ts';

const usualRadiusM = 50;
const widestRadiusM = 1_000_000;

/** `near LAT,LNG`: who passed here, by the moment of the closest approach. */
export const runNearCommand: RunCommand = async (context) => {
  const { args, output } = context;
  const [place] = expectPositionals(args, ['LAT,LNG']);
  const radius = args.value('--radius');
  const radiusM = radius === undefined ? usualRadiusM : parseAmount(radius, '--radius', widestRadiusM);
  const input = { circle: { ...parsePlace(place!), radiusM }, ...parseRange(args) };
  const all = await withDesk(context, (desk) => desk.client.invoke('tracks.near', input));
  const passes = all.map((pass) => ({
    tripId: pass.tripId,
    psn: pass.psn,
    cameraName: pass.cameraName,
    enteredAt: toRfc3339(roundedMs(pass.enteredAtMs)),
    leftAt: toRfc3339(roundedMs(pass.leftAtMs)),
    closestM: pass.closestM,
    closestAt: toRfc3339(roundedMs(pass.closestAtMs)),
    closestLat: pass.closestLatDeg,
    closestLng: pass.closestLngDeg,
    closestIsInterpolated: pass.isClosestInterpolated,
    pointsInside: pass.pointsInside,
  }));
  output.result({ passes }, () =>
    passes.length === 0
      ? 'No camera passed here.\n'
      : table(
          ['CAMERA', 'NAME', 'ENTERED (UTC)', 'LEFT (UTC)', 'CLOSEST M', 'CLOSEST AT (UTC)', '', 'TRIP'],
          passes.map((p) => [
            p.psn,
            p.cameraName,
            p.enteredAt,
            p.leftAt,
            p.closestM.toFixed(1),
            p.closestAt,
            p.closestIsInterpolated ? 'interpolated' : 'recorded',
            p.tripId,
          ]),
        ),
  );
  return exitCodes.done;
};

/** An interpolated moment is no better known than to the millisecond. */
function roundedMs(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms);
}
