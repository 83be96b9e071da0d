/** Every route of section 4, with the scope it needs. Anything else is `404 route_not_found`. */
import { listAuditLogs } from '../service/audit.ts';
import {
  listDevices,
  readBattery,
  readDevice,
  readFirmware,
  registerDevices,
  updateDevice,
} from '../service/devices.ts';
import {
  issueEventVideo,
  listEvents,
  readEvent,
  readEventFeed,
  readEventThumbnail,
  readSafetyStats,
} from '../service/events.ts';
import { cancelExportJob, createExportJob, listExportJobs, readExportJob } from '../service/exports.ts';
import {
  listGroups,
  listLocations,
  listTrips,
  rankDrivers,
  readFleetSummary,
  readLocationFeed,
  readTrack,
  reportDevice,
} from '../service/fleet.ts';
import {
  createGeofence,
  deleteGeofence,
  listGeofenceAlerts,
  listGeofences,
  readGeofence,
  updateGeofence,
} from '../service/geofences.ts';
import {
  cancelRecallJob,
  createRecallJob,
  listRecallJobs,
  playRecording,
  readRecallJob,
} from '../service/recalls.ts';
import { deleteRecording, listRecordings, readMetadata, rebootDevice } from '../service/recordings.ts';
import { listApiLogs, readUsage } from '../service/usage.ts';
import {
  createWebhook,
  deleteWebhook,
  listDeliveries,
  listWebhooks,
  reactivateWebhook,
  readWebhook,
  rotateSecret,
  testWebhook,
} from '../service/webhooks.ts';
import type { Handler } from '../simulation.ts';

export interface Route {
  readonly method: string;
  readonly template: string;
  readonly scope: string;
  readonly handler: Handler;
  /** What the route does with a body: most ignore it. */
  readonly body: 'none' | 'required' | 'optional';
}

const route = (line: string, scope: string, handler: Handler, body: Route['body'] = 'none'): Route => {
  const [method = '', template = ''] = line.split(' ');
  return { method, template, scope, handler, body };
};

export const routes: readonly Route[] = [
  route('GET /v1/devices', 'devices:read', listDevices),
  route('POST /v1/devices', 'devices:write', registerDevices, 'required'),
  route('GET /v1/devices/{psn}', 'devices:read', readDevice),
  route('PUT /v1/devices/{psn}', 'devices:write', updateDevice, 'required'),
  route('GET /v1/devices/{psn}/firmware', 'devices:read', readFirmware),
  route('GET /v1/devices/{psn}/battery', 'devices:read', readBattery),
  route('POST /v1/devices/{psn}/reboot', 'devices:write', rebootDevice),
  route('GET /v1/devices/{psn}/trips', 'trips:read', listTrips),
  route('GET /v1/devices/{psn}/sd-files', 'media:read', listRecordings),
  route('GET /v1/devices/{psn}/sd-files/{filename}/metadata', 'media:read', readMetadata),
  route('GET /v1/devices/{psn}/sd-files/{filename}/video', 'media:recall', playRecording),
  route('DELETE /v1/devices/{psn}/sd-files/{filename}', 'media:write', deleteRecording),
  route('POST /v1/media/recall-jobs', 'media:recall', createRecallJob, 'required'),
  route('GET /v1/media/recall-jobs', 'media:read', listRecallJobs),
  route('GET /v1/media/recall-jobs/{jobId}', 'media:read', readRecallJob),
  route('DELETE /v1/media/recall-jobs/{jobId}', 'media:recall', cancelRecallJob),
  route('POST /v1/webhooks', 'webhooks:manage', createWebhook, 'required'),
  route('GET /v1/webhooks', 'webhooks:manage', listWebhooks),
  route('GET /v1/webhooks/{webhookId}', 'webhooks:manage', readWebhook),
  route('DELETE /v1/webhooks/{webhookId}', 'webhooks:manage', deleteWebhook),
  route('POST /v1/webhooks/{webhookId}/test', 'webhooks:manage', testWebhook),
  route('GET /v1/webhooks/{webhookId}/deliveries', 'webhooks:manage', listDeliveries),
  route('POST /v1/webhooks/{webhookId}/reactivate', 'webhooks:manage', reactivateWebhook),
  route('POST /v1/webhooks/{webhookId}/rotate-secret', 'webhooks:manage', rotateSecret, 'optional'),
  route('POST /v1/gps/export-jobs', 'gps:export', createExportJob, 'required'),
  route('GET /v1/gps/export-jobs', 'gps:export', listExportJobs),
  route('GET /v1/gps/export-jobs/{jobId}', 'gps:export', readExportJob),
  route('DELETE /v1/gps/export-jobs/{jobId}', 'gps:export', cancelExportJob),
  route('GET /v1/api-logs', 'usage:read', listApiLogs),
  route('GET /v1/usage', 'usage:read', readUsage),
  route('GET /v1/audit-logs', 'audit:read', listAuditLogs),
  route('GET /v1/events', 'events:read', listEvents),
  route('GET /v1/events/feed', 'events:read', readEventFeed),
  route('GET /v1/events/{eventId}', 'events:read', readEvent),
  route('GET /v1/events/{eventId}/video', 'events:video', issueEventVideo),
  route('GET /v1/events/{eventId}/thumbnail', 'events:read', readEventThumbnail),
  route('GET /v1/safety-events/stats', 'events:read', readSafetyStats),
  route('GET /v1/reports/driving', 'reports:read', rankDrivers),
  route('GET /v1/reports/driving/{psn}', 'reports:read', reportDevice),
  route('GET /v1/fleet/summary', 'fleet:read', readFleetSummary),
  route('GET /v1/fleet/locations', 'fleet:read', listLocations),
  route('GET /v1/fleet/locations/feed', 'fleet:read', readLocationFeed),
  route('GET /v1/trips/{tripId}/track', 'trips:read', readTrack),
  route('GET /v1/geofences', 'geofences:read', listGeofences),
  route('POST /v1/geofences', 'geofences:write', createGeofence, 'required'),
  route('GET /v1/geofences/{geofenceId}', 'geofences:read', readGeofence),
  route('PUT /v1/geofences/{geofenceId}', 'geofences:write', updateGeofence, 'required'),
  route('DELETE /v1/geofences/{geofenceId}', 'geofences:write', deleteGeofence),
  route('GET /v1/geofence-alerts', 'geofences:read', listGeofenceAlerts),
  route('GET /v1/groups', 'groups:read', listGroups),
];

function decode(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}

function matchTemplate(template: string, path: string): Record<string, string | null> | undefined {
  const wanted = template.split('/');
  const given = path.split('/');
  if (wanted.length !== given.length) return undefined;
  const parameters: Record<string, string | null> = {};
  for (const [index, part] of wanted.entries()) {
    const segment = given[index] ?? '';
    if (part.startsWith('{')) {
      if (segment === '') return undefined;
      parameters[part.slice(1, -1)] = decode(segment);
    } else if (part !== segment) return undefined;
  }
  return parameters;
}

/** A fixed segment wins over a parameter: `/v1/events/feed` is not an event id. */
export function findRoute(
  method: string,
  path: string,
): { route: Route; parameters: Record<string, string | null> } | undefined {
  const found = routes.flatMap((candidate) => {
    const parameters = candidate.method === method ? matchTemplate(candidate.template, path) : undefined;
    return parameters ? [{ route: candidate, parameters }] : [];
  });
  return found.sort(
    (one, other) => Object.keys(one.parameters).length - Object.keys(other.parameters).length,
  )[0];
}
