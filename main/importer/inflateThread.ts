import { Worker } from 'node:worker_threads';
import { workerUrl } from '../cache/workerUrl.ts';
import type { EntryData } from './archive.ts';
import { EntryDamage, entryBytes, type OnPosition } from './entryBytes.ts';
import { controls, ringSlots, slotBytes, wake, type InflateRing } from './inflateRing.ts';

/** What the thread is told to inflate. */
export interface InflateOrder {
  readonly descriptor: number;
  readonly entry: EntryData;
}

/** How the entry ended, its pieces aside. `failure` is the disk's error. */
export interface InflateAnswer {
  readonly damage: string | null;
  readonly failure: unknown;
}

/** Gives the bytes of archive entries. Close it when there are no more: it may have a thread. */
export interface EntryInflater {
  /** As entryBytes. One entry at a time. */
  bytes(descriptor: number, entry: EntryData, onPosition: OnPosition): AsyncIterable<Uint8Array>;
  close(): void;
}

/** Smaller entries are inflated before a thread has started. */
const threadFromBytes = 2 * 1024 * 1024;
/** Pieces between two turns of the event loop, in which cancel is heard: some 4 ms. */
const piecesBetweenTurns = 8;
/** The thread's own objects are few; its buffers lie outside of the heap. */
const resourceLimits = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 2 };

/** Started ahead of an import, and not taken yet. */
let spare: InflateThread | null = null;

/** Starts the thread of the next import now, beside other work: it takes 40 ms on a core of its own. */
export function startInflatingAhead(): void {
  spare ??= new InflateThread();
}

/**
 * Inflates large entries in a thread of its own: parsing then has a whole core, instead of sharing it with the
 * stream's callbacks and the checksum, and all pieces lie in one ring of memory.
 */
export function createEntryInflater(): EntryInflater {
  let thread = spare;
  spare = null;
  return {
    bytes(descriptor, entry, onPosition) {
      if (thread === null && entry.sizeBytes < threadFromBytes) {
        return entryBytes(descriptor, entry, onPosition);
      }
      thread ??= new InflateThread();
      return thread.bytes(descriptor, entry, onPosition);
    },
    close() {
      thread?.close();
      thread = null;
    },
  };
}

class InflateThread {
  private readonly control: Int32Array;
  private readonly pieces: Buffer;
  private readonly worker: Worker;
  private answer: InflateAnswer | null = null;
  private death: unknown = null;
  private hear: () => void = () => {};

  constructor() {
    const ring: InflateRing = {
      control: new SharedArrayBuffer((controls.slots + ringSlots * 2) * 4),
      pieces: new SharedArrayBuffer(ringSlots * slotBytes),
    };
    this.control = new Int32Array(ring.control);
    this.pieces = Buffer.from(ring.pieces);
    this.worker = new Worker(workerUrl(import.meta.url, 'inflateWorker'), {
      workerData: ring,
      resourceLimits,
    });
    // While an entry is awaited it holds the process; a spare one does not.
    this.worker.unref();
    this.worker.on('message', (answer: InflateAnswer) => {
      this.answer = answer;
      this.hear();
    });
    this.worker.on('error', (thrown) => this.die(thrown));
    this.worker.on('exit', (exitCode) => this.die(new Error(`the inflating thread ended with ${exitCode}`)));
  }

  async *bytes(descriptor: number, entry: EntryData, onPosition: OnPosition): AsyncGenerator<Uint8Array> {
    const { control } = this;
    for (const place of [controls.produced, controls.consumed, controls.stop, controls.ended]) {
      Atomics.store(control, place, 0);
    }
    this.answer = null;
    this.worker.ref();
    this.worker.postMessage({ descriptor, entry } satisfies InflateOrder);
    const end = entry.start + entry.packedBytes;
    let consumed = 0;
    try {
      try {
        for (;;) {
          const isEnded = Atomics.load(control, controls.ended) === 1;
          const produced = Atomics.load(control, controls.produced);
          if (consumed < produced) {
            const slot = consumed % ringSlots;
            onPosition(Math.min(control[controls.slots + slot * 2 + 1]! * 1024, end));
            const from = slot * slotBytes;
            yield this.pieces.subarray(from, from + control[controls.slots + slot * 2]!);
            Atomics.store(control, controls.consumed, ++consumed);
            if (produced - consumed <= ringSlots / 2 && Atomics.load(control, controls.writerWaits) === 1) {
              Atomics.store(control, controls.writerWaits, 0);
              wake(control, controls.room);
            }
            if (consumed % piecesBetweenTurns === 0) await new Promise((resolve) => setImmediate(resolve));
          } else if (isEnded) break;
          else await this.news(consumed);
        }
      } finally {
        Atomics.store(control, controls.stop, 1);
        wake(control, controls.room);
        // The descriptor is closed by its owner right after.
        await this.answered();
      }
      const { damage, failure } = await this.answered();
      if (damage !== null) throw new EntryDamage(damage);
      if (failure !== null) throw failure;
    } finally {
      this.worker.unref();
    }
  }

  /** Lets the thread end by itself. */
  close(): void {
    this.worker.postMessage(null);
  }

  /** Until there is a piece after the `consumed` ones, the entry has ended or the thread is gone. */
  private async news(consumed: number): Promise<void> {
    const { control } = this;
    const seen = Atomics.load(control, controls.news);
    Atomics.store(control, controls.readerWaits, 1);
    if (Atomics.load(control, controls.produced) > consumed) return;
    if (Atomics.load(control, controls.ended) === 1) return;
    if (this.death === null) {
      const waiting = Atomics.waitAsync(control, controls.news, seen);
      if (waiting.async) await waiting.value;
    }
    if (this.death !== null) throw this.death;
  }

  /** How the entry ended, once it has. */
  private async answered(): Promise<InflateAnswer> {
    while (this.answer === null) {
      if (this.death !== null) throw this.death;
      await new Promise<void>((resolve) => (this.hear = resolve));
    }
    return this.answer;
  }

  private die(thrown: unknown): void {
    this.death ??= thrown;
    wake(this.control, controls.news);
    this.hear();
  }
}
