import fs from 'node:fs';
import path from 'node:path';
import type { BrowserWindow, Rectangle } from 'electron';

/** The smallest window that the screens are made for. */
export const smallestWindow = { width: 1280, height: 800 } as const;
const usualWindow = { width: 1440, height: 900 } as const;
/** At least this much of the window must lie on a screen, or nobody could reach it. */
const visiblePx = 100;

export interface WindowState {
  readonly width: number;
  readonly height: number;
  readonly x?: number;
  readonly y?: number;
  readonly isMaximized: boolean;
}

function isRectangle(value: unknown): value is Rectangle {
  if (typeof value !== 'object' || value === null) return false;
  return ['x', 'y', 'width', 'height'].every((key) => Number.isInteger(Reflect.get(value, key)));
}

function isReachable(window: Rectangle, screens: readonly Rectangle[]): boolean {
  return screens.some((screen) => {
    const width = Math.min(window.x + window.width, screen.x + screen.width) - Math.max(window.x, screen.x);
    const isBarInside = window.y >= screen.y && window.y < screen.y + screen.height - visiblePx;
    return width >= visiblePx && isBarInside;
  });
}

/** Where the window was the last time, when it would still be on a screen; a usual size in the middle otherwise. */
export function readWindowState(file: string, screens: readonly Rectangle[]): WindowState {
  try {
    const stored: unknown = JSON.parse(fs.readFileSync(file, 'utf8'));
    if (isRectangle(stored)) {
      const isMaximized = Reflect.get(stored, 'isMaximized') === true;
      const width = Math.max(stored.width, smallestWindow.width);
      const height = Math.max(stored.height, smallestWindow.height);
      const place = isReachable(stored, screens) ? { x: stored.x, y: stored.y } : {};
      return { ...place, width, height, isMaximized };
    }
  } catch {
    // Never stored, or not readable: a convenience, so the usual size it is.
  }
  return { ...usualWindow, isMaximized: false };
}

/** Remembers the window's place when it closes. A folder that can't be written only means that it forgets. */
export function rememberWindow(window: BrowserWindow, file: string): void {
  window.on('close', () => {
    try {
      fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
      const state = { ...window.getNormalBounds(), isMaximized: window.isMaximized() };
      fs.writeFileSync(file, JSON.stringify(state), { mode: 0o600 });
    } catch {
      // as above
    }
  });
}
