import { boxMeets, type LineGeometry } from './lineGeometry.ts';
import type { PaintView } from './trackPaint.ts';

export type Context = OffscreenCanvasRenderingContext2D | CanvasRenderingContext2D;

export interface VisibleTrip {
  readonly trip: number;
  /** World turns by which the trip is shifted to lie in view. */
  readonly turn: number;
}

const maxSegmentsPerPath = 4000;

/** Strokes trips of one geometry in one view, and counts the segments. */
export class LinePainter {
  segments = 0;
  readonly context: Context;
  readonly geometry: LineGeometry;
  readonly view: PaintView;
  constructor(context: Context, geometry: LineGeometry, view: PaintView) {
    this.context = context;
    this.geometry = geometry;
    this.view = view;
    context.lineJoin = 'round';
    context.lineCap = 'butt';
  }

  screenX(v: number, turn: number): number {
    return ((this.geometry.x[v] ?? 0) + turn - this.view.west) * this.view.worldPx;
  }
  screenY(v: number): number {
    return ((this.geometry.y[v] ?? 0) - this.view.north) * this.view.worldPx;
  }

  /** Strokes the segments that end at the vertices chosen, gaps never. Blocks out of view are skipped. */
  strokeTrips(trips: readonly VisibleTrip[], isChosen: (vertex: number) => boolean): void {
    this.stroke(trips, (v) => this.geometry.isGap[v] !== 1 && isChosen(v));
  }
  strokeGaps(trips: readonly VisibleTrip[]): void {
    this.stroke(trips, (v) => this.geometry.isGap[v] === 1);
  }

  private stroke(trips: readonly VisibleTrip[], isChosen: (vertex: number) => boolean): void {
    const { context, geometry, view } = this;
    const east = view.west + view.widthPx / view.worldPx;
    const south = view.north + view.heightPx / view.worldPx;
    const edge = 8 / view.worldPx;
    let inPath = 0;
    context.beginPath();
    for (const { trip, turn } of trips) {
      const blockEnd = geometry.blockOffsets[trip + 1] ?? 0;
      let penAt = -1;
      for (let block = geometry.blockOffsets[trip] ?? 0; block < blockEnd; block++) {
        const isIn = boxMeets(
          geometry.blockBoxes,
          block,
          view.west - turn - edge,
          view.north - edge,
          east - turn + edge,
          south + edge,
        );
        if (!isIn) continue;
        const to = geometry.blockLast[block] ?? 0;
        for (let v = (geometry.blockFirst[block] ?? 0) + 1; v <= to; v++) {
          if (!isChosen(v)) continue;
          if (penAt !== v - 1) context.moveTo(this.screenX(v - 1, turn), this.screenY(v - 1));
          context.lineTo(this.screenX(v, turn), this.screenY(v));
          penAt = v;
          inPath++;
        }
      }
      // Very long paths are far slower to stroke than several shorter ones.
      if (inPath > maxSegmentsPerPath) {
        context.stroke();
        context.beginPath();
        this.segments += inPath;
        inPath = 0;
      }
    }
    context.stroke();
    this.segments += inPath;
  }
}
