import { createHash } from 'node:crypto';
import type { CloudCode } from '../../../shared/cloudProblem.ts';
import type { CloudAccount, LedgerEntry } from '../../../shared/contract/cloud.ts';
import { AppError } from '../../../shared/errors.ts';
import type { AccountId } from '../../../shared/ids.ts';
import type { CloudRepository } from '../../cache/cloudRepository.ts';
import { normalizeBaseUrl } from '../../cloud/baseUrl.ts';
import { CloudClient } from '../../cloud/client.ts';
import { operations, type OperationName } from '../../cloud/operations.ts';
import { RateGate, systemTiming, tierRates, type Timing } from '../../cloud/rateGate.ts';
import type { AccountStore } from './accountStore.ts';

export interface Connections {
  /** The client of an account: one for each, so that its rate gate sees every call of this app. */
  of(account: CloudAccount): Promise<CloudClient>;
  /** The active account, without opening anything. AppError('no_account') without one. */
  account(): CloudAccount;
  /** The active account with its client. AppError('no_account') without one. */
  active(): Promise<{ readonly account: CloudAccount; readonly client: CloudClient }>;
  /** The client of an account by its id, active or not. AppError('not_found'). */
  byId(accountId: AccountId): Promise<CloudClient>;
  /** A client for an address and key that are not stored (yet), and what it has spent so far. */
  trial(
    baseUrl: string,
    apiKey: string,
  ): { readonly client: CloudClient; readonly spent: readonly LedgerEntry[] };
  forget(accountId: AccountId): void;
  /** Scopes that the service said the account's key lacks, since the app began or they were last forgotten. */
  missingScopes(accountId: AccountId): readonly string[];
  forgetMissingScopes(accountId: AccountId): void;
}

/** What a client reports to a ledger. */
type Reports = Required<Pick<ConstructorParameters<typeof CloudClient>[0], 'onAnswer' | 'onSpending'>>;

/** Turned away before the counter: no key, a key that is not enabled, or an answer that is not the service's. */
const uncounted: ReadonlySet<string> = new Set(['unauthorized', 'not_the_service']);

function reportTo(spend: (entry: LedgerEntry) => void, now: () => number): Reports {
  return {
    onAnswer({ operation, code, requestId }) {
      // Every authenticated request counts, the refused ones too (8.1).
      if (code !== null && uncounted.has(code)) return;
      const route = operations[operation].path;
      spend({ atMs: now(), bucket: 'api_calls', amount: 1, operation: route, subject: null, requestId });
    },
    onSpending({ bucket, amount, operation, subject, requestId }) {
      spend({ atMs: now(), bucket, amount, operation, subject, requestId });
    },
  };
}

/** Opens clients on demand and counts their calls in the ledger. */
export function createConnections(options: {
  readonly accounts: AccountStore;
  readonly repository: CloudRepository;
  readonly appVersion: string;
  readonly now: () => number;
  readonly onBug: (where: string, thrown: unknown) => void;
  readonly timing?: Timing;
  readonly environment?: NodeJS.ProcessEnv;
  /** Address and key of the built-in fleet, which is started on demand. */
  readonly demoService: () => Promise<{ readonly baseUrl: string; readonly apiKey: string }>;
}): Connections {
  const { accounts, repository, appVersion, now } = options;
  const timing = options.timing ?? systemTiming;
  const clients = new Map<AccountId, { readonly baseUrl: string; readonly client: CloudClient }>();
  const gates = new Map<string, RateGate>();
  const missing = new Map<AccountId, Set<string>>();
  const common = {
    userAgent: `EvidenceDesk/${appVersion}`,
    timing,
    ...(options.environment === undefined ? {} : { environment: options.environment }),
  };

  /** One gate for each address and key: a trial and the account made from it draw on the same allowance. */
  function gateOf(baseUrl: string, apiKey: string, tier: string | null): RateGate {
    const address = normalizeBaseUrl(baseUrl);
    const id = createHash('sha256').update(`${address}\n${apiKey.trim()}`).digest('hex');
    const gate = gates.get(id) ?? new RateGate(timing, tierRates[tier ?? 'free'] ?? tierRates.free!);
    gates.set(id, gate);
    return gate;
  }

  /** What an answer tells of the key's scopes: a refusal names one, a good answer proves one. */
  function learnScope(accountId: AccountId, name: OperationName, code: CloudCode | null): void {
    const { scope } = operations[name];
    if (scope === null || (code !== null && code !== 'insufficient_scope')) return;
    const known = missing.get(accountId) ?? new Set();
    if (code === null) known.delete(scope);
    else known.add(scope);
    missing.set(accountId, known);
  }

  async function of(account: CloudAccount): Promise<CloudClient> {
    const known = clients.get(account.accountId);
    // A stored account's address never changes; the demo fleet's does, with every start of it.
    if (known && !account.isDemo) return known.client;
    const { baseUrl, apiKey } = account.isDemo
      ? await options.demoService()
      : { baseUrl: account.baseUrl, apiKey: await accounts.keyOf(account.accountId) };
    const other = clients.get(account.accountId);
    if (other?.baseUrl === baseUrl) return other.client;
    const reports = reportTo((entry) => {
      try {
        repository.spend(account.accountId, entry);
      } catch (thrown) {
        // A ledger that can't be written (a full disk) must not lose an answer that was paid for.
        options.onBug('cloud ledger', thrown);
      }
    }, now);
    const client = new CloudClient({
      ...common,
      baseUrl,
      apiKey,
      gate: gateOf(baseUrl, apiKey, account.tier),
      ...reports,
      onAnswer(answer) {
        learnScope(account.accountId, answer.operation, answer.code);
        reports.onAnswer(answer);
      },
    });
    clients.set(account.accountId, { baseUrl, client });
    return client;
  }

  function account(): CloudAccount {
    const active = accounts.active();
    if (active) return active;
    throw new AppError('no_account', 'No Fleet Dashcam Cloud account is set up.', {
      remedy: 'Add one under Account, or set both FLEET_DASHCAM_BASE_URL and FLEET_DASHCAM_API_KEY.',
    });
  }

  return {
    of,
    account,
    async active() {
      const active = account();
      return { account: active, client: await of(active) };
    },
    byId: async (accountId) => of(accounts.get(accountId)),
    trial(baseUrl, apiKey) {
      const spent: LedgerEntry[] = [];
      const client = new CloudClient({
        ...common,
        baseUrl,
        apiKey,
        gate: gateOf(baseUrl, apiKey, null),
        ...reportTo((entry) => spent.push(entry), now),
      });
      return { client, spent };
    },
    missingScopes: (accountId) => [...(missing.get(accountId) ?? [])],
    forgetMissingScopes: (accountId) => void missing.delete(accountId),
    forget(accountId) {
      clients.delete(accountId);
      missing.delete(accountId);
    },
  };
}
