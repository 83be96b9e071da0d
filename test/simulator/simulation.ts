/** The state of the simulated service, and the types its parts share. */
import type { IncomingMessage } from 'node:http';
import type { Clock } from './clock.ts';
import type { FaultBook } from './faults.ts';
import type { ConductTally } from './conduct.ts';
import type { RequestLog, RequestRecord } from './requestLog.ts';
import type { Random } from './random.ts';
import type { CardBook, Recording } from './world/card.ts';
import type { NominalSizes, Quality } from './world/clips.ts';
import type { IncidentBook } from './world/incidents.ts';
import type { TripBook } from './world/trips.ts';
import type { Vehicle } from './world/vehicle.ts';

export type Tier = 'free' | 'starter' | 'standard' | 'pro' | 'enterprise';

/** Section 5.8: why a subscription does not answer calls; null while it does. */
export type InactiveReason = 'no_active_subscription' | 'plan_not_eligible';

export interface Plan {
  readonly tier: Tier;
  /** null: the subscription could not be resolved, so nothing is locked (section 2.11). */
  readonly cameraLimit: number | null;
  readonly inactiveReason: InactiveReason | null;
}

export interface ApiKey {
  readonly keyId: string;
  readonly token: string;
  readonly kind: 'live' | 'sandbox';
  readonly label: string;
  /** null: whatever the tier offers; a list never grows by itself (section 5.6). */
  readonly scopes: readonly string[] | null;
  /** Groups the key is pinned to; null for the whole organisation. */
  readonly groupIds: readonly string[] | null;
  isEnabled: boolean;
  isTierRetired: boolean;
}

export interface Transfer {
  readonly psn: string;
  readonly filename: string;
  readonly quality: Quality;
  readonly sizeBytes: number;
  readonly startedAtMs: number;
  readonly bytesPerSecond: number;
  /** The upload stops for good at this instant: cancelled, device lost, rebooted. */
  endedAtMs: number | null;
}

export interface Camera {
  readonly psn: string;
  readonly category: 'cloud' | 'wifi';
  readonly model: string | null;
  readonly isSupported: boolean;
  readonly registeredAtMs: number;
  readonly connectivity: 'lte' | 'wifi';
  readonly fwVersion: string;
  readonly vehicle: Vehicle;
  uploadBytesPerSecond: number;
  name: string;
  groupId: string | null;
  vehicleInfo: Record<string, string | number | null>;
  hasCard: boolean;
  /** Offline until this instant; Infinity for a camera that is gone. */
  offlineUntilMs: number;
  busyUntilMs: number;
  /** Busy with nothing moving, until rebooted (section 3.4). */
  isWedged: boolean;
  /** Does not answer commands: 504. */
  isUnresponsive: boolean;
  transfer: Transfer | null;
  readonly deletedFilenames: Set<string>;
}

export interface RecallJob {
  readonly jobId: string;
  readonly camera: Camera;
  readonly recording: Recording;
  readonly quality: Quality;
  readonly transfer: Transfer;
  readonly sizeBytes: number | null;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  readonly downloadUrl: string;
  isCanceled: boolean;
}

/** The media server's copy of one file in one quality. */
export interface MediaCopy {
  readonly transfer: Transfer;
  readonly firstRequestedAtMs: number;
}

export interface ExportJob {
  readonly jobId: string;
  readonly cameras: readonly Camera[];
  readonly failedPsns: readonly string[];
  readonly fromDay: number;
  readonly toDay: number;
  readonly format: 'gpx' | 'csv' | 'kml';
  readonly packaging: 'single' | 'perDevice';
  readonly estimatedPoints: number;
  readonly createdAtMs: number;
  readonly runningAtMs: number;
  readonly completesAtMs: number;
  readonly expiresAtMs: number;
  readonly outcome: 'completed' | 'failed';
  status: 'queued' | 'running' | 'completed' | 'failed' | 'canceled';
  completedAtMs: number | null;
  artifact: Buffer | null;
}

export type WebhookEvent =
  'safety_event' | 'geofence_enter' | 'geofence_exit' | 'device_disconnected' | 'export_completed';

export interface WebhookDelivery {
  readonly deliveryId: string;
  readonly eventKey: string | null;
  readonly event: string;
  readonly eventId: string;
  readonly delivered: boolean;
  readonly statusCode: number | null;
  readonly attempts: number;
  readonly error: string | null;
  readonly atMs: number;
  readonly test: boolean;
}

export interface Webhook {
  readonly webhookId: string;
  readonly url: string;
  readonly events: readonly WebhookEvent[];
  readonly createdAtMs: number;
  secret: string;
  previousSecret: string | null;
  previousSecretExpiresAtMs: number | null;
  suspendedAtMs: number | null;
  failureCount: number;
  firstFailureAtMs: number | null;
  deliveries: WebhookDelivery[];
}

export interface DeadLetter {
  readonly eventKey: string;
  readonly event: WebhookEvent;
  readonly data: Readonly<Record<string, unknown>>;
  readonly parkedAtMs: number;
  readonly expiresAtMs: number;
}

export interface ApiLogRow {
  readonly id: string;
  readonly atMs: number;
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly errorCode: string | null;
  readonly latencyMs: number;
  readonly keyId: string;
  readonly ip: string;
  readonly userAgent: string;
}

export interface AuditEntry {
  readonly auditId: string;
  readonly atMs: number;
  readonly actorType: 'api_key' | 'system' | null;
  readonly actorId: string | null;
  readonly ip: string | null;
  readonly userAgent: string | null;
  readonly eventType: string;
  readonly target: string | null;
  readonly status: string;
}

export interface Geofence {
  readonly geofenceId: string;
  readonly createdAtMs: number;
  name: string;
  /** null: drawn on the console in a form the API can't express (409 on PUT without a shape). */
  shape: Readonly<Record<string, unknown>> | null;
  style: { color: string; opacity: number };
  recordingEvents: Record<string, boolean>;
  devices: string[];
  updatedAtMs: number;
}

export interface Organisation {
  readonly organisationId: string;
  readonly label: string;
  readonly isSandbox: boolean;
  readonly keys: ApiKey[];
  readonly cameras: Camera[];
  readonly groups: { readonly groupId: string; readonly name: string }[];
  readonly plans: { readonly plan: Plan; readonly effectiveAtMs: number }[];
  /** Keyed by `YYYY-MM`. */
  readonly callsByMonth: Map<string, number>;
  readonly transferByMonth: Map<string, number>;
  readonly exportsByMonth: Map<string, number>;
  readonly copies: Map<string, MediaCopy>;
  /** Sizes devices reported, by file and quality (section 8.2). */
  readonly lastSizes: Map<string, number>;
  recallJobs: RecallJob[];
  exportJobs: ExportJob[];
  webhooks: Webhook[];
  deadLetters: DeadLetter[];
  geofences: Geofence[];
  apiLogs: ApiLogRow[];
  auditLogs: AuditEntry[];
  rate: { tokens: number; atMs: number };
  isEdgeQuotaSpent: boolean;
}

export interface Modes {
  /** Unknown fields, enum values and headers everywhere a client must tolerate them (section 9). */
  isAdditive: boolean;
  /** Every optional or undocumented field left out. */
  isMinimal: boolean;
  /** Devices report no sizes. */
  isNullSizes: boolean;
  /** Every other cursor page is empty with `hasMore: true`. */
  isEmptyPages: boolean;
  /** Links carry no signed expiry (section 2.3). */
  isNullExpiry: boolean;
  /** The media server's probe never answers in time. */
  isProbeDead: boolean;
}

export interface SimulationOptions {
  readonly seed: number;
  readonly startAtMs: number;
  readonly nominalSizes: NominalSizes | null;
  /** How many days of continuous recording a card holds. */
  readonly cardDays: number;
  readonly areLoopbackWebhooksAllowed: boolean;
  readonly areLiveEventsOn: boolean;
  readonly isRateLimited: boolean;
  readonly webhookTimeoutMs: number;
  readonly deviceLatencyMs: number;
  /** Where the run's count of conduct is kept; null: in memory only. */
  readonly conductFolder: string | null;
}

/** What the next export job will turn into; used up by one job. */
export type NextExport = 'failed' | 'partial' | 'empty';

export interface Simulation {
  readonly options: SimulationOptions;
  readonly clock: Clock;
  readonly tripBook: TripBook;
  readonly incidentBook: IncidentBook;
  readonly cardBook: CardBook;
  readonly organisations: Organisation[];
  readonly modes: Modes;
  readonly faults: FaultBook;
  readonly log: RequestLog;
  readonly conduct: ConductTally;
  readonly identifiers: Random;
  baseUrl: string;
  nextExport: NextExport | null;
}

/** One authenticated call on its way through a handler. */
export interface Call {
  readonly simulation: Simulation;
  readonly organisation: Organisation;
  readonly key: ApiKey;
  readonly method: string;
  /** The route's template, `/v1/devices/{psn}`. */
  readonly route: string;
  /** Path parameters; null where the percent-encoding is malformed. */
  readonly parameters: Readonly<Record<string, string | null>>;
  readonly query: URLSearchParams;
  readonly body: unknown;
  readonly requestId: string;
  readonly nowMs: number;
  readonly ip: string;
  readonly userAgent: string;
  readonly record: RequestRecord;
  readonly request: IncomingMessage;
}

export interface Reply {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Handler = (call: Call) => Reply | Promise<Reply>;

/** Successful single-resource responses wrap the resource in `data`. */
export function ok(data: unknown, beside: Readonly<Record<string, unknown>> = {}, status = 200): Reply {
  return { status, body: { data, ...beside } };
}

export const monthOf = (atMs: number): string => new Date(atMs).toISOString().slice(0, 7);

/** 00:00 UTC on the 1st of the month after the given instant. */
export function monthEndMs(atMs: number): number {
  const date = new Date(atMs);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}

export function newId(simulation: Simulation, prefix: string): string {
  return `${prefix}_${simulation.identifiers.hex(20)}`;
}
