import fs from 'node:fs/promises';
import path from 'node:path';
import type { AppInfo } from '../../shared/contract/app.ts';
import type { Handlers } from '../../shared/contract/index.ts';
import { discardUpload, findUpload } from '../cache/uploads.ts';
import { clearBasemap, readBasemap, setBasemap, toBasemap } from './basemap.ts';
import type { DeskDeps } from './deps.ts';
import { changeSettings, readSettings } from './settings.ts';
import type { SettingStore } from './settingStore.ts';

type AppHandlers = Pick<
  Handlers,
  'app.info' | 'settings.get' | 'settings.set' | 'basemap.get' | 'basemap.set' | 'basemap.clear'
>;

export interface AppUseCaseOptions {
  readonly settings: SettingStore;
  /** The seal's public key, once it was made. */
  readonly sealIdentity: () => { readonly fingerprint: string; readonly publicKeyPem: string } | null;
}

/** The app itself: what it is, what the user has set, which basemap. */
export function createAppHandlers(deps: DeskDeps, options: AppUseCaseOptions): AppHandlers {
  const { cache } = deps;
  const { settings } = options;

  return {
    async 'app.info'(): Promise<AppInfo> {
      const seal = options.sealIdentity();
      return {
        version: deps.appVersion,
        dataFolder: cache.folder,
        abilities: deps.abilities.info,
        sealFingerprint: seal?.fingerprint ?? null,
        sealPublicKeyPem: seal?.publicKeyPem ?? null,
        cacheSizeBytes: await folderBytes(cache.folder),
        hasSample: deps.samplePath !== null,
        versions: versionsOf(),
      };
    },

    'settings.get': () => readSettings(settings),
    'settings.set'(change) {
      const changed = changeSettings(settings, change as Parameters<typeof changeSettings>[1]);
      deps.emit('settings.changed', changed);
      return changed;
    },

    'basemap.get'() {
      const stored = readBasemap(cache, settings);
      return stored && toBasemap(stored);
    },
    'basemap.set'({ uploadId }) {
      const upload = findUpload(cache.folder, uploadId);
      try {
        return setBasemap(cache, settings, upload);
      } finally {
        discardUpload(cache.folder, uploadId);
      }
    },
    'basemap.clear'() {
      clearBasemap(cache, settings);
      return null;
    },
  };
}

/** Versions that a bug report needs; Electron's and Chromium's where there are any. */
function versionsOf(): Record<string, string> {
  const versions: Record<string, string> = {};
  for (const name of ['node', 'electron', 'chrome', 'v8'] as const) {
    const version = process.versions[name];
    if (version !== undefined) versions[name] = version;
  }
  return versions;
}

/** Bytes of all files in the folder. Files come and go while it counts; what is gone counts nothing. */
async function folderBytes(folder: string): Promise<number> {
  const entries = await fs.readdir(folder, { withFileTypes: true, recursive: true }).catch(() => []);
  const sizes = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) =>
        fs.stat(path.join(entry.parentPath, entry.name)).then(
          (stat) => stat.size,
          () => 0,
        ),
      ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
