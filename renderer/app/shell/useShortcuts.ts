import { useEffect } from 'react';
import type { Screen } from '../routes.ts';
import { railItems } from './Rail.tsx';

/** Ctrl (or Cmd) + 1..n for the screens, + O for an import. */
export function useShortcuts(go: (screen: Screen) => void, importFiles: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
      const item = /^[1-9]$/.test(event.key) ? railItems[Number(event.key) - 1] : undefined;
      if (item) {
        event.preventDefault();
        go(item.screen);
      } else if (event.key.toLowerCase() === 'o') {
        event.preventDefault();
        importFiles();
      }
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [go, importFiles]);
}
