import fs from 'node:fs';
import { diskFull, isDiskFull } from '../cache/database.ts';

/** Held in memory before anything goes to the file, which a million points then never need. */
const heldLimitBytes = 9 * 1024 * 1024;

/**
 * Packed chunks of an import until its commit: in memory, and beyond 9 MB in a file under `partial/`. Written
 * at its end only, so what a refused entry left is cut off by going back to where it began. Throws disk_full.
 */
export class StagingTape {
  private readonly file: string;
  private readonly limitBytes: number;
  private descriptor: number | null = null;
  /** The tape from `heldFrom` on. One block for all chunks: thousands of small ones would tear holes in memory. */
  private held: Buffer = Buffer.alloc(0);
  private heldFrom = 0;
  /** Position of the next chunk. */
  end = 0;

  constructor(file: string, limitBytes = heldLimitBytes) {
    this.file = file;
    this.limitBytes = limitBytes;
  }

  /** Copies the chunk and returns its position. */
  append(data: Uint8Array): number {
    const position = this.end;
    if (position + data.length - this.heldFrom > this.held.length) this.makeRoom(data.length);
    this.held.set(data, position - this.heldFrom);
    this.end += data.length;
    return position;
  }

  /** The chunk; good until the next `append`. */
  read(position: number, length: number): Buffer {
    if (position >= this.heldFrom) {
      return this.held.subarray(position - this.heldFrom, position - this.heldFrom + length);
    }
    if (this.descriptor === null) throw new RangeError('the staging file is closed');
    const data = Buffer.allocUnsafe(length);
    for (let done = 0; done < length;) {
      const count = fs.readSync(this.descriptor, data, done, length - done, position + done);
      if (count === 0) throw new RangeError('the staging file is shorter than what was written to it');
      done += count;
    }
    return data;
  }

  /** Forgets everything from `position` on. */
  cutTo(position: number): void {
    if (position >= this.end) return;
    this.end = position;
    this.heldFrom = Math.min(this.heldFrom, position);
  }

  /** Takes the file away. Never fails: what stays is taken away by the next start. */
  close(): void {
    this.held = Buffer.alloc(0);
    this.heldFrom = this.end;
    if (this.descriptor === null) return;
    try {
      fs.closeSync(this.descriptor);
      fs.rmSync(this.file, { force: true });
    } catch {
      // see above
    }
    this.descriptor = null;
  }

  private makeRoom(length: number): void {
    if (this.end > this.heldFrom) this.spill();
    const needed = Math.max(this.limitBytes, length);
    if (this.held.length < needed) this.held = Buffer.allocUnsafeSlow(needed);
  }

  private spill(): void {
    const length = this.end - this.heldFrom;
    try {
      this.descriptor ??= fs.openSync(this.file, 'wx+', 0o600);
      for (let done = 0; done < length;) {
        done += fs.writeSync(this.descriptor, this.held, done, length - done, this.heldFrom + done);
      }
    } catch (thrown) {
      throw isDiskFull(thrown) ? diskFull(this.file, this.end, null, thrown) : thrown;
    }
    this.heldFrom = this.end;
  }
}
