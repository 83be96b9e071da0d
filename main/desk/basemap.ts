import fs from 'node:fs';
import type { Basemap } from '../../shared/contract/app.ts';
import { AppError } from '../../shared/errors.ts';
import type { EvidenceCache } from '../cache/openCache.ts';
import type { StagedUpload } from '../cache/uploads.ts';
import type { SettingStore } from './settings.ts';

const basemapKey = 'basemap';
/** PMTiles version 3: seven letters, the version, then the rest of a header of 127 bytes. */
const magic = Buffer.from('PMTiles', 'latin1');
const pmtilesVersion = 3;
const headerBytes = 127;
/** Offsets and lengths (u64LE) of root directory, metadata, leaf directories and tile data. */
const sectionsAt = [8, 24, 40, 56];

interface StoredBasemap {
  readonly fileName: string;
  readonly sizeBytes: number;
  readonly sha256: string;
}

/** The basemap that the user picked, with the blob that holds it; null without one or when the blob is gone. */
export function readBasemap(cache: EvidenceCache, store: SettingStore): StoredBasemap | null {
  const stored = store.get(basemapKey) as StoredBasemap | undefined; // written by setBasemap alone
  if (stored === undefined) return null;
  return cache.blobs.has(stored.sha256) ? stored : null;
}

export function toBasemap(stored: StoredBasemap): Basemap {
  const { fileName, sizeBytes, sha256 } = stored;
  return { fileName, sizeBytes, mediaPath: `media/basemap/${sha256}` };
}

/**
 * Keeps an uploaded PMTiles file as the basemap, in place of the one before. AppError('unsupported_format')
 * for anything else, ('archive_damaged') for a PMTiles file that ends before its header says.
 */
export function setBasemap(cache: EvidenceCache, store: SettingStore, upload: StagedUpload): Basemap {
  requirePmtiles(upload);
  const before = readBasemap(cache, store);
  cache.blobs.adopt(upload.path, upload.sha256);
  const { fileName, sizeBytes, sha256 } = upload;
  const stored: StoredBasemap = { fileName, sizeBytes, sha256 };
  store.set(basemapKey, stored);
  cache.blobs.settle(sha256);
  if (before && before.sha256 !== sha256) cache.blobs.remove(before.sha256);
  return toBasemap(stored);
}

/** Goes back to the bundled basemap and gives the file's room back. */
export function clearBasemap(cache: EvidenceCache, store: SettingStore): void {
  const before = readBasemap(cache, store);
  store.remove(basemapKey);
  if (before) cache.blobs.remove(before.sha256);
}

function requirePmtiles(upload: StagedUpload): void {
  const header = Buffer.alloc(headerBytes);
  const file = fs.openSync(upload.path, 'r');
  try {
    fs.readSync(file, header, 0, headerBytes, 0);
  } finally {
    fs.closeSync(file);
  }
  const name = JSON.stringify(upload.fileName);
  if (!header.subarray(0, magic.length).equals(magic)) {
    throw new AppError('unsupported_format', `${name} is not a PMTiles file.`, {
      remedy: 'Choose a .pmtiles file (version 3), for example an extract of the Protomaps basemap.',
    });
  }
  if (header[magic.length] !== pmtilesVersion) {
    throw new AppError(
      'unsupported_format',
      `${name} is PMTiles version ${header[magic.length]}; only version 3 can be shown.`,
      { remedy: 'Convert it with `pmtiles convert`, or choose a version 3 file.' },
    );
  }
  const ends = sectionsAt.map((at) => header.readBigUInt64LE(at) + header.readBigUInt64LE(at + 8));
  if (upload.sizeBytes < headerBytes || ends.some((end) => end > BigInt(upload.sizeBytes))) {
    throw new AppError('archive_damaged', `${name} ends before its own header says it does.`, {
      remedy: 'Download or copy the file again; it is not complete.',
    });
  }
}
