/**
 * Web Mercator as "world" units: the whole earth is the square 0..1, x to the east, y to the south. Longitudes that
 * run over the 180th meridian are unwrapped: x may leave 0..1, so that a line keeps its shape. Pure.
 */

/** Web Mercator ends here; what lies nearer to a pole is drawn on the edge. */
export const maxLatDeg = 85.0511287798066;

export function toWorldX(lngDeg: number): number {
  return lngDeg / 360 + 0.5;
}

export function toWorldY(latDeg: number): number {
  const clipped = Math.max(-maxLatDeg, Math.min(maxLatDeg, latDeg));
  const sine = Math.sin((clipped * Math.PI) / 180);
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
}

/** Longitude in degrees, -180..180, of any (also unwrapped) world x. */
export function toLngDeg(worldX: number): number {
  return wrapLngDeg((worldX - 0.5) * 360);
}

export function toLatDeg(worldY: number): number {
  return (Math.atan(Math.sinh((0.5 - worldY) * 2 * Math.PI)) * 180) / Math.PI;
}

/** The same meridian as -180..180 (180 itself stays 180). */
export function wrapLngDeg(lngDeg: number): number {
  if (lngDeg >= -180 && lngDeg <= 180) return lngDeg;
  return ((((lngDeg + 180) % 360) + 360) % 360) - 180;
}

/** Pixels that the whole world measures at a zoom (256-pixel tiles). */
export function worldSizePx(zoom: number): number {
  return 256 * 2 ** zoom;
}

const earthRadiusM = 6_371_008.8;

/** Great-circle distance in metres. */
export function distanceM(latA: number, lngA: number, latB: number, lngB: number): number {
  const toRad = Math.PI / 180;
  const dLat = (latB - latA) * toRad;
  const dLng = (lngB - lngA) * toRad;
  const h =
    Math.sin(dLat / 2) ** 2 + Math.cos(latA * toRad) * Math.cos(latB * toRad) * Math.sin(dLng / 2) ** 2;
  return 2 * earthRadiusM * Math.asin(Math.min(1, Math.sqrt(h)));
}
