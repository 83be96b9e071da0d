import { ABSENT, columnCount } from '../cache/trackCodec.ts';

/** Room for `capacity` points: the arrays of PointColumns over one allocation. */
export interface ColumnBuffers {
  readonly capacity: number;
  readonly values: readonly Float64Array[];
  readonly decimals: readonly Uint8Array[];
}

/** Points in the smallest buffers; they grow fourfold. */
export const smallestBuffers = 64;
/** Bytes kept for the next track; what comes back beyond is left to the garbage collector. */
const keptLimitBytes = 16 * 1024 * 1024;

/**
 * Buffers of tracks that ended, for those that begin: with some 600 points in a trip, allocating and clearing
 * them took a fifth of an import.
 */
export class ColumnPool {
  private readonly free = new Map<number, ColumnBuffers[]>();
  private keptBytes = 0;

  take(capacity: number): ColumnBuffers {
    const kept = this.free.get(capacity)?.pop();
    if (!kept) return allocate(capacity);
    this.keptBytes -= bytesOf(kept);
    for (const decimals of kept.decimals) decimals.fill(ABSENT);
    return kept;
  }

  /** The giver must hold no view of the buffers any more. */
  give(buffers: ColumnBuffers): void {
    if (this.keptBytes + bytesOf(buffers) > keptLimitBytes) return;
    this.keptBytes += bytesOf(buffers);
    const shelf = this.free.get(buffers.capacity);
    if (shelf) shelf.push(buffers);
    else this.free.set(buffers.capacity, [buffers]);
  }
}

const bytesOf = (buffers: ColumnBuffers): number => buffers.capacity * columnCount * 9;

function allocate(capacity: number): ColumnBuffers {
  const memory = new ArrayBuffer(capacity * columnCount * 9);
  const values: Float64Array[] = [];
  const decimals: Uint8Array[] = [];
  for (let c = 0; c < columnCount; c++) {
    values.push(new Float64Array(memory, c * capacity * 8, capacity));
    decimals.push(new Uint8Array(memory, columnCount * capacity * 8 + c * capacity, capacity).fill(ABSENT));
  }
  return { capacity, values, decimals };
}
