// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createBrowserLink, createHost } from '../../../renderer/app/client/index.ts';
import { encodeMessage, wireContentType } from '../../../shared/contract/wire.ts';

/** The browser's event stream, driven by the test. */
class FakeStream extends EventTarget {
  static readonly CLOSED = 2;
  static readonly opened: FakeStream[] = [];
  readyState = 0;
  readonly url: string;
  constructor(url: string) {
    super();
    this.url = url;
    FakeStream.opened.push(this);
  }
}
const wire = (value: unknown) =>
  new Response(encodeMessage(value) as Uint8Array<ArrayBuffer>, {
    headers: { 'content-type': wireContentType },
  });

beforeEach(() => {
  vi.useFakeTimers();
  FakeStream.opened.length = 0;
  vi.stubGlobal('EventSource', FakeStream);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('the link to the loopback host', () => {
  it('carries columns as they are', async () => {
    vi.stubGlobal('fetch', async () => wire({ ok: true, value: { timesMs: new Float64Array([1, NaN]) } }));
    const { client } = createHost(createBrowserLink());
    expect(await client.invoke('trips.points', { tripId: 'trip_1' })).toEqual({
      timesMs: new Float64Array([1, NaN]),
    });
  });

  it('gives the core’s errors with code and remedy', async () => {
    vi.stubGlobal('fetch', async () =>
      Response.json(
        { ok: false, error: { code: 'invalid_input', message: 'No.', remedy: 'Else.' } },
        { status: 400 },
      ),
    );
    const { client } = createHost(createBrowserLink());
    await expect(client.invoke('cases.list', {})).rejects.toMatchObject({
      code: 'invalid_input',
      remedy: 'Else.',
    });
  });

  it('explains a refused window and an answer that is none', async () => {
    vi.stubGlobal('fetch', async () => new Response('Open it from its address.', { status: 403 }));
    const { client } = createHost(createBrowserLink());
    await expect(client.invoke('cases.list', {})).rejects.toMatchObject({ code: 'unauthorized' });
    vi.stubGlobal('fetch', async () => new Response('<html>', { status: 502 }));
    await expect(client.invoke('cases.list', {})).rejects.toMatchObject({
      message: expect.stringContaining('502'),
    });
  });

  it('says when the connection is lost, opens the stream again, and says when it is back', async () => {
    const host = createHost(createBrowserLink());
    const states: string[] = [];
    host.connection.subscribe(() => states.push(host.connection.current()));
    const heard: unknown[] = [];
    host.client.on('library.changed', (payload) => heard.push(payload));
    const [first] = FakeStream.opened;
    first?.dispatchEvent(new Event('open'));
    first?.dispatchEvent(new MessageEvent('library.changed', { data: '{"reason":"import"}' }));
    expect(heard).toEqual([{ reason: 'import' }]);
    if (first) first.readyState = FakeStream.CLOSED;
    first?.dispatchEvent(new Event('error'));
    expect(states).toEqual(['lost']);
    vi.advanceTimersByTime(500);
    FakeStream.opened[1]?.dispatchEvent(new Event('open'));
    expect(states).toEqual(['lost', 'connected']);
    FakeStream.opened[1]?.dispatchEvent(new MessageEvent('library.changed', { data: '{"reason":"remove"}' }));
    expect(heard).toHaveLength(2);
  });

  it('rejects as connection_lost when the host can’t be reached', async () => {
    vi.stubGlobal('fetch', async () => {
      throw new TypeError('Failed to fetch');
    });
    const host = createHost(createBrowserLink());
    await expect(host.client.invoke('cases.list', {})).rejects.toMatchObject({ code: 'connection_lost' });
    expect(host.connection.current()).toBe('lost');
  });
});
