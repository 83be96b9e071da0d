import { createStore } from 'zustand/vanilla';
import type { CustodyEntry } from '../../../shared/contract/cases.ts';
import type { DeskClient } from '../../../shared/contract/client.ts';
import type { CaseId } from '../../../shared/ids.ts';
import { createReader, loading, type Loadable } from '../../ui/index.ts';

export interface CustodyLog {
  /** Oldest first. */
  readonly entries: readonly CustodyEntry[];
  readonly total: number;
  readonly isChainWhole: boolean;
}

const pageSize = 5_000;

/** The custody log of a case, or (null) all of it; read to its end, page by page. */
export function createCustodyStore(client: DeskClient, caseId: CaseId | null) {
  const store = createStore<{ log: Loadable<CustodyLog> }>(() => ({ log: loading }));
  const reader = createReader<CustodyLog>((log) => store.setState({ log }));

  async function readAll(): Promise<CustodyLog> {
    const entries: CustodyEntry[] = [];
    for (;;) {
      const page = await client.invoke('custody.list', {
        ...(caseId === null ? {} : { caseId }),
        afterSeq: entries[entries.length - 1]?.seq ?? 0,
        limit: pageSize,
      });
      entries.push(...page.entries);
      if (page.entries.length < pageSize)
        return { entries, total: page.total, isChainWhole: page.isChainWhole };
    }
  }
  const refresh = () => reader(readAll);

  return {
    store,
    refresh,
    /** Reads, and reads again with every change, until the returned function is called. */
    open(): () => void {
      void refresh();
      const ends = [
        client.on('cases.changed', () => void refresh()),
        client.on('library.changed', () => void refresh()),
      ];
      return () => ends.forEach((end) => end());
    },
  };
}
