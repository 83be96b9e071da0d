import { describe, expect, it } from 'vitest';
import { defaultConfigFolder, defaultDataFolder } from '../../main/desk/folders.ts';
import { checkRuntime } from '../../main/desk/runtime.ts';

const home = (platform: NodeJS.Platform, environment: Record<string, string> = {}) => ({
  environment,
  platform,
  homeFolder: platform === 'win32' ? 'C:\\Users\\ada' : '/home/ada',
});

describe('folders', () => {
  it('follows each system’s own convention', () => {
    expect(defaultDataFolder(home('linux'))).toBe('/home/ada/.local/share/evidence-desk');
    expect(defaultConfigFolder(home('linux'))).toBe('/home/ada/.config/evidence-desk');
    expect(defaultDataFolder(home('darwin'))).toBe(
      '/home/ada/Library/Application Support/Evidence Desk/Data',
    );
    expect(defaultDataFolder(home('win32', { LOCALAPPDATA: 'D:\\Local' }))).toBe(
      'D:\\Local\\Evidence Desk\\Data',
    );
    expect(defaultConfigFolder(home('win32'))).toBe(
      'C:\\Users\\ada\\AppData\\Roaming\\Evidence Desk\\Config',
    );
  });

  it('takes the folder from the environment', () => {
    expect(defaultDataFolder(home('linux', { EVIDENCE_DESK_DATA_DIR: '/mnt/evidence' }))).toBe(
      '/mnt/evidence',
    );
    expect(defaultDataFolder(home('linux', { XDG_DATA_HOME: '/data' }))).toBe('/data/evidence-desk');
  });

  it('ignores an XDG folder that is not absolute, as its specification says', () => {
    expect(defaultConfigFolder(home('linux', { XDG_CONFIG_HOME: 'relative' }))).toBe(
      '/home/ada/.config/evidence-desk',
    );
  });

  it.each(['linux', 'darwin', 'win32'] as const)(
    'never puts the key into the data folder (%s)',
    (platform) => {
      expect(defaultConfigFolder(home(platform)).startsWith(defaultDataFolder(home(platform)))).toBe(false);
    },
  );
});

describe('the runtime check', () => {
  it('lets pass what this test runs on', () => {
    expect(checkRuntime()).toBeNull();
  });

  it('refuses a Node on which the database driver would crash, and says what to do', () => {
    const error = checkRuntime({ node: '20.20.2', napi: '9' });
    expect(error).toMatchObject({
      code: 'unsupported_runtime',
      remedy: expect.stringContaining('npm start'),
    });
    expect(error?.message).toContain('20.20.2');
  });

  it('judges Electron by its Node-API, not by its own version number', () => {
    expect(checkRuntime({ node: '24.1.0', napi: '10', electron: '45.3.4' })).toBeNull();
    expect(checkRuntime({ node: '20.9.0', napi: '9', electron: '30.0.0' })?.message).toContain(
      'Electron 30.0.0',
    );
    expect(checkRuntime({ node: '22.0.0' })).not.toBeNull();
  });
});
