import { createHash } from 'node:crypto';

/** A file below the bag's folder with both of its hashes. */
export interface ListedFile {
  readonly path: string;
  readonly sha256: string;
  readonly sha512: string;
  readonly sizeBytes: number;
}

/** What bag-info.txt says beside the counts. */
export interface BagFacts {
  readonly caseId: string;
  readonly caseName: string;
  readonly packageId: string;
  readonly sealedAtMs: number;
  readonly appVersion: string;
  readonly organization: string | null;
  readonly custodyHead: string;
  readonly fingerprint: string;
}

export const bagitText = 'BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n';

/** bag-info.txt (RFC 8493 section 2.2.2). One line for each element: a value with line breaks loses them. */
export function bagInfoText(facts: BagFacts, payload: readonly ListedFile[]): string {
  const bytes = payload.reduce((sum, file) => sum + file.sizeBytes, 0);
  const sealedAt = new Date(facts.sealedAtMs).toISOString();
  const lines: [string, string | null][] = [
    ['Source-Organization', facts.organization],
    ['External-Description', `Evidence package of the case "${facts.caseName}"`],
    ['Bagging-Date', sealedAt.slice(0, 10)],
    ['External-Identifier', facts.caseId],
    ['Internal-Sender-Identifier', facts.packageId],
    ['Payload-Oxum', `${bytes}.${payload.length}`],
    ['Bag-Software-Agent', `Evidence Desk ${facts.appVersion}`],
    ['Sealed-At', sealedAt],
    ['Custody-Head', facts.custodyHead],
    ['Seal-Fingerprint', `SHA-256 ${facts.fingerprint}`],
  ];
  return lines
    .filter(([, value]) => value !== null && value !== '')
    .map(([name, value]) => `${name}: ${oneLine(value!)}\n`)
    .join('');
}

function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/\p{C}+/gu, ' ')
    .trim();
}

/** A manifest that `sha256sum -c` and `sha512sum -c` take; paths percent-encoded as RFC 8493 section 2.1.3 says. */
export function manifestText(files: readonly { readonly path: string; readonly hash: string }[]): string {
  return files
    .map(({ path, hash }) => `${hash}  ${path.replace(/[%\r\n]/g, (c) => encodeURIComponent(c))}\n`)
    .join('');
}

export function hashesOf(text: string): { sha256: string; sha512: string } {
  const hash = (name: string): string => createHash(name).update(text, 'utf8').digest('hex');
  return { sha256: hash('sha256'), sha512: hash('sha512') };
}

/** HOW-TO-VERIFY.txt. A test runs these very commands. `bag` is the folder inside the zip. */
export function howToVerifyText(bag: string, fingerprint: string): string {
  return `HOW TO VERIFY THIS PACKAGE

Nothing of Evidence Desk is needed. In a terminal on Linux or macOS, with the package's
file in the current folder (put its name in place of PACKAGE.zip):

1. Unpack it.

    unzip PACKAGE.zip
    cd "${bag}"

2. Every file under data/ is what it was when the package was sealed (each line must end in OK):

    sha256sum -c manifest-sha256.txt
    sha512sum -c manifest-sha512.txt

   On macOS: shasum -a 256 -c manifest-sha256.txt and shasum -a 512 -c manifest-sha512.txt

3. The lists themselves are what they were:

    sha256sum -c tagmanifest-sha256.txt

4. The seal's key signed the list of lists (it must say "Signature Verified Successfully";
   OpenSSL 3 or later):

    openssl pkeyutl -verify -rawin -pubin -inkey signature/public-key.pem -in tagmanifest-sha256.txt -sigfile signature/tagmanifest.sig

5. No file was added: this must print the number after the dot of Payload-Oxum in bag-info.txt.

    find data -type f | wc -l

6. The key is the sender's: this must print the fingerprint that the sender told you
   in some other way than with this package. Anybody can sign with a key of their own.

    openssl pkey -pubin -in signature/public-key.pem -outform DER | sha256sum

   In this package it is
   ${fingerprint}

7. If signature/timestamp.tsr is there, a time-stamp authority has confirmed when the package
   existed (AUTHORITY.pem is its certificate):

    openssl ts -verify -data tagmanifest-sha256.txt -in signature/timestamp.tsr -CAfile AUTHORITY.pem

With Evidence Desk all of this, and the chain of custody too:

    evidence-desk verify PACKAGE.zip

The chain of custody (data/custody.jsonl): each line's "hash" is the SHA-256 of the line's JSON
object without "hash", in the canonical form of RFC 8785; each "prev" is the "hash" of the line
before. data/custody-head.json says how many lines there are and which hash is the last.

zip-compressed-sha256.txt lists the hash of each compressed file as it lies in the zip. It is of
use only to a program that checks the zip file itself.

This package is tamper-evident: these checks show that bytes are unchanged since sealing.
They do not show that a recording is true.
`;
}
