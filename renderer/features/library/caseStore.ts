import { createStore, type StoreApi } from 'zustand/vanilla';
import type { CaseFile, CaseSummary, ExhibitRef } from '../../../shared/contract/cases.ts';
import type { DeskClient } from '../../../shared/contract/client.ts';
import type { CaseId } from '../../../shared/ids.ts';
import { createReader, loading, type Loadable } from '../../ui/index.ts';

export interface CaseListState {
  readonly cases: Loadable<readonly CaseSummary[]>;
}
export interface CaseStore extends StoreApi<CaseListState> {
  /** Puts trips and sources into a case. Rejects with AppError. */
  add(caseId: CaseId, refs: readonly ExhibitRef[]): Promise<CaseFile>;
  /** Creates a case with these in it. Rejects with AppError (`already_exists`). */
  create(name: string, refs: readonly ExhibitRef[]): Promise<CaseFile>;
  refresh(): void;
  attach(): () => void;
}

/** One request holds at most this many (contract `cases.add`). */
const refsPerRequest = 10_000;

/** The cases that something of the library can be added to. */
export function createCaseStore(client: DeskClient): CaseStore {
  const store = createStore<CaseListState>(() => ({ cases: loading }));
  const read = createReader<readonly CaseSummary[]>((cases) => store.setState({ cases }));
  const refresh = () => void read(() => client.invoke('cases.list', {}));
  async function add(caseId: CaseId, refs: readonly ExhibitRef[]): Promise<CaseFile> {
    let last: CaseFile | null = null;
    for (let at = 0; at < refs.length; at += refsPerRequest) {
      last = await client.invoke('cases.add', { caseId, refs: refs.slice(at, at + refsPerRequest) });
    }
    return last ?? client.invoke('cases.get', { caseId });
  }
  return {
    ...store,
    add,
    async create(name, refs) {
      const made = await client.invoke('cases.create', { name });
      return refs.length > 0 ? add(made.caseId, refs) : made;
    },
    refresh,
    attach() {
      refresh();
      return client.on('cases.changed', refresh);
    },
  };
}
