import { z } from 'zod';
import type { CloudProblemData } from '../cloudProblem.ts';
import type { Device, GpsExportJob, Usage } from '../cloudResources.ts';
import type { AccountId, JobId, SourceId } from '../ids.ts';
import { event, idSchema, nothing, output, request } from './define.ts';

/** Access to one organization's cameras. The key itself never leaves the core. */
export interface CloudAccount {
  readonly accountId: AccountId;
  readonly label: string;
  /** Without `/v1`. */
  readonly baseUrl: string;
  readonly tier: string | null;
  readonly isActive: boolean;
  /** Given by FLEET_DASHCAM_BASE_URL and FLEET_DASHCAM_API_KEY; can't be changed here. */
  readonly isFromEnvironment: boolean;
  /** The built-in simulated fleet. */
  readonly isDemo: boolean;
  readonly addedAtMs: number | null;
}

/** What a scope lets the app do, and whether the key has it. `unknown`: only using it would tell. */
export interface ScopeReport {
  readonly scope: string;
  readonly state: 'granted' | 'missing' | 'unknown';
  /** What of the app does not work without it. */
  readonly turnsOff: string;
}

export interface ConnectionReport {
  readonly isWorking: boolean;
  readonly baseUrl: string;
  readonly tier: string | null;
  /** Null: the service does not say. */
  readonly isSandbox: boolean | null;
  readonly seats: {
    readonly limit: number | null;
    readonly registered: number;
    readonly overLimit: number;
  } | null;
  readonly scopes: readonly ScopeReport[];
  /** This machine's clock minus the service's, ms; null where no answer carried a date. */
  readonly clockSkewMs: number | null;
  readonly problem: CloudProblemData | null;
}

/** A GPS export as the app follows it. */
export interface ExportOrder {
  readonly accountId: AccountId;
  readonly job: GpsExportJob;
  /** Ordered by this app; false for jobs only seen in the service's list. */
  readonly isOurs: boolean;
  readonly shouldImport: boolean;
  /** What the app does or did with the finished archive. */
  readonly delivery:
    | { readonly status: 'waiting' }
    | { readonly status: 'running'; readonly trayJobId: JobId }
    | { readonly status: 'imported'; readonly sourceId: SourceId; readonly sha256: string }
    | { readonly status: 'empty' }
    | { readonly status: 'failed'; readonly message: string };
  readonly checkedAtMs: number;
  readonly problem: CloudProblemData | null;
}

/** Something the app spent, as it counted it itself. */
export interface LedgerEntry {
  readonly atMs: number;
  readonly bucket: 'transfer_bytes' | 'export_job' | 'api_calls';
  readonly amount: number;
  readonly operation: string;
  readonly subject: string | null;
  readonly requestId: string | null;
}

export interface LedgerSum {
  readonly bucket: LedgerEntry['bucket'];
  /** By this app, this UTC month. */
  readonly spent: number;
  /** By the whole organization, as the service counts; null where it did not say. */
  readonly serverUsed: number | null;
  readonly serverLimit: number | null;
}

export interface UsageReport {
  readonly accountId: AccountId;
  readonly usage: Usage;
  readonly cameras: Readonly<Record<string, unknown>> | null;
  readonly fetchedAtMs: number;
  readonly ledger: readonly LedgerSum[];
  readonly recent: readonly LedgerEntry[];
}

/** A listing as it was at `fetchedAtMs`; `problem` says why it is not newer. */
export interface DeviceListing {
  readonly devices: readonly Device[];
  readonly fetchedAtMs: number | null;
  readonly problem: CloudProblemData | null;
}

const accountId = idSchema<AccountId>();
const label = z.string().trim().min(1).max(100);
const baseUrl = z.string().trim().min(1).max(500);
const apiKey = z.string().trim().min(1).max(4000);
/** A UTC calendar day. */
const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);

export const cloudRequests = {
  'accounts.list': request(nothing, output<readonly CloudAccount[]>()),
  /** Tries an address and key without storing anything. */
  'accounts.test': request(z.object({ baseUrl, apiKey }).strict(), output<ConnectionReport>()),
  'accounts.check': request(z.object({ accountId }).strict(), output<ConnectionReport>()),
  /** Stores the account only if it works; `problem` in the error's details says why it does not. */
  'accounts.add': request(z.object({ label, baseUrl, apiKey }).strict(), output<CloudAccount>()),
  'accounts.rename': request(z.object({ accountId, label }).strict(), output<CloudAccount>()),
  'accounts.activate': request(z.object({ accountId }).strict(), output<CloudAccount>()),
  'accounts.remove': request(z.object({ accountId }).strict(), output<null>()),
  /** Starts the built-in simulated fleet on this machine and makes it the active account. */
  'demo.start': request(nothing, output<CloudAccount>()),
  'demo.stop': request(nothing, output<null>()),
  /** The active account's cameras; from the cache unless `isFresh`. */
  'cloudDevices.list': request(
    z.object({ isFresh: z.boolean().optional() }).strict(),
    output<DeviceListing>(),
  ),
  /**
   * Orders a GPS export of whole UTC days, both inclusive (4.3). The 90-day and one-job rules are checked before
   * anything is sent.
   */
  'exports.order': request(
    z
      .object({
        psns: z.array(z.string().min(1).max(100)).max(1000).optional(),
        fromDay: day,
        toDay: day,
        format: z.enum(['csv', 'gpx', 'kml']),
        packaging: z.enum(['single', 'perDevice']).optional(),
        shouldImport: z.boolean().optional(),
      })
      .strict(),
    output<ExportOrder>(),
  ),
  'exports.list': request(
    z.object({ isFresh: z.boolean().optional() }).strict(),
    output<{
      readonly orders: readonly ExportOrder[];
      readonly fetchedAtMs: number | null;
      readonly problem: CloudProblemData | null;
    }>(),
  ),
  'exports.cancel': request(z.object({ jobId: idSchema<string>() }).strict(), output<ExportOrder>()),
  /** Downloads a completed export and imports it, as a job of the tray. */
  'exports.fetch': request(
    z.object({ jobId: idSchema<string>() }).strict(),
    output<{ readonly jobId: JobId }>(),
  ),
  'usage.read': request(z.object({ isFresh: z.boolean().optional() }).strict(), output<UsageReport | null>()),
} as const;

export const cloudEvents = {
  'accounts.changed': event<{ readonly accountId: AccountId | null }>(),
  'exports.changed': event<ExportOrder>(),
  'usage.changed': event<{ readonly accountId: AccountId }>(),
} as const;
