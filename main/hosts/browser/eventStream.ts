import type { ServerResponse } from 'node:http';
import type { DeskConnection } from '../../desk/deskConnection.ts';

const heartbeatMs = 15_000;
/** A window that reads nothing any more (a suspended tab) is cut off; it reconnects and reads anew. */
const backlogLimitBytes = 8 * 1024 * 1024;

/** GET /api/events: every event to every window, as server-sent events (`event: <name>`, `data: <json>`). */
export function createEventStreams(desk: DeskConnection) {
  const streams = new Set<ServerResponse>();

  function write(stream: ServerResponse, text: string): void {
    if (stream.writableLength > backlogLimitBytes) stream.destroy();
    else stream.write(text);
  }
  const stop = desk.subscribeAll((name, payload) => {
    const text = `event: ${name}\ndata: ${JSON.stringify(payload)}\n\n`;
    for (const stream of streams) write(stream, text);
  });
  const heartbeat = setInterval(() => {
    for (const stream of streams) write(stream, ':\n\n');
  }, heartbeatMs);
  heartbeat.unref();

  return {
    /** How many windows listen now. */
    count: () => streams.size,
    add(response: ServerResponse): void {
      response.writeHead(200, {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
      });
      response.write('retry: 1000\n\n');
      streams.add(response);
      response.once('close', () => streams.delete(response));
    },
    close(): void {
      stop();
      clearInterval(heartbeat);
      for (const stream of streams) stream.end();
    },
  };
}
