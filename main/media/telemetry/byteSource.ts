import fs from 'node:fs';

/** Thrown when a file asks for more reading than any honest clip needs; the clip stays, its telemetry does not. */
export class ReadBudgetExceeded extends Error {
  constructor(budgetBytes: number) {
    super(`reading it would take more than ${budgetBytes} bytes`);
    this.name = 'ReadBudgetExceeded';
  }
}

/** Largest amount that is read of one clip, bytes: an index of 32 MB and telemetry of a very long day fit in. */
const readBudgetBytes = 128 * 1024 * 1024;

/**
 * The bytes of a clip, read by place and counted, so that it can be shown that the pictures (`mdat`) are never
 * read. Positions are bytes from the start of the file.
 */
export class ClipBytes {
  readonly sizeBytes: number;
  private readonly descriptor: number;
  private readonly budgetBytes: number;
  private counted = 0;

  constructor(descriptor: number, sizeBytes: number, budgetBytes = readBudgetBytes) {
    this.descriptor = descriptor;
    this.sizeBytes = sizeBytes;
    this.budgetBytes = budgetBytes;
  }

  /** Bytes read so far. */
  get bytesRead(): number {
    return this.counted;
  }

  /** The bytes of the range that exist: fewer than asked for at the end of the file. */
  read(position: number, lengthBytes: number): Buffer {
    const end = Math.min(position + lengthBytes, this.sizeBytes);
    if (!(position >= 0) || !(end > position)) return Buffer.alloc(0);
    const wanted = end - position;
    if (this.counted + wanted > this.budgetBytes) throw new ReadBudgetExceeded(this.budgetBytes);
    const bytes = Buffer.allocUnsafeSlow(wanted);
    let filled = 0;
    while (filled < wanted) {
      const got = fs.readSync(this.descriptor, bytes, filled, wanted - filled, position + filled);
      if (got === 0) break; // shorter than it was a moment ago
      filled += got;
    }
    this.counted += filled;
    return filled === wanted ? bytes : bytes.subarray(0, filled);
  }
}
