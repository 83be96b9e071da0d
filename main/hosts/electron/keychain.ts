import type { SafeStorage } from 'electron';
import { AppError } from '../../../shared/errors.ts';
import type { HostAbilities } from '../../desk/deps.ts';
import type { SecretStore } from '../../desk/secretFile.ts';

/** Marks what the keychain sealed, so that a secret is never opened by the wrong store. */
const header = Buffer.from('EDK1', 'latin1');

export type SecretAbilities = Pick<HostAbilities, 'protectSecret' | 'revealSecret'> & {
  readonly kind: HostAbilities['info']['secretStore'];
};

/**
 * Secrets by the system's keychain. Where Linux offers no keyring, Chromium's `basic_text` would "encrypt" with
 * a password that everybody knows: then the key file is used instead, and the store is reported as weak so
 * that the user can decide. Call after the app is ready.
 */
export function createKeychain(
  safeStorage: SafeStorage,
  fallback: SecretStore,
  platform: NodeJS.Platform,
): SecretAbilities {
  const isBasic = platform === 'linux' && safeStorage.getSelectedStorageBackend() === 'basic_text';
  const hasKeychain = !isBasic && safeStorage.isEncryptionAvailable();
  const isKeychains = (sealed: Uint8Array): boolean =>
    Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength)
      .subarray(0, header.length)
      .equals(header);

  return {
    kind: hasKeychain ? 'keychain' : isBasic ? 'weak' : fallback.kind,

    async protectSecret(plain) {
      if (!hasKeychain) return fallback.protectSecret(plain);
      // Text only: bytes go in as base64.
      const sealed = await safeStorage.encryptStringAsync(Buffer.from(plain).toString('base64'));
      return new Uint8Array(Buffer.concat([header, sealed]));
    },

    async revealSecret(sealed) {
      // Made by the browser host or the command line on this machine: their key file opens it here too.
      if (!isKeychains(sealed)) return fallback.revealSecret(sealed);
      try {
        const { result } = await safeStorage.decryptStringAsync(Buffer.from(sealed.subarray(header.length)));
        return new Uint8Array(Buffer.from(result, 'base64'));
      } catch (cause) {
        throw new AppError('seal_key_unavailable', 'The system’s keychain does not give the key back.', {
          remedy: 'Unlock the keychain, log in as the user who made the key, then try again.',
          cause,
        });
      }
    },
  };
}
