import { afterAll, describe, expect, it } from 'vitest';
import { createDeviceGate } from '../../../main/media/recall/deviceGate.ts';
import { createRandom } from '../../simulator/random.ts';
import { aFleet, listCard, type RecallDesk } from './aRecallDesk.ts';

const { simulator, desk, end } = await aFleet({
  nominalSizes: { main: 300_000, sub: 60_000 },
  deviceLatencyMs: 5,
});
afterAll(end);
const { control, story } = simulator;
const psns = [story.collision.psn, story.ordinaryPsn];

const overlaps = (from: RecallDesk): number =>
  Object.values(from.counters().deviceContacts).reduce((sum, { overlaps: count }) => sum + count, 0);

describe('the cameras', () => {
  it('are each asked for one thing at a time, whatever the app does at once; and cameras beside each other', async () => {
    const cards = await Promise.all(
      psns.map((psn) => listCard(desk, psn, { direction: 'front', type: 'normal' })),
    );
    control.clearLog();
    const random = createRandom(3, 'contacts');
    const work: Promise<unknown>[] = [];
    const orders = new Map<string, number>();
    for (const [i, psn] of psns.entries()) {
      const files = cards[i]!.rows.slice(0, 12).map((row) => row.parts[0]!.filename);
      for (const [k, filename] of files.entries()) {
        work.push(desk.client.invoke('cards.metadata', { psn, filename }).catch(() => null));
        if (k % 3 === 0) {
          const quality = random.chance(0.5) ? 'main' : 'sub';
          orders.set(`${psn}/${filename}/${quality}`, 1);
          work.push(desk.recall(psn, filename, quality), desk.recall(psn, filename, quality));
        }
      }
      work.push(desk.client.invoke('cards.listing', { psn, isFresh: true, filters: { type: 'manual' } }));
      work.push(desk.cloud.call('sdFiles.list', { psn, perPage: 1 }).catch(() => null));
      work.push(desk.client.invoke('cards.clock', { psn, shouldLearn: true }).catch(() => null));
      desk.client.invoke('cards.cancelMetadata', { psn, filenames: files.slice(6) }).catch(() => null);
    }
    await Promise.all(work);
    expect(overlaps(desk)).toBe(0);
    // Asked for twice at once, and again below: each clip was charged once.
    expect(desk.counters().recalls).toEqual(Object.fromEntries(orders));
    const contacts = desk.counters().deviceContacts;
    for (const psn of psns) expect(contacts[psn]!.count).toBeGreaterThan(8);
    for (const recall of await desk.client.invoke('recalls.list', {})) {
      const again = await desk.recall(recall.psn, recall.filename, recall.quality);
      expect(again.state).toMatchObject({ status: 'done', wasHeld: true });
    }
    expect(desk.counters().recalls).toEqual(Object.fromEntries(orders));
    expect(desk.bugs).toEqual([]);
  });

  it('are not asked anew while they still answer someone who left', async () => {
    const psn = psns[0]!;
    const { rows } = await desk.client.invoke('cards.listing', { psn });
    const names = rows
      .filter((row) => row.type === 'normal')
      .slice(40, 47)
      .map((row) => row.parts[0]!.filename);
    const before = control.conduct().length;
    for (const filename of names.slice(0, 6)) {
      const asked = desk.client
        .invoke('cards.metadata', { psn, filename })
        .catch((thrown: unknown) => thrown);
      const isOut = (): boolean =>
        control.requests().at(-1)?.path.includes(encodeURIComponent(filename)) === true;
      while (!isOut()) await new Promise((resolve) => setImmediate(resolve));
      await desk.client.invoke('cards.cancelMetadata', { psn, filenames: [filename] });
      expect(await asked).toMatchObject({ code: 'canceled' });
      // At once, without waiting for the camera.
      expect(isOut()).toBe(true);
    }
    await desk.client.invoke('cards.metadata', { psn, filename: names[6]! });
    const lines = control.conduct().slice(before);
    expect(lines.length).toBe(7);
    expect(lines.every((line) => line.what === 'contact' && line.besides.length === 0)).toBe(true);
    // What the camera said then is kept: it is not asked for it again.
    await desk.client.invoke('cards.metadata', { psn, filename: names[0]! });
    expect(control.conduct().length).toBe(before + 7);
  });

  it('upload beside each other, one clip of each at a time', async () => {
    const running = new Set<string>();
    let most = 0;
    const stop = desk.client.on('recalls.changed', ({ psn, recallId, state }) => {
      const key = `${psn} ${recallId}`;
      if (state.status === 'transferring') running.add(key);
      else running.delete(key);
      const ofOne = psns.map((one) => [...running].filter((other) => other.startsWith(one)).length);
      expect(Math.max(...ofOne)).toBeLessThanOrEqual(1);
      most = Math.max(most, running.size);
    });
    for (const psn of psns) control.setDevice({ psn, uploadBytesPerSecond: 20_000 });
    const cards = await Promise.all(psns.map((psn) => desk.client.invoke('cards.listing', { psn })));
    const items = psns.flatMap((psn, i) =>
      cards[i]!.rows.filter((row) => row.type === 'normal')
        .slice(20, 23)
        .map((row) => ({ psn, filename: row.parts[0]!.filename, quality: 'main' as const })),
    );
    const { recalls } = await desk.client.invoke('recalls.start', { items });
    const ended = await Promise.all(recalls.map((recall) => desk.ended(recall)));
    stop();
    expect(ended.map((recall) => recall.state.status)).toEqual(items.map(() => 'done'));
    expect(most).toBe(2);
    expect(overlaps(desk)).toBe(0);
  });
});

describe('the gate', () => {
  it('lets nothing but a cancellation through while a transfer is held, recalls first after it', async () => {
    const gate = createDeviceGate();
    const order: string[] = [];
    const release = gate.hold('P1');
    const pass = (name: string) => async (): Promise<void> => void order.push(name);
    const all = [
      gate.contact('P1', 'thumbnail', pass('thumbnail'), { priority: 'background' }),
      gate.contact('P1', 'listing', pass('listing')),
      gate.contact('P1', 'recall', pass('recall'), { priority: 'recall' }),
    ];
    await gate.contact('P1', 'cancel', pass('cancel'), { mayInterrupt: true });
    await gate.contact('P2', 'other', pass('other camera'));
    release();
    await Promise.all(all);
    expect(order).toEqual(['cancel', 'other camera', 'recall', 'listing', 'thumbnail']);
  });

  it('forgets who does not want to wait any more, and goes on after a failure', async () => {
    const gate = createDeviceGate();
    const abort = new AbortController();
    const first = Promise.withResolvers<void>();
    const one = gate.contact('P1', 'one', () => first.promise);
    const two = gate.contact('P1', 'two', () => Promise.resolve('never'), { signal: abort.signal });
    abort.abort(new Error('scrolled away'));
    await expect(two).rejects.toThrow('scrolled away');
    first.reject(new Error('failed'));
    await expect(one).rejects.toThrow('failed');
    await expect(gate.contact('P1', 'three', () => Promise.resolve(3))).resolves.toBe(3);
  });
});
