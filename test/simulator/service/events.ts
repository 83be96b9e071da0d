/** Section 4.6: events, the feed, event videos and safety statistics. */
import { cursorPage, tailCursor, type RowKey } from '../http/pagination.ts';
import { enumListParameter, enumParameter, invalidParameter, rangeParameters } from '../http/parameters.ts';
import { Problem } from '../http/problem.ts';
import { hash32 } from '../random.ts';
import {
  ok,
  type Call,
  type Camera,
  type Handler,
  type Organisation,
  type Simulation,
} from '../simulation.ts';
import type { Recording } from '../world/card.ts';
import { leadInMs } from '../world/card.ts';
import { eventTypes, type Incident } from '../world/incidents.ts';
import { dayMs, minuteMs, toDay, toIso, toLocalMs, toTimestamp } from '../world/localTime.ts';
import { audit } from './audit.ts';
import { eventVideoUrl, thumbnailUrl } from './links.ts';
import { countTransferBytes, eventVideoBytes, requireTransferAllowance } from './media.ts';
import {
  camerasBeside,
  entitlementFilter,
  entitlementOf,
  groupParameter,
  psnFilter,
  requireSeat,
  scopedCameras,
} from './scope.ts';

/** How long before the simulation's start the service already knew events. */
const historyDays = 30;
const videoLinkMs = 5 * minuteMs;
const thumbnailLinkMs = 60 * minuteMs;
/** A range this wide over a whole organisation does not finish in the statistics' time budget. */
const statsBudgetDays = 366;
export const publishedTypes: readonly string[] = [...eventTypes, 'speed_limit'];

export interface KnownEvent {
  readonly eventId: string;
  readonly camera: Camera;
  readonly incident: Incident;
}

function toEventId(incident: Incident): string {
  const words = `${incident.psn}/${incident.type}/${incident.atMs}`;
  return `evt_${hash32(words).toString(16).padStart(8, '0')}${hash32(`${words}!`).toString(16).padStart(8, '0')}`;
}

/** Everything uploaded or judged by now. `normal` and `parking` recordings are not events. */
export function knownEvents(simulation: Simulation, organisation: Organisation, nowMs: number): KnownEvent[] {
  const events: KnownEvent[] = [];
  const firstDay = toDay(toLocalMs(simulation.options.startAtMs)) - historyDays;
  for (const camera of organisation.cameras) {
    if (camera.category !== 'cloud') continue;
    for (let day = firstDay; day <= toDay(toLocalMs(nowMs)); day += 1) {
      for (const incident of simulation.incidentBook.onDay(camera.vehicle, day)) {
        if (!incident.isUploaded || incident.visibleAtMs > nowMs) continue;
        events.push({ eventId: toEventId(incident), camera, incident });
      }
    }
  }
  return events;
}

/**
 * What a feed may show: nothing past the first event that has occurred but is still on its way (a speed
 * violation under way), so that a reader at the tail never moves past an event that appears later.
 */
function settledEvents(call: Call): KnownEvent[] {
  const { simulation, organisation, nowMs } = call;
  const today = toDay(toLocalMs(nowMs));
  const pending = organisation.cameras
    .filter((camera) => camera.category === 'cloud')
    .flatMap((camera) =>
      [today - 1, today].flatMap((day) => simulation.incidentBook.onDay(camera.vehicle, day)),
    )
    .filter((incident) => incident.visibleAtMs > nowMs && incident.occurredAtMs <= nowMs)
    .map((incident) => incident.occurredAtMs);
  const horizonMs = Math.min(...pending, Number.POSITIVE_INFINITY);
  return knownEvents(simulation, organisation, nowMs).filter(
    (event) => event.incident.occurredAtMs < horizonMs,
  );
}

/** An event with the recordings that show it, for the media server. */
export function findEvent(
  simulation: Simulation,
  organisation: Organisation,
  eventId: string,
): (KnownEvent & { recordings: readonly Recording[] }) | undefined {
  const nowMs = simulation.clock.now();
  const event = knownEvents(simulation, organisation, nowMs).find(
    (candidate) => candidate.eventId === eventId,
  );
  if (!event) return undefined;
  const startMs = event.incident.atMs - leadInMs;
  const recordings = simulation.cardBook
    .list(event.camera.vehicle, nowMs, simulation.options.cardDays)
    .filter((recording) => recording.startMs === startMs && recording.typeCode !== 'N');
  return { ...event, recordings };
}

const keyOf = (event: KnownEvent): RowKey => [event.incident.occurredAtMs, event.eventId];

export function toEvent(call: Call, event: KnownEvent) {
  const { incident, camera } = event;
  const isVideo = incident.channels.length > 0;
  const detail = incident.speedLimit;
  return {
    eventId: event.eventId,
    type: incident.type,
    occurredAt: toIso(incident.occurredAtMs),
    psn: camera.psn,
    deviceName: camera.name,
    groupId: camera.groupId,
    location: incident.position,
    speedKmh: incident.speedKmh,
    channels: incident.channels,
    hasVideo: isVideo,
    thumbnailUrl: isVideo
      ? thumbnailUrl(call.simulation, event.eventId, 'front', call.simulation.clock.now() + thumbnailLinkMs)
      : null,
    speedLimit: detail && {
      limitKmh: detail.limitKmh,
      overKmh: detail.overKmh,
      durationSec: detail.durationSec,
      roadName: detail.roadName,
      country: detail.country,
      endedAt: toTimestamp(detail.endedAtMs),
      peakAt: toTimestamp(detail.peakAtMs),
      schoolZone: detail.schoolZone,
    },
    entitlement: entitlementOf(call, camera),
  };
}

/** The filters that events, the feed and statistics share; `type` only where the endpoint has it. */
function readFilter(call: Call, hasType: boolean): (event: KnownEvent) => boolean {
  const types = hasType ? enumListParameter(call, 'type', publishedTypes) : undefined;
  const groupId = groupParameter(call);
  const psn = psnFilter(call);
  const isEntitled = entitlementFilter(call, 'all');
  const { fromMs, toMs } = rangeParameters(call);
  const cameras = new Set(scopedCameras(call));
  return ({ incident, camera }) =>
    cameras.has(camera) &&
    (types === undefined || types.includes(incident.type)) &&
    (groupId === undefined || camera.groupId === groupId) &&
    (psn === undefined || camera.psn === psn) &&
    isEntitled(camera) &&
    (fromMs === undefined || incident.occurredAtMs >= fromMs) &&
    (toMs === undefined || incident.occurredAtMs <= toMs);
}

export const listEvents: Handler = (call) => {
  const keep = readFilter(call, true);
  const all = knownEvents(call.simulation, call.organisation, call.nowMs);
  const page = cursorPage(call, all, { keyOf, order: 'descending', keep });
  const data = page.rows.map((event) => toEvent(call, event));
  return { status: 200, body: { data, pagination: page.pagination, ...camerasBeside(call) } };
};

export const readEventFeed: Handler = (call) => {
  const keep = readFilter(call, true);
  const start = enumParameter(call, 'start', ['oldest', 'latest'] as const);
  const all = settledEvents(call);
  if (start === 'latest' && !call.query.has('after')) {
    const last = all.map(keyOf).sort((one, other) => other[0] - one[0] || (one[1] < other[1] ? 1 : -1))[0];
    const pagination = { nextCursor: tailCursor(call, last ?? null), hasMore: false };
    return { status: 200, body: { data: [], pagination, ...camerasBeside(call) } };
  }
  const page = cursorPage(call, all, { keyOf, order: 'ascending', keep, isFeed: true });
  const data = page.rows.map((event) => toEvent(call, event));
  return { status: 200, body: { data, pagination: page.pagination, ...camerasBeside(call) } };
};

function eventOfCall(call: Call): KnownEvent {
  const cameras = new Set(scopedCameras(call));
  const event = knownEvents(call.simulation, call.organisation, call.nowMs).find(
    (candidate) => candidate.eventId === call.parameters['eventId'] && cameras.has(candidate.camera),
  );
  if (!event) throw new Problem('event_not_found', { detail: 'No such event.' });
  return event;
}

export const readEvent: Handler = (call) => ok(toEvent(call, eventOfCall(call)));

function channelOf(call: Call, event: KnownEvent): string {
  const channel = enumParameter(call, 'channel', ['front', 'option'] as const) ?? 'front';
  if (!event.incident.channels.includes(channel)) {
    throw new Problem('video_not_available', { detail: `The event has no ${channel} channel.` });
  }
  return channel;
}

/** Valid five minutes; each issue counts a flat 6 MB. The seat is checked before any quota is spent. */
export const issueEventVideo: Handler = (call) => {
  const event = eventOfCall(call);
  const channel = channelOf(call, event);
  requireSeat(call, event.camera);
  requireTransferAllowance(call, eventVideoBytes);
  countTransferBytes(call, eventVideoBytes);
  audit(call, 'video.url.issue', event.eventId, 'success');
  const expiresAtMs = call.nowMs + videoLinkMs;
  const url = eventVideoUrl(call.simulation, event.eventId, channel, expiresAtMs);
  return ok({ url, channel, expiresAt: toTimestamp(expiresAtMs) });
};

export const readEventThumbnail: Handler = (call) => {
  const event = eventOfCall(call);
  const channel = channelOf(call, event);
  const expiresAtMs = call.nowMs + thumbnailLinkMs;
  const url = thumbnailUrl(call.simulation, event.eventId, channel, expiresAtMs);
  return ok({ url, channel, expiresAt: toTimestamp(expiresAtMs) });
};

/** An IANA zone name; an offset such as `+09:00`, which `Intl` would take too, is refused. */
function zoneParameter(call: Call): string {
  const zone = call.query.get('tz');
  if (zone === null) return 'UTC';
  const isOffset = /^(UTC|GMT)?[+-]?\d/.test(zone) || /^[+-]/.test(zone) || /^(UTC|GMT)[+-]/.test(zone);
  try {
    if (isOffset) throw new RangeError('an offset');
    new Intl.DateTimeFormat('en-US', { timeZone: zone });
  } catch {
    throw invalidParameter('tz', 'must be an IANA zone name');
  }
  return zone;
}

/** Both kinds of event, always; no `type` filter. */
export const readSafetyStats: Handler = (call) => {
  const keep = readFilter(call, false);
  const hourTz = zoneParameter(call);
  const { fromMs, toMs } = rangeParameters(call);
  const spanDays = ((toMs ?? call.nowMs) - (fromMs ?? call.nowMs)) / dayMs;
  if (spanDays > statsBudgetDays && !call.query.has('groupId')) {
    throw new Problem('query_timeout', { detail: 'Narrow from/to or scope the query by groupId.' });
  }
  const events = knownEvents(call.simulation, call.organisation, call.nowMs).filter(keep);
  const count = <K>(keys: readonly K[]): Map<K, number> => {
    const counts = new Map<K, number>();
    for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
    return counts;
  };
  const hours = new Intl.DateTimeFormat('en-US', { timeZone: hourTz, hour: 'numeric', hourCycle: 'h23' });
  const byHour = count(events.map((event) => Number(hours.format(event.incident.occurredAtMs))));
  const topDevices = [...count(events.map((event) => event.camera))]
    .sort((one, other) => other[1] - one[1] || (one[0].psn < other[0].psn ? -1 : 1))
    .slice(0, 10);
  return ok(
    {
      kpi: {
        totalEvents: events.length,
        devicesWithEvents: new Set(events.map((event) => event.camera.psn)).size,
      },
      byType: [...count(events.map((event) => event.incident.type))].map(([type, total]) => ({
        type,
        count: total,
      })),
      byHour: Array.from({ length: 24 }, (_, hour) => ({ hour, count: byHour.get(hour) ?? 0 })),
      topDevices: topDevices.map(([camera, total]) => ({ psn: camera.psn, name: camera.name, count: total })),
      hourTz,
    },
    camerasBeside(call),
  );
};
