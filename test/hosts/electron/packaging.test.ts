import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../../..');
const require = createRequire(import.meta.url);
// electron-builder's own YAML reader and schema: what it would accept is what is tested.
const yaml = createRequire(require.resolve('app-builder-lib'))('js-yaml') as { load(text: string): unknown };
const schema = require('app-builder-lib/scheme.json') as object;

interface Config {
  readonly files: readonly string[];
  readonly extraResources: readonly { from: string; filter: readonly string[] }[];
  readonly asarUnpack: readonly string[];
  readonly electronFuses: Readonly<Record<string, boolean>>;
  readonly [key: string]: unknown;
}
const text = fs.readFileSync(path.join(root, 'electron-builder.yml'), 'utf8');
const config = yaml.load(text) as Config; // the schema test says whether it is one
const packageFile = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')) as {
  main: string;
  author: string;
};

describe('packaging', () => {
  it('is a configuration that electron-builder accepts', () => {
    const validate = new Ajv({ strict: false, allErrors: true }).compile(schema);
    validate(config);
    expect(validate.errors ?? []).toEqual([]);
    // The check can fail: an option that doesn't exist is refused.
    expect(validate({ ...config, fuses: {} })).toBe(false);
  });

  it('flips every fuse to the safe side', () => {
    expect(config.electronFuses).toMatchObject({
      runAsNode: false,
      enableNodeOptionsEnvironmentVariable: false,
      enableNodeCliInspectArguments: false,
      onlyLoadAppFromAsar: true,
      enableEmbeddedAsarIntegrityValidation: true,
      enableCookieEncryption: true,
      grantFileProtocolExtraPrivileges: false,
    });
    expect(config).toMatchObject({ asar: true });
  });

  it('builds for the three systems, for the user alone, and leaves evidence where it is', () => {
    expect(config).toMatchObject({
      win: { target: [{ target: 'nsis' }] },
      nsis: { perMachine: false, oneClick: false, deleteAppDataOnUninstall: false },
      mac: {
        target: [{ target: 'dmg', arch: ['x64', 'arm64'] }],
        hardenedRuntime: true,
        category: expect.stringMatching(/^public\.app-category\./),
      },
      linux: {
        target: [{ target: 'AppImage' }, { target: 'deb' }],
        category: 'Office',
        maintainer: expect.stringContaining('@'),
      },
      npmRebuild: false,
      publish: null,
    });
  });

  it('takes in the built app, one database driver, and nothing of the sources', () => {
    expect(config.files).toContain('dist/main/**');
    expect(packageFile.main.startsWith('dist/main/')).toBe(true);
    expect(config.files).toContain('!node_modules/**');
    expect(config.files.filter((pattern) => pattern.includes('prebuilds'))).toEqual([
      'node_modules/better-sqlite3/prebuilds/${platform}-${arch}.node',
    ]);
    for (const [platform, arch] of [
      ['win32', 'x64'],
      ['win32', 'arm64'],
      ['darwin', 'x64'],
      ['darwin', 'arm64'],
      ['linux', 'x64'],
      ['linux', 'arm64'],
    ]) {
      const driver = `node_modules/better-sqlite3/prebuilds/${platform}-${arch}.node`;
      expect(fs.existsSync(path.join(root, driver)), driver).toBe(true);
    }
    expect(config.asarUnpack).toEqual(['node_modules/better-sqlite3/prebuilds/**']);
  });

  it('names only resources that exist', () => {
    const named = [...text.matchAll(/(?:icon|entitlements|entitlementsInherit): (assets\/\S+)/g)].map(
      (match) => match[1] ?? '',
    );
    expect(named).toHaveLength(5);
    for (const file of named) expect(fs.existsSync(path.join(root, file)), file).toBe(true);
    for (const { from, filter } of config.extraResources) {
      for (const file of filter) expect(fs.existsSync(path.join(root, from, file)), file).toBe(true);
    }
  });

  it('has icons that each system can read', () => {
    const icon = (name: string) => fs.readFileSync(path.join(root, 'assets/icons', name));
    expect(icon('icon.ico').readUInt32LE(0)).toBe(0x00010000);
    const mac = icon('icon.icns');
    expect(mac.subarray(0, 4).toString('latin1')).toBe('icns');
    expect(mac.readUInt32BE(4)).toBe(mac.length);
    for (const size of [16, 32, 48, 64, 128, 256, 512]) {
      const png = icon(`${size}x${size}.png`);
      expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([size, size]);
    }
  });
});
