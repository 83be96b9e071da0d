import type { ExportOrder, LedgerEntry } from '../../shared/contract/cloud.ts';
import type { AccountId } from '../../shared/ids.ts';
import type { WritableDb } from './database.ts';

interface LedgerRow {
  at_ms: number;
  bucket: LedgerEntry['bucket'];
  amount: number;
  operation: string;
  subject: string | null;
  request_id: string | null;
}

/** All SQL about the cloud: snapshots of what it said, orders under way, the ledger of what was spent. */
export function createCloudRepository(db: WritableDb) {
  const upsertSnapshot = db.prepare<[string, string, string, number, string]>(
    `INSERT INTO cloud_snapshot (account_id, kind, subject, fetched_at_ms, body) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (account_id, kind, subject) DO UPDATE SET fetched_at_ms = excluded.fetched_at_ms, body = excluded.body`,
  );
  const selectSnapshot = db.prepare<[string, string, string], { fetched_at_ms: number; body: string }>(
    'SELECT fetched_at_ms, body FROM cloud_snapshot WHERE account_id = ? AND kind = ? AND subject = ?',
  );
  const insertLedger = db.prepare<[string, number, string, number, string, string | null, string | null]>(
    'INSERT INTO ledger_entry (account_id, at_ms, bucket, amount, operation, subject, request_id) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const sumLedger = db.prepare<[string, number, number], { bucket: LedgerEntry['bucket']; spent: number }>(
    'SELECT bucket, sum(amount) AS spent FROM ledger_entry WHERE account_id = ? AND at_ms >= ? AND at_ms < ? GROUP BY bucket',
  );
  const selectLedger = db.prepare<[string, number], LedgerRow>(
    `SELECT at_ms, bucket, amount, operation, subject, request_id FROM ledger_entry
     WHERE account_id = ? AND bucket <> 'api_calls' ORDER BY entry_id DESC LIMIT ?`,
  );
  const upsertOrder = db.prepare<[string, string, number, string]>(
    `INSERT INTO export_order (account_id, job_id, created_ms, body) VALUES (?, ?, ?, ?)
     ON CONFLICT (account_id, job_id) DO UPDATE SET body = excluded.body`,
  );
  const selectOrders = db
    .prepare<[string], string>('SELECT body FROM export_order WHERE account_id = ? ORDER BY created_ms DESC')
    .pluck();
  const selectAllOrders = db.prepare<[], string>('SELECT body FROM export_order').pluck();
  const selectOrder = db
    .prepare<[string, string], string>('SELECT body FROM export_order WHERE account_id = ? AND job_id = ?')
    .pluck();
  const forgets = ['cloud_snapshot', 'export_order', 'card', 'card_recording', 'card_metadata'].map((table) =>
    db.prepare<[string]>(`DELETE FROM ${table} WHERE account_id = ?`),
  );
  const selectLastEntry = db.prepare<[], number | null>('SELECT max(entry_id) FROM ledger_entry').pluck();
  const selectEntryBefore = db
    .prepare<[string, number], number | null>(
      'SELECT max(entry_id) FROM ledger_entry WHERE account_id = ? AND at_ms < ?',
    )
    .pluck();
  const sumAfterEntry = db
    .prepare<[string, string, number, number, number], number | null>(
      `SELECT sum(amount) FROM ledger_entry
       WHERE account_id = ? AND bucket = ? AND at_ms >= ? AND at_ms < ? AND entry_id > ?`,
    )
    .pluck();
  const countSpending = db
    .prepare<[string, string, string, number], number>(
      'SELECT count(*) FROM ledger_entry WHERE account_id = ? AND bucket = ? AND subject = ? AND entry_id > ?',
    )
    .pluck();

  return {
    saveSnapshot(
      accountId: AccountId,
      kind: string,
      subject: string,
      fetchedAtMs: number,
      body: unknown,
    ): void {
      upsertSnapshot.run(accountId, kind, subject, fetchedAtMs, JSON.stringify(body));
    },
    snapshot<T>(accountId: AccountId, kind: string, subject = ''): { fetchedAtMs: number; body: T } | null {
      const row = selectSnapshot.get(accountId, kind, subject);
      return row ? { fetchedAtMs: row.fetched_at_ms, body: JSON.parse(row.body) as T } : null; // written by saveSnapshot
    },
    spend(accountId: AccountId, entry: LedgerEntry): void {
      const { atMs, bucket, amount, operation, subject, requestId } = entry;
      insertLedger.run(accountId, atMs, bucket, amount, operation, subject, requestId);
    },
    /** Spent in [fromMs, toMs), by bucket; a bucket that is not there was not touched. */
    spent(accountId: AccountId, fromMs: number, toMs: number): ReadonlyMap<LedgerEntry['bucket'], number> {
      return new Map(sumLedger.all(accountId, fromMs, toMs).map((row) => [row.bucket, row.spent]));
    },
    /** Marks a place in the ledger: what is spent after it has a higher number. */
    lastEntryId: (): number => selectLastEntry.get() ?? 0,
    /** The mark of a moment that nobody marked: the last entry that is certain to lie before it. */
    lastEntryBefore: (accountId: AccountId, atMs: number): number =>
      selectEntryBefore.get(accountId, atMs) ?? 0,
    /** Spent in [fromMs, toMs) by entries after a mark. */
    spentAfter(
      accountId: AccountId,
      bucket: LedgerEntry['bucket'],
      range: { readonly fromMs: number; readonly toMs: number },
      entryId: number,
    ): number {
      return sumAfterEntry.get(accountId, bucket, range.fromMs, range.toMs, entryId) ?? 0;
    },
    /** How often something was spent on a subject after a mark. */
    spendings: (
      accountId: AccountId,
      bucket: LedgerEntry['bucket'],
      subject: string,
      entryId: number,
    ): number => countSpending.get(accountId, bucket, subject, entryId) ?? 0,
    /** Newest first; single API calls are counted, not listed. */
    recentSpending(accountId: AccountId, limit: number): readonly LedgerEntry[] {
      return selectLedger.all(accountId, limit).map((row) => ({
        atMs: row.at_ms,
        bucket: row.bucket,
        amount: row.amount,
        operation: row.operation,
        subject: row.subject,
        requestId: row.request_id,
      }));
    },
    saveOrder(order: ExportOrder): void {
      const createdMs = Date.parse(order.job.createdAt ?? '') || order.checkedAtMs;
      upsertOrder.run(order.accountId, order.job.jobId, createdMs, JSON.stringify(order));
    },
    orders(accountId: AccountId): readonly ExportOrder[] {
      return selectOrders.all(accountId).map((body) => JSON.parse(body) as ExportOrder); // written by saveOrder
    },
    /** Of every account. */
    allOrders(): readonly ExportOrder[] {
      return selectAllOrders.all().map((body) => JSON.parse(body) as ExportOrder); // written by saveOrder
    },
    order(accountId: AccountId, jobId: string): ExportOrder | null {
      const body = selectOrder.get(accountId, jobId);
      return body === undefined ? null : (JSON.parse(body) as ExportOrder); // written by saveOrder
    },
    /** Forgets what an account showed; what it spent stays. */
    forgetAccount(accountId: AccountId): void {
      for (const forget of forgets) forget.run(accountId);
    },
  };
}
export type CloudRepository = ReturnType<typeof createCloudRepository>;
