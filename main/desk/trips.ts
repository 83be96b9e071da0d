import type { Handlers } from '../../shared/contract/index.ts';
import { createLineRepository } from '../cache/lineRepository.ts';
import { createTripRepository } from '../cache/tripRepository.ts';
import type { DeskDeps } from './deps.ts';
import { createBreather } from './tracks/breather.ts';
import { createLineService } from './tracks/lines.ts';
import { findPasses } from './tracks/near.ts';
import { seriesOf } from './tracks/series.ts';

type TripHandlers = Pick<
  Handlers,
  'trips.list' | 'trips.get' | 'trips.points' | 'tracks.lines' | 'tracks.series' | 'tracks.near'
>;

/** Trips, their points, and what is computed from them. Long answers let other requests through in between. */
export function createTripHandlers(deps: Pick<DeskDeps, 'cache'>): TripHandlers {
  const trips = createTripRepository(deps.cache.db);
  const lines = createLineService(trips, createLineRepository(deps.cache.db));

  return {
    'trips.list': (filter) => trips.list(filter),
    'trips.get': ({ tripId }) => trips.get(tripId),
    'trips.points': ({ tripId }) => trips.points(tripId),
    'tracks.lines': (input) => lines.lines(input),
    'tracks.series': ({ tripIds, fromMs, toMs, buckets }) =>
      seriesOf(trips, { tripIds, range: { fromMs: fromMs ?? null, toMs: toMs ?? null }, buckets }),
    'tracks.near': ({ circle, fromMs, toMs }) =>
      findPasses(trips, circle, { fromMs: fromMs ?? null, toMs: toMs ?? null }, createBreather()),
  };
}
