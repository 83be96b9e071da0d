import type { Settings } from '../../../shared/contract/app.ts';

/** `https://tiles.example` of a tile address; null for none, or one that is no address. */
export function tileOriginOf(settings: Pick<Settings, 'onlineTileUrl'>): string | null {
  return settings.onlineTileUrl === null ? null : (URL.parse(settings.onlineTileUrl)?.origin ?? null);
}
