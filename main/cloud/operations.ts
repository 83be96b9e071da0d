/**
 * Every route of the specification by the name under which the command line offers it. Data, so that the client,
 * `cloud --list` and the conformance tests read one list.
 */
export interface OperationDefinition {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Route template; `{name}` are path parameters. */
  readonly path: string;
  readonly scope: string | null;
  readonly pagination: 'cursor' | 'offset' | null;
  /** Accepts a JSON body. */
  readonly hasBody?: true;
  /** Repeating it does something again: never sent twice unless it is known that nothing happened. */
  readonly hasSideEffects?: true;
  /** Talks to the dashcam itself (3.4): one at a time for each camera. */
  readonly contactsDevice?: true;
  /** Counts toward `transfer_bytes` (8.2). */
  readonly costsBytes?: true;
  /** The largest page the service gives (4.7), where it is not the usual one of the style. */
  readonly maxPageSize?: number;
  /** Member that identifies a row of a list, for telling repeats apart. */
  readonly rowKey?: string;
  readonly section: string;
}

const define = <T extends Record<string, OperationDefinition>>(
  table: T,
): Readonly<Record<keyof T, OperationDefinition>> => table;

export const operations = define({
  'devices.list': {
    method: 'GET',
    path: '/v1/devices',
    scope: null,
    pagination: 'offset',
    rowKey: 'psn',
    section: '4.6',
  },
  'devices.get': { method: 'GET', path: '/v1/devices/{psn}', scope: null, pagination: null, section: '4.6' },
  'devices.register': {
    method: 'POST',
    path: '/v1/devices',
    scope: 'devices:write',
    pagination: null,
    hasBody: true,
    hasSideEffects: true,
    section: '4.6',
  },
  'devices.update': {
    method: 'PUT',
    path: '/v1/devices/{psn}',
    scope: 'devices:write',
    pagination: null,
    hasBody: true,
    section: '4.6',
  },
  'devices.reboot': {
    method: 'POST',
    path: '/v1/devices/{psn}/reboot',
    scope: 'devices:write',
    pagination: null,
    hasSideEffects: true,
    contactsDevice: true,
    section: '4.1',
  },
  'devices.firmware': {
    method: 'GET',
    path: '/v1/devices/{psn}/firmware',
    scope: null,
    pagination: null,
    section: '4.6',
  },
  'devices.battery': {
    method: 'GET',
    path: '/v1/devices/{psn}/battery',
    scope: null,
    pagination: null,
    section: '4.6',
  },
  'sdFiles.list': {
    method: 'GET',
    path: '/v1/devices/{psn}/sd-files',
    scope: 'media:read',
    pagination: 'offset',
    contactsDevice: true,
    maxPageSize: 200,
    rowKey: 'filename',
    section: '4.1',
  },
  'sdFiles.metadata': {
    method: 'GET',
    path: '/v1/devices/{psn}/sd-files/{filename}/metadata',
    scope: 'media:read',
    pagination: null,
    contactsDevice: true,
    section: '4.1',
  },
  'sdFiles.playback': {
    method: 'GET',
    path: '/v1/devices/{psn}/sd-files/{filename}/video',
    scope: 'media:recall',
    pagination: null,
    hasSideEffects: true,
    contactsDevice: true,
    costsBytes: true,
    section: '4.1',
  },
  'sdFiles.delete': {
    method: 'DELETE',
    path: '/v1/devices/{psn}/sd-files/{filename}',
    scope: 'media:write',
    pagination: null,
    hasSideEffects: true,
    contactsDevice: true,
    section: '4.1',
  },
  'recallJobs.create': {
    method: 'POST',
    path: '/v1/media/recall-jobs',
    scope: 'media:recall',
    pagination: null,
    hasBody: true,
    hasSideEffects: true,
    contactsDevice: true,
    costsBytes: true,
    section: '4.1',
  },
  'recallJobs.get': {
    method: 'GET',
    path: '/v1/media/recall-jobs/{jobId}',
    scope: 'media:read',
    pagination: null,
    section: '4.1',
  },
  'recallJobs.list': {
    method: 'GET',
    path: '/v1/media/recall-jobs',
    scope: 'media:read',
    pagination: 'offset',
    maxPageSize: 200,
    rowKey: 'jobId',
    section: '4.1',
  },
  'recallJobs.cancel': {
    method: 'DELETE',
    path: '/v1/media/recall-jobs/{jobId}',
    scope: 'media:recall',
    pagination: null,
    section: '4.1',
  },
  'gpsExports.create': {
    method: 'POST',
    path: '/v1/gps/export-jobs',
    scope: 'gps:export',
    pagination: null,
    hasBody: true,
    hasSideEffects: true,
    section: '4.3',
  },
  'gpsExports.get': {
    method: 'GET',
    path: '/v1/gps/export-jobs/{jobId}',
    scope: 'gps:export',
    pagination: null,
    section: '4.3',
  },
  'gpsExports.list': {
    method: 'GET',
    path: '/v1/gps/export-jobs',
    scope: 'gps:export',
    pagination: 'cursor',
    rowKey: 'jobId',
    section: '4.3',
  },
  'gpsExports.cancel': {
    method: 'DELETE',
    path: '/v1/gps/export-jobs/{jobId}',
    scope: 'gps:export',
    pagination: null,
    section: '4.3',
  },
  'webhooks.create': {
    method: 'POST',
    path: '/v1/webhooks',
    scope: 'webhooks:manage',
    pagination: null,
    hasBody: true,
    hasSideEffects: true,
    section: '4.2',
  },
  'webhooks.list': {
    method: 'GET',
    path: '/v1/webhooks',
    scope: 'webhooks:manage',
    pagination: 'offset',
    rowKey: 'webhookId',
    section: '4.2',
  },
  'webhooks.get': {
    method: 'GET',
    path: '/v1/webhooks/{webhookId}',
    scope: 'webhooks:manage',
    pagination: null,
    section: '4.2',
  },
  'webhooks.delete': {
    method: 'DELETE',
    path: '/v1/webhooks/{webhookId}',
    scope: 'webhooks:manage',
    pagination: null,
    // Sent again after an answer was lost, it would say that there is nothing to delete.
    hasSideEffects: true,
    section: '4.2',
  },
  'webhooks.test': {
    method: 'POST',
    path: '/v1/webhooks/{webhookId}/test',
    scope: 'webhooks:manage',
    pagination: null,
    hasSideEffects: true,
    section: '4.2',
  },
  'webhooks.deliveries': {
    method: 'GET',
    path: '/v1/webhooks/{webhookId}/deliveries',
    scope: 'webhooks:manage',
    pagination: 'offset',
    rowKey: 'deliveryId',
    section: '4.2',
  },
  'webhooks.reactivate': {
    method: 'POST',
    path: '/v1/webhooks/{webhookId}/reactivate',
    scope: 'webhooks:manage',
    pagination: null,
    hasSideEffects: true,
    section: '4.2',
  },
  'webhooks.rotateSecret': {
    method: 'POST',
    path: '/v1/webhooks/{webhookId}/rotate-secret',
    scope: 'webhooks:manage',
    pagination: null,
    hasBody: true,
    hasSideEffects: true,
    section: '4.2',
  },
  'apiLogs.list': {
    method: 'GET',
    path: '/v1/api-logs',
    scope: 'usage:read',
    pagination: 'cursor',
    rowKey: 'id',
    section: '4.4',
  },
  'usage.get': { method: 'GET', path: '/v1/usage', scope: 'usage:read', pagination: null, section: '4.4' },
  'auditLogs.list': {
    method: 'GET',
    path: '/v1/audit-logs',
    scope: 'audit:read',
    pagination: 'cursor',
    section: '4.5',
  },
  'events.list': {
    method: 'GET',
    path: '/v1/events',
    scope: null,
    pagination: 'cursor',
    rowKey: 'eventId',
    section: '4.6',
  },
  'events.feed': {
    method: 'GET',
    path: '/v1/events/feed',
    scope: null,
    pagination: 'cursor',
    rowKey: 'eventId',
    section: '4.6',
  },
  'events.get': {
    method: 'GET',
    path: '/v1/events/{eventId}',
    scope: null,
    pagination: null,
    section: '4.6',
  },
  'events.video': {
    method: 'GET',
    path: '/v1/events/{eventId}/video',
    scope: null,
    pagination: null,
    hasSideEffects: true,
    costsBytes: true,
    section: '4.6',
  },
  'events.thumbnail': {
    method: 'GET',
    path: '/v1/events/{eventId}/thumbnail',
    scope: null,
    pagination: null,
    section: '4.6',
  },
  'safetyEvents.stats': {
    method: 'GET',
    path: '/v1/safety-events/stats',
    scope: null,
    pagination: null,
    section: '4.6',
  },
  'reports.ranking': {
    method: 'GET',
    path: '/v1/reports/driving',
    scope: null,
    pagination: 'cursor',
    rowKey: 'psn',
    section: '4.6',
  },
  'reports.device': {
    method: 'GET',
    path: '/v1/reports/driving/{psn}',
    scope: null,
    pagination: null,
    section: '4.6',
  },
  'fleet.summary': {
    method: 'GET',
    path: '/v1/fleet/summary',
    scope: null,
    pagination: null,
    section: '4.6',
  },
  'fleet.locations': {
    method: 'GET',
    path: '/v1/fleet/locations',
    scope: null,
    pagination: 'cursor',
    rowKey: 'psn',
    section: '4.6',
  },
  'fleet.locationsFeed': {
    method: 'GET',
    path: '/v1/fleet/locations/feed',
    scope: null,
    pagination: 'cursor',
    maxPageSize: 500,
    section: '4.6',
  },
  'trips.list': {
    method: 'GET',
    path: '/v1/devices/{psn}/trips',
    scope: null,
    pagination: 'cursor',
    rowKey: 'tripId',
    section: '4.6',
  },
  'trips.track': {
    method: 'GET',
    path: '/v1/trips/{tripId}/track',
    scope: null,
    pagination: null,
    section: '4.6',
  },
  'geofences.list': {
    method: 'GET',
    path: '/v1/geofences',
    scope: null,
    pagination: 'offset',
    rowKey: 'geofenceId',
    section: '4.6',
  },
  'geofences.get': {
    method: 'GET',
    path: '/v1/geofences/{geofenceId}',
    scope: null,
    pagination: null,
    section: '4.6',
  },
  'geofences.create': {
    method: 'POST',
    path: '/v1/geofences',
    scope: null,
    pagination: null,
    hasBody: true,
    hasSideEffects: true,
    section: '4.6',
  },
  'geofences.update': {
    method: 'PUT',
    path: '/v1/geofences/{geofenceId}',
    scope: null,
    pagination: null,
    hasBody: true,
    section: '4.6',
  },
  'geofences.delete': {
    method: 'DELETE',
    path: '/v1/geofences/{geofenceId}',
    scope: null,
    pagination: null,
    // Sent again after an answer was lost, it would say that there is nothing to delete.
    hasSideEffects: true,
    section: '4.6',
  },
  'geofenceAlerts.list': {
    method: 'GET',
    path: '/v1/geofence-alerts',
    scope: null,
    pagination: 'cursor',
    section: '4.6',
  },
  'groups.list': { method: 'GET', path: '/v1/groups', scope: null, pagination: null, section: '4.6' },
});

export type OperationName = keyof typeof operations;

export function isOperationName(name: string): name is OperationName {
  return Object.hasOwn(operations, name);
}

/** Parameters of a call: path and query by the specification's names, the body under `body`. */
export interface OperationInput {
  readonly [name: string]: unknown;
  readonly body?: unknown;
}

/**
 * The path and query of a call. Path parameters are percent-encoded; query members that are undefined or null are
 * left out, lists are joined by commas. Throws RangeError naming a missing path parameter.
 */
export function toPath(name: OperationName, input: OperationInput): string {
  const definition = operations[name];
  const used = new Set(['body']);
  const path = definition.path.replace(/\{(\w+)\}/g, (_, parameter: string) => {
    const value = input[parameter];
    if (typeof value !== 'string' && typeof value !== 'number')
      throw new RangeError(`${name} needs "${parameter}"`);
    const text = String(value);
    // "." and ".." would be resolved away by URL parsers before the server sees them.
    if (text === '' || text === '.' || text === '..')
      throw new RangeError(`${name}: "${parameter}" can't be ${JSON.stringify(text)}`);
    used.add(parameter);
    return encodeURIComponent(text);
  });
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(input)) {
    if (used.has(key) || value === undefined || value === null) continue;
    query.set(key, Array.isArray(value) ? value.map(String).join(',') : String(value));
  }
  const queryText = query.toString();
  return queryText === '' ? path : `${path}?${queryText}`;
}
