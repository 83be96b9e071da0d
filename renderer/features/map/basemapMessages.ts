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
export interface BasemapRequest {
  readonly id: number;
  readonly view: PaintView;
  readonly scheme: Scheme;
  readonly hasNames: boolean;
  readonly files: BasemapFiles;
}
export interface BasemapReply {
  readonly id: number;
  readonly bitmap: ImageBitmap | null;
}
