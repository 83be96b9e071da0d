import { events, type EventName, type RequestName } from '../../../shared/contract/index.ts';
import { decodeMessage, wireContentType } from '../../../shared/contract/wire.ts';
import type { AppErrorData, Result } from '../../../shared/errors.ts';
import { createConnection } from './connection.ts';
import type { HostLink } from './host.ts';
import { uploadByRequest } from './upload.ts';

const lost: AppErrorData = {
  code: 'connection_lost',
  message: 'This window has lost its connection to Evidence Desk.',
  remedy: 'Check that Evidence Desk is still running on this computer; the window reconnects by itself.',
};
/** First wait before an event stream that the browser gave up on is opened again; doubles up to the last. */
const firstRetryMs = 500;
const lastRetryMs = 8_000;

/** What a host answered that is not a reply of the contract (a refused token, a proxy's page). */
function refusedReply(status: number): AppErrorData {
  if (status === 401 || status === 403) {
    return {
      code: 'unauthorized',
      message: 'Evidence Desk no longer accepts this window.',
      remedy: 'Close this window and open Evidence Desk again from its address or its icon.',
    };
  }
  return { code: 'internal', message: `Evidence Desk answered with status ${status} and no explanation.` };
}

function isResult(value: unknown): value is Result<unknown> {
  return typeof value === 'object' && value !== null && typeof (value as { ok?: unknown }).ok === 'boolean';
}

/** Replies are wire messages (typed arrays uncopied); what is refused before the core is asked comes as JSON. */
function decodeReply(response: Response, bytes: ArrayBuffer): unknown {
  const isMessage = response.headers.get('content-type')?.startsWith(wireContentType);
  return isMessage ? decodeMessage(new Uint8Array(bytes)) : JSON.parse(new TextDecoder().decode(bytes));
}

/**
 * The contract over HTTP of the same origin: POST /api/request, the event stream /api/events, POST /api/upload.
 * Used by the loopback host, and by any window whose host serves these addresses.
 */
export function createBrowserLink(): HostLink {
  const connection = createConnection();
  const listeners = new Map<EventName, Set<(payload: unknown) => void>>();
  let stream: EventSource | null = null;
  let retryMs = firstRetryMs;

  function openStream(): void {
    const opened = new EventSource('/api/events');
    stream = opened;
    opened.addEventListener('open', () => {
      retryMs = firstRetryMs;
      connection.set('connected');
    });
    opened.addEventListener('error', () => {
      connection.set('lost');
      if (opened.readyState !== EventSource.CLOSED || stream !== opened) return;
      // The browser gives up after a refused answer (a restart in between); we do not.
      stream = null;
      setTimeout(openStream, retryMs);
      retryMs = Math.min(retryMs * 2, lastRetryMs);
    });
    for (const name of Object.keys(events) as EventName[]) {
      opened.addEventListener(name, (message) => {
        const payload: unknown = JSON.parse((message as MessageEvent<string>).data);
        for (const listener of listeners.get(name) ?? []) listener(payload);
      });
    }
  }

  async function request(name: RequestName, input: unknown): Promise<Result<unknown>> {
    let response: Response;
    let bytes: ArrayBuffer;
    try {
      response = await fetch('/api/request', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ name, input }),
      });
      bytes = await response.arrayBuffer();
    } catch {
      connection.set('lost');
      return { ok: false, error: lost };
    }
    try {
      const reply = decodeReply(response, bytes);
      if (isResult(reply)) return reply;
    } catch {
      // Not a message of the contract: explained by its status below.
    }
    return { ok: false, error: refusedReply(response.status) };
  }

  openStream();
  return {
    transport: {
      request,
      subscribe(name, listener) {
        const set = listeners.get(name) ?? new Set();
        listeners.set(name, set);
        set.add(listener);
        return () => set.delete(listener);
      },
    },
    connection,
    upload: (file, options) => uploadByRequest('/api/upload', file, options),
    mediaUrl: (mediaPath) => `/${mediaPath.replace(/^\/+/, '')}`,
  };
}
