import type { CloudAccount } from '../../../shared/contract/cloud.ts';
import { AppError } from '../../../shared/errors.ts';
import type { AccountId } from '../../../shared/ids.ts';
import type { CloudRepository } from '../../cache/cloudRepository.ts';
import { CloudClient } from '../../cloud/client.ts';
import { operations } from '../../cloud/operations.ts';
import type { Timing } from '../../cloud/rateGate.ts';
import type { AccountStore } from './accountStore.ts';

export interface Connections {
  /** The client of an account: one for each, so that its rate gate sees every call of this app. */
  of(account: CloudAccount): Promise<CloudClient>;
  /** The active account with its client. AppError('no_account') without one. */
  active(): Promise<{ readonly account: CloudAccount; readonly client: CloudClient }>;
  /** A client for an address and key that are not stored (yet). */
  trial(baseUrl: string, apiKey: string): CloudClient;
  forget(accountId: AccountId): void;
}

/** Opens clients on demand and counts their calls in the ledger. */
export function createConnections(options: {
  readonly accounts: AccountStore;
  readonly repository: CloudRepository;
  readonly appVersion: string;
  readonly now: () => number;
  readonly timing?: Timing;
  /** Address and key of the built-in fleet, which is started on demand. */
  readonly demoService: () => Promise<{ readonly baseUrl: string; readonly apiKey: string }>;
}): Connections {
  const { accounts, repository, appVersion, now } = options;
  const clients = new Map<AccountId, { readonly baseUrl: string; readonly client: CloudClient }>();
  const userAgent = `EvidenceDesk/${appVersion}`;
  const timing = options.timing === undefined ? {} : { timing: options.timing };

  async function of(account: CloudAccount): Promise<CloudClient> {
    const known = clients.get(account.accountId);
    const { baseUrl, apiKey } = account.isDemo
      ? await options.demoService()
      : { baseUrl: account.baseUrl, apiKey: known ? '' : await accounts.keyOf(account.accountId) };
    // A stored account's address never changes; the demo fleet's does, with every start of it.
    if (known && known.baseUrl === baseUrl) return known.client;
    const client = new CloudClient({
      ...timing,
      baseUrl,
      apiKey,
      userAgent,
      ...(account.tier === null ? {} : { tier: account.tier }),
      onAnswer: ({ operation, status, requestId }) => {
        // Every authenticated request counts (8.1); 401 and 429 are turned away before the counter.
        if (status === 401 || status === 429) return;
        repository.spend(account.accountId, {
          atMs: now(),
          bucket: 'api_calls',
          amount: 1,
          operation: operations[operation].path,
          subject: null,
          requestId,
        });
      },
    });
    clients.set(account.accountId, { baseUrl, client });
    return client;
  }

  return {
    of,
    async active() {
      const account = accounts.active();
      if (!account) {
        throw new AppError('no_account', 'No Fleet Dashcam Cloud account is set up.', {
          remedy: 'Add one under Account, or set FLEET_DASHCAM_BASE_URL and FLEET_DASHCAM_API_KEY.',
        });
      }
      return { account, client: await of(account) };
    },
    trial(baseUrl, apiKey) {
      return new CloudClient({ ...timing, baseUrl, apiKey, userAgent });
    },
    forget(accountId) {
      clients.delete(accountId);
    },
  };
}
