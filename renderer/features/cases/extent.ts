import type { CaseFile } from '../../../shared/contract/cases.ts';
import type { DeskClient } from '../../../shared/contract/client.ts';
import type { TimeRange } from '../../../shared/track.ts';
import { readClips } from './exhibitFacts.ts';

/** Beyond this many trip exhibits, one list of all trips costs less than asking for each. */
const singlesLimit = 40;

/** From the earliest start to the latest end of what the case holds; null where no exhibit has times. */
export async function readExtent(client: DeskClient, file: CaseFile): Promise<TimeRange> {
  const tripIds = file.exhibitList.flatMap(({ ref }) => (ref.kind === 'trip' ? [ref.tripId] : []));
  const sourceIds = new Set(
    file.exhibitList.flatMap(({ ref }) => (ref.kind === 'source' ? [ref.sourceId] : [])),
  );
  const spans: TimeRange[] = [];
  if (sourceIds.size > 0) {
    for (const source of await client.invoke('sources.list', {})) {
      if (sourceIds.has(source.sourceId)) spans.push(source);
    }
  }
  const wanted = new Set(tripIds);
  const trips =
    tripIds.length > singlesLimit
      ? (await client.invoke('trips.list', {})).filter((trip) => wanted.has(trip.tripId))
      : await Promise.all(tripIds.map((tripId) => client.invoke('trips.get', { tripId })));
  for (const trip of trips) spans.push({ fromMs: trip.startedAtMs, toMs: trip.endedAtMs });
  const clipIds = file.exhibitList.flatMap(({ ref }) => (ref.kind === 'clip' ? [ref.clipId] : []));
  for (const clip of await readClips(client, clipIds)) {
    spans.push({ fromMs: clip.startUtcMs, toMs: clip.endUtcMs ?? clip.startUtcMs });
  }
  if (file.exhibitList.some(({ ref }) => ref.kind === 'derived')) {
    for (const { recipe } of await client.invoke('derived.list', { caseId: file.caseId })) {
      spans.push({ fromMs: recipe.startUtcMs, toMs: recipe.endUtcMs });
    }
  }
  return spanOf(spans);
}

/** The span of whole seconds that holds every given time; its end lies after the last one (ranges are half-open). */
export function spanOf(spans: readonly TimeRange[]): TimeRange {
  let fromMs: number | null = null;
  let toMs: number | null = null;
  for (const span of spans) {
    if (span.fromMs !== null) fromMs = Math.min(fromMs ?? Infinity, span.fromMs);
    if (span.toMs !== null) toMs = Math.max(toMs ?? -Infinity, span.toMs);
  }
  return {
    fromMs: fromMs === null ? null : Math.floor(fromMs / 1000) * 1000,
    toMs: toMs === null ? null : (Math.floor(toMs / 1000) + 1) * 1000,
  };
}
