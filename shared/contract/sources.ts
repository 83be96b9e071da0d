import { z } from 'zod';
import type { SourceId } from '../ids.ts';
import { event, idSchema, nothing, output, request } from './define.ts';
import type { EntryReport } from './imports.ts';

export type SourceKind = 'export-zip' | 'csv' | 'gpx' | 'kml' | 'clip';

/** A file that came in; every number on screen can be traced to one. */
export interface Source {
  readonly sourceId: SourceId;
  readonly fileName: string;
  readonly kind: SourceKind;
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly importedAtMs: number;
  readonly trips: number;
  readonly points: number;
  readonly skippedRows: number;
  readonly fromMs: number | null;
  readonly toMs: number | null;
  /** Trips of it whose camera nobody has named yet. */
  readonly unknownCameraTrips: number;
}

export interface SourceReport extends Source {
  readonly readerVersion: string;
  readonly entries: readonly EntryReport[];
}

/** A camera as the imported sources know it. `psn` null gathers the tracks of no known camera. */
export interface Camera {
  readonly psn: string | null;
  readonly name: string | null;
  readonly trips: number;
  readonly points: number;
  readonly firstMs: number | null;
  readonly lastMs: number | null;
  readonly distanceM: number;
}

const sourceInput = z.object({ sourceId: idSchema<SourceId>() }).strict();

export const sourceRequests = {
  'sources.list': request(nothing, output<readonly Source[]>()),
  'sources.report': request(sourceInput, output<SourceReport>()),
  /**
   * Takes a source and its trips out of the library; kept in custody. Refused (`busy`) while a case holds it
   * or one of its trips.
   */
  'sources.remove': request(sourceInput, output<null>()),
  'cameras.list': request(nothing, output<readonly Camera[]>()),
  /** Says whose tracks the "unknown camera" trips of a source (or one entry of it) are; null takes it back. */
  'cameras.assign': request(
    z
      .object({
        sourceId: idSchema<SourceId>(),
        entryName: z.string().max(2000).optional(),
        psn: z.string().trim().min(1).max(100).nullable(),
        name: z.string().trim().max(200).optional(),
      })
      .strict(),
    output<{ readonly trips: number }>(),
  ),
} as const;

export const sourceEvents = {
  /** Sources, trips or cameras are other than before: read again what is shown. */
  'library.changed': event<{ readonly reason: 'import' | 'assign' | 'remove' }>(),
} as const;
