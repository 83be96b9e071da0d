/** What the Fleet Dashcam Cloud said, when; what this app ordered and spent there. Never the key. */
export const migration0002 = `
-- The last answer of its kind, so that the app can be used offline and says "as of".
CREATE TABLE cloud_snapshot (
  account_id    TEXT NOT NULL,
  kind          TEXT NOT NULL,
  subject       TEXT NOT NULL,
  fetched_at_ms INTEGER NOT NULL,
  body          TEXT NOT NULL,
  PRIMARY KEY (account_id, kind, subject)
) STRICT, WITHOUT ROWID;

CREATE TABLE ledger_entry (
  entry_id   INTEGER PRIMARY KEY,
  account_id TEXT NOT NULL,
  at_ms      INTEGER NOT NULL,
  bucket     TEXT NOT NULL,
  amount     INTEGER NOT NULL,
  operation  TEXT NOT NULL,
  subject    TEXT,
  request_id TEXT
) STRICT;
CREATE INDEX ledger_by_month ON ledger_entry (account_id, bucket, at_ms);

-- GPS exports that the app follows, over restarts: the contract's ExportOrder as JSON.
CREATE TABLE export_order (
  account_id TEXT NOT NULL,
  job_id     TEXT NOT NULL,
  created_ms INTEGER NOT NULL,
  body       TEXT NOT NULL,
  PRIMARY KEY (account_id, job_id)
) STRICT, WITHOUT ROWID;
`;
