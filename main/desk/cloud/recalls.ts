import type { ClipQuality } from '../../../shared/contract/cards.ts';
import type { CloudAccount } from '../../../shared/contract/cloud.ts';
import type { Handlers, ParsedInputOf } from '../../../shared/contract/index.ts';
import type {
  ItemPrice,
  Recall,
  RecallPrice,
  recallRequests,
  StreamPrice,
  TransferBudget,
} from '../../../shared/contract/recalls.ts';
import { AppError } from '../../../shared/errors.ts';
import type { AccountId, RecallId } from '../../../shared/ids.ts';
import { freeBytesOf } from '../../cache/freeSpace.ts';
import { transact } from '../../cache/database.ts';
import { isResumable, levelOf, priceStream, refusalOf, toPrice } from '../../media/recall/pricing.ts';
import type { RecallQueue } from '../../media/recall/recallQueue.ts';
import type { DeskDeps } from '../deps.ts';
import type { CardParts } from './cards.ts';
import type { TransferBudgets } from './budget.ts';

/** Left free on the disk beside the clips. */
const spareBytes = 64 * 2 ** 20;

type Item = { readonly psn: string; readonly filename: string };
type Order = ParsedInputOf<'recalls.start'>;

/** Prices, the queue's requests, and what is refused before anything is sent. */
export function createRecallHandlers(
  deps: DeskDeps,
  parts: CardParts & {
    readonly queue: RecallQueue;
    readonly budgets: TransferBudgets;
    readonly heldSha256: (item: Item & { readonly quality: ClipQuality }) => string | null;
  },
): Pick<Handlers, keyof typeof recallRequests> {
  const { connections, cards, recalls, custody, queue, budgets } = parts;

  function stream(
    accountId: AccountId,
    item: Item,
    quality: ClipQuality,
    leftBytes: number | null,
  ): StreamPrice {
    const { psn, filename } = item;
    const facts = {
      recording: cards.recording(accountId, psn, filename),
      heldSha256: parts.heldSha256({ ...item, quality }),
      history: recalls.ofFile(psn, filename, quality),
      ofDevice: recalls.ofDevice(psn, 20),
      nowMs: deps.now(),
    };
    return priceStream(quality, facts, leftBytes);
  }

  function price(accountId: AccountId, items: readonly Item[], budget: TransferBudget): RecallPrice {
    const unique = [...new Map(items.map((item) => [`${item.psn}/${item.filename}`, item])).values()];
    const priced = unique.map((item): ItemPrice => ({
      psn: item.psn,
      filename: item.filename,
      sub: stream(accountId, item, 'sub', budget.leftBytes),
      main: stream(accountId, item, 'main', budget.leftBytes),
    }));
    return toPrice(priced, budget, deps.now());
  }

  /** The month's allowance; read anew where that can be done, never an error. */
  async function budget(account: CloudAccount, isForced: boolean): Promise<TransferBudget> {
    const known = budgets.read(account.accountId);
    if (!isForced && known.fetchedAtMs !== null) return known;
    const { client } = await connections.active();
    return budgets.refreshed(account.accountId, client, { isForced });
  }

  async function start(input: Order): Promise<readonly Recall[]> {
    const account = connections.account();
    const { accountId } = account;
    const unique = new Map(input.items.map((item) => [`${item.psn}/${item.filename}/${item.quality}`, item]));
    const items = [...unique.values()];
    const fresh = await budget(account, true);
    // From here on nothing waits: what is looked at is what is ordered.
    const left = budgets.read(accountId, null);
    const priced = items.map((item) => ({
      item,
      price: stream(accountId, item, item.quality, left.leftBytes),
    }));
    const chargeBytes = priced.reduce((sum, one) => sum + one.price.chargeBytes, 0);
    const level = levelOf(chargeBytes, left);
    if (level === 'refused') {
      throw new AppError('over_budget', refusalOf(chargeBytes, left.leftBytes) ?? 'It does not fit into the month.', {
        remedy: 'Take the small stream or fewer clips, or wait for the next month. Nothing was sent to the camera.',
        details: { chargeBytes, budget: { ...left, problem: fresh.problem } },
      }); // prettier-ignore
    }
    if (level === 'red' && input.reason === undefined) {
      throw new AppError('reason_needed', 'This takes much of what is left of the month’s allowance.', {
        remedy: 'Give a reason; it is kept in custody.',
        details: { chargeBytes, budget: left },
      });
    }
    refuseFullDisk(
      priced.reduce((sum, one) => sum + (one.price.heldSha256 === null ? one.price.sizeBytes : 0), 0),
    );
    const orders = priced.filter(({ price: { queuedRecallId } }) => queuedRecallId === null);
    const made = transact(deps.cache.db, () => {
      for (const { item, price: one } of orders) {
        if (one.heldSha256 !== null) continue;
        custody.append({
          actor: deps.actor(),
          action: 'clip.order',
          subject: { kind: 'recording', id: `${item.psn}/${item.filename}/${item.quality}`, sha256: null },
          detail: { priceBytes: one.chargeBytes, level, ...(input.reason === undefined ? {} : { reason: input.reason }) },
          ...(input.caseId === undefined ? {} : { caseId: input.caseId }),
        }); // prettier-ignore
      }
      return queue.add(
        orders.map(({ item, price: one }) => ({
          accountId,
          ...item,
          caseId: input.caseId ?? null,
          deadlineAtMs: deadlineOf(input.deadlineSeconds),
          priceBytes: one.chargeBytes,
          reason: input.reason ?? null,
          heldSha256: one.heldSha256,
          sizeBytes: one.sizeBytes,
        })),
      );
    });
    let next = 0;
    return priced.map(({ price: one }) =>
      one.queuedRecallId === null ? made[next++]! : takeUp(one.queuedRecallId, input.deadlineSeconds),
    );
  }

  /** One that is in the queue; where it had stopped with a link that lives, it goes on with that, for free. */
  function takeUp(recallId: RecallId, deadlineSeconds: number | undefined): Recall {
    const stored = recalls.get(recallId)!; // just priced by it
    if (!isResumable(stored, deps.now())) return stored.recall;
    return queue.retry(recallId, { isCostAccepted: false, deadlineAtMs: deadlineOf(deadlineSeconds) });
  }

  function deadlineOf(seconds: number | undefined): number | null {
    return seconds === undefined ? null : deps.now() + seconds * 1000;
  }

  function refuseFullDisk(bytes: number): void {
    if (bytes === 0 || freeBytesOf(deps.cache.folder) >= bytes + spareBytes) return;
    throw new AppError('disk_full', 'There is not enough room on the disk for these clips.', {
      remedy: 'Free some space. Nothing was sent to the camera.',
      details: { neededBytes: bytes + spareBytes },
    });
  }

  return {
    async 'recalls.price'({ items, isFresh }) {
      const account = connections.account();
      const known = await budget(account, isFresh === true);
      return price(account.accountId, items, known);
    },
    'recalls.budget': ({ isFresh }) => budget(connections.account(), isFresh === true),
    'recalls.start': async (input) => ({ recalls: await start(input) }),
    'recalls.list': () => queue.list(),
    'recalls.cancel': ({ recallId, isConfirmed }) => queue.cancel(recallId, isConfirmed === true),
    'recalls.retry': ({ recallId, isCostAccepted, deadlineSeconds }) =>
      queue.retry(recallId, {
        isCostAccepted: isCostAccepted === true,
        deadlineAtMs: deadlineOf(deadlineSeconds),
      }),
    'recalls.dismiss'({ recallId }) {
      queue.dismiss(recallId);
      deps.emit('recalls.dismissed', { recallId });
      return null;
    },
  };
}
