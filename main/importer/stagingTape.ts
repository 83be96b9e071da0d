import fs from 'node:fs';
import { diskFull, isDiskFull } from '../cache/database.ts';

/** Held in memory before anything goes to the file: the page cache holds the rest just as well. */
const heldLimitBytes = 4 * 1024 * 1024;

/**
 * Packed chunks of an import until its commit: in memory, and beyond 4 MB in a file under `partial/`. Written
 * at its end only, so what a refused entry left is cut off by going back to where it began. Throws disk_full.
 */
export class StagingTape {
  private readonly file: string;
  private readonly limitBytes: number;
  private descriptor: number | null = null;
  private held = new Map<number, Buffer>();
  private heldBytes = 0;
  /** Position of the next chunk. */
  end = 0;

  constructor(file: string, limitBytes = heldLimitBytes) {
    this.file = file;
    this.limitBytes = limitBytes;
  }

  /** Returns the chunk's position. */
  append(data: Buffer): number {
    const position = this.end;
    this.held.set(position, data);
    this.heldBytes += data.length;
    this.end += data.length;
    if (this.heldBytes > this.limitBytes) this.spill();
    return position;
  }

  read(position: number, length: number): Buffer {
    const held = this.held.get(position);
    if (held) return held;
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
    for (const [at, data] of this.held) {
      if (at < position) continue;
      this.held.delete(at);
      this.heldBytes -= data.length;
    }
    this.end = position;
  }

  /** Takes the file away. Never fails: what stays is taken away by the next start. */
  close(): void {
    this.held.clear();
    if (this.descriptor === null) return;
    try {
      fs.closeSync(this.descriptor);
      fs.rmSync(this.file, { force: true });
    } catch {
      // see above
    }
    this.descriptor = null;
  }

  private spill(): void {
    try {
      this.descriptor ??= fs.openSync(this.file, 'wx+', 0o600);
      for (const [position, data] of this.held) {
        for (let done = 0; done < data.length;) {
          done += fs.writeSync(this.descriptor, data, done, data.length - done, position + done);
        }
      }
    } catch (thrown) {
      throw isDiskFull(thrown) ? diskFull(this.file, this.end, null, thrown) : thrown;
    }
    this.held = new Map();
    this.heldBytes = 0;
  }
}
