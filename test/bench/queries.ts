import { openCache } from '../../main/cache/openCache.ts';
import { createTripHandlers } from '../../main/desk/trips.ts';
import { median } from './measure.ts';

/** Milliseconds of what the window asks the core, on a cache as an import left it. */
export interface QueryResult {
  readonly points: number;
  readonly trips: number;
  readonly openMs: number;
  readonly listMs: number;
  readonly nearMedianMs: number;
  readonly nearLongestMs: number;
  readonly fitLevel: number;
  readonly linesFirstMs: number;
  readonly linesCachedMs: number;
  readonly lineVertices: number;
  readonly seriesMs: number;
}

const circles = 20;
const circleM = 50;
/** Width of the map in the smallest window, pixels. */
const mapWidth = 900;

async function timed<T>(work: () => Promise<T> | T): Promise<[T, number]> {
  const startedAt = performance.now();
  const value = await work();
  return [value, performance.now() - startedAt];
}

/** Asks each question `rounds` times (lines: forgets what was kept in between) and takes medians. */
export async function benchQueries(folder: string, rounds: number): Promise<QueryResult> {
  const [cache, openMs] = await timed(() => openCache({ folder }));
  try {
    const desk = createTripHandlers({ cache, runner: 'inline', actor: () => 'bench', now: Date.now });
    const lists: number[] = [];
    let trips = await desk['trips.list']({});
    for (let round = 0; round < rounds; round++) {
      const [all, ms] = await timed(() => desk['trips.list']({}));
      trips = all;
      lists.push(ms);
    }
    const tripIds = trips.map((trip) => trip.tripId);

    const nears: number[] = [];
    for (let i = 0; i < circles; i++) {
      const trip = trips[Math.floor((i * trips.length) / circles)]!;
      const points = await desk['trips.points']({ tripId: trip.tripId });
      const at = points.count >> 1;
      const circle = { latDeg: points.latDeg[at]!, lngDeg: points.lngDeg[at]!, radiusM: circleM };
      const [passes, ms] = await timed(() => desk['tracks.near']({ circle }));
      if (!passes.some((pass) => pass.tripId === trip.tripId))
        throw new Error('near did not find the trip it was taken from');
      nears.push(ms);
    }

    const span = Math.max(...trips.map((t) => t.bbox[2])) - Math.min(...trips.map((t) => t.bbox[0]));
    const level = Math.max(0, Math.min(18, Math.floor(Math.log2((mapWidth * 360) / 256 / span))));
    const first: number[] = [];
    const cached: number[] = [];
    let lineVertices = 0;
    for (let round = 0; round < rounds; round++) {
      cache.db.exec('DELETE FROM trip_line');
      first.push((await timed(() => desk['tracks.lines']({ tripIds, level })))[1]);
      const [lines, ms] = await timed(() => desk['tracks.lines']({ tripIds, level }));
      cached.push(ms);
      lineVertices = lines.latDeg.length;
    }
    const series: number[] = [];
    for (let round = 0; round < rounds; round++) {
      series.push((await timed(() => desk['tracks.series']({ tripIds, buckets: 2000 })))[1]);
    }
    return {
      points: trips.reduce((sum, trip) => sum + trip.points, 0),
      trips: trips.length,
      openMs,
      listMs: median(lists),
      nearMedianMs: median(nears),
      nearLongestMs: Math.max(...nears),
      fitLevel: level,
      linesFirstMs: median(first),
      linesCachedMs: median(cached),
      lineVertices,
      seriesMs: median(series),
    };
  } finally {
    cache.close();
  }
}
