import type { SdRecording } from '../../shared/cloudResources.ts';
import type { CardClock } from '../../shared/contract/cards.ts';
import type { AccountId, ClipId } from '../../shared/ids.ts';
import { transact, type WritableDb } from './database.ts';

export type ManualClock = NonNullable<CardClock['manual']>;

/** Metadata as it is kept: the thumbnail apart, everything else as the service's JSON. */
export interface StoredMetadata {
  readonly filename: string;
  readonly fetchedAtMs: number;
  readonly thumbnail: Uint8Array | null;
  readonly body: string;
}

/** A clip whose metadata is known, for the card's clock. */
export interface ClockSample {
  readonly filename: string;
  readonly firstGpsMs: number | null;
}

/** A clip of unknown camera beside a listed recording of the same name. */
export interface ListedNamesake {
  readonly clipId: ClipId;
  readonly sha256: string;
  readonly fileName: string;
  readonly sizeBytes: number;
  readonly mainName: string;
  readonly psn: string;
  /** Of the clip's quality, as the listing states it; null: it states none. */
  readonly listedBytes: number | null;
  readonly seenAtMs: number;
}

/** All SQL about cameras' cards: what was listed, metadata, offsets set by hand. */
export function createCardRepository(db: WritableDb) {
  const touchCard = db.prepare<[string, string]>(
    'INSERT INTO card (account_id, psn) VALUES (?, ?) ON CONFLICT DO NOTHING',
  );
  const setListed = db.prepare<[number, string, string]>(
    'UPDATE card SET listed_at_ms = ? WHERE account_id = ? AND psn = ?',
  );
  const setManual = db.prepare<[string | null, string, string]>(
    'UPDATE card SET manual_clock = ? WHERE account_id = ? AND psn = ?',
  );
  const selectCard = db.prepare<
    [string, string],
    { listed_at_ms: number | null; manual_clock: string | null }
  >('SELECT listed_at_ms, manual_clock FROM card WHERE account_id = ? AND psn = ?');
  const selectListed = db.prepare<[string], { psn: string; listed_at_ms: number }>(
    'SELECT psn, listed_at_ms FROM card WHERE account_id = ? AND listed_at_ms IS NOT NULL',
  );
  const upsertRecording = db.prepare<[string, string, string, number, string]>(
    `INSERT INTO card_recording (account_id, psn, filename, seen_at_ms, body) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (account_id, psn, filename) DO UPDATE SET seen_at_ms = excluded.seen_at_ms, body = excluded.body`,
  );
  const dropGone = db.prepare<[string, string, number]>(
    'DELETE FROM card_recording WHERE account_id = ? AND psn = ? AND seen_at_ms < ?',
  );
  const dropRecording = db.prepare<[string, string, string]>(
    'DELETE FROM card_recording WHERE account_id = ? AND psn = ? AND filename = ?',
  );
  const selectRecordings = db
    .prepare<[string, string], string>(
      'SELECT body FROM card_recording WHERE account_id = ? AND psn = ? ORDER BY filename DESC',
    )
    .pluck();
  const selectRecording = db
    .prepare<[string, string, string], string>(
      'SELECT body FROM card_recording WHERE account_id = ? AND psn = ? AND filename = ?',
    )
    .pluck();
  const upsertMetadata = db.prepare<
    [string, string, string, number, Uint8Array | null, string, number | null]
  >(
    `INSERT INTO card_metadata (account_id, psn, filename, fetched_at_ms, thumbnail, body, first_gps_ms)
     VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (account_id, psn, filename) DO UPDATE SET fetched_at_ms = excluded.fetched_at_ms,
       thumbnail = excluded.thumbnail, body = excluded.body, first_gps_ms = excluded.first_gps_ms`,
  );
  const selectMetadata = db.prepare<
    [string, string, string],
    { fetched_at_ms: number; thumbnail: Buffer | null; body: string }
  >(
    'SELECT fetched_at_ms, thumbnail, body FROM card_metadata WHERE account_id = ? AND psn = ? AND filename = ?',
  );
  const selectSamples = db.prepare<[string, string], { filename: string; first_gps_ms: number | null }>(
    'SELECT filename, first_gps_ms FROM card_metadata WHERE account_id = ? AND psn = ? ORDER BY filename',
  );
  const selectAccounts = db
    .prepare<[string, string], string>(
      `SELECT account_id FROM card WHERE psn = ? UNION SELECT account_id FROM card_metadata WHERE psn = ?
       ORDER BY account_id`,
    )
    .pluck();
  const selectSeen = db.prepare<[string, string], { body: string; seen_at_ms: number }>(
    'SELECT body, seen_at_ms FROM card_recording WHERE account_id = ? AND psn = ? ORDER BY filename',
  );
  const selectNamesakes = db.prepare<
    [],
    {
      clip_id: string;
      sha256: string;
      file_name: string;
      size_bytes: number;
      main_name: string;
      psn: string;
      listed_bytes: unknown;
      seen_at_ms: number;
    }
  >(
    `SELECT c.clip_id, s.sha256, s.file_name, s.size_bytes, c.main_name, r.psn, r.seen_at_ms,
       json_extract(r.body, CASE c.quality WHEN 'sub' THEN '$.subSizeBytes' ELSE '$.mainSizeBytes' END) AS listed_bytes
     FROM clip c JOIN source s ON s.source_id = c.source_id JOIN card_recording r ON r.filename = c.main_name
     WHERE c.psn IS NULL AND c.quality IN ('main', 'sub') ORDER BY c.clip_id`,
  );
  const parse = (body: string): SdRecording => JSON.parse(body) as SdRecording; // written here only

  return {
    /** Keeps recordings as just seen. */
    keepRecordings(
      accountId: AccountId,
      psn: string,
      recordings: readonly SdRecording[],
      seenAtMs: number,
    ): void {
      transact(db, () => {
        touchCard.run(accountId, psn);
        for (const recording of recordings)
          upsertRecording.run(accountId, psn, recording.filename, seenAtMs, JSON.stringify(recording));
      });
    },
    /** The whole card was listed by a walk that began at `beganAtMs`: what it did not name is gone from the card. */
    finishListing(accountId: AccountId, psn: string, beganAtMs: number, listedAtMs: number): void {
      transact(db, () => {
        touchCard.run(accountId, psn);
        dropGone.run(accountId, psn, beganAtMs);
        setListed.run(listedAtMs, accountId, psn);
      });
    },
    /** By file name, newest first. */
    recordings: (accountId: AccountId, psn: string): readonly SdRecording[] =>
      selectRecordings.all(accountId, psn).map(parse),
    /** The same, oldest first, each with when a listing last named it. */
    seenRecordings: (
      accountId: AccountId,
      psn: string,
    ): readonly { readonly recording: SdRecording; readonly seenAtMs: number }[] =>
      selectSeen.all(accountId, psn).map((row) => ({ recording: parse(row.body), seenAtMs: row.seen_at_ms })),
    /** Clips of unknown camera and the listed recordings of their names, on every card. */
    namesakes: (): readonly ListedNamesake[] =>
      selectNamesakes.all().map((row) => ({
        clipId: row.clip_id as ClipId, // the column holds nothing else
        sha256: row.sha256,
        fileName: row.file_name,
        sizeBytes: row.size_bytes,
        mainName: row.main_name,
        psn: row.psn,
        listedBytes: typeof row.listed_bytes === 'number' ? row.listed_bytes : null,
        seenAtMs: row.seen_at_ms,
      })),
    /** Accounts that know something of a camera's card. */
    accountsOf: (psn: string): readonly AccountId[] => selectAccounts.all(psn, psn) as AccountId[], // holds nothing else
    recording(accountId: AccountId, psn: string, filename: string): SdRecording | null {
      const body = selectRecording.get(accountId, psn, filename);
      return body === undefined ? null : parse(body);
    },
    removeRecording(accountId: AccountId, psn: string, filename: string): void {
      dropRecording.run(accountId, psn, filename);
    },
    /** When the card was last listed whole, and its offset set by hand. */
    card(accountId: AccountId, psn: string): { listedAtMs: number | null; manual: ManualClock | null } {
      const row = selectCard.get(accountId, psn);
      const manual = row?.manual_clock ?? null;
      return {
        listedAtMs: row?.listed_at_ms ?? null,
        manual: manual === null ? null : (JSON.parse(manual) as ManualClock), // written by setManualClock
      };
    },
    listedAt: (accountId: AccountId): ReadonlyMap<string, number> =>
      new Map(selectListed.all(accountId).map((row) => [row.psn, row.listed_at_ms])),
    setManualClock(accountId: AccountId, psn: string, clock: ManualClock | null): void {
      transact(db, () => {
        touchCard.run(accountId, psn);
        setManual.run(clock === null ? null : JSON.stringify(clock), accountId, psn);
      });
    },
    keepMetadata(
      accountId: AccountId,
      psn: string,
      metadata: StoredMetadata,
      firstGpsMs: number | null,
    ): void {
      const { filename, fetchedAtMs, thumbnail, body } = metadata;
      upsertMetadata.run(accountId, psn, filename, fetchedAtMs, thumbnail, body, firstGpsMs);
    },
    metadata(accountId: AccountId, psn: string, filename: string): StoredMetadata | null {
      const row = selectMetadata.get(accountId, psn, filename);
      if (!row) return null;
      const thumbnail = row.thumbnail === null ? null : new Uint8Array(row.thumbnail);
      return { filename, fetchedAtMs: row.fetched_at_ms, thumbnail, body: row.body };
    },
    clockSamples: (accountId: AccountId, psn: string): readonly ClockSample[] =>
      selectSamples.all(accountId, psn).map((row) => ({
        filename: row.filename,
        firstGpsMs: row.first_gps_ms,
      })),
  };
}
export type CardRepository = ReturnType<typeof createCardRepository>;
