import type { TrackLines } from '../../../shared/contract/trips.ts';
import type { LineHit } from './lineGeometry.ts';
import type { PaintView, TrackStyle, TripLooks } from './trackPaint.ts';

/** What the window asks of the thread that draws lines. */
export type TrackRequest =
  | {
      readonly kind: 'lines';
      readonly lines: Pick<TrackLines, 'offsets' | 'latDeg' | 'lngDeg' | 'speedKmh' | 'isGap'>;
      readonly looks: TripLooks;
    }
  | { readonly kind: 'style'; readonly style: TrackStyle }
  | { readonly kind: 'paint'; readonly id: number; readonly view: PaintView }
  | {
      readonly kind: 'pick';
      readonly id: number;
      readonly x: number;
      readonly y: number;
      readonly tolerance: number;
    };

export type TrackReply =
  | {
      readonly kind: 'painted';
      readonly id: number;
      readonly bitmap: ImageBitmap;
      readonly trips: number;
      readonly segments: number;
    }
  | { readonly kind: 'picked'; readonly id: number; readonly hit: LineHit | null };
