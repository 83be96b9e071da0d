/** What the cameras' cards hold as far as seen, their clocks, and the recalls of clips. */
export const migration0003 = `
-- One row for each card that was listed.
CREATE TABLE card (
  account_id    TEXT NOT NULL,
  psn           TEXT NOT NULL,
  -- Of the last listing of the whole card; NULL while there is none.
  listed_at_ms  INTEGER,
  -- The offset set by hand: {offsetMinutes, reason, actor, setAtMs}; NULL without one.
  manual_clock  TEXT,
  PRIMARY KEY (account_id, psn)
) STRICT, WITHOUT ROWID;

CREATE TABLE card_recording (
  account_id TEXT NOT NULL,
  psn        TEXT NOT NULL,
  filename   TEXT NOT NULL,
  seen_at_ms INTEGER NOT NULL,
  -- The recording as the service gave it (2.1), JSON.
  body       TEXT NOT NULL,
  PRIMARY KEY (account_id, psn, filename)
) STRICT, WITHOUT ROWID;

CREATE TABLE card_metadata (
  account_id    TEXT NOT NULL,
  psn           TEXT NOT NULL,
  filename      TEXT NOT NULL,
  fetched_at_ms INTEGER NOT NULL,
  thumbnail     BLOB,
  -- The metadata without the thumbnail (2.2), JSON.
  body          TEXT NOT NULL,
  -- UTC of its first GPS sample; NULL without one.
  first_gps_ms  REAL,
  PRIMARY KEY (account_id, psn, filename)
) STRICT;

-- Recalls that the app follows or followed: the contract's Recall as JSON, and what is asked for by column.
CREATE TABLE recall (
  recall_id       TEXT PRIMARY KEY,
  account_id      TEXT NOT NULL,
  psn             TEXT NOT NULL,
  filename        TEXT NOT NULL,
  quality         TEXT NOT NULL,
  requested_at_ms INTEGER NOT NULL,
  status          TEXT NOT NULL,
  case_id         TEXT,
  sha256          TEXT,
  is_dismissed    INTEGER NOT NULL DEFAULT 0,
  body            TEXT NOT NULL,
  -- What only the queue needs: the link, when the camera was last asked, how the transfer went. JSON.
  inner           TEXT NOT NULL
) STRICT;
CREATE INDEX recall_by_file ON recall (psn, filename, quality);
CREATE INDEX recall_by_sha256 ON recall (sha256) WHERE sha256 IS NOT NULL;
`;
