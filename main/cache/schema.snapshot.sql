-- The schema at version 5, as the migrations make it. Written by test/cache/schema.test.ts (vitest -u).

CREATE TABLE card (
  account_id    TEXT NOT NULL,
  psn           TEXT NOT NULL,
  -- Of the last listing of the whole card; NULL while there is none.
  listed_at_ms  INTEGER,
  -- The offset set by hand: {offsetMinutes, reason, actor, setAtMs}; NULL without one.
  manual_clock  TEXT,
  PRIMARY KEY (account_id, psn)
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

CREATE TABLE card_recording (
  account_id TEXT NOT NULL,
  psn        TEXT NOT NULL,
  filename   TEXT NOT NULL,
  seen_at_ms INTEGER NOT NULL,
  -- The recording as the service gave it (2.1), JSON.
  body       TEXT NOT NULL,
  PRIMARY KEY (account_id, psn, filename)
) STRICT, WITHOUT ROWID;

CREATE TABLE case_file (
  case_id       TEXT PRIMARY KEY,
  name          TEXT NOT NULL COLLATE NOCASE UNIQUE,
  created_at_ms INTEGER NOT NULL,
  from_ms       REAL,
  to_ms         REAL
) STRICT;

CREATE VIRTUAL TABLE chunk_index USING rtree (chunk_key, west, east, south, north, from_s, to_s);

CREATE TABLE clip (
  clip_id           TEXT PRIMARY KEY,
  source_id         TEXT NOT NULL UNIQUE REFERENCES source (source_id) ON DELETE CASCADE,
  origin            TEXT NOT NULL CHECK (origin IN ('import', 'recall')),
  -- Camera serial; NULL for a file copied by hand whose camera nobody has named.
  psn               TEXT,
  -- The name of the main recording, as the cloud lists it; NULL for names of another form.
  main_name         TEXT,
  quality           TEXT CHECK (quality IN ('main', 'sub', 'live')),
  type_code         TEXT,
  direction_code    TEXT,
  recorded_at_local TEXT,
  start_utc_ms      REAL,
  end_utc_ms        REAL,
  duration_s        REAL,
  west REAL, south REAL, east REAL, north REAL,
  -- The contract's ClipFacts as JSON; NULL while nobody has read the file, or where it can't be read.
  facts             TEXT,
  -- 1: reading was tried; with facts NULL it failed.
  is_read           INTEGER NOT NULL
) STRICT;

CREATE TABLE clock_setting (
  -- As the contract's ClockSubject: 'clip', 'telemetry', 'metadata' (of a clip) or 'trip'.
  subject_kind TEXT NOT NULL,
  subject_id   TEXT NOT NULL,
  -- Added to what was found; NULL where start_utc_ms was set.
  shift_ms     REAL,
  start_utc_ms REAL,
  reason       TEXT NOT NULL,
  actor        TEXT NOT NULL,
  set_at_ms    INTEGER NOT NULL,
  PRIMARY KEY (subject_kind, subject_id),
  CHECK ((shift_ms IS NULL) <> (start_utc_ms IS NULL))
) STRICT;

CREATE TABLE cloud_snapshot (
  account_id    TEXT NOT NULL,
  kind          TEXT NOT NULL,
  subject       TEXT NOT NULL,
  fetched_at_ms INTEGER NOT NULL,
  body          TEXT NOT NULL,
  PRIMARY KEY (account_id, kind, subject)
) STRICT, WITHOUT ROWID;

CREATE TABLE custody_case (
  seq     INTEGER NOT NULL REFERENCES custody_entry (seq),
  case_id TEXT NOT NULL,
  PRIMARY KEY (case_id, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE custody_entry (
  seq            INTEGER PRIMARY KEY,
  at             TEXT NOT NULL,
  actor          TEXT NOT NULL,
  action         TEXT NOT NULL,
  subject_kind   TEXT NOT NULL,
  subject_id     TEXT NOT NULL,
  subject_sha256 TEXT,
  detail         TEXT NOT NULL,
  prev           TEXT,
  hash           TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE derived (
  derived_id    TEXT PRIMARY KEY,
  clip_id       TEXT NOT NULL REFERENCES clip (clip_id) ON DELETE CASCADE,
  case_id       TEXT REFERENCES case_file (case_id) ON DELETE SET NULL,
  kind          TEXT NOT NULL,
  file_name     TEXT NOT NULL,
  sha256        TEXT NOT NULL,
  size_bytes    INTEGER NOT NULL,
  -- The contract's Recipe as JSON.
  recipe        TEXT NOT NULL,
  actor         TEXT NOT NULL,
  made_at_ms    INTEGER NOT NULL,
  removed_at_ms INTEGER
) STRICT;

CREATE TABLE exhibit (
  exhibit_id  TEXT PRIMARY KEY,
  case_id     TEXT NOT NULL REFERENCES case_file (case_id) ON DELETE CASCADE,
  kind        TEXT NOT NULL,
  ref_id      TEXT NOT NULL,
  added_at_ms INTEGER NOT NULL,
  UNIQUE (case_id, kind, ref_id)
) STRICT;

CREATE TABLE export_order (
  account_id TEXT NOT NULL,
  job_id     TEXT NOT NULL,
  created_ms INTEGER NOT NULL,
  body       TEXT NOT NULL,
  PRIMARY KEY (account_id, job_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE job (
  job_id        TEXT PRIMARY KEY,
  started_at_ms INTEGER NOT NULL,
  job           TEXT NOT NULL
) STRICT;

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

CREATE TABLE mark (
  mark_id        TEXT PRIMARY KEY,
  case_id        TEXT REFERENCES case_file (case_id) ON DELETE CASCADE,
  kind           TEXT NOT NULL CHECK (kind IN ('bookmark', 'range')),
  from_ms        REAL,
  to_ms          REAL,
  uncertainty_ms REAL,
  from_clip_id   TEXT,
  from_clip_s    REAL,
  to_clip_id     TEXT,
  to_clip_s      REAL,
  title          TEXT NOT NULL,
  note           TEXT NOT NULL,
  -- JSON array of strings.
  tags           TEXT NOT NULL,
  actor          TEXT NOT NULL,
  made_at_ms     INTEGER NOT NULL,
  edited_at_ms   INTEGER,
  -- Taken away at; NULL while it is there.
  removed_at_ms  INTEGER
) STRICT;

CREATE TABLE note (
  note_id       TEXT PRIMARY KEY,
  case_id       TEXT NOT NULL REFERENCES case_file (case_id) ON DELETE CASCADE,
  text          TEXT NOT NULL,
  written_at_ms INTEGER NOT NULL,
  edited_at_ms  INTEGER
) STRICT;

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

CREATE TABLE sealed_package (
  package_id   TEXT PRIMARY KEY,
  case_id      TEXT NOT NULL,
  file_name    TEXT NOT NULL,
  path         TEXT NOT NULL,
  sha256       TEXT NOT NULL,
  size_bytes   INTEGER NOT NULL,
  files        INTEGER NOT NULL,
  sealed_at_ms INTEGER NOT NULL,
  signed_by    TEXT NOT NULL,
  custody_head TEXT NOT NULL,
  from_ms      REAL,
  to_ms        REAL
) STRICT;

CREATE TABLE setting (
  key   TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT;

CREATE TABLE source (
  source_id       TEXT PRIMARY KEY,
  sha256          TEXT NOT NULL UNIQUE,
  size_bytes      INTEGER NOT NULL,
  file_name       TEXT NOT NULL,
  kind            TEXT NOT NULL,
  imported_at_ms  INTEGER NOT NULL,
  reader_version  TEXT NOT NULL,
  trips           INTEGER NOT NULL,
  points          INTEGER NOT NULL,
  skipped_rows    INTEGER NOT NULL,
  from_ms         REAL,
  to_ms           REAL
) STRICT;

CREATE TABLE source_entry (
  source_id  TEXT NOT NULL REFERENCES source (source_id) ON DELETE CASCADE,
  ordinal    INTEGER NOT NULL,
  name       TEXT NOT NULL,
  report     TEXT NOT NULL,
  PRIMARY KEY (source_id, ordinal)
) STRICT, WITHOUT ROWID;

CREATE TABLE trip (
  trip_key        INTEGER PRIMARY KEY,
  trip_id         TEXT NOT NULL UNIQUE,
  source_id       TEXT NOT NULL REFERENCES source (source_id) ON DELETE CASCADE,
  entry_ordinal   INTEGER NOT NULL,
  psn             TEXT,
  assigned_psn    TEXT,
  camera_name     TEXT,
  assigned_name   TEXT,
  drive_no        INTEGER,
  name            TEXT,
  started_at_ms   REAL,
  ended_at_ms     REAL,
  points          INTEGER NOT NULL,
  has_point_times INTEGER NOT NULL,
  speed_unit      TEXT NOT NULL CHECK (speed_unit IN ('kmh', 'ms')),
  distance_m      REAL NOT NULL,
  max_speed_kmh   REAL,
  west REAL NOT NULL, south REAL NOT NULL, east REAL NOT NULL, north REAL NOT NULL
) STRICT;

CREATE TABLE trip_chunk (
  chunk_key INTEGER PRIMARY KEY,
  trip_key  INTEGER NOT NULL REFERENCES trip (trip_key) ON DELETE CASCADE,
  ordinal   INTEGER NOT NULL,
  points    INTEGER NOT NULL,
  from_ms   REAL,
  to_ms     REAL,
  data      BLOB NOT NULL,
  UNIQUE (trip_key, ordinal)
) STRICT;

CREATE TABLE trip_line (
  trip_key INTEGER NOT NULL REFERENCES trip (trip_key) ON DELETE CASCADE,
  level    INTEGER NOT NULL,
  data     BLOB NOT NULL,
  PRIMARY KEY (trip_key, level)
) STRICT;

CREATE INDEX card_metadata_by_file ON card_metadata (psn, filename, first_gps_ms, fetched_at_ms);

CREATE INDEX card_recording_by_name ON card_recording (filename, psn);

CREATE INDEX clip_by_camera ON clip (psn, recorded_at_local);

CREATE INDEX clip_by_name ON clip (main_name, quality);

CREATE INDEX clip_by_start ON clip (start_utc_ms);

CREATE INDEX clip_unread ON clip (clip_id) WHERE is_read = 0;

CREATE INDEX derived_by_case ON derived (case_id);

CREATE INDEX derived_by_clip ON derived (clip_id);

CREATE INDEX ledger_by_month ON ledger_entry (account_id, bucket, at_ms);

CREATE INDEX mark_by_case ON mark (case_id, from_ms);

CREATE INDEX mark_by_time ON mark (from_ms);

CREATE INDEX note_by_case ON note (case_id, written_at_ms);

CREATE INDEX recall_by_file ON recall (psn, filename, quality);

CREATE INDEX recall_by_sha256 ON recall (sha256) WHERE sha256 IS NOT NULL;

CREATE INDEX trip_by_camera ON trip (coalesce(assigned_psn, psn), started_at_ms);

CREATE INDEX trip_by_source ON trip (source_id);

CREATE INDEX trip_by_start ON trip (started_at_ms);

CREATE TRIGGER custody_no_delete BEFORE DELETE ON custody_entry BEGIN
  SELECT raise(ABORT, 'the custody log is append-only');
END;

CREATE TRIGGER custody_no_update BEFORE UPDATE ON custody_entry BEGIN
  SELECT raise(ABORT, 'the custody log is append-only');
END;

CREATE TRIGGER trip_chunk_unindex AFTER DELETE ON trip_chunk BEGIN
  DELETE FROM chunk_index WHERE chunk_key = old.chunk_key;
END;
