import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { CustodyEntry } from '../../shared/contract/cases.ts';
import type { CaseId } from '../../shared/ids.ts';
import { transact, type WritableDb } from './database.ts';

/** What the custody log records. A closed list, so that the log can be read by machines years later. */
export const custodyActions = [
  'source.import',
  'source.remove',
  'camera.assign',
  'trip.view',
  'clip.view',
  'case.create',
  'case.rename',
  'case.range',
  'case.remove',
  'exhibit.add',
  'exhibit.remove',
  'note.add',
  'note.edit',
  'note.remove',
  'mark.add',
  'mark.edit',
  'mark.remove',
  'mark.restore',
  'derive.still',
  'derive.trim',
  'derived.remove',
  'derived.restore',
  'package.seal',
  'package.verify',
  'clip.order',
  'clip.request',
  'clip.receive',
  'clip.cancel',
  'card.delete',
  'camera.clock',
  'camera.reboot',
  'clip.matched',
  'clock.set',
  'clock.reset',
] as const;
export type CustodyAction = (typeof custodyActions)[number];

/** An entry before it is linked into the chain. */
export interface CustodyDraft {
  readonly actor: string;
  readonly action: CustodyAction;
  readonly subject: { readonly kind: string; readonly id: string; readonly sha256: string | null };
  /** JSON; never the text of notes: the log goes into packages whole, so it tells what happened, not what was said. */
  readonly detail: Readonly<Record<string, unknown>>;
  /** The case it concerns. Kept beside the chain, not in it. */
  readonly caseId?: CaseId;
}

/** The pinned end of a chain: a bare chain hides a tail that was cut off. */
export interface CustodyHead {
  readonly count: number;
  readonly lastSeq: number;
  readonly lastHash: string;
}

export type ChainState =
  | { readonly isWhole: true; readonly count: number }
  | {
      readonly isWhole: false;
      readonly count: number;
      readonly brokenAtSeq: number;
      readonly reason: string;
    };

interface EntryRow {
  seq: number;
  at: string;
  actor: string;
  action: string;
  subject_kind: string;
  subject_id: string;
  subject_sha256: string | null;
  detail: string;
  prev: string | null;
  hash: string;
}

/** SHA-256, lower-case hex, over the entry without `hash` in RFC 8785 canonical JSON. */
export function custodyHash(entry: Omit<CustodyEntry, 'hash'>): string {
  const { seq, at, actor, action, subject, detail, prev } = entry;
  const text = canonicalize({ seq, at, actor, action, subject, detail, prev });
  return createHash('sha256').update(text!, 'utf8').digest('hex');
}

/**
 * The append-only chain of custody (evidence-package.md, Rules). `append` joins the caller's transaction when
 * there is one, so that a change and its entry are kept together or not at all. `now` is UTC milliseconds.
 */
export function createCustodyRepository(db: WritableDb, now: () => number = Date.now) {
  const selectLast = db.prepare<[], EntryRow>('SELECT * FROM custody_entry ORDER BY seq DESC LIMIT 1');
  const selectCount = db.prepare<[], { n: number }>('SELECT count(*) AS n FROM custody_entry');
  const selectCaseCount = db.prepare<[string], { n: number }>(
    'SELECT count(*) AS n FROM custody_case WHERE case_id = ?',
  );
  const selectAfter = db.prepare<[number, number], EntryRow>(
    'SELECT * FROM custody_entry WHERE seq > ? ORDER BY seq LIMIT ?',
  );
  const selectCaseAfter = db.prepare<[string, number, number], EntryRow>(
    `SELECT e.* FROM custody_case c JOIN custody_entry e ON e.seq = c.seq
     WHERE c.case_id = ? AND c.seq > ? ORDER BY c.seq LIMIT ?`,
  );
  const selectAll = db.prepare<[number], EntryRow>('SELECT * FROM custody_entry WHERE seq <= ? ORDER BY seq');
  const selectLostHead = db.prepare<[], { file_name: string }>(
    'SELECT file_name FROM sealed_package WHERE custody_head NOT IN (SELECT hash FROM custody_entry) LIMIT 1',
  );
  const selectSubjects = db.prepare<[string], { subject_id: string }>(
    'SELECT subject_id FROM custody_entry WHERE action = ?',
  );
  const insertEntry = db.prepare(
    `INSERT INTO custody_entry
       (seq, at, actor, action, subject_kind, subject_id, subject_sha256, detail, prev, hash)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const insertCase = db.prepare('INSERT INTO custody_case (seq, case_id) VALUES (?, ?)');
  const seenOnce = new Map<CustodyAction, Set<string>>();

  function appendWithin(draft: CustodyDraft): CustodyEntry {
    const last = selectLast.get();
    const unhashed = {
      seq: (last?.seq ?? 0) + 1,
      at: new Date(now()).toISOString(),
      actor: draft.actor.toWellFormed(),
      action: draft.action,
      subject: {
        kind: draft.subject.kind,
        id: draft.subject.id.toWellFormed(),
        sha256: draft.subject.sha256,
      },
      detail: toPlainJson(draft.detail) as Record<string, unknown>, // an object stays an object
      prev: last?.hash ?? null,
    };
    const entry: CustodyEntry = { ...unhashed, hash: custodyHash(unhashed) };
    insertEntry.run(
      entry.seq,
      entry.at,
      entry.actor,
      entry.action,
      entry.subject.kind,
      entry.subject.id,
      entry.subject.sha256,
      canonicalize(entry.detail),
      entry.prev,
      entry.hash,
    );
    if (draft.caseId !== undefined) insertCase.run(entry.seq, draft.caseId);
    return entry;
  }

  function append(draft: CustodyDraft): CustodyEntry {
    // Takes the write lock first: two connections (desk and a worker) must not both read the same last entry.
    return transact(db, () => appendWithin(draft));
  }

  return {
    append,

    /** Appends unless the subject has an entry of this action already ("viewed for the first time"). */
    appendOnce(draft: CustodyDraft): CustodyEntry | null {
      let seen = seenOnce.get(draft.action);
      if (!seen) {
        seen = new Set(selectSubjects.all(draft.action).map((row) => row.subject_id));
        seenOnce.set(draft.action, seen);
      }
      if (seen.has(draft.subject.id)) return null;
      const entry = append(draft);
      // Within the caller's transaction a rollback may still undo it: remember only what is committed.
      if (!db.inTransaction) seen.add(draft.subject.id);
      return entry;
    },

    /** Oldest first; of one case when given. */
    list(filter: { caseId?: CaseId; afterSeq?: number; limit?: number } = {}): CustodyEntry[] {
      const after = filter.afterSeq ?? 0;
      const limit = filter.limit ?? -1;
      const rows =
        filter.caseId === undefined
          ? selectAfter.all(after, limit)
          : selectCaseAfter.all(filter.caseId, after, limit);
      return rows.map(toEntry);
    },

    /** Every entry up to `lastSeq`, oldest first, without holding them all. */
    *each(lastSeq = Number.MAX_SAFE_INTEGER): Generator<CustodyEntry> {
      for (const row of selectAll.iterate(lastSeq)) yield toEntry(row);
    },

    count(caseId?: CaseId): number {
      return (caseId === undefined ? selectCount.get() : selectCaseCount.get(caseId))!.n;
    },

    /** Null while nothing was ever recorded. */
    head(): CustodyHead | null {
      const last = selectLast.get();
      return last ? { count: selectCount.get()!.n, lastSeq: last.seq, lastHash: last.hash } : null;
    },

    /**
     * Recomputes every hash and link, and looks that the heads which sealed packages have pinned are still in
     * the chain (that is how a cut-off tail shows).
     */
    verifyChain(): ChainState {
      let prev: string | null = null;
      let count = 0;
      for (const row of selectAll.iterate(Number.MAX_SAFE_INTEGER)) {
        const broken = linkFault(row, count + 1, prev);
        if (broken !== null) return { isWhole: false, count, brokenAtSeq: row.seq, reason: broken };
        prev = row.hash;
        count++;
      }
      const lost = selectLostHead.get();
      if (lost) {
        const reason = `the entry that the package "${lost.file_name}" pinned is gone`;
        return { isWhole: false, count, brokenAtSeq: count + 1, reason };
      }
      return { isWhole: true, count };
    },
  };
}
export type CustodyRepository = ReturnType<typeof createCustodyRepository>;

function linkFault(row: EntryRow, expectedSeq: number, prev: string | null): string | null {
  if (row.seq !== expectedSeq) return `entry ${expectedSeq} is missing`;
  if (row.prev !== prev) return `entry ${row.seq} does not follow the entry before it`;
  try {
    if (custodyHash(toEntry(row)) === row.hash) return null;
  } catch {
    // A detail that is no JSON is a changed entry like any other.
  }
  return `entry ${row.seq} was changed after it was written`;
}

function toEntry(row: EntryRow): CustodyEntry {
  return {
    seq: row.seq,
    at: row.at,
    actor: row.actor,
    action: row.action,
    subject: { kind: row.subject_kind, id: row.subject_id, sha256: row.subject_sha256 },
    detail: JSON.parse(row.detail) as Record<string, unknown>, // written by append, above
    prev: row.prev,
    hash: row.hash,
  };
}

/** What JSON keeps of a value, with lone surrogates (hostile file names) replaced: RFC 8785 refuses them. */
function toPlainJson(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  // Canonical JSON has one zero: a minus before it would be lost in between.
  if (typeof value === 'number') return Number.isFinite(value) ? value + 0 : null;
  if (Array.isArray(value)) return value.map(toPlainJson);
  if (value !== null && typeof value === 'object') {
    const kept = Object.entries(value).filter(([, v]) => v !== undefined);
    return Object.fromEntries(kept.map(([key, v]) => [key.toWellFormed(), toPlainJson(v)]));
  }
  return typeof value === 'boolean' ? value : null;
}
