import type { Trip } from '../../shared/contract/trips.ts';
import type { Handlers } from '../../shared/contract/index.ts';
import { createCustodyRepository } from '../cache/custodyRepository.ts';
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

/** The level at which a region is seen whole: what a window that lists trips draws first. */
const overviewLevel = 10;
/** After a list, the window asks for more important things first. */
const warmAfterMs = 1000;

/** How background work is put off; returns how to call it off. */
export type Defer = (work: () => void, delayMs: number) => () => void;

const deferByTimer: Defer = (work, delayMs) => {
  const timer = setTimeout(work, delayMs);
  timer.unref(); // must not keep a process alive
  return () => clearTimeout(timer);
};

/**
 * Trips, their points, and what is computed from them. Long answers let other requests through in between.
 * Under a window (`runner` worker), lines of an overview are made in the background once trips were listed, so
 * that selecting all of a fresh import draws at once.
 */
export function createTripHandlers(
  deps: Pick<DeskDeps, 'cache' | 'runner' | 'actor' | 'now'>,
  defer: Defer = deferByTimer,
): TripHandlers {
  const { db } = deps.cache;
  const trips = createTripRepository(db);
  const custody = createCustodyRepository(db, deps.now);
  const lines = createLineService(trips, createLineRepository(db));
  let stopWarming = (): void => undefined;

  function warmSoon(listed: readonly Trip[]): void {
    stopWarming();
    const controller = new AbortController();
    const callOff = defer(() => {
      if (!db.open) return;
      const ids = listed.map((trip) => trip.tripId);
      // What fails here (a damaged chunk, a closed cache) fails again, and is said, when somebody asks for it.
      lines.warm(ids, overviewLevel, controller.signal).catch(() => undefined);
    }, warmAfterMs);
    stopWarming = () => {
      callOff();
      controller.abort();
    };
  }

  /** The first look at a trip's points is an entry of the chain (evidence-package.md, "Rules"). */
  function recordView(trip: Trip): void {
    custody.appendOnce({
      actor: deps.actor(),
      action: 'trip.view',
      subject: { kind: 'trip', id: trip.tripId, sha256: null },
      detail: { sourceId: trip.sourceId, psn: trip.psn },
    });
  }

  return {
    'trips.list'(filter) {
      const listed = trips.list(filter);
      if (deps.runner === 'worker' && Object.keys(filter).length === 0) warmSoon(listed);
      return listed;
    },
    'trips.get': ({ tripId }) => trips.get(tripId),
    'trips.points'({ tripId }) {
      const points = trips.points(tripId);
      recordView(trips.get(tripId));
      return points;
    },
    'tracks.lines': (input) => lines.lines(input),
    'tracks.series': ({ tripIds, fromMs, toMs, buckets }) =>
      seriesOf(trips, { tripIds, range: { fromMs: fromMs ?? null, toMs: toMs ?? null }, buckets }),
    'tracks.near': ({ circle, fromMs, toMs }) =>
      findPasses(trips, circle, { fromMs: fromMs ?? null, toMs: toMs ?? null }, createBreather()),
  };
}
