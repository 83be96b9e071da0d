import type { ClipName } from '../../../shared/contract/clips.ts';

/** Letters as public tools read them (formats.md section 1): hints for display, never a reason to refuse. */
const typeByLetter: Readonly<Record<string, string>> = {
  N: 'normal',
  E: 'driving_impact',
  P: 'parking',
  M: 'manual',
  I: 'parking_impact',
  O: 'overspeed',
  A: 'harsh_acceleration',
  T: 'sharp_turn',
  B: 'harsh_braking',
  R: 'geofence_enter',
  X: 'geofence_exit',
  G: 'geofence_pass',
  D: 'drowsy',
  L: 'distracted',
  Y: 'seatbelt',
  F: 'undetected',
};
const directionByLetter: Readonly<Record<string, string>> = {
  F: 'front',
  R: 'rear',
  I: 'interior',
  O: 'option',
};
const streamByLetter: Readonly<Record<string, ClipName['stream']>> = { S: 'sub', L: 'live' };

/** The name may stand among other text: a copy's " (1)", a folder's prefix, the unknown bytes of `ptnm`. */
const form =
  /(?<![0-9A-Za-z])(\d{4})(\d{2})(\d{2})_(\d{2})(\d{2})(\d{2})_([A-Z])([A-Z])([A-Z])?(?![0-9A-Za-z])/i;

/**
 * Reads `YYYYMMDD_HHMMSS_XY[Z].mp4` (specification 2.1): X the recording type, Y the camera, Z `S` for the sub
 * stream. Position decides, since F, R, I and O are both types and cameras. Null for other names and for days
 * and times that no clock shows.
 */
export function parseClipName(text: string): ClipName | null {
  const match = form.exec(text);
  if (!match) return null;
  const [, year, month, day, hour, minute, second] = match.map(Number) as number[];
  const ms = Date.UTC(year!, month! - 1, day!, hour!, minute!, second!);
  const recordedAtLocal = new Date(ms).toISOString().slice(0, 19);
  const [, y, mo, d, h, mi, s] = match;
  if (year! < 1970 || recordedAtLocal !== `${y}-${mo}-${d}T${h}:${mi}:${s}`) return null;
  const typeCode = match[7]!.toUpperCase();
  const directionCode = match[8]!.toUpperCase();
  const third = match[9]?.toUpperCase() ?? null;
  return {
    mainName: `${y}${mo}${d}_${h}${mi}${s}_${typeCode}${directionCode}.mp4`,
    recordedAtLocal,
    localMs: ms,
    typeCode,
    type: typeByLetter[typeCode] ?? 'unknown',
    directionCode,
    direction: directionByLetter[directionCode] ?? 'unknown',
    stream: third === null ? 'main' : (streamByLetter[third] ?? null),
  };
}
