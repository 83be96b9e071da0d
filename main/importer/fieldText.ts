/** The text of one short element, collected from the pieces in which the tokenizer hands it on. */
import { utf8Text } from './encoding.ts';

const maxBytes = 1000;

export class FieldText {
  readonly bytes = new Uint8Array(maxBytes);
  length = 0;
  /** The text was longer than 1,000 bytes; only the beginning is here. */
  isCut = false;

  clear(): void {
    this.length = 0;
    this.isCut = false;
  }

  add(bytes: Uint8Array, from: number, to: number): void {
    const room = maxBytes - this.length;
    if (to - from > room) {
      this.isCut = true;
      to = from + room;
    }
    for (let at = from; at < to; at++) this.bytes[this.length++] = bytes[at]!;
  }

  /** As a name: white space trimmed and made single spaces; null where nothing is left. */
  toName(): string | null {
    let to = this.length;
    // Never half a character: back to the start of the last one if the text was cut.
    if (this.isCut) {
      while (to > 0 && (this.bytes[to - 1]! & 0xc0) === 0x80) to--;
      if (to > 0 && this.bytes[to - 1]! >= 0xc0) to--;
    }
    const text = utf8Text(this.bytes, 0, to)
      .replace(/[\t\n\r ]+/g, ' ')
      .trim();
    return text === '' ? null : text;
  }
}
