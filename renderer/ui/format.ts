const counts = new Intl.NumberFormat('en-GB');
const byteUnits = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const;

/** 1689 → "1,689". */
export function formatCount(value: number): string {
  return counts.format(value);
}

/** "1 trip", "1,689 trips"; the plural is the noun with an s unless given. */
export function formatCounted(value: number, noun: string, plural = `${noun}s`): string {
  return `${formatCount(value)} ${value === 1 ? noun : plural}`;
}

/** Decimal units as file managers show them: 4100000000 → "4.1 GB". */
export function formatBytes(sizeBytes: number): string {
  let value = sizeBytes;
  let unit = 0;
  while (Math.abs(value) >= 999.5 && unit < byteUnits.length - 1) {
    value /= 1000;
    unit += 1;
  }
  const digits = unit === 0 || value >= 99.95 ? 0 : 1;
  return `${value.toFixed(digits)} ${byteUnits[unit] ?? ''}`;
}

/** Seconds, minutes or hours as a person would say them: 95000 → "1 min 35 s", 7500000 → "2 h 5 min". */
export function formatDuration(durationMs: number): string {
  const seconds = Math.max(0, Math.round(durationMs / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

/** 0.4237 → "42 %". Never says 100 % before the end. */
export function formatPercent(share: number): string {
  const percent = Math.floor(Math.min(1, Math.max(0, share)) * 100);
  return `${percent} %`;
}

/** The first and last digits of a hash or fingerprint; the whole stands in its tooltip and copy button. */
export function shortHash(hash: string): string {
  return hash.length <= 20 ? hash : `${hash.slice(0, 10)}…${hash.slice(-6)}`;
}

/** Groups of four for reading aloud: "1a2b 3c4d …". */
export function groupHash(hash: string): string {
  return hash.match(/.{1,4}/g)?.join(' ') ?? hash;
}
