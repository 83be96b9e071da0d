import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFileSecretStore, secretKeyVariable } from '../../main/desk/secretFile.ts';

let root: string;
beforeEach(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), 'secrets-'));
});
afterEach(() => fs.rmSync(root, { recursive: true, force: true }));

const plain = new TextEncoder().encode('-----BEGIN PRIVATE KEY-----');

function aStore(overrides: Partial<Parameters<typeof createFileSecretStore>[0]> = {}) {
  return createFileSecretStore({
    configFolder: path.join(root, 'config'),
    dataFolder: path.join(root, 'data'),
    environment: {},
    ...overrides,
  });
}

describe('the file secret store', () => {
  it('gives back what it protected, also after a restart', async () => {
    const sealed = await aStore().protectSecret(plain);
    expect(await aStore().revealSecret(sealed)).toEqual(plain);
  });

  it('shows nothing of the secret in what it hands out, and never the same twice', async () => {
    const store = aStore();
    const [a, b] = [await store.protectSecret(plain), await store.protectSecret(plain)];
    expect(Buffer.from(a).includes(Buffer.from('PRIVATE'))).toBe(false);
    expect(a).not.toEqual(b);
  });

  it('keeps its key apart from the data folder, for the user alone', async () => {
    await aStore().protectSecret(plain);
    expect(fs.existsSync(path.join(root, 'data'))).toBe(false);
    const key = fs.statSync(path.join(root, 'config', 'secret.key'));
    if (process.platform !== 'win32') expect(key.mode & 0o777).toBe(0o600);
    expect(fs.readdirSync(path.join(root, 'config'))).toEqual(['secret.key']);
  });

  it('says that it is weak when the key can only lie beside the data', async () => {
    fs.writeFileSync(path.join(root, 'config'), 'a file where the folder should be');
    const store = aStore();
    expect(store.kind).toBe('weak');
    expect(await store.revealSecret(await store.protectSecret(plain))).toEqual(plain);
    expect(fs.existsSync(path.join(root, 'data', 'secret.key'))).toBe(true);
    expect(aStore({ configFolder: path.join(root, 'other') }).kind).toBe('encrypted-file');
  });

  it.each(['data', 'data/cache.d', 'data/../data/x'])(
    'is weak when the configuration folder is %s, inside the data folder',
    (folder) => {
      expect(aStore({ configFolder: `${root}/${folder}` }).kind).toBe('weak');
    },
  );

  it('takes its key from the environment when it is there, and writes none', async () => {
    const key = Buffer.alloc(32, 7);
    const environment = { [secretKeyVariable]: key.toString('base64') };
    const sealed = await aStore({ environment }).protectSecret(plain);
    expect(fs.existsSync(path.join(root, 'config'))).toBe(false);
    const hex = aStore({ environment: { [secretKeyVariable]: key.toString('hex') } });
    expect(await hex.revealSecret(sealed)).toEqual(plain);
    await expect(aStore().revealSecret(sealed)).rejects.toMatchObject({ code: 'seal_key_unavailable' });
  });

  it('refuses an environment key of the wrong length instead of stretching it', () => {
    expect(() => aStore({ environment: { [secretKeyVariable]: 'short' } })).toThrow(/32 bytes/);
  });

  it('refuses a secret with any byte changed', async () => {
    const store = aStore();
    const sealed = await store.protectSecret(plain);
    for (let at = 0; at < sealed.length; at += 1) {
      const changed = sealed.slice();
      changed[at] = (changed[at] ?? 0) ^ 1;
      await expect(store.revealSecret(changed), `byte ${at}`).rejects.toMatchObject({
        code: 'seal_key_unavailable',
      });
    }
    await expect(store.revealSecret(sealed.subarray(0, 20))).rejects.toMatchObject({
      code: 'seal_key_unavailable',
    });
  });

  it('names the key file and a remedy when it is gone', async () => {
    const sealed = await aStore().protectSecret(plain);
    fs.rmSync(path.join(root, 'config', 'secret.key'));
    await expect(aStore().revealSecret(sealed)).rejects.toMatchObject({
      code: 'seal_key_unavailable',
      message: expect.stringContaining('secret.key'),
      remedy: expect.stringContaining('backup'),
    });
  });

  it('never makes a second key over one that it can’t read', async () => {
    await aStore().protectSecret(plain);
    fs.writeFileSync(path.join(root, 'config', 'secret.key'), 'damaged');
    await expect(aStore().protectSecret(plain)).rejects.toMatchObject({ code: 'seal_key_unavailable' });
    expect(fs.readFileSync(path.join(root, 'config', 'secret.key'), 'utf8')).toBe('damaged');
  });

  it('ends with one key when two processes make it at once', async () => {
    const stores = Array.from({ length: 8 }, () => aStore());
    const sealed = await Promise.all(stores.map((store) => store.protectSecret(plain)));
    for (const one of sealed) expect(await aStore().revealSecret(one)).toEqual(plain);
  });
});
