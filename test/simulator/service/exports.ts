/** GPS export jobs (sections 2.7, 3.2, 4.3). */
import { cursorPage } from '../http/pagination.ts';
import { bodyObject, enumParameter, invalidField, isStringArray, parseInstant } from '../http/parameters.ts';
import { Problem } from '../http/problem.ts';
import { exportJobLimit, tierLimits } from '../plans.ts';
import {
  monthOf,
  newId,
  ok,
  type Call,
  type Camera,
  type ExportJob,
  type Handler,
  type Organisation,
  type Simulation,
} from '../simulation.ts';
import { dayMs, toDateText, toDay, toTimestamp } from '../world/localTime.ts';
import { audit } from './audit.ts';
import { buildArchive, exportTracks } from './exportFiles.ts';
import { exportLinkUrl } from './links.ts';
import { planForQuotas, scopedCameras } from './scope.ts';
import { publish } from './webhookPipeline.ts';

const maxRangeDays = 90;
const downloadSeconds = 3600;
const jobLifetimeMs = 7 * dayMs;
/** Not shown: how fast the worker is. Plausible and short enough for a person to watch. */
const queueMs = 3000;
const workMs = 9000;

interface Order {
  readonly cameras: Camera[];
  readonly fromDay: number;
  readonly toDay: number;
  readonly format: ExportJob['format'];
  readonly packaging: ExportJob['packaging'];
}

function readDay(body: Record<string, unknown>, name: 'from' | 'to'): number {
  const atMs = parseInstant(body[name]);
  if (atMs === undefined) throw invalidField(name, 'must be an RFC 3339 timestamp');
  return toDay(atMs);
}

function readOrder(call: Call): Order {
  const body = bodyObject(call);
  const psns = body['psns'];
  if (psns !== undefined && (!isStringArray(psns) || psns.length === 0)) {
    throw invalidField('psns', 'must be a list of PSN strings');
  }
  // Only the UTC date counts (rule 1).
  const fromDay = readDay(body, 'from');
  const toDay_ = readDay(body, 'to');
  const formats = ['gpx', 'csv', 'kml'] as const;
  const format = formats.find((known) => known === body['format']);
  if (format === undefined) throw invalidField('format', 'has an unsupported value', { allowed: formats });
  const packagings = ['single', 'perDevice'] as const;
  const packaging = packagings.find((known) => known === body['packaging']);
  if (body['packaging'] !== undefined && packaging === undefined) {
    throw invalidField('packaging', 'has an unsupported value', { allowed: packagings });
  }
  if (toDay_ < fromDay) throw invalidField('to', 'must not be before "from"');
  const rangeDays = toDay_ - fromDay;
  if (rangeDays > maxRangeDays) {
    throw invalidField('to', 'is too far from "from"', { maxRangeDays, rangeDays });
  }
  const cameras = chooseCameras(call, psns);
  return {
    cameras,
    fromDay,
    toDay: toDay_,
    format,
    packaging: packaging ?? (cameras.length > 1 ? 'perDevice' : 'single'),
  };
}

function chooseCameras(call: Call, psns: string[] | undefined): Camera[] {
  const scoped = scopedCameras(call);
  if (psns === undefined) {
    const cloud = scoped.filter((camera) => camera.category === 'cloud');
    if (cloud.length === 0)
      throw new Problem('no_scoped_devices', { detail: 'No cloud dashcam within the scope of this key.' });
    return cloud;
  }
  const unknown = psns.filter((psn) => !scoped.some((camera) => camera.psn === psn));
  if (unknown.length > 0) {
    throw new Problem('unknown_psn', {
      detail: 'Some PSNs are outside the scope of this key.',
      extensions: { psns: unknown },
    });
  }
  const chosen = scoped.filter((camera) => psns.includes(camera.psn));
  const wifi = chosen.filter((camera) => camera.category === 'wifi').map((camera) => camera.psn);
  if (wifi.length > 0) {
    throw new Problem('cloud_only', {
      detail: 'Wi-Fi-only dashcams have no GPS data in the cloud.',
      extensions: { psns: wifi, category: 'wifi' },
    });
  }
  return chosen;
}

/** Rule 4: the tier's allowance first, then the job that is under way; both before any quota is charged. */
function requireFreeWorker(call: Call): void {
  const active = call.organisation.exportJobs.filter(
    (job) => job.status === 'queued' || job.status === 'running',
  );
  const limit = tierLimits[planForQuotas(call).tier].exportConcurrent;
  if (active.length >= limit) {
    throw new Problem('concurrency_limit_exceeded', {
      detail: 'The tier allows no further export at the same time.',
      extensions: { limit, active: active.length },
    });
  }
  const job = active[0];
  if (job) {
    throw new Problem('export_in_progress', {
      detail: 'One export job at a time per organisation.',
      extensions: { activeJobId: job.jobId, activeStatus: job.status },
    });
  }
}

export function usedExportJobs(organisation: Organisation, nowMs: number): number {
  return organisation.exportsByMonth.get(monthOf(nowMs)) ?? 0;
}

function chargeExport(call: Call): void {
  const limit = exportJobLimit(planForQuotas(call));
  const used = usedExportJobs(call.organisation, call.nowMs);
  if (used >= limit) {
    throw new Problem('quota_exceeded', {
      detail: `The monthly allowance of ${limit} export jobs is used up.`,
      extensions: { bucket: 'export_job', limit, used },
    });
  }
  call.organisation.exportsByMonth.set(monthOf(call.nowMs), used + 1);
}

export const createExportJob: Handler = (call) => {
  const order = readOrder(call);
  requireFreeWorker(call);
  chargeExport(call);
  const { simulation, organisation, nowMs } = call;
  const nextExport = simulation.nextExport;
  simulation.nextExport = null;
  const failedPsns = nextExport === 'partial' ? [order.cameras[0]?.psn ?? ''] : [];
  const cameras = nextExport === 'empty' ? [] : order.cameras;
  const range = { fromDay: order.fromDay, toDay: order.toDay, untilMs: nowMs };
  const estimatedPoints = exportTracks(simulation, cameras, range).reduce(
    (sum, track) => sum + track.points.length,
    0,
  );
  const job: ExportJob = {
    ...order,
    cameras,
    failedPsns,
    jobId: newId(simulation, 'gpsexp'),
    estimatedPoints,
    createdAtMs: nowMs,
    runningAtMs: nowMs + queueMs,
    completesAtMs: nowMs + queueMs + workMs,
    expiresAtMs: nowMs + (organisation.isSandbox ? dayMs : jobLifetimeMs),
    outcome: nextExport === 'failed' ? 'failed' : 'completed',
    status: 'queued',
    completedAtMs: null,
    artifact: null,
  };
  organisation.exportJobs.push(job);
  audit(call, 'export.job_create', job.jobId, 'request');
  simulation.clock.schedule(job.runningAtMs, () => {
    if (job.status === 'queued') job.status = 'running';
  });
  simulation.clock.schedule(job.completesAtMs, () => finishExport(simulation, organisation, job));
  return ok({ jobId: job.jobId, status: 'queued', estimatedPoints, createdAt: toTimestamp(nowMs) }, {}, 201);
};

async function finishExport(
  simulation: Simulation,
  organisation: Organisation,
  job: ExportJob,
): Promise<void> {
  if (job.status !== 'running') return;
  if (job.outcome === 'failed') {
    job.status = 'failed';
    return;
  }
  job.artifact = buildArchive(simulation, {
    cameras: job.cameras.filter((camera) => !job.failedPsns.includes(camera.psn)),
    format: job.format,
    packaging: job.packaging,
    range: { fromDay: job.fromDay, toDay: job.toDay, untilMs: job.createdAtMs },
    isAdditive: simulation.modes.isAdditive,
  });
  job.status = 'completed';
  job.completedAtMs = job.completesAtMs;
  await publish(simulation, organisation, 'export_completed', {
    eventId: `exp_${job.jobId}`,
    jobId: job.jobId,
    occurredAt: toTimestamp(job.completesAtMs),
    partial: job.failedPsns.length > 0,
    format: job.format,
    packaging: job.packaging,
    cameraCount: job.cameras.length - job.failedPsns.length,
    rangeStart: toTimestamp(job.fromDay * dayMs),
    rangeEnd: toTimestamp((job.toDay + 1) * dayMs - 1000),
    sizeBytes: job.artifact?.length ?? 0,
    ...downloadFields(simulation, job),
  });
}

/** The link is made anew on every lookup; without data there is none (section 2.7). */
function downloadFields(simulation: Simulation, job: ExportJob): Record<string, unknown> {
  if (job.status !== 'completed' || job.artifact === null) return {};
  const fileName = `gps-${toDateText(job.fromDay * dayMs)}-${toDateText(job.toDay * dayMs)}-${job.format}.zip`;
  return {
    downloadUrl: exportLinkUrl(
      simulation,
      job.jobId,
      fileName,
      simulation.clock.now() + downloadSeconds * 1000,
    ),
    downloadFileName: fileName,
    downloadUrlExpiresIn: downloadSeconds,
  };
}

/** 0..95 while running, exactly 100 only when completed. */
function progressOf(job: ExportJob, nowMs: number): number {
  if (job.status === 'completed') return 100;
  if (job.status === 'queued') return 0;
  const share = (nowMs - job.runningAtMs) / (job.completesAtMs - job.runningAtMs);
  return Math.max(0, Math.min(95, Math.floor(share * 100)));
}

function toJob(call: Call, job: ExportJob): Record<string, unknown> {
  return {
    jobId: job.jobId,
    status: job.status,
    progress: progressOf(job, call.nowMs),
    estimatedPoints: job.estimatedPoints,
    format: job.format,
    packaging: job.packaging,
    createdAt: toTimestamp(job.createdAtMs),
    ...(job.completedAtMs === null ? {} : { completedAt: toTimestamp(job.completedAtMs) }),
    ...downloadFields(call.simulation, job),
    ...(job.failedPsns.length > 0 && job.status === 'completed' ? { partial: true } : {}),
    from: toTimestamp(job.fromDay * dayMs),
    to: toTimestamp(job.toDay * dayMs),
  };
}

function keptJobs(call: Call): ExportJob[] {
  return call.organisation.exportJobs.filter((job) => job.expiresAtMs > call.nowMs);
}

function findJob(call: Call): ExportJob {
  const job = keptJobs(call).find((candidate) => candidate.jobId === call.parameters['jobId']);
  if (!job) throw new Problem('job_not_found', { detail: 'No such export job.' });
  return job;
}

export const readExportJob: Handler = (call) => ok(toJob(call, findJob(call)));

const jobStatuses = ['queued', 'running', 'completed', 'failed', 'canceled'] as const;

export const listExportJobs: Handler = (call) => {
  const status = enumParameter(call, 'status', jobStatuses);
  const rows = keptJobs(call).filter((job) => status === undefined || job.status === status);
  const page = cursorPage(call, rows, { keyOf: (job) => [job.createdAtMs, job.jobId], order: 'descending' });
  const data = page.rows.map((job) => ({ ...toJob(call, job), expiresAt: toTimestamp(job.expiresAtMs) }));
  return { status: 200, body: { data, pagination: page.pagination } };
};

/** Not shown: a failed job. Here it is left as it is, and a canceled one answers the same again. */
export const cancelExportJob: Handler = (call) => {
  const job = findJob(call);
  if (job.status === 'completed') {
    throw new Problem('job_already_completed', {
      detail: 'The export is already completed.',
      extensions: { jobId: job.jobId },
    });
  }
  if (job.status === 'queued' || job.status === 'running') {
    job.status = 'canceled';
    audit(call, 'export.job_cancel', job.jobId, 'success');
  }
  return ok(toJob(call, job));
};
