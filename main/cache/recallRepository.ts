import type { ClipQuality } from '../../shared/contract/cards.ts';
import type { Recall } from '../../shared/contract/recalls.ts';
import type { RecallId } from '../../shared/ids.ts';
import type { WritableDb } from './database.ts';

/** What only the queue needs to know of a recall. */
export interface RecallInner {
  /** The signed link, while one is known. */
  readonly url: string | null;
  /** When the camera was last asked to upload. */
  readonly askedAtMs: number | null;
  /** The ledger's last entry when it was asked: an answer that came was counted after it. */
  readonly ledgerMark: number;
  /** The camera was asked and the answer is not known: the service's job list decides before it is asked again. */
  readonly isAskOpen: boolean;
  /** Every job that this recall had. */
  readonly jobIds: readonly string[];
  readonly transferBeganAtMs: number | null;
  /** When the media server was seen to hold all of it. */
  readonly uploadedAtMs: number | null;
  /** Served from the media server's copy: says nothing about the camera's link. */
  readonly wasCopy: boolean;
}

export interface StoredRecall {
  readonly recall: Recall;
  readonly inner: RecallInner;
}

/** Statuses of recalls that are not charged yet and will be. */
const unchargedStatuses = `('queued', 'waiting', 'starting')`;
const openStatuses = `('queued', 'waiting', 'starting', 'transferring', 'needs_consent')`;

/** All SQL about recalls of clips. */
export function createRecallRepository(db: WritableDb) {
  type Row = { body: string; inner: string };
  const upsert = db.prepare<
    [string, string, string, string, string, number, string, string | null, string | null, string, string]
  >(
    `INSERT INTO recall (recall_id, account_id, psn, filename, quality, requested_at_ms, status, case_id, sha256, body, inner)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (recall_id) DO UPDATE SET status = excluded.status, sha256 = excluded.sha256,
       case_id = excluded.case_id, body = excluded.body, inner = excluded.inner, is_dismissed = 0`,
  );
  const selectOne = db.prepare<[string], Row>('SELECT body, inner FROM recall WHERE recall_id = ?');
  const selectListed = db.prepare<[], Row>(
    'SELECT body, inner FROM recall WHERE is_dismissed = 0 ORDER BY requested_at_ms DESC, rowid DESC',
  );
  const selectOpen = db.prepare<[], Row>(
    `SELECT body, inner FROM recall WHERE status IN ${openStatuses} ORDER BY requested_at_ms, rowid`,
  );
  const selectFile = db.prepare<[string, string, string], Row>(
    `SELECT body, inner FROM recall WHERE psn = ? AND filename = ? AND quality = ?
     ORDER BY requested_at_ms DESC, rowid DESC`,
  );
  const selectDevice = db.prepare<[string, number], Row>(
    'SELECT body, inner FROM recall WHERE psn = ? ORDER BY requested_at_ms DESC, rowid DESC LIMIT ?',
  );
  const selectHeld = db
    .prepare<[string, string, string], string>(
      `SELECT sha256 FROM recall WHERE psn = ? AND filename = ? AND quality = ? AND sha256 IS NOT NULL
       ORDER BY requested_at_ms DESC LIMIT 1`,
    )
    .pluck();
  const selectDeviceHeld = db.prepare<[string], { filename: string; quality: ClipQuality; sha256: string }>(
    'SELECT filename, quality, sha256 FROM recall WHERE psn = ? AND sha256 IS NOT NULL',
  );
  const selectReserved = db.prepare<[string], Row>(
    `SELECT body, inner FROM recall WHERE account_id = ? AND status IN ${unchargedStatuses}`,
  );
  const dismiss = db.prepare<[string]>('UPDATE recall SET is_dismissed = 1 WHERE recall_id = ?');
  const toStored = (row: Row): StoredRecall => ({
    recall: JSON.parse(row.body) as Recall, // written by save only
    inner: JSON.parse(row.inner) as RecallInner,
  });

  return {
    save({ recall, inner }: StoredRecall): void {
      upsert.run(
        recall.recallId,
        recall.accountId,
        recall.psn,
        recall.filename,
        recall.quality,
        recall.requestedAtMs,
        recall.state.status,
        recall.caseId,
        recall.state.status === 'done' ? recall.state.sha256 : null,
        JSON.stringify(recall),
        JSON.stringify(inner),
      );
    },
    get(recallId: RecallId): StoredRecall | null {
      const row = selectOne.get(recallId);
      return row ? toStored(row) : null;
    },
    /** Not dismissed, newest first. */
    list: (): readonly StoredRecall[] => selectListed.all().map(toStored),
    /** Not ended, oldest first. */
    open: (): readonly StoredRecall[] => selectOpen.all().map(toStored),
    /** All that were ever made of a file in a quality, newest first. */
    ofFile: (psn: string, filename: string, quality: ClipQuality): readonly StoredRecall[] =>
      selectFile.all(psn, filename, quality).map(toStored),
    /** The latest of a camera, newest first. */
    ofDevice: (psn: string, limit: number): readonly StoredRecall[] =>
      selectDevice.all(psn, limit).map(toStored),
    heldSha256: (psn: string, filename: string, quality: ClipQuality): string | null =>
      selectHeld.get(psn, filename, quality) ?? null,
    heldOf: (
      psn: string,
    ): readonly {
      readonly filename: string;
      readonly quality: ClipQuality;
      readonly sha256: string;
    }[] => selectDeviceHeld.all(psn),
    /** Recalls of an account that will still be charged. */
    reserved: (accountId: string): readonly StoredRecall[] => selectReserved.all(accountId).map(toStored),
    dismiss(recallId: RecallId): void {
      dismiss.run(recallId);
    },
  };
}
export type RecallRepository = ReturnType<typeof createRecallRepository>;
