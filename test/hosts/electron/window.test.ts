import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { BrowserWindow, MenuItemConstructorOptions } from 'electron';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { parseLaunchArguments } from '../../../main/hosts/electron/launch.ts';
import { importFilters, menuTemplate } from '../../../main/hosts/electron/menu.ts';
import { readWindowState, rememberWindow } from '../../../main/hosts/electron/windowState.ts';
import { FakeWindow } from './fakeElectron.ts';

const screens = [
  { x: 0, y: 0, width: 1920, height: 1080 },
  { x: 1920, y: 0, width: 2560, height: 1440 },
];
const usual = { width: 1440, height: 900, isMaximized: false };

describe('the window’s place', () => {
  let file: string;
  beforeEach(() => {
    file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'window-')), 'deep', 'window.json');
  });
  afterEach(() => fs.rmSync(path.dirname(path.dirname(file)), { recursive: true, force: true }));
  const store = (value: unknown): void => {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value));
  };

  it('is the usual one the first time', () => {
    expect(readWindowState(file, screens)).toEqual(usual);
  });

  it('is remembered when the window closes', () => {
    const window = new FakeWindow({});
    rememberWindow(window as unknown as BrowserWindow, file);
    window.emit('close');
    expect(readWindowState(file, screens)).toEqual({
      x: 10,
      y: 20,
      width: 1500,
      height: 950,
      isMaximized: false,
    });
  });

  it('is given up when its screen is gone, the size kept', () => {
    store({ x: 3000, y: 100, width: 1600, height: 1000, isMaximized: true });
    expect(readWindowState(file, screens)).toMatchObject({ x: 3000, isMaximized: true });
    expect(readWindowState(file, screens.slice(0, 1))).toEqual({
      width: 1600,
      height: 1000,
      isMaximized: true,
    });
  });

  it('is never smaller than the screens are made for', () => {
    store({ x: 0, y: 0, width: 10, height: 10 });
    expect(readWindowState(file, screens)).toMatchObject({ width: 1280, height: 800 });
  });

  it.each(['{', 'null', '{"x":"1"}', '{"x":0,"y":0,"width":1e400,"height":1}'])(
    'survives a file with %s',
    (text) => {
      store(text);
      expect(readWindowState(file, screens)).toEqual(usual);
    },
  );

  it('keeps the window closable when the place can’t be written', () => {
    const window = new FakeWindow({});
    rememberWindow(window as unknown as BrowserWindow, '/dev/null/nowhere/window.json');
    expect(() => window.emit('close')).not.toThrow();
  });
});

describe('the menu', () => {
  const actions = { importFiles: vi.fn(), openLink: vi.fn(), showAbout: vi.fn() };
  function find(
    template: MenuItemConstructorOptions[],
    label: string,
  ): MenuItemConstructorOptions | undefined {
    for (const item of template) {
      if (item.label === label) return item;
      const inner = Array.isArray(item.submenu) ? find(item.submenu, label) : undefined;
      if (inner) return inner;
    }
    return undefined;
  }

  it('imports by the menu and by its key', () => {
    const item = find(menuTemplate(actions, { platform: 'linux', isPackaged: true }), '&Import…');
    expect(item?.accelerator).toBe('CmdOrCtrl+O');
    (item?.click as () => void)();
    expect(actions.importFiles).toHaveBeenCalledOnce();
    expect(importFilters[0]?.extensions).toEqual(['zip', 'csv', 'gpx', 'kml', 'mp4', 'mov']);
  });

  it('offers the developer tools only in a working copy', () => {
    const roles = (isPackaged: boolean) =>
      JSON.stringify(menuTemplate(actions, { platform: 'win32', isPackaged }));
    expect(roles(true)).not.toContain('toggleDevTools');
    expect(roles(false)).toContain('toggleDevTools');
  });

  it('has the application menu that macOS expects', () => {
    expect(menuTemplate(actions, { platform: 'darwin', isPackaged: true })[0]).toEqual({ role: 'appMenu' });
  });
});

describe('launch arguments', () => {
  it.each([
    [['electron', '.', '--data-dir', '/mnt/evidence'], '/mnt/evidence'],
    [['app', '--data-dir=/mnt/evidence', '--no-sandbox'], '/mnt/evidence'],
    [['app'], null],
    [['app', '--data-dir'], null],
    [['app', '--data-dir', '--other'], null],
    [['app', '--data-dir='], null],
  ])('%j', (argv, dataFolder) => {
    expect(parseLaunchArguments(argv)).toEqual({ dataFolder });
  });
});
