import type { VerifyCheck } from '../../shared/contract/packages.ts';
import type { Bag } from './bagReader.ts';
import { isSafePath, shown } from './containerReader.ts';
import { Findings } from './findings.ts';

const tagManifest = 'tagmanifest-sha256.txt';
/** What is signed cannot list its own signature. */
const outsideTagManifest = new Set([tagManifest, 'signature/tagmanifest.sig', 'signature/public-key.pem']);
const requiredTags = [
  'HOW-TO-VERIFY.txt',
  'bag-info.txt',
  'bagit.txt',
  'manifest-sha256.txt',
  'manifest-sha512.txt',
  'zip-compressed-sha256.txt',
];

/** Reads a manifest, naming lines that are none and paths that leave the bag. Null when there is none to read. */
function readManifest(
  bag: Bag,
  name: string,
  hexDigits: number,
  prefix: string,
  findings: Findings,
): Map<string, string> | null {
  const bytes = bag.texts.get(name);
  if (!bytes) {
    findings.file(name, 'is missing or unreadable');
    return null;
  }
  const text = bytes.toString('utf8');
  const listed = new Map<string, string>();
  if (text !== '' && !text.endsWith('\n')) findings.file(name, 'ends in the middle of a line');
  const lines = text.split('\n').slice(0, -1);
  const pattern = new RegExp(`^([0-9a-f]{${hexDigits}})  (.+)$`);
  lines.forEach((line, i) => {
    const match = pattern.exec(line);
    const path = match?.[2]?.replace(/%(25|0[AaDd])/g, (code) => decodeURIComponent(code));
    if (match?.[1] === undefined || path === undefined) {
      findings.file(name, `has a line ${i + 1} that is no line of a manifest`);
    } else if (!isSafePath(path) || !path.startsWith(prefix)) {
      findings.file(name, `names ${shown(path)} in line ${i + 1}, which leads out of the bag`);
    } else if (listed.has(path)) {
      findings.file(name, `names ${shown(path)} twice`);
    } else listed.set(path, match[1]);
  });
  return listed;
}

/** Compares what is listed with what is there: changed, missing and extra files are each named. */
function compare(
  listed: ReadonlyMap<string, string>,
  found: ReadonlyMap<string, string>,
  list: string,
  findings: Findings,
): void {
  for (const [path, hash] of listed) {
    const actual = found.get(path);
    if (actual === undefined) findings.file(path, `is missing or unreadable: ${list} lists it`);
    else if (actual !== hash) findings.file(path, `was changed: its hash is not the one in ${list}`);
  }
  for (const path of found.keys()) {
    if (!listed.has(path)) findings.file(path, `was added: ${list} does not list it`);
  }
}

function hashesOf(
  bag: Bag,
  algorithm: 'sha256' | 'sha512',
  isWanted: (path: string) => boolean,
): Map<string, string> {
  const hashes = new Map<string, string>();
  for (const [path, file] of bag.files) if (isWanted(path)) hashes.set(path, file[algorithm]);
  return hashes;
}

const isPayload = (path: string): boolean => path.startsWith('data/');

/** manifest-sha256.txt or manifest-sha512.txt against every file under data/. */
export function checkPayload(bag: Bag, algorithm: 'sha256' | 'sha512'): VerifyCheck {
  const list = `manifest-${algorithm}.txt`;
  const findings = new Findings(`payload-${algorithm}`);
  const found = hashesOf(bag, algorithm, isPayload);
  const listed = readManifest(bag, list, algorithm === 'sha256' ? 64 : 128, 'data/', findings);
  if (listed) compare(listed, found, list, findings);
  return findings.toCheck(
    `all ${found.size} files under data/ have the hashes in ${list}, none is missing or extra`,
  );
}

/** tagmanifest-sha256.txt against every other file outside data/, the signature's own aside. */
export function checkTags(bag: Bag): VerifyCheck {
  const findings = new Findings('tag-files');
  const isTag = (path: string): boolean => !isPayload(path) && !outsideTagManifest.has(path);
  const found = hashesOf(bag, 'sha256', isTag);
  const listed = readManifest(bag, tagManifest, 64, '', findings);
  if (listed) {
    compare(listed, found, tagManifest, findings);
    for (const path of requiredTags) {
      if (!listed.has(path))
        findings.file(path, `is not in ${tagManifest}, so the signature does not cover it`);
    }
  }
  return findings.toCheck(
    `all ${found.size} tag files have the hashes in ${tagManifest}, none is missing or extra`,
  );
}

/** zip-compressed-sha256.txt: deflated data has bits that do not show in what comes out of it. */
export function checkPacked(bag: Bag): VerifyCheck {
  const list = 'zip-compressed-sha256.txt';
  const findings = new Findings('compressed-bytes');
  const listed = readManifest(bag, list, 64, '', findings);
  if (listed) compare(listed, bag.packed, list, findings);
  return findings.toCheck(`all ${bag.packed.size} compressed files are byte for byte those in ${list}`);
}

/** The elements of bag-info.txt; the first of each name. */
export function bagInfoOf(bag: Bag): ReadonlyMap<string, string> {
  const elements = new Map<string, string>();
  for (const line of (bag.texts.get('bag-info.txt')?.toString('utf8') ?? '').split('\n')) {
    const colon = line.indexOf(': ');
    if (colon <= 0) continue;
    const name = line.slice(0, colon);
    if (!elements.has(name)) elements.set(name, line.slice(colon + 2));
  }
  return elements;
}

/** Payload-Oxum of bag-info.txt: bytes and number of files under data/. */
export function checkOxum(bag: Bag): VerifyCheck {
  const findings = new Findings('payload-oxum');
  let bytes = 0;
  let count = 0;
  for (const [path, file] of bag.files) {
    if (!isPayload(path)) continue;
    bytes += file.sizeBytes;
    count++;
  }
  const stated = bagInfoOf(bag).get('Payload-Oxum');
  const actual = `${bytes}.${count}`;
  if (stated === undefined) findings.file('bag-info.txt', 'states no Payload-Oxum');
  else if (stated !== actual) {
    findings.file('bag-info.txt', `states ${shown(stated)} as Payload-Oxum, the bag holds ${actual}`);
  }
  return findings.toCheck(`${count} files, ${bytes} bytes, as bag-info.txt states`);
}
