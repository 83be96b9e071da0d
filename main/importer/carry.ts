/**
 * The unfinished tail between two pushes. A chunk is read in place when nothing is left over from before; else
 * it is appended to the tail. Memory: the longest unfinished piece plus one chunk, whatever the file's size.
 */
export class Carry {
  /** What to read now: bytes[from, to). */
  bytes: Uint8Array = new Uint8Array(0);
  from = 0;
  to = 0;
  private own = new Uint8Array(0);

  /** Makes `chunk` readable after what `keepFrom` left. The chunk must stay unchanged until `keepFrom`. */
  add(chunk: Uint8Array): void {
    const left = this.to - this.from;
    if (left === 0) {
      // Never a Buffer: code that meets two kinds of array is compiled again, and slower, for both.
      this.bytes =
        chunk.constructor === Uint8Array
          ? chunk
          : new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.length);
      this.from = 0;
      this.to = chunk.length;
      return;
    }
    // After keepFrom the tail lies in `own`; append, moving to the front only when the room runs out.
    if (this.to + chunk.length > this.own.length) {
      const needed = left + chunk.length;
      if (needed > this.own.length || needed * 2 > this.own.length) {
        const larger = new Uint8Array(Math.max(4096, needed * 2));
        larger.set(this.own.subarray(this.from, this.to));
        this.own = larger;
      } else this.own.copyWithin(0, this.from, this.to);
      this.from = 0;
      this.to = left;
    }
    this.own.set(chunk, this.to);
    this.to += chunk.length;
    this.bytes = this.own;
  }

  /** Ends the turn: everything before `at` is done with, the rest waits for the next chunk. */
  keepFrom(at: number): void {
    if (this.bytes === this.own) {
      this.from = at;
      if (at === this.to) this.drop();
      return;
    }
    const left = this.to - at;
    if (left === 0) {
      this.drop();
      return;
    }
    if (this.own.length < left) this.own = new Uint8Array(Math.max(4096, left * 2));
    this.own.set(this.bytes.subarray(at, this.to));
    this.bytes = this.own;
    this.from = 0;
    this.to = left;
  }

  private drop(): void {
    this.bytes = this.own;
    this.from = 0;
    this.to = 0;
    // One huge piece must not hold its room for the rest of the file.
    if (this.own.length > 4 << 20) this.own = this.bytes = new Uint8Array(0);
  }
}
