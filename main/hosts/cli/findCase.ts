import type { CaseSummary } from '../../../shared/contract/cases.ts';
import { AppError } from '../../../shared/errors.ts';
import type { DeskClient } from '../../../shared/contract/client.ts';
import type { CaseId } from '../../../shared/ids.ts';

/** The case with this name (letter case aside) or id. AppError('not_found') with what to do. */
export async function findCase(client: DeskClient, nameOrId: string): Promise<CaseId> {
  const wanted = nameOrId.trim();
  const all: readonly CaseSummary[] = await client.invoke('cases.list', {});
  const found =
    all.find((one) => one.caseId === wanted) ??
    all.find((one) => one.name === wanted) ??
    all.find((one) => one.name.toLowerCase() === wanted.toLowerCase());
  if (found) return found.caseId;
  throw new AppError('not_found', `There is no case named "${wanted}".`, {
    remedy: `List them with "case list", or make it with: case create "${wanted}".`,
  });
}
