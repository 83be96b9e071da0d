import {
  explainProblem,
  isCloudProblemCode,
  type CloudCode,
  type CloudProblemData,
} from '../../shared/cloudProblem.ts';

/** A failed call to the Fleet Dashcam Cloud (specification, section 7). Branch on `code`, never on texts. */
export class CloudProblem extends Error implements CloudProblemData {
  readonly code: CloudCode;
  readonly sentCode: string | null;
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  readonly requestId: string | null;
  readonly operation: string;
  readonly extensions: Readonly<Record<string, unknown>>;
  /** What Retry-After asked for, or null where it was not sent or not readable. */
  readonly retryAfterMs: number | null;
  /** False where the request may have been carried out although it failed (the connection broke after sending). */
  readonly isKnownNotDone: boolean;

  constructor(
    data: CloudProblemData & { readonly retryAfterMs?: number | null; readonly isKnownNotDone?: boolean },
  ) {
    super(explainProblem(data).what);
    this.name = 'CloudProblem';
    this.code = data.code;
    this.sentCode = data.sentCode;
    this.status = data.status;
    this.title = data.title;
    this.detail = data.detail;
    this.requestId = data.requestId;
    this.operation = data.operation;
    this.extensions = data.extensions;
    this.retryAfterMs = data.retryAfterMs ?? null;
    this.isKnownNotDone = data.isKnownNotDone ?? false;
  }

  toData(): CloudProblemData {
    const { code, sentCode, status, title, detail, requestId, operation, extensions } = this;
    return { code, sentCode, status, title, detail, requestId, operation, extensions };
  }
}

/** The members of RFC 9457 and the specification's own; everything else in a body is an extension. */
const standardMembers = new Set(['type', 'title', 'status', 'code', 'detail', 'requestId', 'instance']);

/** Answers that the service gives before it acts on anything (sections 3.4, 4.1, 5 and 7). */
const refusedBeforeActing = new Set<CloudCode>(['rate_limited', 'device_busy']);

/** Retry-After in seconds or as an HTTP date (RFC 9110, 10.2.3), in ms from `nowMs`; null where not readable. */
export function parseRetryAfter(header: string | undefined, nowMs: number): number | null {
  if (header === undefined) return null;
  const value = header.trim();
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000;
  const dateMs = Date.parse(value);
  // A bare number with a sign or fraction parses as a year in some engines: dates have letters.
  if (Number.isNaN(dateMs) || !/[a-z]/i.test(value)) return null;
  return Math.max(0, dateMs - nowMs);
}

export interface RawAnswer {
  readonly status: number;
  readonly statusText: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * The problem behind an error answer, whatever its form: problem+json, an edge's application/json, `{message}`
 * without a code, a proxy's HTML, nothing, or JSON cut off. Without a readable code the status decides (section 7).
 */
export function toProblem(operation: string, answer: RawAnswer, nowMs: number): CloudProblem {
  let body: Record<string, unknown> = {};
  let isJson = false;
  try {
    const parsed: unknown = JSON.parse(answer.body);
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) {
      body = parsed as Record<string, unknown>; // a JSON object; its members are checked one by one below
      isJson = true;
    }
  } catch {
    // Not JSON: the status speaks.
  }
  const string = (name: string): string | null =>
    typeof body[name] === 'string' ? (body[name] as string) : null;
  const sentCode = string('code');
  const code: CloudCode =
    sentCode !== null && isCloudProblemCode(sentCode)
      ? sentCode
      : sentCode !== null
        ? 'unknown'
        : codeOfStatus(answer.status, isJson, /^\s*</.test(answer.body));
  const extensions: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(body)) {
    if (!standardMembers.has(name) && !(name === 'message' && sentCode === null)) extensions[name] = value;
  }
  return new CloudProblem({
    code,
    sentCode: code === sentCode ? null : sentCode,
    status: answer.status,
    title: string('title') ?? answer.statusText,
    detail: string('detail') ?? string('message') ?? '',
    requestId: string('requestId') ?? answer.headers['x-request-id'] ?? null,
    operation,
    extensions,
    retryAfterMs: parseRetryAfter(answer.headers['retry-after'], nowMs),
    // Only the service's own word counts: a bare 429 may come from a proxy, after the service has acted.
    isKnownNotDone: code === sentCode && refusedBeforeActing.has(code),
  });
}

/** Falls back to what a status can only mean; anything ambiguous stays `unknown`. */
function codeOfStatus(status: number, isJson: boolean, isPage: boolean): CloudCode {
  if (status === 401) return 'unauthorized';
  if (status === 407) return 'address_unreachable';
  if (status === 429) return 'rate_limited';
  if (status === 502 || status === 503) return 'upstream_unavailable';
  if (status === 500 && isJson) return 'internal_error';
  if (status >= 300 && status < 400) return 'not_the_service';
  // The service refuses in JSON: a web page that refuses is some other server, or a proxy's login.
  if (isPage && status < 500) return 'not_the_service';
  return 'unknown';
}
