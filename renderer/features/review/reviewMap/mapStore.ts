import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Circle, TrackLines } from '../../../../shared/contract/trips.ts';
import type { TripId } from '../../../../shared/ids.ts';
import { loading, type Loadable } from '../../../ui/index.ts';
import { createLatestOnly } from '../../map/latestOnly.ts';
import { cameraIndexes, cameraKey } from '../../library/tripRows.ts';
import type { Review } from '../model.ts';
import type { MeasurePoint } from './distances.ts';
import { passagesOf } from './passages.ts';
import { vehicleByTrip, vehiclesOf } from './vehicles.ts';

export type MapTool = 'none' | 'distance' | 'passage';

/** What was recorded at a place of the map; null is "not recorded". Times on the scene's time. */
export interface MapReading {
  /** `trailId`: the scene's own positions. */
  readonly tripId: TripId;
  readonly timeMs: number | null;
  readonly speedKmh: number | null;
  readonly headingDeg: number | null;
  readonly latDeg: number;
  readonly lngDeg: number;
}

/** One vehicle's passage of the place asked for. */
export interface VehiclePassage {
  readonly key: string;
  readonly label: string;
  /** Number of the vehicle in the legend; null: the positions of the scene's clips. */
  readonly colorIndex: number | null;
  /** Scene ms of the closest approach; null: the track has no times. */
  readonly closestMs: number | null;
  readonly closestM: number;
  readonly isInterpolated: boolean;
  readonly latDeg: number;
  readonly lngDeg: number;
}

export interface ReviewMapState {
  readonly tool: MapTool;
  readonly isFollowing: boolean;
  readonly hovered: MapReading | null;
  readonly pinned: MapReading | null;
  /** At the clock's time. */
  readonly current: MapReading | null;
  readonly points: readonly MeasurePoint[];
  readonly circle: Circle | null;
  readonly radiusM: number;
  /** Null: no place was asked about. */
  readonly passages: Loadable<readonly VehiclePassage[]> | null;
  /** Every point of the scene's tracks, on their own time. */
  readonly tracks: Loadable<TrackLines>;
  /** Numbers of cameras as in the Library, by `cameraKey`. */
  readonly numbers: ReadonlyMap<string, number>;
}
export interface ReviewMapStore extends Pick<
  StoreApi<ReviewMapState>,
  'getState' | 'subscribe' | 'getInitialState' | 'setState'
> {
  setTool(tool: MapTool): void;
  addPoint(point: MeasurePoint): void;
  removePoint(): void;
  /** Asks who passed a place, and when. */
  askPassages(latDeg: number, lngDeg: number): void;
  setRadius(radiusM: number): void;
  hide(tripIds: readonly TripId[], isHidden: boolean): void;
  retryTracks(): void;
  close(): void;
}

/** Tracks drawn at most, those nearest to the focus; more would hide what is looked for. */
export const mostTracks = 100;
/** Every recorded point. */
const wholeLevel = 20;

/** What the map of a scene knows and shows, beside the lines themselves. */
export function createReviewMapStore(review: Review): ReviewMapStore {
  const { client } = review.host;
  const store = createStore<ReviewMapState>(() => ({
    tool: 'none',
    isFollowing: true,
    hovered: null,
    pinned: null,
    current: null,
    points: [],
    circle: null,
    radiusM: 15,
    passages: null,
    tracks: loading,
    numbers: new Map(),
  }));
  const none: TrackLines = {
    level: wholeLevel,
    tripIds: [],
    offsets: new Uint32Array(1),
    latDeg: new Float64Array(0),
    lngDeg: new Float64Array(0),
    timesMs: new Float64Array(0),
    speedKmh: new Float32Array(0),
    headingDeg: new Float32Array(0),
    isGap: new Uint8Array(0),
  };

  client.invoke('cameras.list', {}).then(
    (cameras) => store.setState({ numbers: cameraIndexes(cameras) }),
    () => undefined, // The tracks are drawn without their numbers.
  );

  const reader = createLatestOnly({
    run: async (tripIds: readonly TripId[]) =>
      tripIds.length === 0
        ? none
        : client.invoke('tracks.lines', { tripIds: [...tripIds], level: wholeLevel }),
    onValue: (value) => store.setState({ tracks: { status: 'ready', value } }),
    onError: (error) => store.setState({ tracks: { status: 'failed', error } }),
  });
  let asked = '';
  function readTracks(isForced: boolean): void {
    const { tracks, focusMs } = review.store.getState().scene;
    const away = (from: number, to: number) => Math.max(0, from - focusMs, focusMs - to);
    const tripIds = [...tracks]
      .sort((a, b) => away(a.fromMs, a.toMs) - away(b.fromMs, b.toMs))
      .slice(0, mostTracks)
      .map(({ tripId }) => tripId);
    const key = tripIds.join(' ');
    if (key === asked && !isForced) return;
    asked = key;
    store.setState({ tracks: loading });
    reader.ask(tripIds);
  }
  asked = ' ';
  readTracks(true);

  const passageReader = createLatestOnly({
    run: (circle: Circle) => findPassages(review, circle, store.getState().numbers),
    onValue: (value) => store.setState({ passages: { status: 'ready', value } }),
    onError: (error) => store.setState({ passages: { status: 'failed', error } }),
  });
  function ask(circle: Circle): void {
    store.setState({ circle, passages: loading });
    passageReader.ask(circle);
  }
  const endScene = review.store.subscribe((now, before) => {
    if (now.scene === before.scene) return;
    readTracks(false);
    const { circle } = store.getState();
    // Times moved with the clocks: what is listed must be true of them.
    if (circle) ask(circle);
    store.setState({ pinned: null, hovered: null });
  });

  return {
    getState: store.getState,
    getInitialState: store.getInitialState,
    subscribe: store.subscribe,
    setState: store.setState,
    setTool(tool) {
      passageReader.cancel();
      store.setState({ tool, points: [], circle: null, passages: null });
    },
    addPoint: (point) => store.setState(({ points }) => ({ points: [...points, point] })),
    removePoint: () => store.setState(({ points }) => ({ points: points.slice(0, -1) })),
    askPassages: (latDeg, lngDeg) => ask({ latDeg, lngDeg, radiusM: store.getState().radiusM }),
    setRadius(radiusM) {
      store.setState({ radiusM });
      const { circle } = store.getState();
      if (circle) ask({ ...circle, radiusM });
    },
    hide(tripIds, isHidden) {
      const next = new Set(review.hiddenTracks.getState().tripIds);
      for (const tripId of tripIds) {
        if (isHidden) next.add(tripId);
        else next.delete(tripId);
      }
      review.hiddenTracks.setState({ tripIds: next });
    },
    retryTracks: () => readTracks(true),
    close() {
      endScene();
      reader.cancel();
      passageReader.cancel();
    },
  };
}

/** Passages of the scene's own positions and of every track of the library, in the scene's time. */
async function findPassages(
  review: Review,
  circle: Circle,
  numbers: ReadonlyMap<string, number>,
): Promise<readonly VehiclePassage[]> {
  const { scene } = review.store.getState();
  const found: VehiclePassage[] = [];
  const { telemetry } = review.telemetry.getState();
  const gps = telemetry.status === 'ready' ? telemetry.value.gps : null;
  if (gps) {
    const camera = scene.channels[0]?.cameraName ?? telemetryCamera(telemetry);
    passagesOf(gps, circle).forEach((passage, index) =>
      found.push({
        key: `trail ${index}`,
        label: `${camera}, clips`,
        colorIndex: null,
        closestMs: passage.closestMs,
        closestM: passage.closestM,
        isInterpolated: passage.isInterpolated,
        latDeg: passage.closestLatDeg,
        lngDeg: passage.closestLngDeg,
      }),
    );
  }
  if (scene.timebase === 'utc') {
    const byTrip = vehicleByTrip(vehiclesOf(scene, numbers));
    const shifts = new Map(scene.tracks.map(({ tripId, shiftMs }) => [tripId, shiftMs]));
    const widest = Math.max(0, ...scene.tracks.map(({ shiftMs }) => Math.abs(shiftMs)));
    const passes = await review.host.client.invoke('tracks.near', {
      circle,
      fromMs: scene.fromMs - widest,
      toMs: scene.toMs + widest,
    });
    passes.forEach((pass, index) => {
      const shiftMs = shifts.get(pass.tripId) ?? 0;
      const closestMs = pass.closestAtMs === null ? null : pass.closestAtMs + shiftMs;
      if (closestMs !== null && (closestMs < scene.fromMs || closestMs > scene.toMs)) return;
      found.push({
        key: `${pass.tripId} ${index}`,
        label: pass.cameraName ?? pass.psn ?? byTrip.get(pass.tripId)?.label ?? 'Unknown camera',
        colorIndex: numbers.get(cameraKey(pass.psn)) ?? -1,
        closestMs,
        closestM: pass.closestM,
        isInterpolated: pass.isClosestInterpolated,
        latDeg: pass.closestLatDeg,
        lngDeg: pass.closestLngDeg,
      });
    });
  }
  return found.sort((a, b) => (a.closestMs ?? Infinity) - (b.closestMs ?? Infinity));
}

function telemetryCamera(telemetry: Loadable<{ readonly psn: string | null }>): string {
  return (telemetry.status === 'ready' ? telemetry.value.psn : null) ?? 'Unknown camera';
}
