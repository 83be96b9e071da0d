import type { RecordingPart, RecordingRow } from '../../../shared/contract/cards.ts';

/** What the documented recording types (2.1) are called here. */
const typeNames: Readonly<Record<string, string>> = {
  normal: 'Driving',
  parking: 'Parking',
  driving_impact: 'Impact',
  parking_impact: 'Parking impact',
  harsh_braking: 'Harsh braking',
  harsh_acceleration: 'Harsh acceleration',
  sharp_turn: 'Sharp turn',
  overspeed: 'Overspeed',
  manual: 'Manual',
  drowsy: 'Drowsy',
  distracted: 'Distracted',
  undetected: 'Driver not detected',
  calling: 'Calling',
  smoking: 'Smoking',
  seatbelt: 'Seat belt',
  geofence_enter: 'Geofence entered',
  geofence_exit: 'Geofence left',
  geofence_pass: 'Geofence passed',
  geofence_speed: 'Geofence speed',
};

/** All types that the service documents, for its own filter; `unknown` last. */
export const documentedTypes: readonly string[] = [...Object.keys(typeNames), 'unknown'];

/** "Impact"; an unknown type with its letter: "Unknown (Z)"; a type newer than this version as itself. */
export function typeName(type: string | null, typeCode: string | null): string {
  const known = type === null ? undefined : typeNames[type];
  if (known !== undefined) return known;
  const word = type === null || type === 'unknown' ? 'Unknown' : type;
  return typeCode === null ? word : `${word} (${typeCode})`;
}

/** Front, option, or the letter of a camera that the service did not name. */
export function directionName(direction: string | null, directionCode: string | null): string {
  if (direction !== null && direction !== 'unknown') return direction;
  return directionCode === null ? 'unknown camera' : `camera ${directionCode}`;
}

/** "front + option" */
export function partsText({ parts }: RecordingRow): string {
  return parts.map((part) => directionName(part.direction, part.directionCode)).join(' + ');
}

/** Bytes as the service counts them (8.2: 1 GB = 2^30 bytes): 8493466 → "8.1 MB". */
export function transferText(sizeBytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const;
  let value = sizeBytes;
  let unit = 0;
  while (Math.abs(value) >= 999.5 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  if (unit === 0) return `${value} ${value === 1 ? 'byte' : 'bytes'}`;
  const digits = unit >= 3 ? 2 : Math.abs(value) >= 99.95 ? 0 : 1;
  return `${value.toFixed(digits)} ${units[unit] ?? ''}`;
}

/** The sizes of all parts in one stream; null where the listing states none of them. */
export function streamBytes(parts: readonly RecordingPart[], quality: 'main' | 'sub'): number | null {
  const sizes = parts.flatMap((part) => {
    const size = part[quality]?.sizeBytes;
    return typeof size === 'number' ? [size] : [];
  });
  return sizes.length === 0 ? null : sizes.reduce((sum, size) => sum + size, 0);
}

/** "UTC+1", "UTC−3:30" for minutes that local is ahead of UTC. */
export function offsetText(offsetMinutes: number): string {
  const sign = offsetMinutes < 0 ? '−' : '+';
  const whole = Math.abs(offsetMinutes);
  const minutes = whole % 60;
  return `UTC${sign}${Math.floor(whole / 60)}${minutes === 0 ? '' : `:${String(minutes).padStart(2, '0')}`}`;
}

/** Minutes of "+1", "-03:30", "UTC+5:45", "0"; null for what is no offset on Earth. */
export function parseOffset(text: string): number | null {
  const match = /^\s*(?:UTC|GMT)?\s*([+\-−]?)\s*(\d{1,2})(?::?(\d{2}))?\s*$/i.exec(text);
  if (!match) return null;
  const minutes = Number(match[2]) * 60 + Number(match[3] ?? 0);
  if (Number(match[3] ?? 0) > 59) return null;
  const signed = match[1] === '-' || match[1] === '−' ? -minutes : minutes;
  return signed < -720 || signed > 840 ? null : signed === 0 ? 0 : signed;
}

/** "± 2 s", "± 8 min" */
export function uncertaintyText(uncertaintyMs: number): string {
  const seconds = Math.max(1, Math.ceil(uncertaintyMs / 1000));
  return seconds < 120 ? `± ${seconds} s` : `± ${Math.ceil(seconds / 60)} min`;
}

/** How long something is likely to live: "about 9 h", "about 3 d", "less than an hour". */
export function livesText(livesAboutMs: number): string {
  const hours = livesAboutMs / 3_600_000;
  if (hours < 1) return 'less than an hour';
  return hours < 48 ? `about ${Math.round(hours)} h` : `about ${Math.round(hours / 24)} d`;
}

/** "17:32:10" and "14 Mar 2026" of the camera's wall clock, which names no zone. */
export function wallClockText(recordedAtLocal: string | null): {
  readonly time: string;
  readonly day: string;
} {
  const wallMs = wallMsOf(recordedAtLocal);
  if (wallMs === null || recordedAtLocal === null) return { time: 'time unreadable', day: '' };
  return { time: recordedAtLocal.slice(11), day: dayText(recordedAtLocal.slice(0, 10)) };
}

const dayFormat = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  weekday: 'short',
  day: '2-digit',
  month: 'short',
  year: 'numeric',
});

/** "Sat, 14 Mar 2026" for `2026-03-14`. */
export function dayText(day: string): string {
  const ms = Date.parse(`${day}T00:00:00Z`);
  return Number.isNaN(ms) ? day : dayFormat.format(ms);
}

/** A wall-clock text as if it were UTC: good for order and distance, not an instant. Null where unreadable. */
export function wallMsOf(recordedAtLocal: string | null): number | null {
  if (recordedAtLocal === null) return null;
  const ms = Date.parse(`${recordedAtLocal}Z`);
  return Number.isNaN(ms) ? null : ms;
}

const sourceWords = {
  gps: 'from the clips’ GPS',
  extrapolated: 'carried on from clips with GPS further away',
  manual: 'offset set by hand',
} as const;

/** How a true time is known, in words. */
export function timeSourceText(source: RecordingRow['timeSource']): string {
  return source === null ? 'the camera’s clock is not known' : sourceWords[source];
}

const scopeActs: Readonly<Record<string, string>> = {
  'devices:write': 'restart cameras',
  'media:write': 'delete recordings from cards',
};

/** Why an act is not offered: the service refused it for want of a scope. */
export function lackText(scope: string): string {
  return `This account’s key may not ${scopeActs[scope] ?? 'do this'}: the service says that it lacks ${scope}. Once it has it, refresh the list of cameras.`;
}
