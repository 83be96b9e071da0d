import { createContext, useContext, useSyncExternalStore, type ReactNode } from 'react';
import type { DeskClient } from '../../../shared/contract/client.ts';
import type { ConnectionState, Host } from './host.ts';

const HostContext = createContext<Host | null>(null);

/** Gives everything inside it the host that carries this window. */
export function HostProvider({ host, children }: { host: Host; children: ReactNode }) {
  return <HostContext.Provider value={host}>{children}</HostContext.Provider>;
}

/** The host: client, uploads, media addresses, connection. */
export function useHost(): Host {
  const host = useContext(HostContext);
  if (!host) throw new Error('useHost outside HostProvider');
  return host;
}

/** The contract's client. */
export function useClient(): DeskClient {
  return useHost().client;
}

/** Whether the core can be reached right now. */
export function useConnection(): ConnectionState {
  const { connection } = useHost();
  return useSyncExternalStore((listener) => connection.subscribe(listener), connection.current);
}
