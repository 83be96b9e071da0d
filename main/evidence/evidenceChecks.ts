import { createHash, createPublicKey, verify, type KeyObject } from 'node:crypto';
import type { VerifyCheck } from '../../shared/contract/packages.ts';
import type { Bag } from './bagReader.ts';
import { checkClips, clipFolders } from './clipChecks.ts';
import { shown } from './containerReader.ts';
import { isObject, textOf } from './custodyChecks.ts';
import { Findings } from './findings.ts';
import { bagInfoOf } from './manifestChecks.ts';

const signatureFile = 'signature/tagmanifest.sig';
const keyFile = 'signature/public-key.pem';

/**
 * The signature over tagmanifest-sha256.txt by the key that lies beside it. `signedBy` is that key's
 * fingerprint (SHA-256 of its SPKI DER), or null when the signature is not valid.
 */
export function checkSignature(bag: Bag): { readonly check: VerifyCheck; readonly signedBy: string | null } {
  const findings = new Findings('signature');
  const signature = bag.texts.get(signatureFile);
  const pem = bag.texts.get(keyFile);
  const signed = bag.texts.get('tagmanifest-sha256.txt');
  let fingerprint: string | null = null;
  if (!signature) findings.file(signatureFile, 'is missing or unreadable');
  if (!signed) findings.file('tagmanifest-sha256.txt', 'is missing or unreadable');
  const key = pem ? readKey(pem) : null;
  if (!pem) findings.file(keyFile, 'is missing or unreadable');
  else if (!key) findings.file(keyFile, 'is not an Ed25519 public key in plain PEM');
  if (key) {
    const der = key.export({ type: 'spki', format: 'der' });
    fingerprint = createHash('sha256').update(der).digest('hex');
  }
  if (fingerprint !== null && bagInfoOf(bag).get('Seal-Fingerprint') !== `SHA-256 ${fingerprint}`) {
    findings.file(
      keyFile,
      'is not the key that bag-info.txt states: it was changed or put in place of that one',
    );
  }
  if (key && signature && signed && !isSignedBy(signed, key, signature)) {
    findings.add(
      `${signatureFile} does not fit tagmanifest-sha256.txt and ${keyFile}: one of the three was changed`,
    );
  }
  const check = findings.toCheck(
    `valid, by the key with the fingerprint ${fingerprint}. Anybody can seal with a key of their own: compare it with ` +
      'the fingerprint that the sender told you in some other way',
  );
  return { check, signedBy: check.ok ? fingerprint : null };
}

/** Only the one form that OpenSSL writes: any other byte in the file is a change. */
function readKey(pem: Buffer): KeyObject | null {
  try {
    const key = createPublicKey(pem);
    const isPlain = key.export({ type: 'spki', format: 'pem' }).toString() === pem.toString('latin1');
    return key.asymmetricKeyType === 'ed25519' && isPlain ? key : null;
  } catch {
    return null;
  }
}

function isSignedBy(bytes: Buffer, key: KeyObject, signature: Buffer): boolean {
  try {
    return signature.length === 64 && verify(null, bytes, key, signature);
  } catch {
    return false;
  }
}

/** Whether evidence.json says the same as the files beside it. `evidence` is null when it is no JSON object. */
export function checkEvidence(bag: Bag, evidence: Record<string, unknown> | null): VerifyCheck {
  const file = 'data/evidence.json';
  const findings = new Findings('evidence');
  if (!evidence) {
    findings.file(file, 'is missing or is no JSON object');
    return findings.toCheck('');
  }
  // 1: packages from before clips had places of their own.
  const { schemaVersion } = evidence;
  if (evidence.schema !== 'evidence-desk/evidence' || (schemaVersion !== 1 && schemaVersion !== 2)) {
    findings.file(file, 'has a schema or version that this program does not know: use a newer one');
    return findings.toCheck('');
  }
  const caseId = isObject(evidence.case) ? evidence.case.caseId : undefined;
  if (typeof caseId !== 'string' || bagInfoOf(bag).get('External-Identifier') !== caseId) {
    findings.file(file, 'is of another case than bag-info.txt states');
  }
  const stated = new Set<string>();
  const sourceHashes = new Set<unknown>();
  for (const source of objectsOf(evidence.sources, file, findings)) {
    sourceHashes.add(source.sha256);
    if (source.path === null) continue;
    const path = textOf(source.path);
    stated.add(path);
    const found = bag.files.get(path);
    if (!found) findings.file(path, 'is missing or unreadable: evidence.json states it');
    else if (found.sha256 !== source.sha256 || found.sizeBytes !== source.sizeBytes) {
      findings.file(path, 'is not the original that evidence.json states: its hash or size is another');
    }
  }
  for (const trip of objectsOf(evidence.trips, file, findings)) {
    if (!sourceHashes.has(trip.sourceSha256)) {
      findings.file(file, `states a trip ${shown(textOf(trip.tripId))} of a source that it does not state`);
    }
    for (const path of Array.isArray(trip.files) ? trip.files.map(textOf) : []) {
      stated.add(path);
      if (!bag.files.has(path)) findings.file(path, 'is missing or unreadable: evidence.json states it');
    }
  }
  const clips = schemaVersion === 2 ? checkClips(bag, evidence, stated, findings) : 0;
  for (const path of bag.files.keys()) {
    if ((/^data\/(?:sources|tracks)\//.test(path) || clipFolders.test(path)) && !stated.has(path)) {
      findings.file(path, 'was added: evidence.json does not state it');
    }
  }
  return findings.toCheck(
    `evidence.json states the same ${sourceHashes.size} sources, ${clips} clips, tracks and custody end as the files hold`,
  );
}

function objectsOf(value: unknown, file: string, findings: Findings): readonly Record<string, unknown>[] {
  if (Array.isArray(value) && value.every(isObject)) return value;
  findings.file(file, 'lacks its list of sources or trips');
  return [];
}
