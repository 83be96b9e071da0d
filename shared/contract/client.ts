import { fromErrorData } from '../errors.ts';
import type { EventName, InputOf, OutputOf, PayloadOf, RequestName, Transport } from './index.ts';

/** The one client that every front end uses, whatever carries it. */
export interface DeskClient {
  /** Rejects with AppError. */
  invoke<N extends RequestName>(name: N, input: InputOf<N>): Promise<OutputOf<N>>;
  on<N extends EventName>(name: N, listener: (payload: PayloadOf<N>) => void): () => void;
}

export function createDeskClient(transport: Transport): DeskClient {
  return {
    async invoke<N extends RequestName>(name: N, input: InputOf<N>): Promise<OutputOf<N>> {
      const reply = await transport.request(name, input);
      if (!reply.ok) throw fromErrorData(reply.error);
      return reply.value as OutputOf<N>; // the far side is compiled against the same contract
    },
    on<N extends EventName>(name: N, listener: (payload: PayloadOf<N>) => void): () => void {
      return transport.subscribe(name, (payload) => listener(payload as PayloadOf<N>)); // as above
    },
  };
}
