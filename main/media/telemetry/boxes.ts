import type { ClipBytes } from './byteSource.ts';

/** A box (ISO 14496-12, "atom") of a clip. Offsets are bytes from the start of what holds it. */
export interface Box {
  readonly type: string;
  readonly offset: number;
  /** Header and payload as the box states it (to the end for a size of 0); may be more than there is. */
  readonly sizeBytes: number;
  readonly headerBytes: number;
  /** Where its bytes end: no further than what holds it. */
  readonly end: number;
  /** It claims more bytes than there are. */
  readonly isOverrun: boolean;
}

/** Why a walk ended before the end of the bytes. */
export type WalkEnd = 'complete' | 'overrun' | 'bad-size' | 'bad-type' | 'too-many';
export interface BoxWalk {
  readonly boxes: readonly Box[];
  readonly end: WalkEnd;
  /** Where it ended. */
  readonly endOffset: number;
}

/** An 8-hour fragmented clip has some 60,000. */
const mostTopLevelBoxes = 200_000;
const mostChildren = 20_000;

const isTypeByte = (byte: number): boolean => (byte >= 0x20 && byte <= 0x7e) || byte === 0xa9;

/**
 * The boxes of a file, by their headers alone (16 bytes each): 32 and 64-bit sizes, and the size 0 that means
 * "to the end". Ends at whatever is no box.
 */
export function walkTopLevel(bytes: ClipBytes): BoxWalk {
  return walk(
    bytes.sizeBytes,
    0,
    (at) => bytes.read(at, Math.min(16, bytes.sizeBytes - at)),
    mostTopLevelBoxes,
  );
}

/** The boxes inside a buffer between two offsets. Never goes deeper by itself, so no nesting can exhaust it. */
export function walkBuffer(buffer: Buffer, start: number, end: number): BoxWalk {
  const limit = Math.min(end, buffer.length);
  return walk(limit, start, (at) => buffer.subarray(at, Math.min(at + 16, limit)), mostChildren);
}

/** Payload of the first child with this type; null where there is none. */
export function findChild(parent: Buffer, type: string): Buffer | null {
  const box = walkBuffer(parent, 0, parent.length).boxes.find((one) => one.type === type);
  return box ? parent.subarray(box.offset + box.headerBytes, box.end) : null;
}

function walk(limit: number, start: number, headerAt: (at: number) => Buffer, most: number): BoxWalk {
  const boxes: Box[] = [];
  let at = start;
  while (limit - at >= 8) {
    if (boxes.length >= most) return { boxes, end: 'too-many', endOffset: at };
    const header = headerAt(at);
    if (header.length < 8) break;
    if (![4, 5, 6, 7].every((place) => isTypeByte(header[place]!)))
      return { boxes, end: 'bad-type', endOffset: at };
    const type = header.toString('latin1', 4, 8);
    let sizeBytes = header.readUInt32BE(0);
    let headerBytes = 8;
    if (sizeBytes === 1) {
      if (header.length < 16) return { boxes, end: 'bad-size', endOffset: at };
      headerBytes = 16;
      // Beyond 2^53 it overruns every file there is: what is lost in the rounding changes nothing.
      sizeBytes = Number(header.readBigUInt64BE(8));
    } else if (sizeBytes === 0) sizeBytes = limit - at;
    if (sizeBytes < headerBytes) return { boxes, end: 'bad-size', endOffset: at };
    const isOverrun = sizeBytes > limit - at;
    const end = isOverrun ? limit : at + sizeBytes;
    boxes.push({ type, offset: at, sizeBytes, headerBytes, end, isOverrun });
    if (isOverrun) return { boxes, end: 'overrun', endOffset: at };
    at = end;
  }
  return { boxes, end: limit - at > 0 && limit - at < 8 ? 'bad-size' : 'complete', endOffset: at };
}
