import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { ExportOrder } from '../../../shared/contract/cloud.ts';
import type { ImportOutcome } from '../../../shared/contract/imports.ts';
import { AppError } from '../../../shared/errors.ts';
import type { AccountId, JobId } from '../../../shared/ids.ts';
import type { CloudRepository } from '../../cache/cloudRepository.ts';
import { download, type Download } from '../../cloud/download.ts';
import { CloudProblem } from '../../cloud/problem.ts';
import type { Timing } from '../../cloud/rateGate.ts';
import type { DeskDeps, JobContext } from '../deps.ts';
import { toCloudError } from './cloudError.ts';
import type { Connections } from './connections.ts';
import { deliveryOf, safeFileName } from './exportRules.ts';

export interface DownloadOptions {
  readonly signal?: AbortSignal;
  readonly onBytes?: (done: number, total: number | null) => void;
}

/** Brings in what finished exports yield: archives downloaded, resumed over restarts, imported as jobs of the tray. */
export function createExportDeliveries(
  deps: DeskDeps,
  parts: {
    readonly connections: Connections;
    readonly repository: CloudRepository;
    readonly importPath: (file: string, context: JobContext) => Promise<ImportOutcome>;
    readonly timing: Timing;
    readonly known: (accountId: AccountId, jobId: string) => ExportOrder;
    readonly save: (order: ExportOrder) => ExportOrder;
  },
) {
  const { connections, repository, importPath, timing, known, save } = parts;
  /** Not under `partial/`, which is emptied at every start: a download goes on where the app was closed under it. */
  const downloads = path.join(deps.cache.folder, 'downloads');

  async function fetchArchive(
    accountId: AccountId,
    folder: string,
    jobId: string,
    options: DownloadOptions = {},
  ): Promise<Download> {
    const client = await connections.byId(accountId);
    const call = options.signal ? { signal: options.signal } : {};
    // The link is made anew on every look (2.7), and looking costs nothing but a call.
    const job = await client.exportJob(jobId, call);
    if (typeof job.downloadUrl !== 'string')
      throw new AppError('not_found', 'The export has no data to download.', {
        remedy: 'Order another range or other cameras.',
      });
    // The service's name for it, so that the source is called what the user knows; one folder for each job keeps
    // two exports of one range apart.
    const place = path.join(folder, safeFileName(jobId));
    mkdirSync(place, { recursive: true });
    return download({
      url: job.downloadUrl,
      path: path.join(place, safeFileName(job.downloadFileName ?? `${jobId}.zip`)),
      expectedBytes: null,
      userAgent: `EvidenceDesk/${deps.appVersion}`,
      freshLink: async () => (await client.exportJob(jobId, call)).downloadUrl ?? null,
      timing,
      ...call,
      ...(options.onBytes ? { onProgress: options.onBytes } : {}),
    });
  }

  async function deliver(order: ExportOrder, context: JobContext): Promise<ImportOutcome> {
    const { accountId } = order;
    const { jobId } = order.job;
    try {
      const file = await fetchArchive(accountId, downloads, jobId, {
        signal: context.signal,
        onBytes: (done, total) =>
          context.progress({ stage: 'downloading', done, total, unit: 'bytes', points: null }),
      });
      try {
        const outcome = await importPath(file.path, context);
        save({ ...known(accountId, jobId), delivery: deliveryOf(outcome, file.sha256) });
        return outcome;
      } finally {
        rmSync(path.dirname(file.path), { recursive: true, force: true });
      }
    } catch (thrown) {
      const error = thrown instanceof CloudProblem ? toCloudError(thrown) : thrown;
      const message = error instanceof Error ? error.message : String(error);
      const now = repository.order(accountId, jobId);
      if (now) {
        const isCanceled = context.signal.aborted;
        save({ ...now, delivery: isCanceled ? { status: 'waiting' } : { status: 'failed', message } });
      }
      throw error;
    }
  }

  /** Starts the delivery of an order, or gives the one that runs. */
  function start({ accountId, job: { jobId } }: ExportOrder): JobId {
    const order = known(accountId, jobId);
    if (order.delivery.status === 'running') return order.delivery.trayJobId;
    const title = order.job.downloadFileName ?? `GPS export ${jobId}`;
    const trayJobId = deps.jobs.start('import', title, async (context) => ({
      kind: 'import',
      outcome: await deliver(order, context),
    }));
    save({ ...order, delivery: { status: 'running', trayJobId } });
    return trayJobId;
  }

  /** Removes what is left of downloads that nobody will go on with. */
  function sweep(): void {
    if (!existsSync(downloads)) return;
    const wanted = new Set(
      repository
        .allOrders()
        .filter(({ delivery }) => delivery.status !== 'imported' && delivery.status !== 'empty')
        .map(({ job }) => safeFileName(job.jobId)),
    );
    for (const name of readdirSync(downloads))
      if (!wanted.has(name)) rmSync(path.join(downloads, name), { recursive: true, force: true });
  }

  return { fetchArchive, start, sweep };
}
