import type { Scheme } from './colors.ts';
import type { PaintView } from './trackPaint.ts';

/** Addresses of the bundled files (assets/basemap). */
export interface BasemapFiles {
  readonly coarse: string;
  readonly medium: string;
  readonly fine: string;
  readonly lakes: string;
  readonly labels: string;
}
/** The ground (land, borders), the names on a clear ground, or both in one picture. */
export type BasemapPart = 'ground' | 'names' | 'all';

export interface BasemapRequest {
  readonly id: number;
  readonly view: PaintView;
  readonly scheme: Scheme;
  readonly part: BasemapPart;
  readonly files: BasemapFiles;
}
export interface BasemapReply {
  readonly id: number;
  readonly bitmap: ImageBitmap | null;
}
