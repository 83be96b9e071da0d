/**
 * The error codes of the Fleet Dashcam Cloud (specification, section 7) and what each means for the person at
 * the desk. Pure, so that window and command line say the same sentence.
 */
export const cloudProblemCodes = [
  'invalid_parameter',
  'invalid_body',
  'invalid_cursor',
  'unauthorized',
  'forbidden',
  'insufficient_scope',
  'group_not_allowed',
  'tier_invalid',
  'subscription_inactive',
  'camera_limit_exceeded',
  'quota_exceeded',
  'recall_limit_exceeded',
  'route_not_found',
  'group_not_found',
  'device_not_found',
  'event_not_found',
  'geofence_not_found',
  'webhook_not_found',
  'trip_not_found',
  'job_not_found',
  'audit_log_not_found',
  'video_not_available',
  'settings_not_found',
  'file_not_found',
  'not_found',
  'job_already_completed',
  'device_busy',
  'device_offline',
  'export_in_progress',
  'sd_card_absent',
  'concurrency_limit_exceeded',
  'webhook_not_suspended',
  'geofence_unsupported_shape',
  'invalid_field',
  'unknown_psn',
  'cloud_only',
  'unsupported_device',
  'no_scoped_devices',
  'monthly_limit_exceeded',
  'rate_limited',
  'internal_error',
  'configuration_error',
  'not_implemented',
  'write_delegation_not_configured',
  'export_not_configured',
  'device_settings_not_configured',
  'device_settings_read_not_configured',
  'device_command_not_configured',
  'media_recall_not_configured',
  'delegate_failed',
  'upstream_unavailable',
  'command_timeout',
  'query_timeout',
] as const;
export type CloudProblemCode = (typeof cloudProblemCodes)[number];

/** Failures that are not the service\'s own words: the way to it, or an answer that is none of its. */
export const cloudTransportCodes = [
  'address_invalid',
  'address_unreachable',
  'tls_failed',
  'connection_lost',
  'deadline_exceeded',
  'not_the_service',
  'answer_malformed',
  'link_expired',
  'download_damaged',
] as const;
export type CloudTransportCode = (typeof cloudTransportCodes)[number];

/** `unknown`: a code this version does not know, or an answer without one; the status says the rest. */
export type CloudCode = CloudProblemCode | CloudTransportCode | 'unknown';

export function isCloudProblemCode(text: string): text is CloudProblemCode {
  return (cloudProblemCodes as readonly string[]).includes(text);
}

/** What a front end is told of a failed call. Never holds the key. */
export interface CloudProblemData {
  readonly code: CloudCode;
  /** The code as sent, when it is one this version does not know. */
  readonly sentCode: string | null;
  /** 0 where no answer came. */
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  readonly requestId: string | null;
  readonly operation: string;
  readonly extensions: Readonly<Record<string, unknown>>;
}

export interface Explanation {
  /** What happened, one sentence. */
  readonly what: string;
  /** What to do now, one sentence. */
  readonly todo: string;
}

const text = (value: unknown): string =>
  Array.isArray(value)
    ? value.map(String).join(', ')
    : value === undefined || value === null
      ? ''
      : String(value);

function bytesText(value: unknown): string {
  if (typeof value !== 'number') return 'an unknown amount';
  return `${(value / 2 ** 30).toFixed(2)} GB`;
}

/** What a service without the backend for it can't do. */
const switchedOff = {
  not_implemented: 'The service does not offer this yet',
  write_delegation_not_configured: 'Changes to cameras are not switched on at the service',
  export_not_configured: 'GPS exports are not switched on at the service',
  device_settings_not_configured: 'Changing camera settings is not switched on at the service',
  device_settings_read_not_configured: 'Reading camera settings is not switched on at the service',
  device_command_not_configured: 'Commands to cameras are not switched on at the service',
  media_recall_not_configured: 'Recalling video is not switched on at the service',
} as const;

/** A sentence for each code of section 7: what happened and what to do. Extension fields fill it where sent. */
export function explainProblem(problem: CloudProblemData): Explanation {
  const e = problem.extensions;
  const camera = e.psn === undefined ? 'The camera' : `Camera ${text(e.psn)}`;
  const detail = problem.detail.trim().replace(/[.\s]+$/, '');
  /** A sentence that ends in the service's own words where it sent any. */
  const because = (sentence: string) => (detail === '' ? `${sentence}.` : `${sentence}: ${detail}.`);
  const allowed = e.allowed === undefined ? '' : ` Accepted: ${text(e.allowed)}.`;
  switch (problem.code) {
    case 'invalid_parameter':
      return {
        what: `${because('The service did not accept a value in the request')}${allowed}`,
        todo: 'Change the value and ask again.',
      };
    case 'invalid_body':
      return {
        what: 'The service could not read the request body as JSON.',
        todo: 'Correct the body; nothing was changed.',
      };
    case 'invalid_cursor':
      return {
        what: 'The place in a long list was lost on the server.',
        todo: 'Load the list again from its first page.',
      };
    case 'unauthorized':
      return problem.status === 403
        ? {
            what: 'The API key is right but not enabled yet.',
            todo: 'Try again in a few minutes; if it stays so, have the key issued again.',
          }
        : {
            what: 'The service does not know this API key.',
            todo: 'Check the key under Account: copy it again without spaces.',
          };
    case 'forbidden':
      return {
        what: 'The service refused the request at its edge.',
        todo: 'Check the address and the key; if it stays so, send the request id to support.',
      };
    case 'insufficient_scope':
      return {
        what: `The API key lacks the permission "${text(e.requiredScope) || 'unknown'}".`,
        todo: 'Ask an administrator for a key with this scope.',
      };
    case 'group_not_allowed':
      return { what: 'The API key is limited to other groups.', todo: 'Pick a group that the key covers.' };
    case 'tier_invalid':
      return {
        what: 'The API key belongs to a plan that no longer exists.',
        todo: 'Have the key issued again.',
      };
    case 'subscription_inactive':
      return {
        what: `The subscription is not active${e.reason === undefined ? '' : ` (${text(e.reason)})`}.`,
        todo: 'Renew it; the same key works again within about five minutes.',
      };
    case 'camera_limit_exceeded':
      return {
        what: `${camera} is beyond the ${text(e.cameraLimit) || 'subscribed'} camera seats of the subscription (${text(e.registeredCameras) || '?'} registered).`,
        todo: `Raise the seats${e.requiredCameraLimit === undefined ? '' : ` to ${text(e.requiredCameraLimit)}`}, or use a covered camera; trips and events stay readable.`,
      };
    case 'quota_exceeded':
      return {
        what:
          e.bucket === 'transfer_bytes'
            ? `The month's video allowance does not cover this: ${bytesText(e.used)} of ${bytesText(e.limit)} are used.`
            : e.bucket === undefined
              ? 'A monthly allowance is used up.'
              : `The monthly allowance "${text(e.bucket)}" is used up (${text(e.used) || 'unknown'} of ${text(e.limit)}).`,
        todo:
          e.limit === 0
            ? 'The plan does not include it: ask for a higher plan.'
            : 'Wait for the 1st of next month (UTC), or raise the plan. Trying again does not help.',
      };
    case 'recall_limit_exceeded':
      return {
        what: 'An upstream recall allowance is used up.',
        todo: 'Try again next month, or ask the provider.',
      };
    case 'route_not_found':
      return {
        what: 'The service has no such address.',
        todo: 'Check the base address under Account: it comes without /v1.',
      };
    case 'group_not_found':
      return {
        what: 'The group does not exist (any more).',
        todo: 'Refresh the list of groups; a new group shows within ten minutes.',
      };
    case 'device_not_found':
      return {
        what: `${camera} does not exist, or this key may not see it.`,
        todo: 'Check the serial number, or use a key of its organization.',
      };
    case 'event_not_found':
      return { what: 'The event does not exist (any more).', todo: 'Refresh the list of events.' };
    case 'geofence_not_found':
      return { what: 'The geofence does not exist (any more).', todo: 'Refresh the list of geofences.' };
    case 'webhook_not_found':
      return {
        what: 'The webhook subscription does not exist (any more).',
        todo: 'Refresh the list of webhooks.',
      };
    case 'trip_not_found':
      return { what: 'The trip does not exist (any more).', todo: 'Refresh the list of trips.' };
    case 'job_not_found':
      return {
        what: 'The job does not exist (any more): jobs are kept for a limited time.',
        todo: 'Start it anew.',
      };
    case 'audit_log_not_found':
      return { what: 'The audit entry does not exist.', todo: 'Refresh the audit log.' };
    case 'video_not_available':
      return {
        what: 'The event has no video or picture of this camera channel.',
        todo: 'Pick another channel, or look for the recording on the SD card.',
      };
    case 'settings_not_found':
      return {
        what: 'The camera has not reported its settings yet.',
        todo: 'Try again after it has been online.',
      };
    case 'file_not_found':
      return {
        what: 'The recording is not on the SD card (any more): cards overwrite the oldest first.',
        todo: 'Refresh the card; a copy may be in the library.',
      };
    case 'not_found':
      return {
        what: because('Something that the request names does not exist'),
        todo: 'Check the names in the request.',
      };
    case 'job_already_completed':
      return { what: 'The export is complete already; there is nothing to cancel.', todo: 'Download it.' };
    case 'device_busy':
      return {
        what: `${camera} is transferring something else; it does one transfer at a time.`,
        todo: 'Wait, or cancel the job that owns the transfer.',
      };
    case 'device_offline':
      return { what: `${camera} is offline.`, todo: 'Try again when it is driving or has power.' };
    case 'export_in_progress':
      return {
        what: `Another export is under way (${text(e.activeJobId) || 'unknown'}, ${text(e.activeStatus) || 'unknown'}); the organization can run one at a time.`,
        todo: 'Wait for it, or cancel it.',
      };
    case 'sd_card_absent':
      return {
        what: `${camera} has no SD card, or it is not readable.`,
        todo: 'Check the card in the camera.',
      };
    case 'concurrency_limit_exceeded':
      return e.limit === 0
        ? {
            what: 'The plan does not include GPS export.',
            todo: 'Ask for a plan with exports (Pro and above).',
          }
        : {
            what: `${text(e.active) || 'Enough'} of ${text(e.limit) || '?'} exports of the plan are running.`,
            todo: 'Wait for one to end, or cancel it.',
          };
    case 'webhook_not_suspended':
      return { what: 'The webhook is active; there is nothing to reactivate.', todo: 'Nothing to do.' };
    case 'geofence_unsupported_shape':
      return {
        what: "The stored geofence has a shape that this route can't change without a new one.",
        todo: 'Send a shape with the change.',
      };
    case 'invalid_field': {
      const range =
        e.maxRangeDays !== undefined
          ? ` At most ${text(e.maxRangeDays)} days; asked ${text(e.rangeDays) || 'more'}.`
          : '';
      const bounds =
        e.min !== undefined || e.max !== undefined ? ` Between ${text(e.min)} and ${text(e.max)}.` : '';
      return {
        what: `${because('The service did not accept a field')}${allowed}${range}${bounds}`,
        todo: 'Change the field and send again.',
      };
    }
    case 'unknown_psn':
      return {
        what: `Unknown camera serial numbers: ${text(e.psns) || detail || 'not named'}.`,
        todo: 'Correct or remove them.',
      };
    case 'cloud_only':
      return {
        what: `${e.psns === undefined ? camera : `Camera ${text(e.psns)}`} has Wi-Fi only and no cloud connection.`,
        todo: 'Read its SD card by hand and import the files.',
      };
    case 'unsupported_device':
      return {
        what: `${camera}${e.model ? ` (${text(e.model)})` : ''} can't be browsed over the cloud.`,
        todo: 'Read its SD card by hand and import the files.',
      };
    case 'no_scoped_devices':
      return { what: 'No camera is within the reach of this key.', todo: "Check the key's groups." };
    case 'monthly_limit_exceeded':
      return {
        what: `The month's API calls are used up (${text(e.used) || '?'} of ${text(e.limit) || '?'}).`,
        todo: `Calls work again ${e.resetsAt === undefined ? 'on the 1st of next month, 00:00 UTC' : `from ${text(e.resetsAt)}`}. Everything already fetched stays readable.`,
      };
    case 'rate_limited':
      return {
        what: 'Too many calls in one second.',
        todo: 'Try again in a few seconds. The app spaces its own calls; others use the same allowance.',
      };
    case 'internal_error':
      return {
        what: 'The service failed inside.',
        todo: 'Try again in a minute; if it stays so, send the request id to support.',
      };
    case 'configuration_error':
      return { what: 'The service is not set up completely.', todo: 'Send the request id to support.' };
    case 'not_implemented':
    case 'write_delegation_not_configured':
    case 'export_not_configured':
    case 'device_settings_not_configured':
    case 'device_settings_read_not_configured':
    case 'device_command_not_configured':
    case 'media_recall_not_configured':
      return {
        what: `${switchedOff[problem.code]}${e.op === undefined ? '' : ` (${text(e.op)})`}.`,
        todo: 'Ask the provider whether it can be switched on.',
      };
    case 'delegate_failed':
      return {
        what: 'A part of the service failed to carry out the request.',
        todo: 'Try again in a minute.',
      };
    case 'upstream_unavailable':
      return {
        what: "A part of the service can't be reached at the moment.",
        todo: 'Try again in a minute.',
      };
    case 'command_timeout':
      return { what: `${camera} did not answer in time.`, todo: 'Try again; it may have poor reception.' };
    case 'query_timeout':
      return {
        what: 'The statistics took too long to compute.',
        todo: 'Ask for a shorter time range or one group.',
      };
    case 'address_invalid':
      return {
        what: because("The base address can't be used"),
        todo: 'Enter it like https://api.example.com, without /v1.',
      };
    case 'address_unreachable':
      return {
        what: because("The service can't be reached"),
        todo: 'Check the address, the network and the proxy. Everything already fetched stays readable.',
      };
    case 'tls_failed':
      return {
        what: because('The secure connection failed'),
        todo: 'Check the clock and the address; behind a company proxy, set its certificate authority (NODE_EXTRA_CA_CERTS).',
      };
    case 'connection_lost':
      return {
        what: 'The connection broke off before the answer was complete.',
        todo: 'Try again when the network is back.',
      };
    case 'deadline_exceeded':
      return {
        what: `No answer within the time allowed${detail === '' ? '' : ` (${detail})`}.`,
        todo: 'Try again, or allow more time.',
      };
    case 'not_the_service':
      return {
        what: `Something other than the service answered (status ${problem.status}).`,
        todo: 'Check the base address, and whether a proxy or a login page stands in between.',
      };
    case 'answer_malformed':
      return {
        what: 'The answer of the service could not be read.',
        todo: 'Try again; if it stays so, send the request id to support.',
      };
    case 'link_expired':
      return {
        what: 'The download link has expired.',
        todo: 'Ask for a fresh link; where that counts toward the allowance, the app asks first.',
      };
    case 'download_damaged':
      return {
        what: because('The download is not what was announced'),
        todo: 'Download again; the damaged file was not kept.',
      };
    case 'unknown':
      return {
        what: `The service answered with status ${problem.status}${problem.sentCode ? ` (${problem.sentCode})` : ''}: ${detail || problem.title || 'no words were sent'}.`,
        todo: 'See the details; if it stays so, send the request id to support.',
      };
  }
}
