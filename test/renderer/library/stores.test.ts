import { afterEach, describe, expect, it } from 'vitest';
import type { Desk } from '../../../main/desk/desk.ts';
import { createCaseStore } from '../../../renderer/features/library/caseStore.ts';
import { createLibraryStore } from '../../../renderer/features/library/libraryStore.ts';
import { createNearStore } from '../../../renderer/features/library/nearStore.ts';
import { selectAll, selectOne } from '../../../renderer/features/library/selection.ts';
import { createTrackStore, nearestInTime } from '../../../renderer/features/library/trackStore.ts';
import type { DeskClient } from '../../../shared/contract/client.ts';
import { AppError } from '../../../shared/errors.ts';
import type { CaseId, TripId } from '../../../shared/ids.ts';
import { aDesk, aFile, aPlace } from '../../desk/aDesk.ts';
import { linesOf } from './lines.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** A real desk on a folder of its own, with a small CSV imported: P1 in Amsterdam with a speed, P2 without any. */
async function deskWithTrips(): Promise<Desk> {
  const place = aPlace();
  const desk = await aDesk(place);
  closers.push(async () => {
    await desk.close();
    place.remove();
  });
  const rows = ['psn,carName,datetime,lat,lng,drive_no,heading,speedKmh'];
  for (let i = 0; i < 30; i++) {
    const second = String(i).padStart(2, '0');
    rows.push(
      `P1,Van 1,2026-03-14T16:00:${second}Z,52.37,${(4.89 + i * 0.001).toFixed(6)},1,90,${i === 5 ? '' : i}`,
    );
    rows.push(`P2,Van 2,2026-03-14T17:00:${second}Z,48.85,${(2.35 + i * 0.001).toFixed(6)},1,90,`);
  }
  await desk.importFiles([aFile(place, 'two.csv', rows.join('\n'))]);
  return desk;
}

/** Resolves when the store's state fulfils what is asked. */
function until<State>(
  store: { getState(): State; subscribe(listener: (state: State) => void): () => void },
  isTrue: (state: State) => boolean,
): Promise<State> {
  return new Promise((resolve) => {
    if (isTrue(store.getState())) return resolve(store.getState());
    const end = store.subscribe((state) => {
      if (!isTrue(state)) return;
      end();
      resolve(state);
    });
  });
}

/** A client whose answers the test gives, in any order. */
function heldClient() {
  const asked: {
    name: string;
    input: unknown;
    answer(value: unknown): void;
    refuse(error: unknown): void;
  }[] = [];
  const client: DeskClient = {
    invoke: (name, input) =>
      new Promise((resolve, reject) =>
        asked.push({ name, input, answer: (value) => resolve(value as never), refuse: reject }),
      ),
    on: () => () => {},
  };
  return { client, asked };
}
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('the library store', () => {
  it('reads trips, sources and cameras, filters, sorts, and follows the library', async () => {
    const desk = await deskWithTrips();
    const store = createLibraryStore(desk.client);
    const end = store.attach();
    await until(store, (state) => state.content.status === 'ready');
    expect(store.getState().rows.map((trip) => trip.psn)).toEqual(['P1', 'P2']);
    store.setFilter({ minSpeedKmh: 1 });
    expect(store.getState().rows.map((trip) => trip.psn)).toEqual(['P1']);
    store.clearFilters();
    store.sortBy('start');
    expect(store.getState().rows.map((trip) => trip.psn)).toEqual(['P2', 'P1']);
    end();
  });
  it('asks the core for the trips of a place', async () => {
    const desk = await deskWithTrips();
    const store = createLibraryStore(desk.client);
    store.refresh();
    await until(store, (state) => state.content.status === 'ready');
    store.setPlace({ kind: 'circle', circle: { latDeg: 48.85, lngDeg: 2.36, radiusM: 500 } });
    await until(store, (state) => state.placeTrips?.status === 'ready');
    expect(store.getState().rows.map((trip) => trip.psn)).toEqual(['P2']);
    store.setPlace(null);
    expect(store.getState().rows).toHaveLength(2);
  });
  it('drops what is gone from the selection when the library changes', async () => {
    const desk = await deskWithTrips();
    const store = createLibraryStore(desk.client);
    const end = store.attach();
    await until(store, (state) => state.rows.length === 2);
    store.select(selectAll);
    const [source] = await desk.client.invoke('sources.list', {});
    await desk.client.invoke('sources.remove', { sourceId: source!.sourceId });
    const state = await until(store, (now) => now.rows.length === 0);
    expect(state.selection.ids.size).toBe(0);
    end();
  });
  it('keeps what is shown when reading again fails, and says so when there is nothing to keep', async () => {
    const { client, asked } = heldClient();
    const store = createLibraryStore(client);
    store.refresh();
    for (const one of asked) one.refuse(new AppError('internal', 'no'));
    await until(store, (state) => state.content.status === 'failed');
    store.refresh();
    for (const one of asked.slice(3)) one.answer([]);
    await until(store, (state) => state.content.status === 'ready');
    store.refresh();
    for (const one of asked.slice(6)) one.refuse(new AppError('internal', 'no'));
    await settle();
    expect(store.getState().content.status).toBe('ready');
  });
  it('drops the answer for a place that is no longer asked for', async () => {
    const { client, asked } = heldClient();
    const store = createLibraryStore(client);
    store.setPlace({ kind: 'view', bbox: [4, 52, 5, 53] });
    store.setPlace(null);
    asked[0]!.answer([{ tripId: 'trip_1' }]);
    await settle();
    expect(store.getState()).toMatchObject({ placeTrips: null, filter: { tripIdsAtPlace: null } });
  });
});

describe('the track store', () => {
  it('fixes the recorded point of a trip that is nearest to a moment of the timeline', async () => {
    const desk = await deskWithTrips();
    const trips = await desk.client.invoke('trips.list', { psns: ['P1'] });
    const store = createTrackStore(desk.client);
    store.setTrips([trips[0]!.tripId]);
    store.pinAt(trips[0]!.tripId, Date.parse('2026-03-14T16:00:05.400Z'));
    const { pinned } = await until(store, (state) => state.pinned !== null);
    expect(pinned).toMatchObject({
      tripId: trips[0]!.tripId,
      timeMs: Date.parse('2026-03-14T16:00:05Z'),
      speedKmh: null,
    });
  });
  it('knows no nearest point where none has a time', () => {
    expect(nearestInTime([NaN, 10, 30, NaN], 21)).toBe(2);
    expect(nearestInTime([30, 10], 12)).toBe(1);
    expect(nearestInTime([NaN], 0)).toBeNull();
  });
  it('draws lines, reads the recorded point under the pointer with absent kept apart from zero, and lets go', async () => {
    const desk = await deskWithTrips();
    const trips = await desk.client.invoke('trips.list', { psns: ['P1'] });
    const store = createTrackStore(desk.client);
    store.setWindow({ level: 12, bbox: [4.8, 52.3, 5, 52.4] });
    store.setTrips([trips[0]!.tripId]);
    const { lines } = await until(store, (state) => state.lines !== null && state.series.length > 0);
    expect(lines!.tripIds).toEqual([trips[0]!.tripId]);
    store.hover({ tripId: trips[0]!.tripId, latDeg: 52.37, lngDeg: 4.8951 });
    expect((await until(store, (state) => state.hovered !== null)).hovered).toMatchObject({ speedKmh: null });
    expect(store.getState().cursorMs).toBe(Date.parse('2026-03-14T16:00:05Z'));
    store.hover({ tripId: trips[0]!.tripId, latDeg: 52.37, lngDeg: 4.889 });
    await until(store, (state) => state.hovered?.speedKmh === 0);
    store.pin();
    store.hover(null);
    expect(store.getState()).toMatchObject({ hovered: null, cursorMs: null, pinned: { speedKmh: 0 } });
    store.setTrips([]);
    expect(store.getState()).toMatchObject({ lines: null, pinned: null, series: [] });
  });
  it('never shows lines of a selection that is gone', async () => {
    const { client, asked } = heldClient();
    const store = createTrackStore(client);
    store.setWindow({ level: 5, bbox: [0, 0, 10, 10] });
    store.setTrips(['a' as TripId]);
    store.setTrips(['b' as TripId]);
    const linesAsked = () => asked.filter((one) => one.name === 'tracks.lines');
    linesAsked()[0]!.answer({ ...linesOf([[[1, 1]]]), tripIds: ['a'] });
    await settle();
    expect(store.getState().lines).toBeNull();
    linesAsked()[1]!.answer({ ...linesOf([[[1, 1]]]), tripIds: ['b'] });
    await settle();
    expect(store.getState().lines?.tripIds).toEqual(['b']);
  });
  it('asks for new lines when the zoom changes or the view leaves what it has, and not for small pans', async () => {
    const { client, asked } = heldClient();
    const store = createTrackStore(client);
    const levels = () =>
      asked.filter((one) => one.name === 'tracks.lines').map((one) => (one.input as { level: number }).level);
    const answer = async () => {
      asked
        .filter((one) => one.name === 'tracks.lines')
        .at(-1)!
        .answer(linesOf([[[1, 1]]]));
      await settle();
    };
    store.setWindow({ level: 14, bbox: [4, 52, 4.1, 52.1] });
    store.setTrips(['a' as TripId]);
    await answer();
    store.setWindow({ level: 14, bbox: [4.05, 52.05, 4.15, 52.15] });
    expect(levels()).toEqual([14]);
    store.setWindow({ level: 14, bbox: [5, 52, 5.1, 52.1] });
    expect(levels()).toEqual([14, 14]);
    await answer();
    store.setWindow({ level: 8, bbox: [0, 48, 9, 56] });
    await answer();
    store.setWindow({ level: 8, bbox: [20, 48, 29, 56] });
    expect(levels()).toEqual([14, 14, 8]);
  });
});

describe('a trip that is looked at', () => {
  it('has the time axis until the whole selection, or another one, is shown', () => {
    const { client, asked } = heldClient();
    const store = createTrackStore(client);
    store.setTrips(['a', 'b'] as TripId[]);
    store.focusTrip('b' as TripId, { fromMs: 10, toMs: 20 });
    expect(store.getState()).toMatchObject({ focusedTripId: 'b', seriesRange: { fromMs: 10, toMs: 20 } });
    store.setSeriesRange({ fromMs: 12, toMs: 18 });
    expect(store.getState().focusedTripId, 'zooming does not let go').toBe('b');
    store.setSeriesRange(null);
    expect(store.getState()).toMatchObject({ focusedTripId: null, seriesRange: null });
    store.focusTrip('a' as TripId, { fromMs: 1, toMs: 2 });
    store.setTrips(['b'] as TripId[]);
    expect(store.getState()).toMatchObject({ focusedTripId: null, seriesRange: null });
    expect(asked.some(({ name }) => name === 'tracks.series')).toBe(true);
  });
});

describe('who passed here', () => {
  it('lists passes with their closest approach, narrowed by time', async () => {
    const desk = await deskWithTrips();
    const store = createNearStore(desk.client);
    store.open();
    expect(store.getState().isDrawing).toBe(true);
    store.setCircle({ latDeg: 52.3701, lngDeg: 4.9, radiusM: 200 });
    const found = await until(store, (state) => state.passes?.status === 'ready');
    if (found.passes?.status !== 'ready') throw new Error('not ready');
    expect(found.passes.value).toMatchObject([{ psn: 'P1' }]);
    expect(found.passes.value[0]!.closestM).toBeCloseTo(11.1, 0);
    store.setRange(Date.parse('2026-03-15T00:00:00Z'), null);
    await until(store, (state) => state.passes?.status === 'ready' && state.passes.value.length === 0);
  });
});

describe('adding to a case', () => {
  it('creates the case with the trips in it, and adds more', async () => {
    const desk = await deskWithTrips();
    const library = createLibraryStore(desk.client);
    library.refresh();
    await until(library, (state) => state.rows.length === 2);
    library.select(() => selectOne(library.getState().rowIds[0]!));
    const cases = createCaseStore(desk.client);
    const end = cases.attach();
    const made = await cases.create('Collision', [{ kind: 'trip', tripId: library.getState().rowIds[0]! }]);
    expect(made.exhibits).toBe(1);
    const more = await cases.add(made.caseId, [{ kind: 'trip', tripId: library.getState().rowIds[1]! }]);
    expect(more.exhibits).toBe(2);
    await until(cases, (state) => state.cases.status === 'ready' && state.cases.value[0]?.exhibits === 2);
    await expect(cases.create('collision', [])).rejects.toMatchObject({ code: 'already_exists' });
    await expect(cases.add('case_none' as CaseId, [])).rejects.toMatchObject({ code: 'not_found' });
    end();
  });
});
