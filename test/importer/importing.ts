import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { ImportedSource } from '../../shared/contract/imports.ts';
import { decodeChunk, PointColumns } from '../../main/cache/trackCodec.ts';
import { openCache, type EvidenceCache } from '../../main/cache/openCache.ts';
import { discardUpload, receiveUpload, type StagedUpload } from '../../main/cache/uploads.ts';
import { runImport, type ImportOptions } from '../../main/importer/importJob.ts';

/** A real cache in a temporary folder, and what tests ask of it. */
export interface TestCache {
  readonly root: string;
  readonly folder: string;
  readonly cache: EvidenceCache;
  /** Stages the bytes as the host does and imports them. */
  importBytes(
    fileName: string,
    bytes: Buffer | string,
    options?: Partial<ImportOptions>,
  ): Promise<ImportedSource>;
  stage(fileName: string, bytes: Buffer | string): Promise<StagedUpload>;
  close(): void;
}

export function openTestCache(parent = os.tmpdir()): TestCache {
  const root = fs.mkdtempSync(path.join(parent, 'desk-'));
  const folder = path.join(root, 'data');
  const cache = openCache({ folder });
  const stage = (fileName: string, bytes: Buffer | string): Promise<StagedUpload> =>
    receiveUpload(folder, fileName, oneByOne(Buffer.from(bytes)));
  return {
    root,
    folder,
    cache,
    stage,
    async importBytes(fileName, bytes, options) {
      const upload = await stage(fileName, bytes);
      try {
        const { sources } = await runImport(cache, [upload], { actor: 'Test', ...options });
        return sources[0]!;
      } finally {
        discardUpload(folder, upload.uploadId);
      }
    },
    close() {
      cache.close();
      fs.rmSync(root, { recursive: true, force: true });
    },
  };
}

async function* oneByOne(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** `count` rows of one trip, one second apart. */
export function csvRows(count: number, psn = 'P1', driveNo = 1, startS = 1_741_000_000): string {
  let text = '';
  for (let i = 0; i < count; i++) {
    const at = new Date((startS + i) * 1000).toISOString().replace('.000', '');
    text += `${psn},Van,${at},${(52 + i * 1e-5).toFixed(6)},${(4.3 + i * 1e-5).toFixed(6)},${driveNo},90,${(i % 600) / 10}\n`;
  }
  return text;
}
export const csvHeader = 'psn,carName,datetime,lat,lng,drive_no,heading,speedKmh\n';
export const csvOf = (count: number, psn?: string, driveNo?: number): string =>
  csvHeader + csvRows(count, psn, driveNo);

/** Every file under a folder with its size, the ballast aside: "state unchanged" is compared with it. */
export function filesUnder(folder: string): Record<string, number> {
  const files: Record<string, number> = {};
  for (const entry of fs.readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    files[path.relative(folder, file)] = fs.statSync(file).size;
  }
  return files;
}

/** Rows of every table that an import writes. */
export function rowCounts(cache: EvidenceCache): Record<string, number> {
  const tables = ['source', 'source_entry', 'trip', 'trip_chunk', 'chunk_index', 'custody_entry'];
  return Object.fromEntries(
    tables.map((table) => [table, Number(cache.db.prepare(`SELECT count(*) FROM ${table}`).pluck().get())]),
  );
}

/** Throws unless the database is whole and each trip's chunks hold the points that its row and its source say. */
export function requireWhole(cache: EvidenceCache): void {
  const { db } = cache;
  const finding = db.pragma('integrity_check', { simple: true });
  if (finding !== 'ok') throw new Error(`integrity_check: ${String(finding)}`);
  if ((db.pragma('foreign_key_check') as unknown[]).length > 0) throw new Error('foreign keys');
  const trips = db
    .prepare<[], { trip_key: number; source_id: string; points: number }>(
      'SELECT trip_key, source_id, points FROM trip',
    )
    .all();
  const chunks = db.prepare<[number], { points: number; data: Buffer }>(
    'SELECT points, data FROM trip_chunk WHERE trip_key = ? ORDER BY ordinal',
  );
  const bySource = new Map<string, number>();
  for (const trip of trips) {
    let sum = 0;
    for (const chunk of chunks.all(trip.trip_key)) {
      const points = decodeChunk(chunk.data);
      if (points.count !== chunk.points) throw new Error('a chunk holds other points than its row says');
      sum += points.count;
    }
    if (sum !== trip.points) throw new Error(`a trip of ${trip.points} points has ${sum}`);
    bySource.set(trip.source_id, (bySource.get(trip.source_id) ?? 0) + sum);
  }
  for (const source of db
    .prepare<[], { source_id: string; points: number; sha256: string; size_bytes: number }>(
      'SELECT * FROM source',
    )
    .all()) {
    if (bySource.get(source.source_id) !== source.points) throw new Error('a source is half there');
    if (fs.statSync(cache.blobs.pathOf(source.sha256)).size !== source.size_bytes)
      throw new Error('a blob is damaged');
  }
}

/** All points of a source's trips, as text per column, in the order of the trips. */
export function pointsOf(cache: EvidenceCache, sourceId?: string): string[][] {
  const rows = cache.db
    .prepare<[string | null, string | null], Buffer>(
      `SELECT c.data FROM trip_chunk c JOIN trip t USING (trip_key) WHERE ? IS NULL OR t.source_id = ?
       ORDER BY t.source_id, t.entry_ordinal, t.trip_key, c.ordinal`,
    )
    .pluck()
    .all(sourceId ?? null, sourceId ?? null);
  const points = new PointColumns();
  for (const data of rows) decodeChunk(data, points);
  return Array.from({ length: points.count }, (_, i) =>
    points.values.map((__, c) => points.textAt(c, i) ?? ''),
  );
}
