/** Pushes what happens in the simulated world to webhook subscriptions while the clock runs (section 6.2). */
import { knownEvents, type KnownEvent } from './service/events.ts';
import { publish } from './service/webhookPipeline.ts';
import type { Simulation } from './simulation.ts';
import { minuteMs, toTimestamp } from './world/localTime.ts';

/** Geofence types arrive as their own events; `calling` and `smoking` are not published. */
const publishedSubTypes: readonly string[] = [
  'driving_impact',
  'parking_impact',
  'overspeed',
  'speed_limit',
  'harsh_braking',
  'harsh_acceleration',
  'sharp_turn',
  'drowsy',
  'distracted',
  'seatbelt',
  'undetected',
  'manual',
];

export function toSafetyEvent({ camera, incident, eventId }: KnownEvent) {
  const limit = incident.speedLimit;
  const isSpeedLimit = incident.type === 'speed_limit';
  return {
    // Another namespace than the event ids of the API (section 6.2).
    eventId: `whe_${eventId.slice(4)}`,
    type: 'safety_event',
    subType: incident.type,
    psn: camera.psn,
    deviceName: camera.name,
    ...(camera.groupId === null ? {} : { groupId: camera.groupId }),
    occurredAt: toTimestamp(incident.occurredAtMs),
    // For `speed_limit` no coordinates are sent; elsewhere a missing fix leaves `location` out.
    ...(isSpeedLimit
      ? { location: { speedKmh: incident.speedKmh } }
      : incident.position === null
        ? {}
        : {
            location: {
              lat: incident.position.latitude,
              lng: incident.position.longitude,
              speedKmh: incident.speedKmh,
            },
          }),
    ...(limit === null
      ? {}
      : {
          speedLimit: {
            limitKmh: limit.limitKmh,
            overKmh: limit.overKmh,
            durationSec: limit.durationSec,
            roadName: limit.roadName,
          },
        }),
  };
}

export function startLiveEvents(simulation: Simulation): void {
  let sinceMs = simulation.clock.now();
  const look = async (): Promise<void> => {
    const nowMs = simulation.clock.now();
    for (const organisation of simulation.organisations) {
      if (organisation.webhooks.length === 0) continue;
      const fresh = knownEvents(simulation, organisation, nowMs).filter(
        (event) => event.incident.visibleAtMs > sinceMs && publishedSubTypes.includes(event.incident.type),
      );
      for (const event of fresh)
        await publish(simulation, organisation, 'safety_event', toSafetyEvent(event));
    }
    sinceMs = nowMs;
    simulation.clock.schedule(nowMs + minuteMs, look);
  };
  simulation.clock.schedule(sinceMs + minuteMs, look);
}
