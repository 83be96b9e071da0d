import { useSyncExternalStore } from 'react';
import type { Settings } from '../../../shared/contract/app.ts';

const query = '(prefers-color-scheme: dark)';

/** The scheme to draw in: the setting, or, for "system", what the system prefers now. */
export function useColorScheme(setting: Settings['theme']): 'light' | 'dark' {
  const prefersDark = useSyncExternalStore(
    (listener) => {
      const media = window.matchMedia(query);
      media.addEventListener('change', listener);
      return () => media.removeEventListener('change', listener);
    },
    () => window.matchMedia(query).matches,
  );
  if (setting !== 'system') return setting;
  return prefersDark ? 'dark' : 'light';
}
