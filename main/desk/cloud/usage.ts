import type { DeviceListing, LedgerSum, UsageReport } from '../../../shared/contract/cloud.ts';
import type { Device, Usage } from '../../../shared/cloudResources.ts';
import type { Handlers } from '../../../shared/contract/index.ts';
import type { AccountId } from '../../../shared/ids.ts';
import type { CloudRepository } from '../../cache/cloudRepository.ts';
import { CloudProblem } from '../../cloud/problem.ts';
import type { DeskDeps } from '../deps.ts';
import type { AccountStore } from './accountStore.ts';
import type { Connections } from './connections.ts';

interface UsageAnswer {
  readonly data: Usage;
  readonly cameras?: Readonly<Record<string, unknown>>;
}

/** The UTC calendar month around `nowMs`: allowances begin anew at 00:00 UTC on the 1st (8.1). */
export function utcMonth(nowMs: number): { readonly fromMs: number; readonly toMs: number } {
  const now = new Date(nowMs);
  return {
    fromMs: Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1),
    toMs: Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1),
  };
}

/** The start of a period of 2.11 (`YYYY-MM`); null where it is not sent or not readable. */
function periodMs(period: unknown): number | null {
  const ms = typeof period === 'string' && /^\d{4}-\d{2}$/.test(period) ? Date.parse(`${period}-01`) : NaN;
  return Number.isNaN(ms) ? null : ms;
}

const number = (value: unknown): number | null => (typeof value === 'number' ? value : null);

/** Usage with the app's own ledger beside it, and the camera list; both kept for reading offline. */
export function createUsageHandlers(
  deps: DeskDeps,
  parts: {
    readonly connections: Connections;
    readonly accounts: AccountStore;
    readonly repository: CloudRepository;
  },
): Pick<Handlers, 'usage.read' | 'cloudDevices.list'> {
  const { connections, accounts, repository } = parts;

  function report(accountId: AccountId): UsageReport | null {
    const snapshot = repository.snapshot<UsageAnswer>(accountId, 'usage');
    if (!snapshot) return null;
    const { data, cameras } = snapshot.body;
    // The app's spending of the month that the service's figures are of: an old snapshot is not set against this month.
    const { fromMs, toMs } = utcMonth(periodMs(data.period) ?? snapshot.fetchedAtMs);
    const spent = repository.spent(accountId, fromMs, toMs);
    const buckets = data.volumeQuotas ?? [];
    const sum = (
      bucket: LedgerSum['bucket'],
      server: { used?: number; limit?: number | null } | null | undefined,
    ): LedgerSum => ({
      bucket,
      spent: spent.get(bucket) ?? 0,
      serverUsed: number(server?.used),
      serverLimit: number(server?.limit),
    });
    return {
      accountId,
      usage: data,
      cameras: cameras ?? null,
      fetchedAtMs: snapshot.fetchedAtMs,
      ledger: [
        sum(
          'transfer_bytes',
          buckets.find((b) => b.bucket === 'transfer_bytes'),
        ),
        sum(
          'export_job',
          buckets.find((b) => b.bucket === 'export_job'),
        ),
        sum('api_calls', data.apiCalls),
      ],
      recent: repository.recentSpending(accountId, 200),
    };
  }

  return {
    async 'usage.read'({ isFresh }) {
      const { accountId } = connections.account();
      if (isFresh || !repository.snapshot(accountId, 'usage')) {
        const client = await connections.byId(accountId);
        const { body, requestId, status } = await client.call('usage.get');
        const answer = body as UsageAnswer | null; // every field is looked for where it is used
        if (typeof answer?.data !== 'object' || answer.data === null) {
          throw new CloudProblem({
            code: 'answer_malformed',
            sentCode: null,
            status,
            title: 'Unreadable answer',
            detail: 'the answer holds no usage',
            requestId,
            operation: 'usage.get',
            extensions: {},
          });
        }
        repository.saveSnapshot(accountId, 'usage', '', deps.now(), answer);
        if (typeof answer.data.tier === 'string') accounts.setTier(accountId, answer.data.tier);
        deps.emit('usage.changed', { accountId });
      }
      return report(accountId);
    },

    async 'cloudDevices.list'({ isFresh }): Promise<DeviceListing> {
      const { accountId } = connections.account();
      let problem: CloudProblem | null = null;
      if (isFresh || !repository.snapshot(accountId, 'devices')) {
        try {
          const client = await connections.byId(accountId);
          const devices: Device[] = [];
          for await (const device of client.devices()) devices.push(device);
          repository.saveSnapshot(accountId, 'devices', '', deps.now(), devices);
        } catch (thrown) {
          if (!(thrown instanceof CloudProblem)) throw thrown;
          problem = thrown;
        }
      }
      const snapshot = repository.snapshot<readonly Device[]>(accountId, 'devices');
      return {
        devices: snapshot?.body ?? [],
        fetchedAtMs: snapshot?.fetchedAtMs ?? null,
        problem: problem?.toData() ?? null,
      };
    },
  };
}
