import type { Connection, ConnectionState } from './host.ts';

/** A connection's state that its owner sets and everybody else watches. */
export interface SettableConnection extends Connection {
  set(state: ConnectionState): void;
}

/** Starts as connected: nothing is announced as lost before it was tried. */
export function createConnection(): SettableConnection {
  let state: ConnectionState = 'connected';
  const listeners = new Set<() => void>();
  return {
    current: () => state,
    set(next) {
      if (next === state) return;
      state = next;
      for (const listener of [...listeners]) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Calls `refresh` each time the connection comes back: events may have been missed meanwhile. */
export function onReconnected(connection: Connection, refresh: () => void): () => void {
  let before = connection.current();
  return connection.subscribe(() => {
    const now = connection.current();
    if (before === 'lost' && now === 'connected') refresh();
    before = now;
  });
}
