import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { createContainerWriter } from '../../main/evidence/containerWriter.ts';
import type { VerifyReport } from '../../shared/contract/packages.ts';
import { run } from './support.ts';

/** What a forger also makes fit: the lists and sums, and (by a key of the forger's) the signature. */
export interface ForgeOptions {
  readonly relist?: boolean;
  readonly resign?: boolean;
}

/** Files of the bag by path below its folder `bag`, as `unzip` gives them. */
export function unpacked(file: string, into: string): Map<string, Buffer> {
  fs.mkdirSync(into, { recursive: true });
  run('unzip', ['-q', file, '-d', into], into);
  const content = new Map<string, Buffer>();
  const root = path.join(into, 'bag');
  for (const entry of fs.readdirSync(root, { recursive: true, withFileTypes: true })) {
    const full = path.join(entry.parentPath, entry.name);
    if (entry.isFile())
      content.set(path.relative(root, full).split(path.sep).join('/'), fs.readFileSync(full));
  }
  return content;
}

/** The checks that did not pass, with what they say. */
export const failures = (report: VerifyReport): string =>
  report.checks
    .filter((one) => !one.ok)
    .map((one) => `${one.name}: ${one.detail}`)
    .join('\n');

export const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** Changes the files of a bag in place. */
export type Change = (files: Map<string, Buffer>) => void;

/** Builds a zip of the sealed form from files, as somebody could who knows the format as well as we do. */
function pack(files: ReadonlyMap<string, Buffer>, out: string): Buffer {
  const target = path.join(out, `packed-${Math.random()}.zip`);
  const descriptor = fs.openSync(target, 'wx');
  const container = createContainerWriter(descriptor);
  for (const [name, bytes] of files) container.bytes(`bag/${name}`, bytes);
  container.end();
  fs.closeSync(descriptor);
  return fs.readFileSync(target);
}

/** Changes files, then makes every list (and, with `resign`, the signature by another key) fit again. */
export function forgePackage(
  content: ReadonlyMap<string, Buffer>,
  out: string,
  change: Change,
  options: ForgeOptions = {},
): Buffer {
  const files = new Map(content);
  change(files);
  const pair = options.resign ? generateKeyPairSync('ed25519') : null;
  if (pair) {
    const print = sha256(pair.publicKey.export({ type: 'spki', format: 'der' }));
    edit('bag-info.txt', (text) => text.replace(/(Seal-Fingerprint: SHA-256 ).*/, `$1${print}`))(files);
  }
  if (options.relist) {
    const payload = [...files].filter(([name]) => name.startsWith('data/'));
    for (const algorithm of ['sha256', 'sha512']) {
      const lines = payload.map(
        ([name, bytes]) => `${createHash(algorithm).update(bytes).digest('hex')}  ${name}\n`,
      );
      files.set(`manifest-${algorithm}.txt`, Buffer.from(lines.join('')));
    }
    const bytes = payload.reduce((sum, [, one]) => sum + one.length, 0);
    const info = files.get('bag-info.txt')!.toString();
    files.set(
      'bag-info.txt',
      Buffer.from(info.replace(/Payload-Oxum: .*/, `Payload-Oxum: ${bytes}.${payload.length}`)),
    );
    files.set('zip-compressed-sha256.txt', Buffer.alloc(0)); // pack() compresses nothing
    const tags = [...files.keys()].filter((name) => !/^(?:data|signature)\/|^tagmanifest/.test(name));
    const lines = tags.map((name) => `${sha256(files.get(name)!)}  ${name}\n`);
    files.set('tagmanifest-sha256.txt', Buffer.from(lines.join('')));
  }
  if (pair) {
    files.set(
      'signature/public-key.pem',
      Buffer.from(pair.publicKey.export({ type: 'spki', format: 'pem' })),
    );
    files.set('signature/tagmanifest.sig', sign(null, files.get('tagmanifest-sha256.txt')!, pair.privateKey));
  }
  return pack(files, out);
}

/** A change of one text file. */
export const edit =
  (name: string, work: (text: string) => string): Change =>
  (files) =>
    files.set(name, Buffer.from(work(files.get(name)!.toString())));
