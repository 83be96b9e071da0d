/** Runs a reader over bytes and gives back everything it said, as text, so that results can be compared whole. */
import { PointColumns, columnCount, decodeChunk, encodeChunk } from '../../../main/cache/trackCodec.ts';
import { ReaderRefusal } from '../../../main/importer/reader.ts';
import type {
  ReaderContext,
  TrackBuilder,
  TrackIdentity,
  TrackReader,
  TrackSink,
} from '../../../main/importer/reader.ts';
import type { ReasonCount } from '../../../shared/contract/imports.ts';

/** time, lat, lng, heading, speed, altitude as the source wrote them; null is absent. */
export type PointText = readonly (string | null)[];
export interface CollectedTrack {
  identity: TrackIdentity;
  readonly points: PointText[];
}
export interface Collected {
  readonly tracks: readonly CollectedTrack[];
  readonly rows: number;
  readonly points: number;
  readonly skipped: readonly ReasonCount[];
  readonly flagged: readonly ReasonCount[];
  readonly refusal: { readonly where: string; readonly message: string } | null;
}

export const noContext: ReaderContext = { psn: null, cameraName: null };

/** A sink that packs every chunk and unpacks it again, so that what tests see went through the real format. */
export class CollectingSink implements TrackSink {
  readonly tracks: CollectedTrack[] = [];
  private readonly byBuilder = new Map<TrackBuilder, CollectedTrack>();

  beginTrack(identity: TrackIdentity): TrackBuilder {
    const track: CollectedTrack = { identity, points: [] };
    const columns = new PointColumns(4);
    const builder: TrackBuilder = {
      columns,
      filled: () => {
        if (columns.count === 0) return;
        const unpacked = decodeChunk(encodeChunk(columns), new PointColumns(columns.count));
        for (let i = 0; i < unpacked.count; i++) {
          track.points.push(Array.from({ length: columnCount }, (_, c) => unpacked.textAt(c, i)));
        }
        columns.clear();
      },
    };
    this.tracks.push(track);
    this.byBuilder.set(builder, track);
    return builder;
  }

  amendTrack(builder: TrackBuilder, identity: TrackIdentity): void {
    this.byBuilder.get(builder)!.identity = identity;
  }

  finish(): void {
    for (const builder of this.byBuilder.keys()) builder.filled();
  }
}

/** Splits bytes into pieces of the given sizes, repeated to the end. Each piece is a copy, wiped after its push. */
export function collect(
  create: (sink: TrackSink) => TrackReader,
  bytes: Uint8Array | string,
  pieces: readonly number[] = [bytes.length],
): Collected {
  const data = typeof bytes === 'string' ? Buffer.from(bytes) : bytes;
  const sink = new CollectingSink();
  const reader = create(sink);
  let refusal: Collected['refusal'] = null;
  try {
    for (let at = 0, k = 0; at < data.length; k++) {
      const size = Math.max(1, pieces[k % pieces.length]!);
      const piece = Uint8Array.from(data.subarray(at, at + size));
      reader.push(piece);
      // A reader that still looks at a chunk after push would read this.
      piece.fill(0x2a);
      at += size;
    }
    reader.end();
  } catch (thrown) {
    if (!(thrown instanceof ReaderRefusal)) throw thrown;
    refusal = { where: thrown.where, message: thrown.message };
  }
  sink.finish();
  const { report } = reader;
  return {
    tracks: sink.tracks,
    rows: report.rows,
    points: reader.points,
    skipped: report.skipped.list(),
    flagged: report.flagged.list(),
    refusal,
  };
}

/** All points of all tracks. */
export function allPoints(result: Collected): PointText[] {
  return result.tracks.flatMap((track) => track.points);
}
