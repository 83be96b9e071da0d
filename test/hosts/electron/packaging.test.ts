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

interface Matcher {
  createFilter(): (file: string, stat: fs.Stats) => boolean;
}
// By electron-builder's own code: how it reads patterns about node_modules is not what one would guess.
const { getNodeModuleFileMatcher } = require(
  path.join(path.dirname(require.resolve('app-builder-lib/package.json')), 'out', 'fileMatcher.js'),
) as {
  getNodeModuleFileMatcher(
    appDir: string,
    destination: string,
    macroExpander: (text: string) => string,
    platformOptions: unknown,
    packager: object,
  ): Matcher;
};

/** The files of the runtime dependencies (and theirs) that a package gets, as paths from the root. */
function takenOfModules(key: 'win' | 'mac' | 'linux', arch: string): string[] {
  const expand = (text: string): string => text.replaceAll('${arch}', arch);
  const packager = { config, debugLogger: { isEnabled: false } };
  const filter = getNodeModuleFileMatcher(root, '/destination', expand, config[key], packager).createFilter();
  return ['better-sqlite3', 'node-addon-api'].flatMap((name) => {
    const folder = path.join(root, 'node_modules', name);
    return fs
      .readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name))
      .filter((file) => filter(file, fs.statSync(file)))
      .map((file) => path.relative(root, file).split(path.sep).join('/'));
  });
}

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

  it.each([
    ['win', 'win32', 'x64'],
    ['win', 'win32', 'arm64'],
    ['mac', 'darwin', 'x64'],
    ['mac', 'darwin', 'arm64'],
    ['linux', 'linux', 'x64'],
    ['linux', 'linux', 'arm64'],
  ] as const)('takes in, for %s (%s-%s), its own database driver and no other', (key, platform, arch) => {
    const taken = takenOfModules(key, arch).filter((file) => !/\.md$|LICENSE/.test(file));
    expect(taken.filter((file) => file.endsWith('.node'))).toEqual([
      `node_modules/better-sqlite3/prebuilds/${platform}-${arch}.node`,
    ]);
    expect(taken).toContain('node_modules/better-sqlite3/package.json');
    expect(taken).toContain('node_modules/better-sqlite3/lib/binding.js');
    expect(taken.every((file) => /\/(lib\/.*\.js|package\.json|prebuilds\/.*\.node)$/.test(file))).toBe(true);
  });

  it('takes in what was built, and nothing of the sources', () => {
    expect(config.files.filter((pattern) => !pattern.startsWith('!'))).toEqual([
      'dist/main/**',
      'dist/preload/**',
      'dist/renderer/**',
      'package.json',
    ]);
    expect(packageFile.main.startsWith('dist/main/')).toBe(true);
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
