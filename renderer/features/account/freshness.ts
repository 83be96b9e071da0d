const minuteMs = 60_000;

/** Whether something is worth asking for again when its screen is opened: older than a minute, or never fetched. */
export function isOldMs(fetchedAtMs: number | null, nowMs: number): boolean {
  return fetchedAtMs === null || nowMs - fetchedAtMs > minuteMs;
}

/** "just now", "2 min ago", "3 h ago", "4 d ago"; a clock set back since is "just now". */
export function formatAge(sinceMs: number, nowMs: number): string {
  const minutes = Math.floor((nowMs - sinceMs) / minuteMs);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ago` : `${Math.floor(hours / 24)} d ago`;
}
