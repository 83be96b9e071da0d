import { createStore } from 'zustand/vanilla';
import type { AppInfo, Basemap, Settings } from '../../../shared/contract/app.ts';
import { onReconnected, type Host } from '../../app/client/index.ts';
import { tileOriginOf } from './tileOrigin.ts';

export interface SettingsState {
  /** As the core has them; the defaults until it has answered. */
  readonly settings: Settings;
  readonly isLoaded: boolean;
  /** What is known of app, seal and data folder; null until the core has answered. */
  readonly info: AppInfo | null;
  readonly basemap: Basemap | null;
  /**
   * The tile address changed to another place since this page was loaded. The page's security policy names the only
   * place that pictures may come from, and it is fixed at loading: tiles appear after a reload.
   */
  readonly needsReload: boolean;
  /** Why the settings could not be read; null when they could. */
  readonly error: unknown;
}

const defaults: Settings = {
  theme: 'system',
  localZone: null,
  onlineTileUrl: null,
  onlineTileAttribution: null,
  actorName: null,
  organization: null,
};

/** The settings, kept the same as the core's whoever changes them. */
export function createSettingsStore(host: Host) {
  const { client } = host;
  const store = createStore<SettingsState>(() => ({
    settings: defaults,
    isLoaded: false,
    info: null,
    basemap: null,
    needsReload: false,
    error: null,
  }));
  /** Undefined until the first settings came. */
  let allowedOrigin: string | null | undefined;

  function take(settings: Settings): void {
    const origin = tileOriginOf(settings);
    if (allowedOrigin === undefined) allowedOrigin = origin;
    store.setState({ settings, isLoaded: true, needsReload: origin !== null && origin !== allowedOrigin });
  }

  /** Raised by every change: an answer that was asked for before it must not undo it. */
  let basemapChanges = 0;
  let settingChanges = 0;
  function change(settings: Settings): void {
    settingChanges++;
    take(settings);
  }

  async function refresh(): Promise<void> {
    const before = basemapChanges;
    const settingsBefore = settingChanges;
    try {
      const [settings, info, basemap] = await Promise.all([
        client.invoke('settings.get', {}),
        client.invoke('app.info', {}),
        client.invoke('basemap.get', {}),
      ]);
      if (settingsBefore === settingChanges) take(settings);
      store.setState({ info, error: null, ...(before === basemapChanges ? { basemap } : {}) });
    } catch (error) {
      store.setState({ error });
    }
  }

  client.on('settings.changed', change);
  onReconnected(host.connection, () => void refresh());
  void refresh();

  return {
    store,
    refresh,
    /** Changes some settings. Rejects with AppError and leaves what is shown as it was. */
    async update(patch: Partial<Settings>): Promise<void> {
      change(await client.invoke('settings.set', patch));
    },
    /** Takes a PMTiles file in as the offline basemap. */
    async setBasemap(
      file: File,
      onProgress: (sentBytes: number) => void,
      signal: AbortSignal,
    ): Promise<void> {
      const uploadId = await host.upload(file, { onProgress, signal });
      const basemap = await client.invoke('basemap.set', { uploadId });
      basemapChanges++;
      store.setState({ basemap });
    },
    async clearBasemap(): Promise<void> {
      await client.invoke('basemap.clear', {});
      basemapChanges++;
      store.setState({ basemap: null });
    },
  };
}
export type SettingsStore = ReturnType<typeof createSettingsStore>;
