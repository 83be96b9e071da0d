import type { CloudAccount, ConnectionReport, LedgerEntry } from '../../../shared/contract/cloud.ts';
import type { Handlers } from '../../../shared/contract/index.ts';
import { AppError } from '../../../shared/errors.ts';
import { explainProblem } from '../../../shared/cloudProblem.ts';
import type { AccountId } from '../../../shared/ids.ts';
import { normalizeBaseUrl } from '../../cloud/baseUrl.ts';
import type { CloudRepository } from '../../cache/cloudRepository.ts';
import { CloudProblem } from '../../cloud/problem.ts';
import type { DeskDeps } from '../deps.ts';
import type { AccountStore } from './accountStore.ts';
import { withCloudErrors } from './cloudError.ts';
import { notWorking, testConnection } from './connection.ts';
import type { Connections } from './connections.ts';

type AccountHandlers = Pick<
  Handlers,
  | 'accounts.list'
  | 'accounts.test'
  | 'accounts.check'
  | 'accounts.add'
  | 'accounts.rename'
  | 'accounts.activate'
  | 'accounts.remove'
>;

/** Accounts: tried before they are stored, and nothing stored until they work. */
export function createAccountHandlers(
  deps: DeskDeps,
  parts: {
    readonly connections: Connections;
    readonly accounts: AccountStore;
    readonly repository: CloudRepository;
    /** After another account became the active one: take up its orders. */
    readonly onActivated: () => void;
  },
): AccountHandlers {
  const { connections, accounts, repository, onActivated } = parts;

  function changed(accountId: AccountId | null): void {
    deps.emit('accounts.changed', { accountId });
  }
  /** Tries without storing; an address or key that can't even be tried is a report like any other. */
  async function trial(
    baseUrl: string,
    apiKey: string,
  ): Promise<{ readonly report: ConnectionReport; readonly spent: readonly LedgerEntry[] }> {
    try {
      const { client, spent } = connections.trial(baseUrl, apiKey);
      return { report: await testConnection(client), spent };
    } catch (thrown) {
      if (!(thrown instanceof CloudProblem)) throw thrown;
      return { report: notWorking(baseUrl, thrown, null), spent: [] };
    }
  }

  return {
    'accounts.list': () => accounts.list(),
    'accounts.test': async ({ baseUrl, apiKey }) => (await trial(baseUrl, apiKey)).report,
    'accounts.check': ({ accountId }) =>
      withCloudErrors(async () => {
        const report = await testConnection(await connections.of(accounts.get(accountId)));
        if (report.tier !== null) accounts.setTier(accountId, report.tier);
        return report;
      }),
    async 'accounts.add'({ label, baseUrl, apiKey }): Promise<CloudAccount> {
      const { report, spent } = await trial(baseUrl, apiKey);
      if (report.problem) {
        const { what, todo } = explainProblem(report.problem);
        throw new AppError('cloud_problem', what, {
          remedy: todo,
          details: { problem: report.problem, clockSkewMs: report.clockSkewMs },
        });
      }
      const account = await accounts.add({
        label,
        baseUrl: normalizeBaseUrl(baseUrl),
        apiKey: apiKey.trim(),
        tier: report.tier,
        isDemo: false,
      });
      // The trial was this account's first spending.
      for (const entry of spent) repository.spend(account.accountId, entry);
      changed(account.accountId);
      onActivated();
      return account;
    },
    'accounts.rename'({ accountId, label }) {
      const account = accounts.rename(accountId, label);
      changed(accountId);
      return account;
    },
    'accounts.activate'({ accountId }) {
      const account = accounts.activate(accountId);
      changed(accountId);
      onActivated();
      return account;
    },
    'accounts.remove'({ accountId }) {
      accounts.remove(accountId);
      connections.forget(accountId);
      repository.forgetAccount(accountId);
      changed(null);
      return null;
    },
  };
}
