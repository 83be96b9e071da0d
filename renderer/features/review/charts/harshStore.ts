import { createStore, type StoreApi } from 'zustand/vanilla';
import {
  areAxesNamed,
  findHarshMoments,
  type HarshMeasure,
  type HarshMoment,
} from '../../../../shared/harshMoments.ts';
import type { Review, SceneTelemetry } from '../model.ts';
import { dynamicG } from './peakG.ts';

export interface HarshState {
  readonly measure: HarshMeasure;
  readonly thresholdG: number;
  readonly moments: readonly HarshMoment[];
  /** False: the format leaves open how the camera was turned, so that only |a| can be judged. */
  readonly canMeasureAxes: boolean;
}
export interface HarshStore extends Pick<StoreApi<HarshState>, 'getState' | 'subscribe' | 'getInitialState'> {
  setMeasure(measure: HarshMeasure): void;
  setThreshold(thresholdG: number): void;
}

/**
 * Where fleets commonly begin to speak of harsh braking; a hard but ordinary stop is about 0.3 g, an impact above 1 g.
 */
export const usualThresholdG = 0.4;
export const thresholdRangeG = { min: 0.1, max: 3 } as const;
/** A moment goes on until this long nothing reached the threshold. */
export const refractoryMs = 2000;

const stores = new WeakMap<Review['telemetry'], HarshStore>();

/** Harsh moments of an open scene: one store for list, charts and transport, for as long as the review is open. */
export function harshStoreOf({ telemetry }: Pick<Review, 'telemetry'>): HarshStore {
  const known = stores.get(telemetry);
  if (known) return known;
  const store = createStore<HarshState>(() => ({
    measure: 'magnitude',
    thresholdG: usualThresholdG,
    moments: [],
    canMeasureAxes: true,
  }));
  let found: { gSensor: SceneTelemetry['gSensor']; measure: HarshMeasure; thresholdG: number } | null = null;
  const look = () => {
    const { telemetry: read } = telemetry.getState();
    const gSensor = read.status === 'ready' ? read.value.gSensor : null;
    const { measure, thresholdG } = store.getState();
    if (found && found.gSensor === gSensor && found.measure === measure && found.thresholdG === thresholdG)
      return;
    found = { gSensor, measure, thresholdG };
    store.setState({
      canMeasureAxes: !gSensor || areAxesNamed(gSensor.axisNames),
      moments: gSensor
        ? findHarshMoments(gSensor, dynamicG(gSensor), { measure, thresholdG, refractoryMs })
        : [],
    });
  };
  look();
  telemetry.subscribe(look);
  const made: HarshStore = {
    getState: store.getState,
    getInitialState: store.getInitialState,
    subscribe: store.subscribe,
    setMeasure(measure) {
      store.setState({ measure });
      look();
    },
    setThreshold(thresholdG) {
      if (!(thresholdG > 0)) return;
      store.setState({
        thresholdG: Math.min(thresholdRangeG.max, Math.max(thresholdRangeG.min, thresholdG)),
      });
      look();
    },
  };
  stores.set(telemetry, made);
  return made;
}
