import type {
  CloudAccount,
  ConnectionReport,
  DeviceListing,
  ExportOrder,
  LedgerEntry,
  UsageReport,
} from '../../../shared/contract/cloud.ts';
import type { CloudProblemData } from '../../../shared/cloudProblem.ts';
import type { Device, GpsExportJob, Usage } from '../../../shared/cloudResources.ts';
import type { AccountId } from '../../../shared/ids.ts';

// Values of the cloud's contract for tests of the window: plausible, and each field can be overridden.
export const accountId = 'acc_1' as AccountId;
/** 14 March 2026, 12:00 UTC. */
export const noonMs = Date.UTC(2026, 2, 14, 12);

export const account = (patch: Partial<CloudAccount> = {}): CloudAccount => ({
  accountId,
  label: 'Jansen Transport',
  baseUrl: 'https://api.fleet.example',
  tier: 'pro',
  isActive: true,
  isFromEnvironment: false,
  isDemo: false,
  addedAtMs: noonMs,
  ...patch,
});

export const problem = (patch: Partial<CloudProblemData> = {}): CloudProblemData => ({
  code: 'unauthorized',
  sentCode: null,
  status: 401,
  title: 'Unauthorized',
  detail: '',
  requestId: 'req_1',
  operation: 'devices.list',
  extensions: {},
  ...patch,
});

export const connection = (patch: Partial<ConnectionReport> = {}): ConnectionReport => ({
  isWorking: true,
  baseUrl: 'https://api.fleet.example',
  tier: 'pro',
  isSandbox: null,
  seats: { limit: 16, registered: 17, overLimit: 1 },
  scopes: [
    { scope: 'usage:read', state: 'missing', turnsOff: 'usage, budget and the API log' },
    { scope: 'gps:export', state: 'granted', turnsOff: 'ordering GPS exports' },
    { scope: 'media:recall', state: 'unknown', turnsOff: 'recalling clips' },
  ],
  clockSkewMs: 400,
  problem: null,
  ...patch,
});

export const devices = (list: readonly Device[], patch: Partial<DeviceListing> = {}): DeviceListing => ({
  devices: list,
  fetchedAtMs: noonMs,
  problem: null,
  ...patch,
});
export const cameras: readonly Device[] = [
  { psn: 'P12', name: 'Van 12', category: 'cloud', entitlement: 'covered' },
  { psn: 'P7', name: 'Van 7', category: 'cloud', entitlement: 'over_limit' },
  { psn: 'P61', name: 'Trailer 61', category: 'wifi', entitlement: 'covered' },
];

export const gpsJob = (patch: Partial<GpsExportJob> = {}): GpsExportJob => ({
  jobId: 'gpsexp_1',
  status: 'running',
  progress: 42,
  estimatedPoints: 5315,
  createdAt: '2026-03-14T11:58:00Z',
  from: '2026-03-08T00:00:00Z',
  to: '2026-03-14T00:00:00Z',
  ...patch,
});

export const order = (
  job: Partial<GpsExportJob> = {},
  patch: Partial<Omit<ExportOrder, 'job'>> = {},
): ExportOrder => ({
  accountId,
  job: gpsJob(job),
  isOurs: true,
  shouldImport: true,
  delivery: { status: 'waiting' },
  checkedAtMs: noonMs,
  problem: null,
  ...patch,
});

export const usage = (patch: Partial<Usage> = {}): Usage => ({
  period: '2026-03',
  tier: 'pro',
  cameraLimit: 16,
  apiCalls: { used: 120, limit: 160_500 },
  rate: { limitRps: 10, burst: 25 },
  volumeQuotas: [
    { bucket: 'transfer_bytes', limit: 160 * 2 ** 30, used: 130 * 2 ** 30, period: '2026-03', unit: 'bytes' },
    { bucket: 'export_job', limit: 800, used: 3, period: '2026-03', unit: 'count' },
    { bucket: 'export_concurrent', limit: 1, used: 1, period: '2026-03', unit: 'count' },
  ],
  callHistory: {
    windowDays: 4,
    from: '2026-03-10',
    to: '2026-03-13',
    aggregatedDays: 3,
    avgLatencyMs: null,
    days: [
      { date: '2026-03-10', calls: 40, avgLatencyMs: 120 },
      { date: '2026-03-11', calls: 0, avgLatencyMs: null },
      { date: '2026-03-13', calls: 80, avgLatencyMs: 90 },
    ],
  },
  statusBreakdown: {
    total: 120,
    classes: [
      { statusClass: '2xx', count: 118, ratio: 0.9833 },
      { statusClass: '4xx', count: 2, ratio: 0.0167 },
    ],
  },
  ...patch,
});

export const spending = (patch: Partial<LedgerEntry> = {}): LedgerEntry => ({
  atMs: noonMs,
  bucket: 'export_job',
  amount: 1,
  operation: 'gpsExports.create',
  subject: 'gpsexp_1',
  requestId: 'req_77',
  ...patch,
});

export const usageReport = (patch: Partial<UsageReport> = {}): UsageReport => ({
  accountId,
  usage: usage(),
  cameras: { limit: 16, registered: 17, overLimit: 1, overLimitPsns: ['P7'] },
  fetchedAtMs: Date.now(),
  ledger: [
    { bucket: 'transfer_bytes', spent: 2 ** 30, serverUsed: 130 * 2 ** 30, serverLimit: 160 * 2 ** 30 },
    { bucket: 'export_job', spent: 1, serverUsed: 3, serverLimit: 800 },
    { bucket: 'api_calls', spent: 50, serverUsed: 120, serverLimit: 160_500 },
  ],
  recent: [spending()],
  ...patch,
});
