import type { CSSProperties } from 'react';

/** How a pane draws its picture; the recording, and stills of it, know nothing of this. */
export interface PictureLook {
  readonly isMirrored: boolean;
  /** 1 shows all of the picture; up to `mostZoom`. */
  readonly zoom: number;
  /** Middle of what is seen, as a share of the picture area's width and height; 0.5 without zoom. */
  readonly centerX: number;
  readonly centerY: number;
  /** 1 as recorded. */
  readonly brightness: number;
  readonly contrast: number;
}

export const mostZoom = 12;
export const plainPicture: PictureLook = {
  isMirrored: false,
  zoom: 1,
  centerX: 0.5,
  centerY: 0.5,
  brightness: 1,
  contrast: 1,
};

export const isUnchanged = (look: PictureLook): boolean =>
  !look.isMirrored && look.zoom === 1 && look.brightness === 1 && look.contrast === 1;

/** A centre from which no empty room is seen beside the picture area. */
function keptInside(center: number, zoom: number): number {
  const half = 0.5 / zoom;
  return Math.min(1 - half, Math.max(half, center));
}

/** `atX`, `atY`: the point of the pane that stays where it is, as shares of its size. Pure. */
export function zoomed(look: PictureLook, factor: number, atX: number, atY: number): PictureLook {
  const zoom = Math.min(mostZoom, Math.max(1, look.zoom * factor));
  const move = (center: number, at: number) =>
    keptInside(center + (at - 0.5) / look.zoom - (at - 0.5) / zoom, zoom);
  return { ...look, zoom, centerX: move(look.centerX, atX), centerY: move(look.centerY, atY) };
}

/** Moved by a drag over shares of the pane's size. Pure. */
export function panned(look: PictureLook, byX: number, byY: number): PictureLook {
  return {
    ...look,
    centerX: keptInside(look.centerX - byX / look.zoom, look.zoom),
    centerY: keptInside(look.centerY - byY / look.zoom, look.zoom),
  };
}

export function pictureStyle(look: PictureLook): CSSProperties {
  const { zoom, centerX, centerY, brightness, contrast } = look;
  const isPlain = brightness === 1 && contrast === 1;
  return {
    transform: `translate(${(0.5 - centerX) * zoom * 100}%, ${(0.5 - centerY) * zoom * 100}%) scale(${zoom * (look.isMirrored ? -1 : 1)}, ${zoom})`,
    filter: isPlain ? undefined : `brightness(${brightness}) contrast(${contrast})`,
  };
}
