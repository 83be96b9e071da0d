/** Every error of section 7, with the status it is sent under. */
import { STATUS_CODES } from 'node:http';

export const errorsBase = 'https://errors.fleet-dashcam.example';

/** The table of section 7; where it lists two statuses, the first one is the API's and the second the edge's. */
export const statusByCode = {
  invalid_parameter: 400,
  invalid_body: 400,
  invalid_cursor: 400,
  unauthorized: 401,
  forbidden: 403,
  insufficient_scope: 403,
  group_not_allowed: 403,
  tier_invalid: 403,
  subscription_inactive: 403,
  camera_limit_exceeded: 403,
  quota_exceeded: 403,
  recall_limit_exceeded: 403,
  route_not_found: 404,
  group_not_found: 404,
  device_not_found: 404,
  event_not_found: 404,
  geofence_not_found: 404,
  webhook_not_found: 404,
  trip_not_found: 404,
  job_not_found: 404,
  audit_log_not_found: 404,
  video_not_available: 404,
  settings_not_found: 404,
  file_not_found: 404,
  not_found: 404,
  job_already_completed: 409,
  device_busy: 409,
  device_offline: 409,
  export_in_progress: 409,
  sd_card_absent: 409,
  concurrency_limit_exceeded: 409,
  webhook_not_suspended: 409,
  geofence_unsupported_shape: 409,
  invalid_field: 422,
  unknown_psn: 422,
  cloud_only: 422,
  unsupported_device: 422,
  no_scoped_devices: 422,
  monthly_limit_exceeded: 429,
  rate_limited: 429,
  internal_error: 500,
  configuration_error: 500,
  not_implemented: 501,
  write_delegation_not_configured: 501,
  export_not_configured: 501,
  device_settings_not_configured: 501,
  device_settings_read_not_configured: 501,
  device_command_not_configured: 501,
  media_recall_not_configured: 501,
  delegate_failed: 502,
  upstream_unavailable: 503,
  command_timeout: 504,
  query_timeout: 504,
} as const;
export type ProblemCode = keyof typeof statusByCode;

/** Codes whose only place is the edge, before the API runs: sent as `application/json` and never logged. */
const edgeCodes: readonly string[] = ['unauthorized', 'forbidden', 'route_not_found', 'rate_limited'];

export interface ProblemOptions {
  readonly detail?: string;
  readonly extensions?: Readonly<Record<string, unknown>>;
  readonly status?: number;
  readonly retryAfterSeconds?: number;
  readonly isEdge?: boolean;
}

/** Thrown by a handler to end its call; the server turns it into the response of section 7. */
export class Problem extends Error {
  readonly code: string;
  readonly status: number;
  readonly extensions: Readonly<Record<string, unknown>>;
  readonly retryAfterSeconds: number | undefined;
  readonly isEdge: boolean;

  constructor(code: string, options: ProblemOptions = {}) {
    super(options.detail ?? code.replaceAll('_', ' '));
    this.code = code;
    this.status = options.status ?? (statusByCode as Readonly<Record<string, number>>)[code] ?? 500;
    this.extensions = options.extensions ?? {};
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.isEdge = options.isEdge ?? edgeCodes.includes(code);
  }

  get mediaType(): string {
    return this.isEdge ? 'application/json' : 'application/problem+json';
  }

  toBody(requestId: string): Record<string, unknown> {
    return {
      type: `${errorsBase}/${this.code}`,
      title: STATUS_CODES[this.status] ?? 'Error',
      status: this.status,
      code: this.code,
      detail: this.message,
      requestId,
      ...this.extensions,
    };
  }
}
