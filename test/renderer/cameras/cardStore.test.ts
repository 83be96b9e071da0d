import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createCardStore } from '../../../renderer/features/cameras/cardStore.ts';
import { createLookQueue } from '../../../renderer/features/cameras/lookQueue.ts';
import type { CardListing, RecordingMetadata } from '../../../shared/contract/cards.ts';
import type { Handlers } from '../../../shared/contract/index.ts';
import { AppError } from '../../../shared/errors.ts';
import { createFakeHost } from '../fakeHost.ts';
import { atMs, clock, listing, metadata, problem, psn, row } from './samples.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const rest = async () => {
  for (let turn = 0; turn < 12; turn += 1) await Promise.resolve();
};
const newer = row('2026-03-14T17:33:10');
const older = row('2026-03-14T17:32:10');
const images = { make: (jpeg: Uint8Array) => `image-${jpeg.length}`, free: () => undefined };

function open(handlers: Partial<Handlers>) {
  const host = createFakeHost(handlers);
  const card = createCardStore(host, psn, images);
  const ids = () => card.store.getState().shown.map(({ rowId }) => rowId);
  const asked = (name: string) => host.asked.filter((one) => one.name === name).map(({ input }) => input);
  return { host, card, ids, asked };
}

/** Answers in the order that the test lets them. */
function heldBack<T>() {
  const waiting: { resolve: (value: T) => void; reject: (thrown: unknown) => void }[] = [];
  return {
    ask: () => new Promise<T>((resolve, reject) => waiting.push({ resolve, reject })),
    answer: (index: number, value: T) => waiting[index]?.resolve(value),
    refuse: (index: number, thrown: unknown) => waiting[index]?.reject(thrown),
  };
}

describe('a card that is listed page by page', () => {
  it('shows the first page while the rest loads, and ends with what is stored', async () => {
    let stored: CardListing = listing([older], { isLoading: true, isFromCard: true, total: 4 });
    const { host, card, ids, asked } = open({ 'cards.listing': () => stored });
    await card.open();
    expect(ids()).toEqual([older.rowId]);
    expect(card.store.getState().listing?.isLoading).toBe(true);
    const page = { psn, listingId: 'listing_1', recordings: 4, total: 4, fetchedAtMs: atMs, problem: null };
    host.emit('cards.page', { ...page, rows: [newer], isLast: false });
    expect(ids()).toEqual([newer.rowId, older.rowId]);
    // The row that no page named is gone from the card; the stored listing knows.
    stored = listing([newer], { listingId: 'listing_2' });
    host.emit('cards.page', { ...page, rows: [], isLast: true });
    await rest();
    expect(ids()).toEqual([newer.rowId]);
    expect(asked('cards.listing')).toHaveLength(2);
  });

  it('keeps a page that overtakes the answer which names its listing, and drops one of another', async () => {
    const held = heldBack<CardListing>();
    const { host, card, ids } = open({ 'cards.listing': held.ask });
    const opening = card.open();
    await rest();
    const page = { psn, recordings: 4, total: 8, fetchedAtMs: atMs, problem: null, isLast: false };
    host.emit('cards.page', { ...page, listingId: 'listing_1', rows: [newer] });
    host.emit('cards.page', { ...page, listingId: 'listing_0', rows: [row('2020-01-01T00:00:00')] });
    host.emit('cards.page', {
      ...page,
      psn: 'other',
      listingId: 'listing_1',
      rows: [row('2021-01-01T00:00:00')],
    });
    held.answer(0, listing([older], { isLoading: true, isFromCard: true }));
    await opening;
    expect(ids()).toEqual([newer.rowId, older.rowId]);
  });

  it('stays readable when the camera can’t be reached', async () => {
    let fail = false;
    const { card, ids } = open({
      'cards.listing': () => {
        if (fail) throw new AppError('connection_lost', 'gone');
        return listing([older]);
      },
    });
    await card.open();
    fail = true;
    await card.refresh(true);
    expect(ids()).toEqual([older.rowId]);
    expect(card.store.getState().error).toMatchObject({ code: 'connection_lost' });
    expect(card.store.getState().isReading).toBe(false);
  });

  it('does not end a listing under way when something else of the card changes', async () => {
    const { host, card, asked } = open({
      'cards.listing': () => listing([older], { isLoading: true, isFromCard: true }),
    });
    await card.open();
    host.emit('cards.changed', { psn });
    await vi.advanceTimersByTimeAsync(5_000);
    expect(asked('cards.listing')).toHaveLength(1);
  });

  it('reads a burst of changes once', async () => {
    const { host, card, asked } = open({ 'cards.listing': () => listing([older]) });
    await card.open();
    for (let i = 0; i < 20; i += 1) host.emit('cards.changed', { psn });
    host.emit('cards.changed', { psn: 'other' });
    await vi.advanceTimersByTimeAsync(5_000);
    expect(asked('cards.listing')).toHaveLength(2);
    card.close();
    host.emit('cards.changed', { psn });
    await vi.advanceTimersByTimeAsync(5_000);
    expect(asked('cards.listing')).toHaveLength(2);
  });
});

describe('filter and selection', () => {
  const impact = row('2026-03-14T17:40:00', { type: 'driving_impact', typeCode: 'E' });

  it('narrow at once, and go along when the card is asked', async () => {
    const { card, ids, asked } = open({
      'cards.listing': ({ filters }) =>
        filters ? listing([impact], { filters, isFromCard: true }) : listing([impact, newer, older]),
    });
    await card.open();
    card.setFilter({ type: 'driving_impact' });
    expect(ids()).toEqual([impact.rowId]);
    await card.refresh(false);
    expect(asked('cards.listing')[1]).toEqual({
      psn,
      filters: { type: 'driving_impact' },
      isFresh: true,
    });
    card.setFilter({ type: null });
    expect(ids()).toEqual([impact.rowId, newer.rowId, older.rowId]);
    await card.refresh(true);
    expect(asked('cards.listing').at(-1)).toEqual({ psn, isFresh: true });
  });

  it('lead to the recordings of a moment, past the filter', async () => {
    const { card, ids } = open({
      'cards.listing': () => listing([impact, newer, older]),
      'cards.findMoment': () => ({
        psn,
        utcMs: atMs,
        matches: [
          { row: older, fit: 'covers' as const },
          { row: newer, fit: 'near' as const },
        ],
        clock: clock(),
        listedAtMs: atMs,
        lack: null,
      }),
    });
    await card.open();
    card.setFilter({ type: 'driving_impact' });
    await card.findMoment(atMs);
    expect(card.store.getState().focusId).toBe(older.rowId);
    expect([...card.store.getState().chosen]).toEqual([older.rowId]);
    expect(ids()).toContain(older.rowId);
  });

  it('let go of what is no longer on the card', async () => {
    let rows = [newer, older];
    const { host, card } = open({ 'cards.listing': () => listing(rows) });
    await card.open();
    card.choose([newer.rowId, older.rowId], true);
    card.focus(newer.rowId);
    rows = [older];
    host.emit('cards.changed', { psn });
    await vi.advanceTimersByTimeAsync(5_000);
    expect([...card.store.getState().chosen]).toEqual([older.rowId]);
    expect(card.store.getState().focusId).toBe(older.rowId);
  });
});

describe('thumbnails', () => {
  it('come one at a time, in the order of sight, and are taken back when scrolled away', async () => {
    const held = heldBack<RecordingMetadata>();
    const { card, asked } = open({ 'cards.metadata': held.ask, 'cards.cancelMetadata': () => null });
    card.want(['a.mp4', 'b.mp4', 'c.mp4']);
    await rest();
    expect(asked('cards.metadata')).toEqual([{ psn, filename: 'a.mp4' }]);
    card.want(['c.mp4', 'd.mp4']);
    await rest();
    expect(asked('cards.cancelMetadata')).toEqual([{ psn, filenames: ['a.mp4'] }]);
    // One contact at a time: the next begins when the one before is over.
    expect(asked('cards.metadata')).toHaveLength(1);
    held.refuse(0, new AppError('canceled', 'taken back'));
    await rest();
    expect(asked('cards.metadata')[1]).toEqual({ psn, filename: 'c.mp4' });
    held.answer(1, metadata('c.mp4'));
    await rest();
    expect(card.store.getState().looks.get('c.mp4')).toMatchObject({ status: 'found', imageUrl: 'image-2' });
    expect(card.store.getState().looks.has('a.mp4')).toBe(false);
    expect(asked('cards.metadata')[2]).toEqual({ psn, filename: 'd.mp4' });
  });

  it('wait for a busy camera instead of failing, and go on', async () => {
    let isBusy = true;
    const busy = new AppError('cloud_problem', 'busy', { details: { problem: problem('device_busy') } });
    const { card, asked } = open({
      'cards.metadata': ({ filename }) => {
        if (isBusy) throw busy;
        return metadata(filename, { thumbnail: null });
      },
    });
    card.want(['a.mp4', 'b.mp4']);
    await rest();
    expect(card.store.getState().lookPause).not.toBeNull();
    expect(asked('cards.metadata')).toHaveLength(1);
    isBusy = false;
    await vi.advanceTimersByTimeAsync(10_000);
    await rest();
    expect(card.store.getState().lookPause).toBeNull();
    expect(card.store.getState().looks.get('b.mp4')).toMatchObject({ status: 'found', imageUrl: null });
  });

  it('that are not to be had fail alone, and can be asked for again', async () => {
    let isGone = true;
    const { card, asked } = open({
      'cards.metadata': ({ filename }) => {
        if (filename === 'a.mp4' && isGone)
          throw new AppError('cloud_problem', 'gone', {
            details: { problem: problem('file_not_found', 404) },
          });
        return metadata(filename);
      },
    });
    card.want(['a.mp4', 'b.mp4']);
    await rest();
    await rest();
    expect(card.store.getState().looks.get('a.mp4')?.status).toBe('failed');
    expect(card.store.getState().looks.get('b.mp4')?.status).toBe('found');
    card.want(['a.mp4', 'b.mp4']);
    await rest();
    expect(asked('cards.metadata')).toHaveLength(2);
    isGone = false;
    card.lookAgain('a.mp4');
    await rest();
    expect(card.store.getState().looks.get('a.mp4')?.status).toBe('found');
  });

  it('stop for good when the card is left', async () => {
    const held = heldBack<string>();
    const cancel = vi.fn();
    const found = vi.fn();
    const queue = createLookQueue<string>({
      ask: held.ask,
      cancel,
      onFound: found,
      onFailed: found,
      onPaused: found,
      later: () => () => undefined,
    });
    queue.want(['a', 'b']);
    queue.close();
    held.answer(0, 'x');
    await rest();
    expect(cancel).toHaveBeenCalledWith('a');
    expect(found).not.toHaveBeenCalled();
  });
});
