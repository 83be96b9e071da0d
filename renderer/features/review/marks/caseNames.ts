import { createStore, type StoreApi } from 'zustand/vanilla';
import type { CaseId } from '../../../../shared/ids.ts';
import type { Host } from '../../../app/client/index.ts';

export type CaseNames = ReadonlyMap<CaseId, string>;
const namesOfHost = new WeakMap<Host, StoreApi<{ readonly names: CaseNames }>>();

/** Names of the cases, to say where marks go. Read once for each host, and anew when cases change. */
export function caseNamesOf(host: Host): StoreApi<{ readonly names: CaseNames }> {
  const known = namesOfHost.get(host);
  if (known) return known;
  const store = createStore<{ readonly names: CaseNames }>(() => ({ names: new Map() }));
  namesOfHost.set(host, store);
  const read = async () => {
    try {
      const list = await host.client.invoke('cases.list', {});
      store.setState({ names: new Map(list.map(({ caseId, name }) => [caseId, name])) });
    } catch {
      // The name is an extra: without it the case is called "the chosen case".
    }
  };
  host.client.on('cases.changed', () => void read());
  void read();
  return store;
}
