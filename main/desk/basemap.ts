import type { Basemap } from '../../shared/contract/app.ts';
import type { EvidenceCache } from '../cache/openCache.ts';
import type { StagedUpload } from '../cache/uploads.ts';
import { requirePmtiles } from './pmtilesFile.ts';
import type { SettingStore } from './settingStore.ts';

const basemapKey = 'basemap';
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
 * for anything that can't be drawn, ('archive_damaged') for a PMTiles file that is cut off or damaged.
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
