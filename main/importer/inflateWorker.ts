import { parentPort, workerData } from 'node:worker_threads';
import { EntryDamage, entryBytes } from './entryBytes.ts';
import { controls, ringSlots, slotBytes, wake, type InflateRing } from './inflateRing.ts';
import type { InflateAnswer, InflateOrder } from './inflateThread.ts';

/** Entry of the thread that inflates and sums an archive's entries: see inflateThread.ts. */
const port = parentPort!; // never loaded outside a thread
const ring = workerData as InflateRing; // sent by inflateThread.ts only
const control = new Int32Array(ring.control);
const pieces = Buffer.from(ring.pieces);
const lineFeed = 0x0a;

/** False when the reader wants no more. The wait blocks this thread; libuv's go on inflating a little. */
function waitForRoom(produced: number): boolean {
  const hasRoom = (): boolean => produced - Atomics.load(control, controls.consumed) < ringSlots;
  for (;;) {
    const seen = Atomics.load(control, controls.room);
    if (Atomics.load(control, controls.stop) === 1) return false;
    if (hasRoom()) return true;
    Atomics.store(control, controls.writerWaits, 1);
    if (!hasRoom()) Atomics.wait(control, controls.room, seen);
  }
}

async function inflate({ descriptor, entry }: InflateOrder): Promise<InflateAnswer> {
  let position = 0;
  let produced = 0;
  /** Bytes that wait at the front of the next slot. */
  let held = 0;
  const give = (length: number): void => {
    const slot = produced % ringSlots;
    control[controls.slots + slot * 2] = length;
    control[controls.slots + slot * 2 + 1] = Math.floor(position / 1024);
    Atomics.store(control, controls.produced, ++produced);
    if (Atomics.load(control, controls.readerWaits) === 1) {
      Atomics.store(control, controls.readerWaits, 0);
      wake(control, controls.news);
    }
  };
  try {
    for await (const piece of entryBytes(descriptor, entry, (at) => (position = at))) {
      let from = 0;
      while (from < piece.length) {
        if (held === 0 && !waitForRoom(produced)) return { damage: null, failure: null };
        const start = (produced % ringSlots) * slotBytes;
        const count = Math.min(piece.length - from, slotBytes - held);
        pieces.set(piece.subarray(from, from + count), start + held);
        from += count;
        const length = held + count;
        // A reader takes whole lines as they lie; half a line it would have to put together with the next piece.
        const lines = pieces.lastIndexOf(lineFeed, start + length - 1) + 1 - start;
        const given = lines > 0 ? lines : length;
        const rest = length - given;
        if (rest > 0) {
          give(given);
          if (!waitForRoom(produced)) return { damage: null, failure: null };
          pieces.copy(pieces, (produced % ringSlots) * slotBytes, start + given, start + length);
        } else give(given);
        held = rest;
      }
    }
    if (held > 0) give(held);
    return { damage: null, failure: null };
  } catch (thrown) {
    return thrown instanceof EntryDamage
      ? { damage: thrown.message, failure: null }
      : { damage: null, failure: thrown };
  }
}

port.on('message', (order: InflateOrder | null) => {
  if (order === null) {
    port.close();
    return;
  }
  void inflate(order).then((answer) => {
    // Before the message, on which the reader goes on to the next entry.
    Atomics.store(control, controls.ended, 1);
    wake(control, controls.news);
    port.postMessage(answer);
  });
});
