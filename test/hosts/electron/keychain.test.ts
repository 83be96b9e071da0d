import type { SafeStorage } from 'electron';
import { describe, expect, it } from 'vitest';
import type { SecretStore } from '../../../main/desk/secretFile.ts';
import { createKeychain } from '../../../main/hosts/electron/keychain.ts';
import { createFakeKeychain } from './fakeElectron.ts';

const plain = Uint8Array.of(0, 255, 128, 1);

/** A store that marks what it sealed, to see who was asked. */
const fallback: SecretStore = {
  kind: 'encrypted-file',
  protectSecret: async (bytes) => Uint8Array.of(70, ...bytes),
  revealSecret: async (bytes) => bytes.slice(1),
};

function aKeychain(platform: NodeJS.Platform, storage = createFakeKeychain()) {
  return { storage, keychain: createKeychain(storage as unknown as SafeStorage, fallback, platform) };
}

describe('the keychain', () => {
  it('takes any bytes through the system’s keychain and back', async () => {
    const { keychain, storage } = aKeychain('darwin');
    expect(keychain.kind).toBe('keychain');
    const sealed = await keychain.protectSecret(plain);
    expect(storage.encryptStringAsync).toHaveBeenCalledOnce();
    expect(await keychain.revealSecret(sealed)).toEqual(plain);
  });

  it('says that the store is weak where Linux offers only a password that everybody knows, and does not use it', async () => {
    const { keychain, storage } = aKeychain('linux', createFakeKeychain('basic_text'));
    expect(keychain.kind).toBe('weak');
    expect(await keychain.revealSecret(await keychain.protectSecret(plain))).toEqual(plain);
    expect(storage.encryptStringAsync).not.toHaveBeenCalled();
  });

  it('uses the key file where there is no keychain', async () => {
    const { keychain } = aKeychain('win32', createFakeKeychain('unknown', false));
    expect(keychain.kind).toBe('encrypted-file');
    expect(await keychain.protectSecret(plain)).toEqual(Uint8Array.of(70, ...plain));
  });

  it('opens what the browser host sealed on this machine with the key file', async () => {
    const { keychain, storage } = aKeychain('darwin');
    expect(await keychain.revealSecret(await fallback.protectSecret(plain))).toEqual(plain);
    expect(storage.decryptStringAsync).not.toHaveBeenCalled();
  });

  it('says what to do when the keychain does not give the key back', async () => {
    const storage = createFakeKeychain();
    const { keychain } = aKeychain('linux', storage);
    const sealed = await keychain.protectSecret(plain);
    storage.decryptStringAsync.mockRejectedValueOnce(new Error('locked'));
    await expect(keychain.revealSecret(sealed)).rejects.toMatchObject({
      code: 'seal_key_unavailable',
      remedy: expect.stringContaining('Unlock'),
    });
  });
});
