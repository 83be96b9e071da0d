import { z } from 'zod';
import type { AppErrorData } from '../errors.ts';
import type { CaseId, JobId, SourceId, UploadId } from '../ids.ts';
import { idSchema, nothing, output, request } from './define.ts';

export type EntryFormat = 'csv' | 'gpx' | 'kml' | 'mp4';

/** A reason that applied `count` times, first at `where` ("line 17", "trkpt 4", "entry 3"). */
export interface ReasonCount {
  readonly where: string;
  readonly reason: string;
  readonly count: number;
}

/** What became of one file inside an archive (or of a bare file). rows = kept + skipped. */
export interface EntryReport {
  /** As the archive names it, control characters escaped. */
  readonly name: string;
  readonly format: EntryFormat | null;
  readonly status: 'imported' | 'partial' | 'skipped' | 'failed';
  readonly psns: readonly string[];
  readonly trips: number;
  readonly points: number;
  /** Rows or points that were met: points + the counts of `skipped` whose unit is a row or point. */
  readonly rows: number;
  readonly skipped: readonly ReasonCount[];
  /** Kept as they are, but worth knowing: out of order, a missing zone, an implausible speed. */
  readonly flagged: readonly ReasonCount[];
  readonly error: string | null;
}

/** Outcome for one file of an import: committed whole, known already, or refused with nothing kept. */
export interface ImportedSource {
  readonly sourceId: SourceId | null;
  readonly fileName: string;
  readonly sha256: string | null;
  readonly sizeBytes: number | null;
  readonly status: 'imported' | 'duplicate' | 'failed';
  readonly duplicateOf: SourceId | null;
  readonly error: AppErrorData | null;
  readonly entries: readonly EntryReport[];
  readonly trips: number;
  readonly points: number;
  readonly fromMs: number | null;
  readonly toMs: number | null;
}

export interface ImportOutcome {
  readonly sources: readonly ImportedSource[];
}

export const importRequests = {
  /** Imports files that the host has received (see UploadId) in one job; `caseId` adds the new sources to a case. */
  'imports.start': request(
    z
      .object({
        uploadIds: z.array(idSchema<UploadId>()).min(1).max(10_000),
        caseId: idSchema<CaseId>().optional(),
      })
      .strict(),
    output<{ readonly jobId: JobId }>(),
  ),
  /** Imports the sample export that comes with the app. */
  'imports.sample': request(nothing, output<{ readonly jobId: JobId }>()),
} as const;
