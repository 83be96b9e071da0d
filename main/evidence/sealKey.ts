import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign as signBytes,
  type KeyObject,
} from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { AppError } from '../../shared/errors.ts';
import { syncFolder } from '../cache/durable.ts';
import { toCacheError } from '../cache/database.ts';

/** The host's store of secrets (HostAbilities has these two). */
export interface SecretBox {
  protectSecret(plain: Uint8Array): Promise<Uint8Array>;
  revealSecret(sealed: Uint8Array): Promise<Uint8Array>;
}

/** What may be shown of the key. */
export interface SealIdentity {
  /** SHA-256 of the public key (SPKI DER), lower-case hex. */
  readonly fingerprint: string;
  readonly publicKeyPem: string;
}

export interface SealKey extends SealIdentity {
  /** Ed25519 over the bytes: 64 bytes. */
  sign(bytes: Uint8Array): Uint8Array;
}

interface KeyFile {
  readonly version: 1;
  readonly publicKeyPem: string;
  /** base64 of the private key (PKCS 8 DER) as the secret box sealed it. */
  readonly sealedPrivateKey: string;
}

const fileOf = (dataFolder: string): string => path.join(dataFolder, 'seal-key.json');
const remedy =
  'Open Evidence Desk as the user who made the key, with the keychain unlocked, or put seal-key.json back from a ' +
  'backup. If the key is lost for good, set seal-key.json aside: the next seal makes a new key, whose fingerprint ' +
  'recipients must be told.';

/** The public side of the seal key; null until the first package is sealed. AppError('seal_key_unavailable'). */
export function readSealIdentity(dataFolder: string): SealIdentity | null {
  const file = readKeyFile(dataFolder);
  return file === null ? null : toIdentity(file.publicKeyPem);
}

/** Lower-case hex SHA-256 of a public key's SPKI DER. */
export function fingerprintOf(publicKey: KeyObject): string {
  return createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('hex');
}

/**
 * The seal key of this data folder, made on first use. A key that is there and can't be opened is never
 * replaced: AppError('seal_key_unavailable'), and the file stays as it is.
 */
export async function openSealKey(dataFolder: string, box: SecretBox): Promise<SealKey> {
  const file = readKeyFile(dataFolder) ?? (await makeKey(dataFolder, box));
  const identity = toIdentity(file.publicKeyPem);
  let privateKey: KeyObject;
  try {
    const plain = await box.revealSecret(Buffer.from(file.sealedPrivateKey, 'base64'));
    privateKey = createPrivateKey({ key: Buffer.from(plain), format: 'der', type: 'pkcs8' });
  } catch (cause) {
    const said = cause instanceof AppError ? ` ${cause.message}` : '';
    throw new AppError('seal_key_unavailable', `The key that seals packages can't be opened.${said}`, {
      remedy,
      cause,
    });
  }
  if (fingerprintOf(createPublicKey(privateKey)) !== identity.fingerprint) {
    throw new AppError('seal_key_unavailable', 'seal-key.json holds two keys that do not belong together.', {
      remedy,
    });
  }
  return { ...identity, sign: (bytes) => new Uint8Array(signBytes(null, bytes, privateKey)) };
}

function toIdentity(publicKeyPem: string): SealIdentity {
  try {
    return { publicKeyPem, fingerprint: fingerprintOf(createPublicKey(publicKeyPem)) };
  } catch (cause) {
    throw new AppError('seal_key_unavailable', 'seal-key.json is damaged.', { remedy, cause });
  }
}

function readKeyFile(dataFolder: string): KeyFile | null {
  let text: string;
  try {
    text = fs.readFileSync(fileOf(dataFolder), 'utf8');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return null; // fs throws nothing else
    throw new AppError('seal_key_unavailable', "seal-key.json can't be read.", { remedy, cause });
  }
  try {
    const parsed = JSON.parse(text) as Partial<KeyFile> | null; // checked field by field below
    if (
      parsed?.version === 1 &&
      typeof parsed.publicKeyPem === 'string' &&
      typeof parsed.sealedPrivateKey === 'string'
    ) {
      return parsed as KeyFile; // all three fields were just looked at
    }
  } catch {
    // No JSON: damaged, as said below.
  }
  throw new AppError('seal_key_unavailable', 'seal-key.json is damaged.', { remedy });
}

/** Written whole under another name, then linked: two seals that start at once end with the same key. */
async function makeKey(dataFolder: string, box: SecretBox): Promise<KeyFile> {
  const pair = generateKeyPairSync('ed25519');
  const secret = pair.privateKey.export({ type: 'pkcs8', format: 'der' });
  const file: KeyFile = {
    version: 1,
    publicKeyPem: pair.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    sealedPrivateKey: Buffer.from(await box.protectSecret(secret)).toString('base64'),
  };
  secret.fill(0);
  const draft = `${fileOf(dataFolder)}.${process.pid}-${Date.now()}`;
  try {
    fs.writeFileSync(draft, `${JSON.stringify(file, null, 2)}\n`, { mode: 0o600, flag: 'wx', flush: true });
    try {
      fs.linkSync(draft, fileOf(dataFolder));
    } catch (cause) {
      const code = (cause as NodeJS.ErrnoException).code; // fs throws nothing else
      if (code !== 'EEXIST' && fs.existsSync(fileOf(dataFolder))) throw cause;
      if (code !== 'EEXIST') fs.renameSync(draft, fileOf(dataFolder)); // a file system without hard links
    }
    syncFolder(dataFolder);
  } catch (cause) {
    throw toCacheError(cause, dataFolder);
  } finally {
    fs.rmSync(draft, { force: true });
  }
  return readKeyFile(dataFolder) ?? file;
}
