import { createStore } from 'zustand/vanilla';
import type { ClipQuality } from '../../../shared/contract/cards.ts';
import type { InputOf } from '../../../shared/contract/index.ts';
import type { Cancellation, Recall, RecallPrice, TransferBudget } from '../../../shared/contract/recalls.ts';
import type { RecallId } from '../../../shared/ids.ts';
import { onReconnected, type Host } from '../../app/client/index.ts';
import type { AccountStore } from '../account/index.ts';
import { addSample, rateOf, type Rate, type Samples } from '../jobs/index.ts';
import { bytesOf, isEnded } from './recallWords.ts';

export interface RecallsState {
  /** Newest first. */
  readonly recalls: readonly Recall[];
  readonly rates: ReadonlyMap<RecallId, Rate>;
  readonly budget: TransferBudget | null;
  /** Why the list could not be read. */
  readonly error: unknown;
}

/** One file to be priced or fetched. */
export interface ClipChoice {
  readonly psn: string;
  readonly filename: string;
}

/** The recall queue as the core has it, by list and by event; `onEnded` tells of each end seen, once. */
export function createRecallStore(host: Host, accounts: AccountStore, nowMs: () => number = Date.now) {
  const { client } = host;
  const store = createStore<RecallsState>(() => ({
    recalls: [],
    rates: new Map(),
    budget: null,
    error: null,
  }));
  const samples = new Map<RecallId, Samples>();
  const listeners = new Set<(recall: Recall) => void>();
  const told = new Set<RecallId>();
  /** How many changes were heard, and at which of them each recall was heard of last. */
  let heard = 0;
  const heardAt = new Map<RecallId, number>();
  let isOpened = false;

  function measure(recall: Recall): void {
    const bytes = bytesOf(recall);
    const rates = new Map(store.getState().rates);
    if (bytes === null) {
      if (!rates.has(recall.recallId)) return;
      samples.delete(recall.recallId);
      rates.delete(recall.recallId);
    } else {
      const progress = {
        stage: bytes.stage,
        done: bytes.done,
        total: bytes.total,
        unit: 'bytes' as const,
        points: null,
      };
      const next = addSample(samples.get(recall.recallId) ?? [], progress, nowMs());
      samples.set(recall.recallId, next);
      rates.set(recall.recallId, rateOf(next));
    }
    store.setState({ rates });
  }

  function tellEnd(recall: Recall): void {
    if (!isEnded(recall)) {
      told.delete(recall.recallId); // tried again: its next end is news
      return;
    }
    if (told.has(recall.recallId)) return;
    told.add(recall.recallId);
    for (const listener of [...listeners]) listener(recall);
    void readBudgetSoon();
  }

  /** Many at once are one change: hundreds of clips may be asked for in one go. */
  function take(...changed: readonly Recall[]): void {
    const news = new Map(changed.map((recall) => [recall.recallId, recall]));
    const { recalls } = store.getState();
    const known = new Set(recalls.map(({ recallId }) => recallId));
    store.setState({
      recalls: [
        ...changed.filter(({ recallId }) => !known.has(recallId)),
        ...recalls.map((recall) => news.get(recall.recallId) ?? recall),
      ],
    });
    for (const recall of changed) {
      measure(recall);
      tellEnd(recall);
    }
  }

  /** What an answer says counts unless an event since the question, which is newer, has said more. */
  function takeAnswers(recalls: readonly Recall[], askedAt: number): void {
    take(...recalls.filter(({ recallId }) => (heardAt.get(recallId) ?? 0) <= askedAt));
  }

  function forget(recallId: RecallId): void {
    samples.delete(recallId);
    store.setState({ recalls: store.getState().recalls.filter((recall) => recall.recallId !== recallId) });
  }

  async function refresh(): Promise<void> {
    const isFirst = !isOpened;
    isOpened = true;
    const askedAt = heard;
    try {
      const answer = await client.invoke('recalls.list', {});
      const { recalls } = store.getState();
      const isNewer = ({ recallId }: Recall) => (heardAt.get(recallId) ?? 0) > askedAt;
      const newer = recalls.filter(isNewer);
      const listed = [...answer.filter((recall) => !isNewer(recall)), ...newer];
      // What had ended before this window looked is history.
      if (isFirst) for (const recall of answer) if (isEnded(recall)) told.add(recall.recallId);
      store.setState({
        recalls: [...listed].sort((a, b) => b.requestedAtMs - a.requestedAtMs),
        error: null,
      });
      for (const recall of listed) {
        measure(recall);
        tellEnd(recall);
      }
    } catch (error) {
      store.setState({ error });
    }
  }

  /** The allowance is a figure beside the work: that it can't be read now is said where a price is asked for. */
  async function readBudget(isFresh: boolean): Promise<void> {
    try {
      store.setState({ budget: await client.invoke('recalls.budget', { isFresh }) });
    } catch {
      store.setState({ budget: null });
    }
  }

  let isBudgetAsked = false;
  /** One read for all that end while it is under way. */
  async function readBudgetSoon(): Promise<void> {
    if (isBudgetAsked) return;
    isBudgetAsked = true;
    await new Promise((resolve) => setTimeout(resolve, 500));
    isBudgetAsked = false;
    await readBudget(false);
  }

  client.on('recalls.changed', (recall) => {
    heard += 1;
    heardAt.set(recall.recallId, heard);
    take(recall);
  });
  client.on('recalls.dismissed', ({ recallId }) => forget(recallId));
  onReconnected(host.connection, () => {
    if (isOpened) void refresh();
  });
  accounts.onActiveChanged(() => {
    store.setState({ budget: null });
    if (isOpened) void refresh();
  });

  return {
    store,
    refresh,
    readBudget,
    /** Contacts no camera. Rejects with AppError. */
    price: (items: readonly ClipChoice[], isFresh = false): Promise<RecallPrice> =>
      client.invoke('recalls.price', {
        items: items.map(({ psn, filename }) => ({ psn, filename })),
        isFresh,
      }),
    /** All or none. Rejects with `over_budget` or `reason_needed` before anything is sent. */
    async begin(
      items: readonly ClipChoice[],
      quality: ClipQuality,
      options: Omit<InputOf<'recalls.start'>, 'items'>,
    ): Promise<readonly Recall[]> {
      const askedAt = heard;
      const { recalls } = await client.invoke('recalls.start', {
        items: items.map(({ psn, filename }) => ({ psn, filename, quality })),
        ...options,
      });
      takeAnswers(recalls, askedAt);
      void readBudget(false);
      return recalls;
    },
    async cancel(recallId: RecallId, isConfirmed: boolean): Promise<Cancellation> {
      const askedAt = heard;
      const answer = await client.invoke('recalls.cancel', { recallId, isConfirmed });
      takeAnswers([answer.recall], askedAt);
      return answer;
    },
    async retry(recallId: RecallId, isCostAccepted = false): Promise<void> {
      const askedAt = heard;
      const recall = await client.invoke('recalls.retry', {
        recallId,
        ...(isCostAccepted ? { isCostAccepted } : {}),
      });
      takeAnswers([recall], askedAt);
    },
    async dismiss(recallId: RecallId): Promise<void> {
      await client.invoke('recalls.dismiss', { recallId });
      forget(recallId);
    },
    onEnded(listener: (recall: Recall) => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
export type RecallStore = ReturnType<typeof createRecallStore>;
