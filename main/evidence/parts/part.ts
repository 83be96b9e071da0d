import fs from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import type { EvidenceCache } from '../../cache/openCache.ts';
import type { PreparedFile } from '../prepared.ts';
import type { SealFacts } from '../sealFacts.ts';

/** What a part is made of: text made on the way, or a file of the cache taken bit for bit. */
export type PartContent =
  | {
      readonly kind: 'text';
      readonly pieces: () => Iterable<string>;
      /** An upper bound in bytes: decides early whether the zip needs 64-bit sizes for it. */
      readonly mostBytes: number;
    }
  | {
      readonly kind: 'original';
      readonly blobPath: string;
      readonly sha256: string;
      readonly sizeBytes: number;
      /** What people call the file. */
      readonly fileName: string;
    };

/** One file of the payload. */
export interface PackagePart {
  /** Below `data/`: portable ASCII, forward slashes. */
  readonly path: string;
  /** Why it goes in, for the preview. */
  readonly why: string;
  /** For the preview; null where it is not known before it is written. */
  readonly sizeBytes: number | null;
  readonly content: PartContent;
}

export interface PartContext {
  readonly cache: EvidenceCache;
  readonly facts: SealFacts;
  readonly appVersion: string;
}

/** Adds one kind of content to every package. The report and the viewer join as further ones. */
export type PartMaker = (context: PartContext) => readonly PackagePart[];

/** A JSON document for people and machines, keys in the order they are given. */
export function jsonPart(path: string, why: string, document: unknown): PackagePart {
  const text = `${JSON.stringify(document, null, 2)}\n`.toWellFormed();
  const sizeBytes = Buffer.byteLength(text);
  return { path, why, sizeBytes, content: { kind: 'text', pieces: () => [text], mostBytes: sizeBytes } };
}

const blockBytes = 1 << 18;

/** A text that lies ready in a file; read block by block while it is packed. */
export function textFilePart(path: string, why: string, file: PreparedFile): PackagePart {
  return {
    path,
    why,
    sizeBytes: file.sizeBytes,
    content: { kind: 'text', pieces: () => textOf(file.path), mostBytes: file.sizeBytes },
  };
}

function* textOf(file: string): Generator<string> {
  const descriptor = fs.openSync(file, 'r');
  try {
    const decoder = new StringDecoder('utf8');
    const block = Buffer.allocUnsafe(blockBytes);
    for (;;) {
      const length = fs.readSync(descriptor, block, 0, block.length, null);
      if (length === 0) break;
      yield decoder.write(block.subarray(0, length));
    }
    yield decoder.end();
  } finally {
    fs.closeSync(descriptor);
  }
}
