/** Review: clocks set by hand, marks, and files made from clips. What a user takes away stays for undo. */
export const migration0005 = `
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
CREATE INDEX mark_by_case ON mark (case_id, from_ms);
CREATE INDEX mark_by_time ON mark (from_ms);

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
CREATE INDEX derived_by_clip ON derived (clip_id);
CREATE INDEX derived_by_case ON derived (case_id);

-- Review asks for a camera's clips by its wall clock, and for what the service told of one recording.
CREATE INDEX clip_by_camera ON clip (psn, recorded_at_local);
CREATE INDEX card_metadata_by_file ON card_metadata (psn, filename, first_gps_ms, fetched_at_ms);
-- Clips copied by hand are looked for in every listing.
CREATE INDEX card_recording_by_name ON card_recording (filename, psn);
`;
