import {
  strongestMoment,
  withoutGravity,
  type Axes,
  type HarshMoment,
} from '../../../../shared/harshMoments.ts';
import type { Review, SceneTelemetry } from '../model.ts';

type GSensor = NonNullable<SceneTelemetry['gSensor']>;

/** A day takes some 50 ms: chart, list and transport share one answer for as long as the samples are the same. */
const dynamics = new WeakMap<GSensor, Axes>();
const peaks = new WeakMap<GSensor, HarshMoment | null>();

/** The three axes without gravity (shared/harshMoments.ts), kept with the samples. */
export function dynamicG(gSensor: GSensor): Axes {
  let found = dynamics.get(gSensor);
  if (!found) dynamics.set(gSensor, (found = withoutGravity(gSensor)));
  return found;
}

/**
 * The strongest moment of the samples read so far by |a| without gravity, for "jump to peak G"; null without samples.
 */
export function peakG(review: Pick<Review, 'telemetry'>): HarshMoment | null {
  const { telemetry } = review.telemetry.getState();
  const gSensor = telemetry.status === 'ready' ? telemetry.value.gSensor : null;
  if (!gSensor) return null;
  let found = peaks.get(gSensor);
  if (found === undefined) peaks.set(gSensor, (found = strongestMoment(gSensor, dynamicG(gSensor))));
  return found;
}
