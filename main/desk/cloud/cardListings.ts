import { randomUUID } from 'node:crypto';
import type { SdRecording } from '../../../shared/cloudResources.ts';
import type { CardFilters, CardListing, RecordingRow } from '../../../shared/contract/cards.ts';
import type { Handlers } from '../../../shared/contract/index.ts';
import { AppError } from '../../../shared/errors.ts';
import type { CloudAccount } from '../../../shared/contract/cloud.ts';
import type { CloudClient } from '../../cloud/client.ts';
import type { Page } from '../../cloud/pagination.ts';
import { CloudProblem } from '../../cloud/problem.ts';
import { matches, oldestContinuousMs, rowIdOf, toRows } from '../../media/cards/rows.ts';
import type { DeskDeps } from '../deps.ts';
import { contactOptions, type CardAccess, type CardParts } from './cards.ts';

/** A listing under way: what came so far, by row. */
interface Walk {
  readonly listingId: string;
  readonly abort: AbortController;
  readonly byRow: Map<string, SdRecording[]>;
  recordings: number;
}

/**
 * Listings of cards: the first page at once, the others as events. What comes is kept, so that the last listing can
 * be browsed offline.
 */
export function createCardListings(deps: DeskDeps, parts: CardParts, access: CardAccess) {
  const { connections, cards, gate } = parts;
  const walks = new Map<string, Walk>();
  const closing = new AbortController();

  function stopWalk(psn: string): void {
    walks.get(psn)?.abort.abort(new AppError('canceled', 'Canceled.'));
    walks.delete(psn);
  }

  function rowsOf(
    account: CloudAccount,
    psn: string,
    recordings: readonly SdRecording[],
    oldestLocalMs: number | null,
  ): RecordingRow[] {
    const clock = access.clock(account.accountId, psn);
    return toRows(recordings, { clock, held: parts.heldOf(psn), oldestLocalMs });
  }

  function storedListing(
    account: CloudAccount,
    psn: string,
    filters: CardFilters,
    problem: CloudProblem | null,
  ): CardListing {
    const all = cards.recordings(account.accountId, psn);
    const { listedAtMs } = cards.card(account.accountId, psn);
    const wanted = all.filter((recording) => matches(recording, filters));
    return {
      psn,
      filters,
      rows: rowsOf(account, psn, wanted, listedAtMs === null ? null : oldestContinuousMs(all)),
      recordings: wanted.length,
      total: listedAtMs === null ? null : wanted.length,
      fetchedAtMs: listedAtMs,
      isLoading: false,
      listingId: `stored_${psn}`,
      isFromCard: false,
      clock: access.clock(account.accountId, psn),
      obstacle: access.obstacle(account.accountId, psn),
      problem: problem?.toData() ?? null,
    };
  }

  /** Pages of the card, each a contact of its own; falls back to filtering here where the times are not understood. */
  async function* pagesOf(
    account: CloudAccount,
    client: CloudClient,
    psn: string,
    filters: CardFilters,
    signal: AbortSignal,
  ): AsyncGenerator<Page, void, undefined> {
    const { from, to, ...plain } = filters;
    const query = (isTimed: boolean) => ({
      psn,
      perPage: 200,
      ...Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined)),
      ...(isTimed && from !== undefined ? { from } : {}),
      ...(isTimed && to !== undefined ? { to } : {}),
    });
    let isTimed = from !== undefined || to !== undefined;
    let pages = client.pages('sdFiles.list', query(isTimed), contactOptions(closing.signal));
    for (let isFirst = true; ; isFirst = false) {
      let next: IteratorResult<Page, void>;
      try {
        next = await access.contact(account, psn, 'listing', () => pages.next(), { signal, mayLeave: true });
      } catch (thrown) {
        // The form of `from` and `to` is not shown (4.1 rule 12): a service that wants another gets none.
        const isMisread = thrown instanceof CloudProblem && thrown.code === 'invalid_parameter';
        if (!isMisread || !isFirst || !isTimed) throw thrown;
        isTimed = false;
        pages = client.pages('sdFiles.list', query(false), contactOptions(closing.signal));
        continue;
      }
      if (next.done === true) return;
      yield next.value;
    }
  }

  /** Takes a page into the walk and the cache; returns the rows that it changed. */
  function take(
    account: CloudAccount,
    psn: string,
    walk: Walk,
    page: Page,
    filters: CardFilters,
  ): RecordingRow[] {
    const recordings = (page.rows as unknown as readonly SdRecording[]).filter(
      (row) =>
        typeof row.filename === 'string' &&
        row.filename !== '' &&
        matches(row, { from: filters.from, to: filters.to }),
    );
    cards.keepRecordings(account.accountId, psn, recordings, deps.now());
    const touched = new Set<string>();
    for (const recording of recordings) {
      const rowId = rowIdOf(recording);
      touched.add(rowId);
      const group = walk.byRow.get(rowId);
      if (group) group.push(recording);
      else walk.byRow.set(rowId, [recording]);
    }
    walk.recordings += recordings.length;
    const changed = [...touched].flatMap((rowId) => walk.byRow.get(rowId) ?? []);
    return rowsOf(account, psn, changed, null);
  }

  async function follow(
    account: CloudAccount,
    psn: string,
    filters: CardFilters,
    walk: Walk,
    pages: AsyncGenerator<Page, void, undefined>,
    beganAtMs: number,
  ): Promise<void> {
    const tell = (
      rows: readonly RecordingRow[],
      rest: { total: number | null; isLast: boolean; problem?: CloudProblem },
    ): void =>
      deps.emit('cards.page', {
        psn,
        listingId: walk.listingId,
        rows,
        recordings: walk.recordings,
        total: rest.total,
        isLast: rest.isLast,
        fetchedAtMs: deps.now(),
        problem: rest.problem?.toData() ?? null,
      });
    let total: number | null = null;
    try {
      for await (const page of pages) {
        total = page.total;
        tell(take(account, psn, walk, page, filters), { total, isLast: false });
      }
      finish(account, psn, filters, beganAtMs);
      tell([], { total: total ?? walk.recordings, isLast: true });
    } catch (thrown) {
      if (walk.abort.signal.aborted) return;
      if (thrown instanceof CloudProblem) tell([], { total, isLast: true, problem: thrown });
      else parts.onBug('cards.listing', thrown);
    } finally {
      if (walks.get(psn) === walk) walks.delete(psn);
    }
  }

  function finish(account: CloudAccount, psn: string, filters: CardFilters, beganAtMs: number): void {
    const isWhole = Object.values(filters).every((value) => value === undefined);
    if (!isWhole) return;
    cards.finishListing(account.accountId, psn, beganAtMs, deps.now());
    parts.onListed();
  }

  async function list(psn: string, filters: CardFilters, isFresh: boolean): Promise<CardListing> {
    const account = connections.account();
    const obstacle = access.obstacle(account.accountId, psn);
    // What the device list rules out is not tried; what was only learnt may have changed.
    const isRuledOut = obstacle !== null && !obstacle.isPassing && obstacle.source === 'list';
    const isStored = cards.recordings(account.accountId, psn).length > 0;
    if (isRuledOut || (!isFresh && isStored)) return storedListing(account, psn, filters, null);
    if (gate.isHeld(psn)) return storedListing(account, psn, filters, ourOwnTransfer(psn));
    stopWalk(psn);
    const walk: Walk = {
      listingId: `list_${randomUUID().slice(0, 8)}`,
      abort: new AbortController(),
      byRow: new Map(),
      recordings: 0,
    };
    walks.set(psn, walk);
    const beganAtMs = deps.now();
    try {
      const { client } = await connections.active();
      const pages = pagesOf(account, client, psn, filters, walk.abort.signal);
      const first = await pages.next();
      const page = first.done === true ? null : first.value;
      const rows = page === null ? [] : take(account, psn, walk, page, filters);
      const isAll = page === null || (page.total !== null && page.rows.length >= page.total);
      if (isAll) {
        finish(account, psn, filters, beganAtMs);
        walks.delete(psn);
      } else void follow(account, psn, filters, walk, pages, beganAtMs);
      const oldestMs = isAll && Object.keys(filters).length === 0 ? oldestContinuousMs([...walk.byRow.values()].flat()) : null; // prettier-ignore
      return {
        psn,
        filters,
        rows: oldestMs === null ? rows : rowsOf(account, psn, [...walk.byRow.values()].flat(), oldestMs),
        recordings: walk.recordings,
        total: page?.total ?? (isAll ? walk.recordings : null),
        fetchedAtMs: deps.now(),
        isLoading: !isAll,
        listingId: walk.listingId,
        isFromCard: true,
        clock: access.clock(account.accountId, psn),
        obstacle: access.obstacle(account.accountId, psn),
        problem: null,
      };
    } catch (thrown) {
      if (walks.get(psn) === walk) walks.delete(psn);
      if (!(thrown instanceof CloudProblem)) throw thrown;
      return storedListing(account, psn, filters, thrown);
    }
  }

  const handlers: Pick<Handlers, 'cards.listing' | 'cards.stopListing'> = {
    'cards.listing': ({ psn, filters, isFresh }) => list(psn, filters ?? {}, isFresh === true),
    'cards.stopListing'({ psn }) {
      stopWalk(psn);
      return null;
    },
  };
  return {
    handlers,
    /** What is stored of a card of the active account under filters; asks nobody. */
    stored: (psn: string, filters: CardFilters): CardListing =>
      storedListing(connections.account(), psn, filters, null),
    close() {
      closing.abort(new AppError('canceled', 'Evidence Desk is closing.'));
      for (const psn of [...walks.keys()]) stopWalk(psn);
    },
  };
}

/** What the camera would answer while it uploads for us; it is not asked (3.4). */
function ourOwnTransfer(psn: string): CloudProblem {
  return new CloudProblem({
    code: 'device_busy',
    sentCode: null,
    status: 409,
    title: 'Conflict',
    detail: 'a recall of this app is uploading from it',
    requestId: null,
    operation: 'sdFiles.list',
    extensions: { psn },
    isKnownNotDone: true,
  });
}
