import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { shown, type Container } from './containerReader.ts';
import { EntryFault, streamEntry } from './entryReader.ts';
import { Findings } from './findings.ts';

/** One file of the bag, as it was found. */
export interface BagFile {
  readonly sha256: string;
  readonly sha512: string;
  readonly sizeBytes: number;
}

/** The bag's content, read once: hashes of everything, bytes of what the checks must read. */
export interface Bag {
  /** By path below the bag's folder. Files that could not be read are not in here. */
  readonly files: ReadonlyMap<string, BagFile>;
  readonly texts: ReadonlyMap<string, Buffer>;
  /** SHA-256 of the compressed bytes of each compressed file. */
  readonly packed: ReadonlyMap<string, string>;
  readonly contents: Findings;
  readonly structure: Findings;
}

export interface BagReading {
  /** Digests of stored files that were computed from this very file since it was written (the sealer's). */
  readonly readBack?: ReadonlyMap<
    string,
    { readonly sha256: string; readonly sha512: string; readonly crc: number }
  >;
  /** Hears of packed bytes done; may throw to stop. */
  readonly onBytes: (bytes: number) => Promise<void>;
}

/** Read as text by the checks, up to these sizes. */
const textLimits = new Map<string, number>([
  ['bagit.txt', 1 << 16],
  ['bag-info.txt', 1 << 20],
  ['manifest-sha256.txt', 64 << 20],
  ['manifest-sha512.txt', 64 << 20],
  ['tagmanifest-sha256.txt', 1 << 20],
  ['zip-compressed-sha256.txt', 64 << 20],
  ['signature/tagmanifest.sig', 1 << 12],
  ['signature/public-key.pem', 1 << 14],
  ['data/evidence.json', 256 << 20],
  ['data/custody.jsonl', 256 << 20],
  ['data/custody-head.json', 1 << 16],
]);

/** Recipes of stills and trims, of which there may be thousands. */
const recipeForm = /^data\/(?:derived|snapshots)\/.+\.recipe\.json$/;
const mostRecipeBytes = 1 << 18;
const mostRecipesBytes = 128 << 20;

/** Files without which there is nothing to check. */
const required = [...textLimits.keys()];

/** Reads every entry once, in memory that does not depend on the size of the payload. */
export async function readBag(descriptor: number, container: Container, reading: BagReading): Promise<Bag> {
  const structure = new Findings('structure');
  const contents = new Findings('contents');
  const files = new Map<string, BagFile>();
  const texts = new Map<string, Buffer>();
  const packed = new Map<string, string>();
  let recipeBytes = 0;
  const folder = container.entries[0]?.path.split('/')[0] ?? '';

  for (const entry of container.entries) {
    const path = entry.path.slice(folder.length + 1);
    if (!entry.path.startsWith(`${folder}/`) || path === '') {
      structure.file(entry.path, `is not in the folder ${shown(folder)}`);
      await reading.onBytes(entry.packedSize);
      continue;
    }
    if (files.has(path)) continue; // named by the container's check
    const known = entry.method === 0 ? reading.readBack?.get(path) : undefined;
    if (known) {
      if (known.crc !== entry.crc) contents.file(path, 'was changed: its checksum is another');
      files.set(path, { sha256: known.sha256, sha512: known.sha512, sizeBytes: entry.size });
      await reading.onBytes(entry.packedSize);
      continue;
    }
    const isRecipe = recipeForm.test(path);
    const limit = isRecipe ? Math.min(mostRecipeBytes, mostRecipesBytes - recipeBytes) : textLimits.get(path);
    if (isRecipe) recipeBytes += entry.size;
    if (limit !== undefined && entry.size > limit) {
      structure.file(path, `is larger than any such file: ${entry.size} bytes`);
      continue;
    }
    const sha256 = createHash('sha256');
    const sha512 = createHash('sha512');
    const packedSha256 = createHash('sha256');
    const kept: Buffer[] = [];
    let crc = 0;
    try {
      await streamEntry(
        descriptor,
        entry,
        {
          plain(bytes) {
            sha256.update(bytes);
            sha512.update(bytes);
            crc = crc32(bytes, crc);
            if (limit !== undefined) kept.push(Buffer.from(bytes)); // the block is used again
          },
          ...(entry.method === 8 ? { packed: (bytes: Uint8Array) => void packedSha256.update(bytes) } : {}),
        },
        reading.onBytes,
      );
    } catch (thrown) {
      if (!(thrown instanceof EntryFault)) throw thrown;
      contents.file(path, thrown.message);
      continue;
    }
    if (crc !== entry.crc) contents.file(path, 'was changed: its checksum is another');
    files.set(path, { sha256: sha256.digest('hex'), sha512: sha512.digest('hex'), sizeBytes: entry.size });
    if (entry.method === 8) packed.set(path, packedSha256.digest('hex'));
    if (limit !== undefined) texts.set(path, Buffer.concat(kept));
  }
  for (const path of required) if (!texts.has(path)) structure.file(path, 'is missing or unreadable');
  checkBagit(texts.get('bagit.txt'), structure);
  return { files, texts, packed, contents, structure };
}

function checkBagit(bytes: Buffer | undefined, structure: Findings): void {
  if (!bytes) return;
  if (bytes.toString('utf8') !== 'BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n') {
    structure.file('bagit.txt', 'is not that of a BagIt 1.0 bag in UTF-8');
  }
}
