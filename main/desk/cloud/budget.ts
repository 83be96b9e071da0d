import type { Usage, VolumeQuota } from '../../../shared/cloudResources.ts';
import type { TransferBudget } from '../../../shared/contract/recalls.ts';
import type { AccountId } from '../../../shared/ids.ts';
import type { CloudRepository } from '../../cache/cloudRepository.ts';
import type { CloudClient } from '../../cloud/client.ts';
import { CloudProblem } from '../../cloud/problem.ts';
import { utcMonth } from './usage.ts';

interface UsageAnswer {
  readonly data: Usage;
}
interface LedgerMark {
  readonly entryId: number;
  readonly fetchedAtMs: number;
  /** This machine's clock minus the service's, ms. */
  readonly skewMs: number;
}

/** The service tells its time in whole seconds, and answers take a while: less than that is no difference. */
const leastSkewMs = 5000;

/** A figure younger than this is good enough to start a transfer on: the service has the last word anyway. */
const freshForMs = 60_000;

export interface TransferBudgets {
  /** From what is stored; `problem` says why it could not be read anew. */
  read(accountId: AccountId, problem?: CloudProblem | null): TransferBudget;
  /** Asks the service unless the figure is young. Never rejects for a problem of the service: the budget carries it. */
  refreshed(
    accountId: AccountId,
    client: CloudClient,
    options?: { readonly isForced?: boolean; readonly signal?: AbortSignal | undefined },
  ): Promise<TransferBudget>;
}

/**
 * What is left of the month's `transfer_bytes`: the service's figure and what the local ledger counted since. A mark
 * in the ledger is taken before the service is asked, so that a transfer that starts meanwhile is counted twice
 * rather than not at all.
 */
export function createTransferBudgets(parts: {
  readonly repository: CloudRepository;
  readonly now: () => number;
  /** Bytes of recalls that wait in the queue and will be charged. */
  readonly reservedBytes: (accountId: AccountId) => number;
  readonly onRefreshed: (accountId: AccountId) => void;
}): TransferBudgets {
  const { repository, now } = parts;

  function read(accountId: AccountId, problem: CloudProblem | null = null): TransferBudget {
    // Months end by the service's clock, and the ledger is kept by this machine's.
    const skewMs = repository.snapshot<LedgerMark>(accountId, 'usage-mark')?.body.skewMs ?? 0;
    const serviceNowMs = now() - skewMs;
    const month = utcMonth(serviceNowMs);
    const ledgerMonth = { fromMs: month.fromMs + skewMs, toMs: month.toMs + skewMs };
    const snapshot = repository.snapshot<UsageAnswer>(accountId, 'usage');
    const quota = quotaOf(snapshot?.body.data);
    const period = typeof quota?.period === 'string' ? quota.period : null;
    const isOfThisMonth =
      snapshot !== null &&
      (period === null
        ? snapshot.fetchedAtMs >= ledgerMonth.fromMs && snapshot.fetchedAtMs < ledgerMonth.toMs
        : period === new Date(serviceNowMs).toISOString().slice(0, 7));
    // A figure of an earlier month says nothing of what is used in this one; the limit still holds.
    const usedBytes = !quota || typeof quota.used !== 'number' ? null : isOfThisMonth ? quota.used : 0;
    const spentSinceBytes = repository.spentAfter(
      accountId,
      'transfer_bytes',
      ledgerMonth,
      isOfThisMonth ? markOf(accountId, snapshot.fetchedAtMs) : 0,
    );
    const reservedBytes = parts.reservedBytes(accountId);
    const limitBytes = typeof quota?.limit === 'number' ? quota.limit : null;
    return {
      limitBytes,
      serverUsedBytes: usedBytes,
      spentSinceBytes,
      reservedBytes,
      leftBytes:
        limitBytes === null || usedBytes === null
          ? null
          : Math.max(0, limitBytes - usedBytes - spentSinceBytes - reservedBytes),
      fetchedAtMs: snapshot?.fetchedAtMs ?? null,
      resetsAtMs: month.toMs,
      daysToReset: Math.ceil((month.toMs - serviceNowMs) / 86_400_000),
      problem: problem?.toData() ?? null,
    };
  }

  /** The ledger's number at the time of a snapshot. Fetched by someone else: what is certain to lie before it. */
  function markOf(accountId: AccountId, fetchedAtMs: number): number {
    const mark = repository.snapshot<LedgerMark>(accountId, 'usage-mark')?.body;
    if (mark?.fetchedAtMs === fetchedAtMs) return mark.entryId;
    return repository.lastEntryBefore(accountId, fetchedAtMs);
  }

  return {
    read,
    async refreshed(accountId, client, options = {}) {
      const known = read(accountId);
      const snapshot = repository.snapshot<UsageAnswer>(accountId, 'usage');
      const ageMs = snapshot === null ? Infinity : now() - snapshot.fetchedAtMs;
      const isYoung = ageMs >= 0 && ageMs < freshForMs && known.serverUsedBytes !== null;
      if (options.isForced !== true && isYoung) return known;
      const entryId = repository.lastEntryId();
      try {
        const { body } = await client.call(
          'usage.get',
          {},
          {
            deadlineMs: 15_000,
            // Without a network the stored figure is the answer; nobody waits for several tries.
            onWait: ({ problem }) => {
              if (problem.code !== 'rate_limited') throw problem;
            },
            ...(options.signal ? { signal: options.signal } : {}),
          },
        );
        if (quotaOf((body as UsageAnswer | null)?.data) === undefined) return known;
        const fetchedAtMs = now();
        repository.saveSnapshot(accountId, 'usage', '', fetchedAtMs, body);
        const skew = client.transport.clockSkewMs ?? 0;
        const skewMs = Math.abs(skew) < leastSkewMs ? 0 : skew;
        repository.saveSnapshot(accountId, 'usage-mark', '', fetchedAtMs, { entryId, fetchedAtMs, skewMs });
        parts.onRefreshed(accountId);
        return read(accountId);
      } catch (thrown) {
        if (!(thrown instanceof CloudProblem)) throw thrown;
        return read(accountId, thrown);
      }
    },
  };
}

function quotaOf(usage: Usage | undefined): VolumeQuota | undefined {
  const quotas = usage?.volumeQuotas;
  return Array.isArray(quotas)
    ? (quotas as readonly VolumeQuota[]).find((quota) => quota.bucket === 'transfer_bytes')
    : undefined;
}
