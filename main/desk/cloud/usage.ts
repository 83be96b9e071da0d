import type { DeviceListing, LedgerSum, UsageReport } from '../../../shared/contract/cloud.ts';
import type { Device, Usage } from '../../../shared/cloudResources.ts';
import type { Handlers } from '../../../shared/contract/index.ts';
import type { AccountId } from '../../../shared/ids.ts';
import type { CloudRepository } from '../../cache/cloudRepository.ts';
import { CloudProblem } from '../../cloud/problem.ts';
import type { DeskDeps } from '../deps.ts';
import type { AccountStore } from './accountStore.ts';
import { withCloudErrors } from './cloudError.ts';
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
    const { fromMs, toMs } = utcMonth(deps.now());
    const spent = repository.spent(accountId, fromMs, toMs);
    const { data, cameras } = snapshot.body;
    const buckets = data.volumeQuotas ?? [];
    const sum = (
      bucket: LedgerSum['bucket'],
      server: { used?: number; limit?: number | null } | undefined,
    ): LedgerSum => ({
      bucket,
      spent: spent.get(bucket) ?? 0,
      serverUsed: server?.used ?? null,
      serverLimit: server?.limit ?? null,
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
    'usage.read': ({ isFresh }) =>
      withCloudErrors(async () => {
        const { account, client } = await connections.active();
        if (isFresh || !repository.snapshot(account.accountId, 'usage')) {
          const { body } = await client.call('usage.get');
          const answer = body as UsageAnswer; // read tolerantly: every field is looked for where it is used
          repository.saveSnapshot(account.accountId, 'usage', '', deps.now(), answer);
          if (typeof answer.data.tier === 'string') accounts.setTier(account.accountId, answer.data.tier);
          deps.emit('usage.changed', { accountId: account.accountId });
        }
        return report(account.accountId);
      }),

    async 'cloudDevices.list'({ isFresh }): Promise<DeviceListing> {
      const { account, client } = await connections.active();
      let problem: CloudProblem | null = null;
      if (isFresh || !repository.snapshot(account.accountId, 'devices')) {
        try {
          const devices: Device[] = [];
          for await (const device of client.devices()) devices.push(device);
          repository.saveSnapshot(account.accountId, 'devices', '', deps.now(), devices);
        } catch (thrown) {
          if (!(thrown instanceof CloudProblem)) throw thrown;
          problem = thrown;
        }
      }
      const snapshot = repository.snapshot<readonly Device[]>(account.accountId, 'devices');
      return {
        devices: snapshot?.body ?? [],
        fetchedAtMs: snapshot?.fetchedAtMs ?? null,
        problem: problem?.toData() ?? null,
      };
    },
  };
}
