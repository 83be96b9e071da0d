import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCache, type EvidenceCache } from '../../main/cache/openCache.ts';

let root: string;
let cache: EvidenceCache;
beforeAll(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), 'cache-'));
  cache = openCache({ folder: path.join(root, 'data') });
});
afterAll(() => {
  cache.close();
  fs.rmSync(root, { recursive: true, force: true });
});

it('has the schema of the committed snapshot, so that every change of it is a readable diff', async () => {
  const parts = cache.db
    .prepare<[], string>(
      `SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT GLOB 'chunk_index_*'
       ORDER BY CASE type WHEN 'table' THEN 0 WHEN 'index' THEN 1 ELSE 2 END, name`,
    )
    .pluck()
    .all();
  const version = String(cache.db.pragma('user_version', { simple: true }));
  const text = `-- The schema at version ${version}, as the migrations make it. Written by test/cache/schema.test.ts (vitest -u).\n\n${parts.join(';\n\n')};\n`;
  await expect(text).toMatchFileSnapshot('../../main/cache/schema.snapshot.sql');
});

describe('queries that run often use an index', () => {
  const planOf = (sql: string): string =>
    cache.db
      .prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
      .all()
      .map((row) => row.detail)
      .join('\n');

  it.each([
    [
      'is this file known',
      `SELECT * FROM source WHERE sha256 = 'x'`,
      /SEARCH source USING INDEX sqlite_autoindex_source/,
    ],
    [
      'trips of a source',
      `SELECT count(*) FROM trip WHERE source_id = 'x'`,
      /USING (COVERING )?INDEX trip_by_source/,
    ],
    [
      'trips of a time',
      'SELECT * FROM trip WHERE started_at_ms BETWEEN 1 AND 2',
      /USING INDEX trip_by_start/,
    ],
    [
      'trips of a camera',
      `SELECT * FROM trip WHERE coalesce(assigned_psn, psn) = 'x' ORDER BY started_at_ms`,
      /USING INDEX trip_by_camera/,
    ],
    [
      'chunks of a trip',
      'SELECT data FROM trip_chunk WHERE trip_key = 1 ORDER BY ordinal',
      /USING INDEX sqlite_autoindex_trip_chunk/,
    ],
    [
      'chunks of a place and time',
      'SELECT chunk_key FROM chunk_index WHERE west < 5 AND east > 4 AND from_s < 9 AND to_s > 8',
      /chunk_index VIRTUAL TABLE INDEX 2:/,
    ],
    [
      'entries of a source',
      `SELECT report FROM source_entry WHERE source_id = 'x' ORDER BY ordinal`,
      /SEARCH source_entry USING PRIMARY KEY/,
    ],
    [
      'clips of a camera by its wall clock',
      `SELECT clip_id FROM clip WHERE psn IS 'x' AND recorded_at_local BETWEEN 'a' AND 'b'`,
      /USING INDEX clip_by_camera \(psn=\? AND recorded_at_local>/,
    ],
    [
      'clips of cameras by their wall clocks',
      `SELECT c.clip_id FROM json_each('["x",null]') j CROSS JOIN clip c ON c.psn IS j.value
       WHERE c.start_utc_ms IS NULL AND c.recorded_at_local BETWEEN 'a' AND 'b'`,
      /SEARCH c USING INDEX clip_by_camera \(psn=\? AND recorded_at_local>/,
    ],
    [
      'what the service told of recordings',
      `SELECT m.first_gps_ms, m.fetched_at_ms FROM json_each('[]') j
       CROSS JOIN card_metadata m ON m.psn = 'x' AND m.filename = j.value`,
      /SEARCH m USING COVERING INDEX card_metadata_by_file \(psn=\? AND filename=\?\)/,
    ],
    [
      'cards that hold a name',
      `SELECT psn FROM card_recording WHERE filename = 'x'`,
      /USING COVERING INDEX card_recording_by_name/,
    ],
    [
      'notes of a case',
      `SELECT * FROM note WHERE case_id = 'x' ORDER BY written_at_ms`,
      /USING INDEX note_by_case/,
    ],
    [
      'custody of a case',
      `SELECT seq FROM custody_case WHERE case_id = 'x' AND seq > 3`,
      /SEARCH custody_case USING PRIMARY KEY/,
    ],
  ])('%s', (_, sql, plan) => {
    expect(planOf(sql)).toMatch(plan);
    expect(planOf(sql)).not.toMatch(/SCAN (?!chunk_index|j VIRTUAL)|TEMP B-TREE/);
  });
});

it('refuses to change or take away a custody entry', () => {
  cache.db.exec(
    `INSERT INTO custody_entry VALUES (1, 'at', 'who', 'source.import', 'source', 'src_1', NULL, '{}', NULL, 'hash')`,
  );
  expect(() => cache.db.exec(`UPDATE custody_entry SET actor = 'other'`)).toThrow(/append-only/);
  expect(() => cache.db.exec('DELETE FROM custody_entry')).toThrow(/append-only/);
});
