/** Clips: a source of kind 'clip' is one video file; here is what it says of itself and whose it is. */
export const migration0004 = `
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
CREATE INDEX clip_by_start ON clip (start_utc_ms);
CREATE INDEX clip_by_name ON clip (main_name, quality);
CREATE INDEX clip_unread ON clip (clip_id) WHERE is_read = 0;
`;
