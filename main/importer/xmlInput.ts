/**
 * The bytes of an XML file as UTF-8: byte order mark and declared encoding are looked at once, at the start.
 * A declaration that contradicts the bytes is refused, never guessed at.
 */
import { Utf16Transcoder, asBuffer, singleByteTranscoder } from './encoding.ts';
import type { Transcoder } from './encoding.ts';
import { ReaderRefusal } from './reader.ts';
import { refusals } from './reasons.ts';

/** The declaration must be complete within this many bytes. */
const maxDeclarationBytes = 1024;

export class XmlInput {
  private opening: Uint8Array | null = new Uint8Array(0);
  private transcoder: Transcoder | null = null;

  /** The chunk as UTF-8, or nothing yet. */
  push(chunk: Uint8Array): Uint8Array {
    if (this.opening === null) return this.transcoder ? this.transcoder.push(chunk) : chunk;
    const opening = new Uint8Array(this.opening.length + chunk.length);
    opening.set(this.opening);
    opening.set(chunk, this.opening.length);
    return this.open(opening, false);
  }

  /** What was kept back, at the end of the file. */
  end(): Uint8Array {
    const parts: Uint8Array[] = [];
    if (this.opening !== null) {
      if (this.opening.length === 0) throw new ReaderRefusal('byte 0', refusals.emptyFile);
      parts.push(this.open(this.opening, true));
    }
    if (this.transcoder) parts.push(this.transcoder.end());
    return Buffer.concat(parts);
  }

  private open(bytes: Uint8Array, isLast: boolean): Uint8Array {
    this.opening = bytes;
    if (bytes.length < 4 && !isLast) return new Uint8Array(0);
    if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) {
      return this.openUtf16(bytes, isLast);
    }
    if ((bytes[0] === 0 && bytes[1] === 0x3c) || (bytes[0] === 0x3c && bytes[1] === 0)) {
      throw new ReaderRefusal('line 1', refusals.xmlUtf16WithoutMark);
    }
    const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
    const text = hasMark ? bytes.subarray(3) : bytes;
    const declared = declaredEncoding(asBuffer(text).toString('latin1', 0, maxDeclarationBytes), isLast);
    if (declared === undefined) return new Uint8Array(0);
    this.opening = null;
    if (declared === null || /^utf-?8$/i.test(declared)) return text;
    const transcoder = singleByteTranscoder(declared);
    if (hasMark || /^utf-?16/i.test(declared)) {
      throw new ReaderRefusal('line 1', `${refusals.xmlWrongEncoding}: ${declared}`);
    }
    if (transcoder === null) throw new ReaderRefusal('line 1', `${refusals.xmlUnknownEncoding}: ${declared}`);
    this.transcoder = transcoder;
    return transcoder.push(text);
  }

  private openUtf16(bytes: Uint8Array, isLast: boolean): Uint8Array {
    const isBigEndian = bytes[0] === 0xfe;
    const opening = new Utf16Transcoder(isBigEndian).push(bytes.subarray(2));
    const declared = declaredEncoding(asBuffer(opening).toString('latin1', 0, maxDeclarationBytes), isLast);
    if (declared === undefined) return new Uint8Array(0);
    if (declared !== null && !/^utf-?16(be|le)?$/i.test(declared)) {
      throw new ReaderRefusal('line 1', `${refusals.xmlWrongEncoding}: ${declared}`);
    }
    this.opening = null;
    this.transcoder = new Utf16Transcoder(isBigEndian);
    return this.transcoder.push(bytes.subarray(2));
  }
}

/** Encoding named by the XML declaration; null where there is none; undefined where more bytes are needed. */
function declaredEncoding(start: string, isLast: boolean): string | null | undefined {
  const opens = '<?xml';
  const isLong = start.length >= maxDeclarationBytes || isLast;
  if (!start.startsWith(opens.slice(0, start.length))) return null;
  if (start.length <= opens.length) return isLong ? null : undefined;
  if (!/[\t\n\r ]/.test(start[opens.length]!)) return null;
  const end = start.indexOf('?>');
  // Whether the declaration is well-formed is the tokenizer's to say.
  if (end < 0) return isLong ? null : undefined;
  return /[\t\n\r ]encoding[\t\n\r ]*=[\t\n\r ]*["']([^"']*)["']/.exec(start.slice(0, end))?.[1] ?? null;
}
