import { createHash, createPublicKey, verify } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openSealKey, readSealIdentity } from '../../main/evidence/sealKey.ts';
import { box, temporaryFolder } from './support.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));
const file = (): string => path.join(folder, 'seal-key.json');

it('the seal key is made on first use and is the same ever after', async () => {
  expect(readSealIdentity(folder)).toBeNull();
  const key = await openSealKey(folder, box);
  const der = createPublicKey(key.publicKeyPem).export({ type: 'spki', format: 'der' });
  expect(key.fingerprint).toBe(createHash('sha256').update(der).digest('hex'));
  expect(readSealIdentity(folder)).toEqual({ fingerprint: key.fingerprint, publicKeyPem: key.publicKeyPem });
  const again = await openSealKey(folder, box);
  expect(again.fingerprint).toBe(key.fingerprint);
  const bytes = Buffer.from('text');
  expect(verify(null, bytes, createPublicKey(key.publicKeyPem), again.sign(bytes))).toBe(true);
});

it('the private key is on disk only as the secret store sealed it', async () => {
  let plain: Uint8Array | null = null;
  await openSealKey(folder, {
    ...box,
    protectSecret: (secret) => {
      plain = Uint8Array.from(secret);
      return box.protectSecret(secret);
    },
  });
  const text = fs.readFileSync(file(), 'utf8');
  expect(text).not.toContain(Buffer.from(plain!).toString('base64').slice(0, 40));
  expect(text).not.toContain('PRIVATE');
  if (process.platform !== 'win32') expect(fs.statSync(file()).mode & 0o077).toBe(0);
  expect(fs.readdirSync(folder)).toEqual(['seal-key.json']);
});

it('two first uses at once end with one key', async () => {
  const [a, b] = await Promise.all([openSealKey(folder, box), openSealKey(folder, box)]);
  expect(a.fingerprint).toBe(b.fingerprint);
  expect(fs.readdirSync(folder)).toEqual(['seal-key.json']);
});

it('a key that can not be opened is an error with a remedy, and is never replaced', async () => {
  await openSealKey(folder, box);
  const text = fs.readFileSync(file(), 'utf8');
  const other = await openSealKey(temporaryFolder(), box);
  const attempts: [string, string][] = [
    [text, 'throws'],
    [text, 'garbles'],
    ['not json', ''],
    ['{}', ''],
    [JSON.stringify({ ...JSON.parse(text), publicKeyPem: other.publicKeyPem }), ''],
    [JSON.stringify({ ...JSON.parse(text), publicKeyPem: 'x' }), ''],
  ];
  for (const [content, how] of attempts) {
    fs.writeFileSync(file(), content);
    const revealSecret = async (sealed: Uint8Array): Promise<Uint8Array> => {
      if (how === 'throws') throw new Error('the keychain is locked');
      return how === 'garbles' ? sealed : box.revealSecret(sealed);
    };
    await expect(openSealKey(folder, { ...box, revealSecret })).rejects.toMatchObject({
      code: 'seal_key_unavailable',
      remedy: expect.stringContaining('seal-key.json'),
    });
    expect(fs.readFileSync(file(), 'utf8')).toBe(content);
  }
});

it('no key is left half made where the secret store refuses', async () => {
  const protectSecret = async (): Promise<Uint8Array> => {
    throw new Error('no store');
  };
  await expect(openSealKey(folder, { ...box, protectSecret })).rejects.toThrow('no store');
  expect(fs.readdirSync(folder)).toEqual([]);
});
