import type { ReasonCount } from '../../shared/contract/imports.ts';
import type { PointColumns } from '../cache/trackCodec.ts';

/** Changes when a reader would read the same bytes otherwise; part of what makes an import repeatable. */
export const readerVersion = '1';

/** What a reader knows of a track when it meets it. */
export interface TrackIdentity {
  readonly psn: string | null;
  readonly cameraName: string | null;
  readonly driveNo: number | null;
  readonly name: string | null;
  readonly speedUnit: 'kmh' | 'ms';
  /** Stated for the whole track (KML TimeSpan), UTC ms; null where only points have times. */
  readonly beginMs: number | null;
  readonly endMs: number | null;
}

/** One track being filled. Write into `columns`, then call `filled()` so that full chunks can be packed away. */
export interface TrackBuilder {
  /** Stable object; its content is taken and cleared by `filled()`. */
  readonly columns: PointColumns;
  /** Call when columns.count reaches chunkPoints (and at will before). */
  filled(): void;
}

/** Where readers put what they read. Tracks may interleave; a sink bounds its own memory. */
export interface TrackSink {
  /** The reader keys tracks itself and asks once for each; identity may be completed until `endTrack`. */
  beginTrack(identity: TrackIdentity): TrackBuilder;
  /** For formats that learn the identity (TimeSpan, name) after the points. */
  amendTrack(builder: TrackBuilder, identity: TrackIdentity): void;
}

/** Why a row or point was not kept (or was kept with a remark). Aggregated by reason; `where` is the first place. */
export class ReasonTally {
  private readonly byReason = new Map<string, { where: string; count: number }>();
  total = 0;

  add(where: string, reason: string, count = 1): void {
    this.total += count;
    const seen = this.byReason.get(reason);
    if (seen) seen.count += count;
    else this.byReason.set(reason, { where, count });
  }

  /** Most frequent first. */
  list(): ReasonCount[] {
    return [...this.byReason]
      .map(([reason, { where, count }]) => ({ where, reason, count }))
      .sort((a, b) => b.count - a.count);
  }
}

/** What a reader has to say at the end of one file. points + skipped points = rows. */
export interface ReadReport {
  readonly rows: number;
  readonly skipped: ReasonTally;
  readonly flagged: ReasonTally;
}

/**
 * A push parser over one file. Synchronous: the caller owns the stream, cancel and progress. Both calls throw
 * ReaderRefusal when the file as a whole can't be read; what was read before it is then not kept.
 */
export interface TrackReader {
  readonly report: ReadReport;
  /** Points kept so far. */
  readonly points: number;
  push(chunk: Uint8Array): void;
  end(): void;
}

/** The file as a whole is refused; `where` is a line, element or byte that the user can look up. */
export class ReaderRefusal extends Error {
  readonly where: string;
  constructor(where: string, message: string) {
    super(message);
    this.name = 'ReaderRefusal';
    this.where = where;
  }
}

/** Given by the archive: whose file it is, from `camera-<name>-<psn>.<ext>` (specification 4.3 rule 6). */
export interface ReaderContext {
  readonly psn: string | null;
  readonly cameraName: string | null;
}
