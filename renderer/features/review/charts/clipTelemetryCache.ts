import type { DeskClient } from '../../../../shared/contract/client.ts';
import type { ClipTelemetry } from '../../../../shared/contract/clips.ts';
import type { ClipId } from '../../../../shared/ids.ts';

/** A day of one camera is about 30 MB. */
const mostBytes = 96_000_000;

export interface ClipTelemetryCache {
  get(clipId: ClipId): ClipTelemetry | null;
  set(clipId: ClipId, telemetry: ClipTelemetry): void;
}

const caches = new WeakMap<DeskClient, ClipTelemetryCache>();

/**
 * What clips answered, the latest first to stay. A clip's id is its content: its telemetry never changes. A scene is
 * opened anew at each nudge of a clock; its charts must not go blank for the minute that reading a day takes.
 */
export function telemetryCacheOf(client: DeskClient): ClipTelemetryCache {
  const known = caches.get(client);
  if (known) return known;
  const kept = new Map<ClipId, ClipTelemetry>();
  let bytes = 0;
  const cache: ClipTelemetryCache = {
    get(clipId) {
      const found = kept.get(clipId);
      if (!found) return null;
      kept.delete(clipId);
      kept.set(clipId, found);
      return found;
    },
    set(clipId, telemetry) {
      const before = kept.get(clipId);
      if (before) bytes -= bytesOf(before);
      kept.delete(clipId);
      kept.set(clipId, telemetry);
      bytes += bytesOf(telemetry);
      for (const [oldest, value] of kept) {
        if (bytes <= mostBytes || oldest === clipId) break;
        kept.delete(oldest);
        bytes -= bytesOf(value);
      }
    },
  };
  caches.set(client, cache);
  return cache;
}

const bytesOf = ({ gps, gSensor }: ClipTelemetry): number =>
  8 * (8 * (gps?.clipMs.length ?? 0) + 4 * (gSensor?.clipMs.length ?? 0));
