/** Sections 2.3, 2.4, 3.1, 4.1: the playback call and recall jobs, one code path. */
import { mediaOffset, offsetPage, readOffset } from '../http/pagination.ts';
import { bodyObject, enumParameter, invalidField } from '../http/parameters.ts';
import { Problem } from '../http/problem.ts';
import { newId, ok, type Call, type Handler, type RecallJob } from '../simulation.ts';
import { clipSizeBytes, type Quality } from '../world/clips.ts';
import { dayMs, toTimestamp } from '../world/localTime.ts';
import { clipLinkUrl } from './links.ts';
import { audit } from './audit.ts';
import {
  abortTransfer,
  contactDevice,
  countRecall,
  estimatedBytes,
  receivedBytes,
  requireTransferAllowance,
  reusableCopy,
  startTransfer,
} from './media.ts';
import { requireFilename, requireRecording } from './recordings.ts';
import { commandableCamera } from './scope.ts';

const qualities = ['main', 'sub'] as const;
export const clipLinkLifetimeMs = 3_600_000;
const jobHistoryMs = 7 * dayMs;

async function recall(
  call: Call,
  psn: string | null,
  filename: string,
  quality: Quality,
): Promise<RecallJob> {
  const { simulation, organisation } = call;
  const camera = commandableCamera(call, psn);
  // Rule 6: the allowance is checked before the device is contacted.
  simulation.conduct.playback(call.record, `${camera.psn}/${filename}/${quality}`);
  requireTransferAllowance(call, estimatedBytes(call, camera.psn, filename, quality));
  const copy = reusableCopy(call, camera.psn, filename, quality);
  try {
    await contactDevice(call, camera, `recall-${quality}`, { card: true });
    const recording = requireRecording(call, camera, filename);
    const sizeBytes = clipSizeBytes(recording, quality, simulation.options.nominalSizes);
    const reportedBytes = simulation.modes.isNullSizes ? null : sizeBytes;
    const transfer = copy?.transfer ?? startTransfer(call, camera, filename, quality, sizeBytes);
    countRecall(call, camera.psn, filename, quality, reportedBytes);
    const nowMs = simulation.clock.now();
    const jobId = newId(simulation, 'mrcl');
    const expiresAtMs = nowMs + clipLinkLifetimeMs;
    const job: RecallJob = {
      jobId,
      camera,
      recording,
      quality,
      transfer,
      sizeBytes: reportedBytes,
      createdAtMs: nowMs,
      expiresAtMs,
      downloadUrl: clipLinkUrl(simulation, jobId, filename, expiresAtMs),
      isCanceled: false,
    };
    organisation.recallJobs.push(job);
    simulation.conduct.linked(call.record, jobId, `${camera.psn}/${filename}/${quality}`);
    call.record.recalled = `${camera.psn}/${filename}/${quality}`;
    audit(call, 'video.recall_create', jobId, 'start');
    return job;
  } catch (error) {
    if (error instanceof Problem) audit(call, 'video.recall_create', filename, 'fail');
    throw error;
  }
}

function expiryOf(call: Call, job: RecallJob): string | null {
  return call.simulation.modes.isNullExpiry ? null : toTimestamp(job.expiresAtMs);
}

function probe(call: Call, job: RecallJob): number | null {
  if (call.key.kind === 'sandbox' || call.simulation.modes.isProbeDead) return null;
  return receivedBytes(job.transfer, call.simulation.clock.now());
}

/** Section 2.4. `receivedBytes` is there only while the probe answers; with a sandbox key it is null (5.2). */
function toJob(call: Call, job: RecallJob): Record<string, unknown> {
  const received = probe(call, job);
  return {
    jobId: job.jobId,
    status: job.isCanceled ? 'canceled' : 'ready',
    downloadUrl: job.downloadUrl,
    sizeBytes: job.sizeBytes,
    ...(received !== null
      ? { receivedBytes: received }
      : call.key.kind === 'sandbox'
        ? { receivedBytes: null }
        : {}),
    expiresAt: expiryOf(call, job),
  };
}

export const playRecording: Handler = async (call) => {
  const quality = enumParameter(call, 'quality', qualities) ?? 'sub';
  const filename = requireFilename(call.parameters['filename']);
  const job = await recall(call, call.parameters['psn'] ?? null, filename, quality);
  return ok({
    url: job.downloadUrl,
    expiresAt: expiryOf(call, job),
    jobId: job.jobId,
    sizeBytes: job.sizeBytes,
    receivedBytes: probe(call, job),
    quality,
  });
};

export const createRecallJob: Handler = async (call) => {
  const body = bodyObject(call);
  if (typeof body['psn'] !== 'string' || body['psn'] === '') throw invalidField('psn', 'must be a string');
  const filename = requireFilename(body['filename']);
  const quality =
    body['quality'] === undefined ? 'main' : qualities.find((known) => known === body['quality']);
  if (quality === undefined)
    throw invalidField('quality', 'has an unsupported value', { allowed: qualities });
  const job = await recall(call, body['psn'], filename, quality);
  const { jobId, downloadUrl, sizeBytes } = job;
  return ok({ jobId, status: 'ready', downloadUrl, sizeBytes, expiresAt: expiryOf(call, job) }, {}, 201);
};

function keptJobs(call: Call): RecallJob[] {
  const oldestMs = call.nowMs - (call.organisation.isSandbox ? dayMs : jobHistoryMs);
  return call.organisation.recallJobs.filter((job) => job.createdAtMs >= oldestMs);
}

function findJob(call: Call): RecallJob {
  const job = keptJobs(call).find((candidate) => candidate.jobId === call.parameters['jobId']);
  if (!job) throw new Problem('job_not_found', { detail: 'No such recall job in the last 7 days.' });
  return job;
}

export const readRecallJob: Handler = (call) => ok(toJob(call, findJob(call)));

/** Rule 14: item fields are not shown; each is the job plus what it recalls. */
export const listRecallJobs: Handler = (call) => {
  const offset = readOffset(call, mediaOffset);
  const newestFirst = keptJobs(call).sort(
    (one, other) => other.createdAtMs - one.createdAtMs || (one.jobId < other.jobId ? 1 : -1),
  );
  const page = offsetPage(newestFirst, offset);
  const data = page.rows.map((job) => ({
    ...toJob(call, job),
    psn: job.camera.psn,
    filename: job.recording.filename,
    quality: job.quality,
    createdAt: toTimestamp(job.createdAtMs),
  }));
  return { status: 200, body: { data, pagination: page.pagination } };
};

/**
 * Section 3.1: always succeeds. The abort is best-effort and not scoped to this job's file: whatever the
 * device is uploading stops.
 */
export const cancelRecallJob: Handler = (call) => {
  const job = findJob(call);
  if (!job.isCanceled) {
    call.record.psn = job.camera.psn;
    call.record.deviceContact = 'abort';
    call.simulation.conduct.contact(call.record, job.camera.psn, 'abort');
    const isReachable = job.camera.offlineUntilMs <= call.nowMs && !job.camera.isUnresponsive;
    if (isReachable) abortTransfer(job.camera, call.nowMs);
    job.isCanceled = true;
    audit(call, 'video.recall_cancel', job.jobId, 'success');
  }
  return ok(toJob(call, job));
};
