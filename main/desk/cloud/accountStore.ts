import { randomUUID } from 'node:crypto';
import { chmodSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { CloudAccount } from '../../../shared/contract/cloud.ts';
import { AppError } from '../../../shared/errors.ts';
import type { AccountId } from '../../../shared/ids.ts';
import { normalizeBaseUrl } from '../../cloud/baseUrl.ts';
import type { HostAbilities } from '../deps.ts';

const fileSchema = z.object({
  version: z.literal(1),
  activeId: z.string().nullable(),
  accounts: z.array(
    z.object({
      accountId: z.string(),
      label: z.string(),
      baseUrl: z.string(),
      tier: z.string().nullable(),
      isDemo: z.boolean(),
      addedAtMs: z.number(),
      /** The key, sealed by the host's secret store, base64. */
      sealedKey: z.string(),
    }),
  ),
});
type StoredFile = z.infer<typeof fileSchema>;

export const environmentAccountId = 'acc_environment' as AccountId; // made here

/** The environment's account overrides the stored ones (command-line.md). */
export function environmentAccount(
  environment: NodeJS.ProcessEnv,
): { baseUrl: string; apiKey: string } | null {
  const baseUrl = environment.FLEET_DASHCAM_BASE_URL?.trim();
  const apiKey = environment.FLEET_DASHCAM_API_KEY?.trim();
  return baseUrl && apiKey ? { baseUrl, apiKey } : null;
}

/** The address as the client uses it; one that can't be used is shown as it was given. */
function shownAddress(baseUrl: string): string {
  try {
    return normalizeBaseUrl(baseUrl);
  } catch {
    return baseUrl;
  }
}

/**
 * Accounts in `accounts.json` of the data folder, each key sealed by the host's secret store: never in SQLite, in a
 * log, an error or the window.
 */
export function createAccountStore(options: {
  readonly folder: string;
  readonly abilities: HostAbilities;
  readonly now: () => number;
  readonly environment?: NodeJS.ProcessEnv;
}) {
  const file = path.join(options.folder, 'accounts.json');
  const fromEnvironment = environmentAccount(options.environment ?? process.env);
  let environmentTier: string | null = null;
  /** The demo fleet was asked for while the environment names an account: until it ends, the demo is meant. */
  let isEnvironmentAside = false;
  const isEnvironmentActive = (): boolean => fromEnvironment !== null && !isEnvironmentAside;

  function read(): StoredFile {
    let text: string;
    try {
      text = readFileSync(file, 'utf8');
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code === 'ENOENT')
        return { version: 1, activeId: null, accounts: [] };
      throw new AppError('file_unreadable', `The list of accounts can't be read: ${file}.`, {
        remedy: 'Check the rights of the data folder.',
        cause: thrown,
      });
    }
    try {
      return fileSchema.parse(JSON.parse(text));
    } catch (thrown) {
      throw new AppError('file_unreadable', `The list of accounts is damaged: ${file}.`, {
        remedy: 'Move the file away and add the accounts again.',
        cause: thrown,
      });
    }
  }

  function write(stored: StoredFile): void {
    const unfinished = `${file}.${process.pid}.tmp`;
    writeFileSync(unfinished, JSON.stringify(stored, null, 2), { mode: 0o600, flush: true });
    chmodSync(unfinished, 0o600);
    renameSync(unfinished, file);
  }

  function change(
    accountId: AccountId,
    edit: (stored: StoredFile, index: number) => StoredFile,
  ): CloudAccount {
    if (accountId === environmentAccountId) {
      throw new AppError(
        'invalid_input',
        'This account is set by the environment and can only be changed there.',
      );
    }
    const stored = read();
    const index = stored.accounts.findIndex((a) => a.accountId === accountId);
    if (index < 0)
      throw new AppError('not_found', 'There is no such account.', { remedy: 'Refresh the list.' });
    write(edit(stored, index));
    return list().find((a) => a.accountId === accountId)!; // just written
  }

  function list(): readonly CloudAccount[] {
    const stored = read();
    const accounts: CloudAccount[] = stored.accounts.map((a) => ({
      accountId: a.accountId as AccountId, // made by add()
      label: a.label,
      baseUrl: a.baseUrl,
      tier: a.tier,
      isActive: !isEnvironmentActive() && a.accountId === stored.activeId,
      isFromEnvironment: false,
      isDemo: a.isDemo,
      addedAtMs: a.addedAtMs,
    }));
    if (fromEnvironment === null) return accounts;
    return [
      {
        accountId: environmentAccountId,
        label: 'From the environment',
        baseUrl: shownAddress(fromEnvironment.baseUrl),
        tier: environmentTier,
        isActive: isEnvironmentActive(),
        isFromEnvironment: true,
        isDemo: false,
        addedAtMs: null,
      },
      ...accounts,
    ];
  }

  return {
    list,
    active(): CloudAccount | null {
      return list().find((a) => a.isActive) ?? null;
    },
    get(accountId: AccountId): CloudAccount {
      const account = list().find((a) => a.accountId === accountId);
      if (!account)
        throw new AppError('not_found', 'There is no such account.', { remedy: 'Refresh the list.' });
      return account;
    },
    /** The key in the clear, for the transport only. */
    async keyOf(accountId: AccountId): Promise<string> {
      if (accountId === environmentAccountId && fromEnvironment) return fromEnvironment.apiKey;
      const stored = read().accounts.find((a) => a.accountId === accountId);
      if (!stored)
        throw new AppError('not_found', 'There is no such account.', { remedy: 'Refresh the list.' });
      const plain = await options.abilities.revealSecret(Buffer.from(stored.sealedKey, 'base64'));
      return Buffer.from(plain).toString('utf8');
    },
    /** Adds and activates. The caller has tried that it works. */
    async add(account: {
      label: string;
      baseUrl: string;
      apiKey: string;
      tier: string | null;
      isDemo: boolean;
    }): Promise<CloudAccount> {
      const sealed = await options.abilities.protectSecret(Buffer.from(account.apiKey, 'utf8'));
      const accountId = `acc_${randomUUID().replaceAll('-', '').slice(0, 16)}` as AccountId; // made here
      const stored = read();
      const { label, baseUrl, tier, isDemo } = account;
      isEnvironmentAside = isDemo;
      write({
        ...stored,
        activeId: accountId,
        accounts: [
          ...stored.accounts,
          {
            accountId,
            label,
            baseUrl,
            tier,
            isDemo,
            addedAtMs: options.now(),
            sealedKey: Buffer.from(sealed).toString('base64'),
          },
        ],
      });
      return this.get(accountId);
    },
    rename(accountId: AccountId, label: string): CloudAccount {
      return change(accountId, (stored, index) => ({
        ...stored,
        accounts: stored.accounts.map((a, i) => (i === index ? { ...a, label } : a)),
      }));
    },
    activate(accountId: AccountId): CloudAccount {
      const account = this.get(accountId);
      isEnvironmentAside = account.isDemo;
      if (account.isFromEnvironment) return this.get(accountId);
      return change(accountId, (stored) => ({ ...stored, activeId: accountId }));
    },
    setTier(accountId: AccountId, tier: string): void {
      if (accountId === environmentAccountId) environmentTier = tier;
      else if (this.get(accountId).tier !== tier) {
        change(accountId, (stored, index) => ({
          ...stored,
          accounts: stored.accounts.map((a, i) => (i === index ? { ...a, tier } : a)),
        }));
      }
    },
    remove(accountId: AccountId): void {
      if (this.get(accountId).isDemo) isEnvironmentAside = false;
      if (accountId === environmentAccountId) {
        throw new AppError(
          'invalid_input',
          'This account is set by the environment and can only be removed there.',
        );
      }
      const stored = read();
      const accounts = stored.accounts.filter((a) => a.accountId !== accountId);
      const activeId = stored.activeId === accountId ? (accounts[0]?.accountId ?? null) : stored.activeId;
      write({ ...stored, accounts, activeId });
    },
  };
}
export type AccountStore = ReturnType<typeof createAccountStore>;
