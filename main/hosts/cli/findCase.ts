import type { CaseSummary } from '../../../shared/contract/cases.ts';
import { AppError } from '../../../shared/errors.ts';
import type { DeskClient } from '../../../shared/contract/client.ts';
import type { CaseId } from '../../../shared/ids.ts';

async function lookUp(client: DeskClient, nameOrId: string): Promise<CaseId | null> {
  const wanted = nameOrId.trim();
  const all: readonly CaseSummary[] = await client.invoke('cases.list', {});
  const found =
    all.find((one) => one.caseId === wanted) ??
    all.find((one) => one.name === wanted) ??
    all.find((one) => one.name.toLowerCase() === wanted.toLowerCase());
  return found?.caseId ?? null;
}

/** The case with this name or id; a name that no case has makes one. */
export async function findOrCreateCase(client: DeskClient, name: string): Promise<CaseId> {
  return (await lookUp(client, name)) ?? (await client.invoke('cases.create', { name })).caseId;
}

/** The case with this name (letter case aside) or id. AppError('not_found') with what to do. */
export async function findCase(client: DeskClient, nameOrId: string): Promise<CaseId> {
  const found = await lookUp(client, nameOrId);
  if (found !== null) return found;
  const wanted = nameOrId.trim();
  throw new AppError('not_found', `There is no case named "${wanted}".`, {
    remedy: `List them with "case list", or make it with: case create "${wanted}".`,
  });
}
