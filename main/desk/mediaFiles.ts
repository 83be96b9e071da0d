import fs from 'node:fs';
import type { ClipId, DerivedId, PackageId, SourceId } from '../../shared/ids.ts';
import { createClipRepository } from '../cache/clipRepository.ts';
import { createDerivedRepository } from '../cache/derivedRepository.ts';
import type { EvidenceCache } from '../cache/openCache.ts';
import { createPackageRepository } from '../cache/packageRepository.ts';
import { createSourceRepository } from '../cache/sourceRepository.ts';
import { readBasemap } from './basemap.ts';
import type { MediaFile } from './desk.ts';
import type { SettingStore } from './settingStore.ts';

/** `media/<kind>/<id>` and nothing else: never decoded, so `..`, `%2e`, `%5c`, NUL and a second slash don't match. */
const mediaPathForm = /^\/?media\/(package|basemap|source|clip|derived)\/([A-Za-z0-9_-]{1,200})$/;

/**
 * The files that a front end may fetch, by id: sealed packages, originals, clips to be played, stills and trims, the
 * basemap. Null for whatever is not exactly such a path, not known, or not there any more.
 */
export function createMediaFiles(cache: EvidenceCache, settings: SettingStore) {
  const packages = createPackageRepository(cache.db);
  const sources = createSourceRepository(cache.db);
  const clips = createClipRepository(cache.db);
  const derivedFiles = createDerivedRepository(cache.db);

  function find(kind: string, id: string): Omit<MediaFile, 'sizeBytes'> | null {
    if (kind === 'package') {
      const stored = packages.find(id as PackageId); // unknown ids find nothing
      if (!stored) return null;
      return { path: stored.path, contentType: 'application/zip', downloadName: stored.sealed.fileName };
    }
    if (kind === 'source') {
      const source = sources.get(id as SourceId); // as above
      if (!source) return null;
      const path = cache.blobs.pathOf(source.sha256);
      // Whatever the user imported is downloaded, never shown: it could be anything.
      return { path, contentType: 'application/octet-stream', downloadName: source.fileName };
    }
    if (kind === 'clip') {
      const clip = clips.find(id as ClipId); // as above
      // Shown by the player, never downloaded under a name: the original is `source`.
      return clip && { path: cache.blobs.pathOf(clip.sha256), contentType: 'video/mp4', downloadName: null };
    }
    if (kind === 'derived') {
      const stored = derivedFiles.find(id as DerivedId); // as above
      if (!stored || stored.isRemoved) return null;
      const { sha256, kind: made, fileName } = stored.derived;
      // Its bytes were checked or written here: a picture and a player show it, a link saves it under its name.
      const contentType = made === 'trim' ? 'video/mp4' : 'image/png';
      return { path: cache.blobs.pathOf(sha256), contentType, downloadName: fileName };
    }
    const basemap = readBasemap(cache, settings);
    if (!basemap || basemap.sha256 !== id) return null;
    const path = cache.blobs.pathOf(basemap.sha256);
    return { path, contentType: 'application/octet-stream', downloadName: null };
  }

  return (mediaPath: string): MediaFile | null => {
    const [, kind, id] = mediaPathForm.exec(mediaPath) ?? [];
    if (kind === undefined || id === undefined) return null;
    const file = find(kind, id);
    const stat = file && fs.statSync(file.path, { throwIfNoEntry: false });
    return file && stat?.isFile() ? { ...file, sizeBytes: stat.size } : null;
  };
}
