import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { VerifyCheck } from '../../shared/contract/packages.ts';
import type { Bag } from './bagReader.ts';
import { Findings } from './findings.ts';
import { bagInfoOf } from './manifestChecks.ts';

const file = 'data/custody.jsonl';
const headFile = 'data/custody-head.json';
const entryKeys = ['action', 'actor', 'at', 'detail', 'hash', 'prev', 'seq', 'subject'];
const mostLineBytes = 4 << 20;

export interface CustodyEnd {
  readonly count: number;
  readonly lastSeq: number;
  readonly lastHash: string | null;
}

/** A JSON object, or null for anything else. Hostile JSON may be deep enough to overflow the stack. */
export function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A value of hostile JSON in words. Never `String(value)`: an object may bring a `toString` that is no function. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'object' && value !== null ? '(no text)' : String(value);
}

/** Recomputes every hash and link of the custody log. Returns its real end beside the check. */
export function checkCustody(bag: Bag): { readonly check: VerifyCheck; readonly end: CustodyEnd } {
  const findings = new Findings('custody-chain');
  const bytes = bag.texts.get(file);
  let count = 0;
  let prev: string | null = null;
  if (!bytes) findings.file(file, 'is missing or unreadable');
  for (const line of linesOf(bytes ?? Buffer.alloc(0))) {
    count++;
    const fault = line === null ? 'is not a whole line' : entryFault(line, count, prev);
    if (fault !== null) {
      findings.file(file, `entry ${count} ${fault}`);
      // What follows can't be linked to anything: one break is named, not thousands.
      break;
    }
    prev = (JSON.parse(line!) as { hash: string }).hash; // entryFault looked at it
  }
  if (bytes && count === 0) findings.file(file, 'has no entries');
  return {
    check: findings.toCheck(`${count} entries, each linked to the one before`),
    end: { count, lastSeq: count, lastHash: prev },
  };
}

/** Lines that end in a line feed; null for a rest that does not, or a line longer than any entry. */
function* linesOf(bytes: Buffer): Generator<string | null> {
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf(10, at);
    if (end < 0 || end - at > mostLineBytes) {
      yield null;
      return;
    }
    yield bytes.toString('utf8', at, end);
    at = end + 1;
  }
}

function entryFault(line: string, seq: number, prev: string | null): string | null {
  const entry = parseObject(line);
  if (!entry) return 'is no JSON object';
  if (Object.keys(entry).sort().join() !== entryKeys.join()) return 'has other fields than a custody entry';
  if (entry.seq !== seq) return 'is out of sequence: entries are missing or were added';
  if (entry.prev !== prev) return 'does not link to the entry before it';
  const { hash, ...unhashed } = entry;
  try {
    if (canonicalize(entry) !== line) return 'is not in canonical form';
    const actual = createHash('sha256').update(canonicalize(unhashed)!, 'utf8').digest('hex');
    return actual === hash ? null : 'was changed: its hash is another';
  } catch {
    return 'can not be put in canonical form';
  }
}

/** The pinned end of the chain, in all three places that state it. A cut-off tail shows here. */
export function checkCustodyHead(
  bag: Bag,
  end: CustodyEnd,
  evidence: Record<string, unknown> | null,
): VerifyCheck {
  const findings = new Findings('custody-head');
  const compare = (where: string, head: unknown): void => {
    if (!isObject(head)) findings.file(where, 'states no end of the custody log');
    else if (head.count !== end.count || head.lastSeq !== end.lastSeq || head.lastHash !== end.lastHash) {
      findings.file(
        where,
        `says that the custody log ends with entry ${textOf(head.lastSeq).slice(0, 20)} of ${textOf(head.count).slice(0, 20)}, ` +
          `${file} ends with entry ${end.lastSeq}: entries were cut off, added or changed`,
      );
    }
  };
  compare(headFile, parseObject(bag.texts.get(headFile)?.toString('utf8') ?? ''));
  compare('data/evidence.json', evidence?.custody);
  if (bagInfoOf(bag).get('Custody-Head') !== end.lastHash) {
    findings.file('bag-info.txt', `states another Custody-Head than the last entry of ${file}`);
  }
  return findings.toCheck(`the log ends with entry ${end.lastSeq}, as it did when it was sealed`);
}
