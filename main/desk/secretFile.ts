import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { HostAbilitiesInfo } from '../../shared/contract/app.ts';
import { AppError } from '../../shared/errors.ts';
import { makeFolder } from '../cache/durable.ts';

/** Overrides the key file: 32 random bytes as 64 hex digits or as base64. */
export const secretKeyVariable = 'EVIDENCE_DESK_SECRET_KEY';

export interface SecretStore {
  /** `weak` where the key can only be kept beside what it protects. */
  readonly kind: Extract<HostAbilitiesInfo['secretStore'], 'encrypted-file' | 'weak'>;
  protectSecret(plain: Uint8Array): Promise<Uint8Array>;
  revealSecret(sealed: Uint8Array): Promise<Uint8Array>;
}

export interface FileSecretOptions {
  /** The user's configuration folder of the app; must not lie in the data folder. */
  readonly configFolder: string;
  /** Where the key goes when the configuration folder can't be written. */
  readonly dataFolder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;
/** Names the form, and is authenticated with the content. */
const header = Buffer.from('EDS1', 'latin1');
const keyFileName = 'secret.key';

/**
 * Secrets for hosts without a keychain: AES-256-GCM under a random key in a file that only the user can read,
 * apart from the data folder, so that a copied data folder alone reveals nothing. Whoever can read the user's
 * files can read both: it is weaker than a keychain, and `info.secretStore` says which of them it is.
 */
export function createFileSecretStore(options: FileSecretOptions): SecretStore {
  const fromEnvironment = parseKey(options.environment[secretKeyVariable]);
  const isApart =
    fromEnvironment !== null ||
    (!isInside(options.configFolder, options.dataFolder) && isWritable(options.configFolder));
  const keyPath = path.join(isApart ? options.configFolder : options.dataFolder, keyFileName);

  return {
    kind: isApart ? 'encrypted-file' : 'weak',

    async protectSecret(plain) {
      const key = fromEnvironment ?? readKey(keyPath) ?? makeKey(keyPath);
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', key, nonce);
      cipher.setAAD(header);
      const body = Buffer.concat([cipher.update(plain), cipher.final()]);
      return new Uint8Array(Buffer.concat([header, nonce, cipher.getAuthTag(), body]));
    },

    async revealSecret(sealed) {
      const key = fromEnvironment ?? readKey(keyPath);
      if (!key) {
        throw unavailable(
          `The key file ${keyPath} is missing, so what it protects can't be read.`,
          `Put the key file back from a backup, or set ${secretKeyVariable}.`,
        );
      }
      const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
      const bodyAt = header.length + nonceBytes + tagBytes;
      if (bytes.length < bodyAt || !bytes.subarray(0, header.length).equals(header)) {
        throw unavailable(
          'A protected secret is damaged or was written by another kind of secret store.',
          'Open Evidence Desk the way it was opened when the secret was made (for example with the keychain).',
        );
      }
      const nonce = bytes.subarray(header.length, header.length + nonceBytes);
      const decipher = createDecipheriv('aes-256-gcm', key, nonce);
      decipher.setAAD(header);
      decipher.setAuthTag(bytes.subarray(header.length + nonceBytes, bodyAt));
      try {
        return new Uint8Array(Buffer.concat([decipher.update(bytes.subarray(bodyAt)), decipher.final()]));
      } catch (cause) {
        throw unavailable(
          'A protected secret does not open with the key of this machine.',
          `Put back the key file that belongs to this data folder, or set ${secretKeyVariable}.`,
          cause,
        );
      }
    },
  };
}

function unavailable(message: string, remedy: string, cause?: unknown): AppError {
  return new AppError('seal_key_unavailable', message, { remedy, cause });
}

function parseKey(text: string | undefined): Buffer | null {
  if (text === undefined || text === '') return null;
  const key = /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64');
  if (key.length === keyBytes) return key;
  throw new AppError('invalid_input', `${secretKeyVariable} does not hold 32 bytes.`, {
    remedy: 'Give 64 hex digits or the base64 of 32 random bytes.',
  });
}

function isInside(folder: string, outer: string): boolean {
  const way = path.relative(path.resolve(outer), path.resolve(folder));
  return way === '' || (!path.isAbsolute(way) && way !== '..' && !way.startsWith(`..${path.sep}`));
}

function isWritable(folder: string): boolean {
  try {
    makeFolder(folder);
    fs.accessSync(folder, fs.constants.R_OK | fs.constants.W_OK);
    return true;
  } catch {
    return false; // whatever the reason, the key can't be kept there
  }
}

function readKey(keyPath: string): Buffer | null {
  try {
    return parseKey(fs.readFileSync(keyPath, 'utf8').trim());
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw unavailable(
      `The key file ${keyPath} can't be read.`,
      `Make it readable for you again, put it back from a backup, or set ${secretKeyVariable}.`,
      cause,
    );
  }
}

/** Written whole under another name, then linked: two processes that start at once end with the same key. */
function makeKey(keyPath: string): Buffer {
  const draft = `${keyPath}.${process.pid}.${randomBytes(4).toString('hex')}`;
  try {
    makeFolder(path.dirname(keyPath));
    fs.writeFileSync(draft, `${randomBytes(keyBytes).toString('hex')}\n`, {
      mode: 0o600,
      flag: 'wx',
      flush: true,
    });
    try {
      fs.linkSync(draft, keyPath);
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause; // else another was first: use its key
    }
  } catch (cause) {
    throw unavailable(
      `The key file ${keyPath} can't be written.`,
      `Make its folder writable, or set ${secretKeyVariable}.`,
      cause,
    );
  } finally {
    fs.rmSync(draft, { force: true });
  }
  const key = readKey(keyPath);
  if (!key) throw unavailable(`The key file ${keyPath} is empty.`, 'Remove it and try again.');
  return key;
}
