import type { Device } from '../../shared/cloudResources.ts';
import { splitBbox } from '../../shared/geometry.ts';
import type { AccountId, ClipId, DerivedId, SourceId } from '../../shared/ids.ts';
import type { Bbox } from '../../shared/track.ts';
import type { WritableDb } from './database.ts';
import { tripSql } from './tripSql.ts';

/** What is stored of the service's metadata of one recording, without reading it. */
export interface KnownMetadata {
  readonly accountId: AccountId;
  readonly filename: string;
  readonly firstGpsMs: number | null;
  readonly fetchedAtMs: number;
}

/** A range of a wall clock, `YYYY-MM-DDTHH:MM:SS`, both ends included. */
export interface LocalRange {
  readonly fromLocal: string;
  readonly toLocal: string;
}

/** Clips in [fromMs, toMs) of other cameras than these. */
export interface OtherClips {
  readonly fromMs: number;
  readonly toMs: number;
  readonly except: readonly string[];
}

/** Where and when a clip was, by its own GPS. */
export interface PlacedClip {
  readonly clipId: ClipId;
  readonly startMs: number;
  readonly endMs: number;
  readonly bbox: Bbox;
}

/** No clip is longer: what began earlier needs no look. */
const longestMs = 48 * 3_600_000;

/** The questions of review about clips, in the form of ids; ClipRepository.details tells the rest. */
export function createReviewRepository(db: WritableDb) {
  // Files that nobody has read, or can, have a wall clock in their names alone: they are few.
  const ofCamera = db
    .prepare<[object], string>(
      `SELECT clip_id FROM clip WHERE psn IS @psn AND recorded_at_local BETWEEN @fromLocal AND @toLocal
       UNION ALL SELECT clip_id FROM clip WHERE psn IS @psn AND recorded_at_local IS NULL AND facts IS NULL`,
    )
    .pluck();
  const offsets = db.prepare<[string, string, string], { local: string; start: number }>(
    `SELECT recorded_at_local AS local, start_utc_ms AS start FROM clip
     WHERE psn = ? AND recorded_at_local BETWEEN ? AND ? AND start_utc_ms IS NOT NULL`,
  );
  /**
   * Of the cameras in the JSON array; null in it stands for clips of unknown camera. The plus keeps SQLite from
   * taking every clip of a camera where the time leaves few.
   */
  const isOfCameras = `(+c.psn IN (SELECT value FROM json_each(@psns))
    OR (c.psn IS NULL AND EXISTS (SELECT 1 FROM json_each(@psns) WHERE value IS NULL)))`;
  const aroundByStart = db
    .prepare<[object], string>(
      `SELECT c.clip_id FROM clip c WHERE c.start_utc_ms BETWEEN @fromMs - ${longestMs} AND @toMs
       AND coalesce(c.end_utc_ms, c.start_utc_ms) >= @fromMs AND ${isOfCameras}`,
    )
    .pluck();
  // The GPS of these tells nothing: a partner, the card or the user may. One search for each camera.
  const aroundByLocal = db
    .prepare<[object], string>(
      `SELECT c.clip_id FROM json_each(@psns) j CROSS JOIN clip c ON c.psn IS j.value
       WHERE c.start_utc_ms IS NULL AND c.recorded_at_local BETWEEN @fromLocal AND @toLocal
       UNION ALL SELECT c.clip_id FROM json_each(@psns) j CROSS JOIN clip c ON c.psn IS j.value
       WHERE c.recorded_at_local IS NULL AND c.facts IS NULL`,
    )
    .pluck();
  const setByHand = db
    .prepare<[object], string>(
      `SELECT c.clip_id FROM clock_setting s JOIN clip c ON c.clip_id = s.subject_id
       WHERE s.subject_kind = 'clip' AND ${isOfCameras}`,
    )
    .pluck();
  const isOfOthers = '(psn IS NULL OR psn NOT IN (SELECT value FROM json_each(@except)))';
  const placed = db.prepare<
    [object],
    { clip_id: string; start: number; end: number; west: number; south: number; east: number; north: number }
  >(
    `SELECT clip_id, start_utc_ms AS start, coalesce(end_utc_ms, start_utc_ms) AS end, west, south, east, north
     FROM clip WHERE start_utc_ms BETWEEN @fromMs - ${longestMs} AND @toMs
       AND coalesce(end_utc_ms, start_utc_ms) >= @fromMs AND west <= @east AND east >= @west
       AND south <= @north AND north >= @south AND ${isOfOthers}`,
  );
  const withoutPlace = db
    .prepare<[object], string>(
      `SELECT clip_id FROM clip WHERE start_utc_ms BETWEEN @fromMs - ${longestMs} AND @toMs
         AND coalesce(end_utc_ms, start_utc_ms) >= @fromMs AND west IS NULL AND ${isOfOthers}
       ORDER BY start_utc_ms, clip_id LIMIT @limit`,
    )
    .pluck();
  const clipOfDerived = db
    .prepare<[string], string>('SELECT clip_id FROM derived WHERE derived_id = ?')
    .pluck();
  const cameras = db.prepare<[], string | null>('SELECT DISTINCT psn FROM clip').pluck();
  const ofSource = db.prepare<[string], string>('SELECT clip_id FROM clip WHERE source_id = ?').pluck();
  // By index, newest first; then those whose GPS tells nothing, by the wall clock as if it were UTC.
  const isAsked = `(@psns IS NULL OR psn IN (SELECT value FROM json_each(@psns))
    OR (psn IS NULL AND EXISTS (SELECT 1 FROM json_each(@psns) WHERE value IS NULL)))`;
  const newestTimed = db.prepare<[object], { id: string; ms: number }>(
    `SELECT clip_id AS id, start_utc_ms AS ms FROM clip WHERE start_utc_ms IS NOT NULL AND ${isAsked}
     ORDER BY start_utc_ms DESC LIMIT @limit`,
  );
  const newestUntimed = db.prepare<[object], { id: string; ms: number | null }>(
    `SELECT clip_id AS id, unixepoch(recorded_at_local) * 1000.0 AS ms FROM clip
     WHERE start_utc_ms IS NULL AND ${isAsked} ORDER BY recorded_at_local DESC NULLS LAST LIMIT @limit`,
  );
  const selectMetadata = db.prepare<
    [string, string],
    { account_id: string; filename: string; first_gps_ms: number | null; fetched_at_ms: number }
  >(
    `SELECT m.account_id, m.filename, m.first_gps_ms, m.fetched_at_ms
     FROM json_each(?) j CROSS JOIN card_metadata m ON m.psn = ? AND m.filename = j.value`,
  );
  const selectTripNames = db.prepare<[], { psn: string; name: string }>(tripSql.cameraNames);
  const selectDevices = db
    .prepare<[], string>("SELECT body FROM cloud_snapshot WHERE kind = 'devices' ORDER BY fetched_at_ms")
    .pluck();
  const toIds = (ids: readonly string[]): readonly ClipId[] => ids as readonly ClipId[]; // the column holds nothing else

  return {
    /** Clips of a camera (null: of unknown camera) by their wall clock, and those of it that nobody has read. */
    clipsOfCamera: (psn: string | null, { fromLocal, toLocal }: LocalRange): readonly ClipId[] =>
      toIds(ofCamera.all({ psn, fromLocal, toLocal })),
    /** Wall clock and UTC of a camera's clips whose own GPS tells, in a range of the wall clock. */
    offsetsOfCamera: (
      psn: string,
      { fromLocal, toLocal }: LocalRange,
    ): readonly { readonly localMs: number; readonly firstGpsMs: number }[] =>
      offsets
        .all(psn, fromLocal, toLocal)
        .map(({ local, start }) => ({ localMs: Date.parse(`${local}Z`), firstGpsMs: start })),
    /**
     * Clips of these cameras (null: of unknown camera) that may run at some moment in [fromMs, toMs): by their own GPS,
     * by their wall clock where that tells nothing, or because somebody set their clock. Which of them do, only their
     * clocks in use tell.
     */
    clipsAround(fromMs: number, toMs: number, psns: readonly (string | null)[]): readonly ClipId[] {
      const cameras = { psns: JSON.stringify(psns) };
      const byStart = { ...cameras, fromMs: fromMs - slackMs, toMs: toMs + slackMs };
      const byLocal = { ...cameras, fromLocal: toLocal(fromMs - zoneMs), toLocal: toLocal(toMs + zoneMs) };
      return toIds([
        ...new Set([...aroundByStart.all(byStart), ...aroundByLocal.all(byLocal), ...setByHand.all(cameras)]),
      ]);
    },
    /** Clips of cameras but these that run in the range by their own GPS, with where they were in the box. */
    placedClips: ({ fromMs, toMs, except }: OtherClips, box: Bbox): readonly PlacedClip[] =>
      splitBbox(box).flatMap(([west, south, east, north]) =>
        placed.all({ fromMs, toMs, except: JSON.stringify(except), west, south, east, north }).map((row) => ({
          clipId: row.clip_id as ClipId, // the column holds nothing else
          startMs: row.start,
          endMs: row.end,
          bbox: [row.west, row.south, row.east, row.north],
        })),
      ),
    /** The same that have no position, by start. */
    clipsWithoutPlace: ({ fromMs, toMs, except }: OtherClips, limit: number): readonly ClipId[] =>
      toIds(withoutPlace.all({ fromMs, toMs, except: JSON.stringify(except), limit })),
    /** The clip that a still or a trim was made from; null when it is gone. */
    clipOfDerived: (derivedId: DerivedId): ClipId | null =>
      (clipOfDerived.get(derivedId) as ClipId | undefined) ?? null, // the column holds nothing else
    /** Serials of the cameras that there are clips of; null in it: there are some of unknown camera. */
    cameras: (): readonly (string | null)[] => cameras.all(),
    clipsOfSource: (sourceId: SourceId): readonly ClipId[] => toIds(ofSource.all(sourceId)),
    /** Newest first as far as files and names tell; of these cameras (null in it: of unknown camera). */
    newestClips(limit: number, psns?: readonly (string | null)[]): readonly ClipId[] {
      const asked = { limit, psns: psns === undefined ? null : JSON.stringify(psns) };
      const rows = [...newestTimed.all(asked), ...newestUntimed.all(asked)];
      rows.sort((a, b) => (b.ms ?? -Infinity) - (a.ms ?? -Infinity) || (a.id < b.id ? -1 : 1));
      return toIds(rows.slice(0, limit).map((row) => row.id));
    },
    /** What is stored of the service's metadata of a camera's recordings, by main name; the latest of each. */
    metadataOf(psn: string, filenames: readonly string[]): ReadonlyMap<string, KnownMetadata> {
      const known = new Map<string, KnownMetadata>();
      for (const row of selectMetadata.all(JSON.stringify(filenames), psn)) {
        const before = known.get(row.filename);
        if (before && before.fetchedAtMs >= row.fetched_at_ms) continue;
        known.set(row.filename, {
          accountId: row.account_id as AccountId, // the column holds nothing else
          filename: row.filename,
          firstGpsMs: row.first_gps_ms,
          fetchedAtMs: row.fetched_at_ms,
        });
      }
      return known;
    },
    /** Names of cameras by serial: as the fleet lists them, else as the latest track says. */
    cameraNames(): ReadonlyMap<string, string> {
      const names = new Map(selectTripNames.all().map((row) => [row.psn, row.name]));
      for (const body of selectDevices.all())
        for (const { psn, name } of JSON.parse(body) as readonly Device[])
          // written by the desk's camera list
          if (typeof name === 'string' && name !== '') names.set(psn, name);
      return names;
    },
  };
}
export type ReviewRepository = ReturnType<typeof createReviewRepository>;

/** A partner may lend a clock that is a little off the clip's own. */
const slackMs = 60_000;
/** Wall clocks are within 14 h of UTC. */
const zoneMs = 14 * 3_600_000 + slackMs;

/** UTC as text of the form of wall clocks; years beyond 0 to 9999 have none. */
function toLocal(ms: number): string {
  const within = Math.min(Date.UTC(9999, 11, 31), Math.max(-62_167_219_200_000, ms));
  return new Date(within).toISOString().slice(0, 19);
}
