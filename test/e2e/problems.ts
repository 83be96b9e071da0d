import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CloudProblemCode } from '../../shared/cloudProblem.ts';

/** One error of the service as section 7 of the specification states it, and words that the user must read. */
export interface ProblemCase {
  readonly status: number;
  readonly extensions?: Readonly<Record<string, unknown>>;
  /** Of the sentence on what happened, with the extension fields in it. */
  readonly says: string;
}

/** Every code of section 7 with its status and extension fields; the compiler misses a forgotten one. */
export const problemCases: Record<CloudProblemCode, ProblemCase> = {
  invalid_parameter: { status: 400, extensions: { allowed: ['2xx', '4xx', '5xx'] }, says: '2xx, 4xx, 5xx' },
  invalid_body: { status: 400, says: 'as JSON' },
  invalid_cursor: { status: 400, says: 'place in a long list' },
  unauthorized: { status: 401, says: 'does not know this API key' },
  forbidden: { status: 403, says: 'refused the request' },
  insufficient_scope: { status: 403, extensions: { requiredScope: 'usage:read' }, says: '"usage:read"' },
  group_not_allowed: { status: 403, extensions: { groupId: 'grp_south' }, says: 'other groups' },
  tier_invalid: { status: 403, says: 'no longer exists' },
  subscription_inactive: {
    status: 403,
    extensions: { reason: 'no_active_subscription' },
    says: 'subscription is not active',
  },
  camera_limit_exceeded: {
    status: 403,
    extensions: {
      cameraLimit: 16,
      registeredCameras: 17,
      requiredCameraLimit: 17,
      psn: 'P17',
      cameraPosition: 17,
    },
    says: 'Camera P17 is beyond the 16 camera seats',
  },
  quota_exceeded: {
    status: 403,
    extensions: { bucket: 'transfer_bytes', limit: 10 * 2 ** 30, used: 10 * 2 ** 30 },
    says: '10.00 GB of 10.00 GB',
  },
  recall_limit_exceeded: { status: 403, says: 'recall allowance' },
  route_not_found: { status: 404, says: 'no such address' },
  group_not_found: { status: 404, says: 'group does not exist' },
  device_not_found: { status: 404, says: 'does not exist, or this key may not see it' },
  event_not_found: { status: 404, says: 'event does not exist' },
  geofence_not_found: { status: 404, says: 'geofence does not exist' },
  webhook_not_found: { status: 404, says: 'webhook subscription does not exist' },
  trip_not_found: { status: 404, says: 'trip does not exist' },
  job_not_found: { status: 404, says: 'job does not exist' },
  audit_log_not_found: { status: 404, says: 'audit entry does not exist' },
  video_not_available: { status: 404, says: 'no video or picture' },
  settings_not_found: { status: 404, says: 'not reported its settings' },
  file_not_found: { status: 404, says: 'not on the SD card' },
  not_found: { status: 404, says: 'does not exist' },
  job_already_completed: { status: 409, extensions: { jobId: 'gpsexp_1' }, says: 'complete already' },
  device_busy: { status: 409, extensions: { psn: 'P12' }, says: 'Camera P12 is transferring something else' },
  device_offline: { status: 409, says: 'offline' },
  export_in_progress: {
    status: 409,
    extensions: { activeJobId: 'gpsexp_7', activeStatus: 'running' },
    says: 'gpsexp_7, running',
  },
  sd_card_absent: { status: 409, says: 'no SD card' },
  concurrency_limit_exceeded: { status: 409, extensions: { limit: 1, active: 1 }, says: '1 of 1 exports' },
  webhook_not_suspended: {
    status: 409,
    extensions: { subscriptionStatus: 'active' },
    says: 'webhook is active',
  },
  geofence_unsupported_shape: { status: 409, says: 'shape' },
  invalid_field: {
    status: 422,
    extensions: { maxRangeDays: 90, rangeDays: 120 },
    says: 'At most 90 days; asked 120',
  },
  unknown_psn: { status: 422, extensions: { psns: ['P98', 'P99'] }, says: 'P98, P99' },
  cloud_only: {
    status: 422,
    extensions: { psn: 'P18', category: 'wifi' },
    says: 'Camera P18 has Wi-Fi only',
  },
  unsupported_device: {
    status: 422,
    extensions: { psn: 'P16', model: 'DR590' },
    says: 'Camera P16 (DR590)',
  },
  no_scoped_devices: { status: 422, says: 'No camera is within the reach' },
  monthly_limit_exceeded: {
    status: 429,
    extensions: { limit: 300, used: 300, resetsAt: '2026-12-01T00:00:00Z' },
    says: '300 of 300',
  },
  rate_limited: { status: 429, says: 'Too many calls in one second' },
  internal_error: { status: 500, says: 'failed inside' },
  configuration_error: { status: 500, says: 'not set up completely' },
  not_implemented: { status: 501, extensions: { op: 'update' }, says: '(update)' },
  write_delegation_not_configured: {
    status: 501,
    extensions: { op: 'update' },
    says: 'Changes to cameras are not switched on',
  },
  export_not_configured: { status: 501, says: 'GPS exports are not switched on' },
  device_settings_not_configured: { status: 501, says: 'Changing camera settings' },
  device_settings_read_not_configured: { status: 501, says: 'Reading camera settings' },
  device_command_not_configured: { status: 501, says: 'Commands to cameras' },
  media_recall_not_configured: { status: 501, says: 'Recalling video' },
  delegate_failed: { status: 502, extensions: { op: 'update' }, says: 'failed to carry out' },
  upstream_unavailable: { status: 503, says: "can't be reached at the moment" },
  command_timeout: { status: 504, extensions: { psn: 'P12' }, says: 'Camera P12 did not answer in time' },
  query_timeout: { status: 504, says: 'took too long' },
};

export interface TinyService {
  readonly baseUrl: string;
  /** What `GET /v1/usage` answers from now on. */
  answerUsage(answer: (response: ServerResponse) => void): void;
  stop(): Promise<void>;
}

/** Answers the connection test of an account, and whatever the test wants for the usage. */
export async function startTinyService(): Promise<TinyService> {
  let usage: (response: ServerResponse) => void = (response) => response.writeHead(500).end();
  const server: Server = createServer((request, response) => {
    if (request.url?.startsWith('/v1/usage')) usage(response);
    else {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify({
          data: [],
          pagination: { page: 1, perPage: 1, total: 0, totalPages: 1, nextCursor: null, hasMore: false },
          cameras: { limit: 1, registered: 0, overLimit: 0 },
        }),
      );
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // listening on TCP
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    answerUsage: (answer) => (usage = answer),
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** A problem body as section 7 shapes it. Retry-After lies beyond any deadline: what is repeated otherwise ends at once. */
export function sendProblem(
  response: ServerResponse,
  code: string,
  requestId: string,
  given: ProblemCase,
): void {
  response.writeHead(given.status, {
    'content-type': 'application/problem+json',
    'x-request-id': requestId,
    'retry-after': '86400',
  });
  response.end(
    JSON.stringify({
      type: `https://errors.example/${code}`,
      title: 'As the status says',
      status: given.status,
      code,
      detail: `The service’s own words on ${code}.`,
      requestId,
      ...given.extensions,
    }),
  );
}
