import { CloudClient } from '../../cloud/client.ts';
import type { OperationInput, OperationName } from '../../cloud/operations.ts';
import type { CallOptions } from '../../cloud/transport.ts';
import type { CloudUseCases } from '../cloud.ts';
import { environmentAccount } from './accountStore.ts';

/** All rows of a list operation, and how many pages they came in. */
export async function collectPages(
  client: CloudClient,
  name: OperationName,
  input: OperationInput,
  options?: CallOptions,
): Promise<{ data: unknown[]; pages: number }> {
  const data: unknown[] = [];
  let pages = 0;
  for await (const page of client.pages(name, input, options)) {
    for (const row of page.rows) data.push(row);
    pages = page.page;
  }
  return { data, pages };
}

/** What needs no data folder: calls by name. */
export type DirectCloud = Pick<CloudUseCases, 'call' | 'callAll'>;

/**
 * The environment's account without a data folder, for when a window has it locked: no ledger, nothing stored.
 * Null where the environment names no account. Throws CloudProblem for an address or key that can't be used.
 */
export function openDirectCloud(appVersion: string, environment = process.env): DirectCloud | null {
  const account = environmentAccount(environment);
  if (!account) return null;
  const client = new CloudClient({ ...account, userAgent: `EvidenceDesk/${appVersion}`, environment });
  return {
    call: (name, input, options) => client.call(name, input, options),
    callAll: (name, input, options) => collectPages(client, name, input, options),
  };
}
