/** Where settings are kept: JSON values by key (main/cache/settingRepository.ts). */
export interface SettingStore {
  /** Undefined where it was never set. */
  get(key: string): unknown;
  set(key: string, value: unknown): void;
  remove(key: string): void;
}

export const settingsKey = 'settings';

/**
 * A text that the user has set, null without one. Apart from `readSettings`, so that what only asks for a name (every
 * import does) need not load the contract's schemas.
 */
export function storedText(store: SettingStore, name: 'actorName' | 'organization'): string | null {
  const stored = store.get(settingsKey);
  const value = (stored as Readonly<Record<string, unknown>> | null | undefined)?.[name];
  return typeof value === 'string' ? value : null;
}
