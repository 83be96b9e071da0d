import {
  requests,
  type EventName,
  type Handlers,
  type PayloadOf,
  type RequestName,
} from '../../shared/contract/index.ts';
import { AppError, toErrorData } from '../../shared/errors.ts';
import type { UploadId } from '../../shared/ids.ts';
import { createConnection, createHost, type Host, type UploadFile } from '../../renderer/app/client/index.ts';

export interface FakeHost extends Host {
  /** Sends an event as the core would. */
  emit<N extends EventName>(name: N, payload: PayloadOf<N>): void;
  /** Cuts or restores the connection. */
  setConnection(state: 'connected' | 'lost'): void;
  /** Names and inputs of what was asked, in order. */
  readonly asked: readonly { readonly name: RequestName; readonly input: unknown }[];
}

/**
 * A host at the true edge of the window: answers what a test gives, parses every input by the contract's schema as
 * the real one does, and fails loudly for anything else.
 */
export function createFakeHost(handlers: Partial<Handlers>, upload?: UploadFile): FakeHost {
  const listeners = new Map<EventName, Set<(payload: unknown) => void>>();
  const connection = createConnection();
  const asked: { name: RequestName; input: unknown }[] = [];
  let uploads = 0;
  const host = createHost({
    transport: {
      async request(name, input) {
        asked.push({ name, input });
        try {
          const parsed = requests[name].input.parse(input);
          const handler = handlers[name] as ((input: unknown) => unknown) | undefined;
          if (!handler) throw new AppError('invalid_input', `The test answers no ${name}.`);
          return { ok: true, value: await handler(parsed) };
        } catch (thrown) {
          return { ok: false, error: toErrorData(thrown) };
        }
      },
      subscribe(name, listener) {
        const set = listeners.get(name) ?? new Set();
        listeners.set(name, set);
        set.add(listener);
        return () => set.delete(listener);
      },
    },
    connection,
    upload: upload ?? (async () => `upload_${++uploads}` as UploadId),
    mediaUrl: (mediaPath) => `/${mediaPath}`,
  });
  return {
    ...host,
    asked,
    emit(name, payload) {
      for (const listener of listeners.get(name) ?? []) listener(payload);
    },
    setConnection: connection.set,
  };
}
