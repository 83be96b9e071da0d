import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { ExportOrder } from '../../../shared/contract/cloud.ts';
import type { ImportOutcome } from '../../../shared/contract/imports.ts';
import type { Handlers, ParsedInputOf } from '../../../shared/contract/index.ts';
import type { GpsExportJob } from '../../../shared/cloudResources.ts';
import { AppError } from '../../../shared/errors.ts';
import type { AccountId, JobId } from '../../../shared/ids.ts';
import type { CloudRepository } from '../../cache/cloudRepository.ts';
import { download, type Download } from '../../cloud/download.ts';
import { CloudProblem } from '../../cloud/problem.ts';
import { systemTiming, type Timing } from '../../cloud/rateGate.ts';
import type { DeskDeps, JobContext } from '../deps.ts';
import { toCloudError, withCloudErrors } from './cloudError.ts';
import type { Connections } from './connections.ts';

/** Section 4.3 rule 9: no faster. */
export const pollEveryMs = 5000;
/** Section 4.3 rule 1. */
const maxRangeDays = 90;
const dayMs = 86_400_000;

export interface ExportUseCases {
  readonly handlers: Pick<Handlers, 'exports.order' | 'exports.list' | 'exports.cancel' | 'exports.fetch'>;
  /** Takes up the orders that an earlier run of the app was waiting for. */
  resume(): void;
  /** Orders without following it in the background; for callers that wait themselves. */
  order(input: ParsedInputOf<'exports.order'>): Promise<ExportOrder>;
  /** Waits until the service has finished an order (for the command line); polls at `pollEveryMs`. */
  untilFinished(jobId: string, signal?: AbortSignal): Promise<ExportOrder>;
  /** Downloads a finished export's archive to `folder`. */
  downloadTo(
    folder: string,
    jobId: string,
    options?: { signal?: AbortSignal; onBytes?: (done: number, total: number | null) => void },
  ): Promise<Download>;
  close(): void;
}

const isOpen = (job: GpsExportJob): boolean => !['completed', 'failed', 'canceled'].includes(job.status);

/**
 * GPS exports from order to imported source (specification, 4.3). Orders are written down before they are watched,
 * so that closing the app loses none.
 */
export function createExportUseCases(
  deps: DeskDeps,
  parts: {
    readonly connections: Connections;
    readonly repository: CloudRepository;
    /** Imports a downloaded archive inside a running job. */
    readonly importPath: (file: string, context: JobContext) => Promise<ImportOutcome>;
    readonly timing?: Timing;
    readonly onBug: (where: string, thrown: unknown) => void;
  },
): ExportUseCases {
  const { connections, repository, importPath, onBug } = parts;
  const timing = parts.timing ?? systemTiming;
  const closing = new AbortController();
  const watched = new Set<string>();

  function save(order: ExportOrder): ExportOrder {
    repository.saveOrder(order);
    deps.emit('exports.changed', order);
    return order;
  }

  function known(accountId: AccountId, jobId: string): ExportOrder {
    const order = repository.order(accountId, jobId);
    if (!order)
      throw new AppError('not_found', `There is no export ${jobId}.`, {
        remedy: 'Refresh the list of exports.',
      });
    return order;
  }

  /** What the service says now, merged over what it said before: later answers may leave out what earlier ones had. */
  function withJob(order: ExportOrder, job: GpsExportJob): ExportOrder {
    return { ...order, job: { ...order.job, ...job }, checkedAtMs: deps.now(), problem: null };
  }

  async function look(order: ExportOrder, signal?: AbortSignal): Promise<ExportOrder> {
    const { client } = await connections.active();
    try {
      return save(withJob(order, await client.exportJob(order.job.jobId, signal ? { signal } : {})));
    } catch (thrown) {
      if (!(thrown instanceof CloudProblem)) throw thrown;
      return save({ ...order, problem: thrown.toData(), checkedAtMs: deps.now() });
    }
  }

  async function untilFinished(jobId: string, signal?: AbortSignal): Promise<ExportOrder> {
    const both = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal;
    for (;;) {
      const { account } = await connections.active();
      const order = await look(known(account.accountId, jobId), both);
      if (!isOpen(order.job)) return order;
      // Gone from the service: nothing will come any more. Anything else may pass.
      if (order.problem?.code === 'job_not_found') return order;
      await timing.wait(pollEveryMs, both);
    }
  }

  function watch(order: ExportOrder): void {
    const { jobId } = order.job;
    if (watched.has(jobId)) return;
    watched.add(jobId);
    void untilFinished(jobId)
      .then((finished) => {
        if (
          finished.job.status === 'completed' &&
          finished.shouldImport &&
          finished.delivery.status === 'waiting'
        ) {
          startDelivery(finished);
        }
      })
      .catch((thrown: unknown) => {
        if (!closing.signal.aborted) onBug('exports.watch', thrown);
      })
      .finally(() => watched.delete(jobId));
  }

  async function downloadTo(
    folder: string,
    jobId: string,
    options: { signal?: AbortSignal; onBytes?: (done: number, total: number | null) => void } = {},
  ): Promise<Download> {
    const { client } = await connections.active();
    // The link is made anew on every look (2.7), and looking costs nothing.
    const freshLink = async (): Promise<string | null> => (await client.exportJob(jobId)).downloadUrl ?? null;
    const job = await client.exportJob(jobId);
    const url = job.downloadUrl ?? null;
    if (url === null)
      throw new AppError('not_found', 'The export has no data to download.', {
        remedy: 'Order another range or other cameras.',
      });
    // The service's name for it, so that the source is called what the user knows; one folder for each job keeps
    // two exports of one range apart.
    const place = path.join(folder, safeFileName(jobId));
    mkdirSync(place, { recursive: true });
    return download({
      url,
      path: path.join(place, safeFileName(job.downloadFileName ?? `${jobId}.zip`)),
      expectedBytes: null,
      userAgent: `EvidenceDesk/${deps.appVersion}`,
      freshLink,
      timing,
      ...(options.signal ? { signal: options.signal } : {}),
      ...(options.onBytes ? { onProgress: options.onBytes } : {}),
    });
  }

  function startDelivery(order: ExportOrder): JobId {
    const { jobId } = order.job;
    const title = order.job.downloadFileName ?? `GPS export ${jobId}`;
    const trayJobId = deps.jobs.start('import', title, async (context) => {
      let latest = known(order.accountId, jobId);
      try {
        const file = await downloadTo(path.join(deps.cache.folder, 'partial', 'exports'), jobId, {
          signal: context.signal,
          onBytes: (done, total) =>
            context.progress({ stage: 'downloading', done, total, unit: 'bytes', points: null }),
        });
        try {
          const outcome = await importPath(file.path, context);
          latest = save({ ...known(order.accountId, jobId), delivery: deliveryOf(outcome, file.sha256) });
          return { kind: 'import', outcome };
        } finally {
          rmSync(path.dirname(file.path), { recursive: true, force: true });
        }
      } catch (thrown) {
        const error = thrown instanceof CloudProblem ? toCloudError(thrown) : thrown;
        const isCanceled = context.signal.aborted;
        save({
          ...latest,
          delivery: isCanceled
            ? { status: 'waiting' }
            : { status: 'failed', message: error instanceof Error ? error.message : String(error) },
        });
        throw error;
      }
    });
    save({ ...order, delivery: { status: 'running', trayJobId } });
    return trayJobId;
  }

  function refuseWide(input: ParsedInputOf<'exports.order'>): void {
    const fromMs = Date.parse(`${input.fromDay}T00:00:00Z`);
    const toMs = Date.parse(`${input.toDay}T00:00:00Z`);
    if (Number.isNaN(fromMs) || Number.isNaN(toMs))
      throw new AppError('invalid_input', 'One of the days is not in the calendar.');
    if (toMs < fromMs)
      throw new AppError('invalid_input', 'The last day lies before the first.', {
        remedy: 'Swap the days.',
      });
    const rangeDays = Math.round((toMs - fromMs) / dayMs);
    if (rangeDays > maxRangeDays) {
      throw new AppError(
        'invalid_input',
        `An export covers at most ${maxRangeDays} days; ${rangeDays} were asked.`,
        {
          remedy: 'Order the range in parts.',
          details: { maxRangeDays, rangeDays },
        },
      );
    }
  }

  async function order(input: ParsedInputOf<'exports.order'>): Promise<ExportOrder> {
    refuseWide(input);
    const { account, client } = await connections.active();
    const active = repository
      .orders(account.accountId)
      .find((o) => isOpen(o.job) && o.problem?.code !== 'job_not_found');
    if (active) {
      const fresh = await look(active);
      if (isOpen(fresh.job) && fresh.problem?.code !== 'job_not_found') {
        throw new AppError(
          'busy',
          `Export ${fresh.job.jobId} is still ${fresh.job.status}; the organization can run one at a time.`,
          {
            remedy: 'Wait for it, or cancel it.',
            details: { activeJobId: fresh.job.jobId, activeStatus: fresh.job.status },
          },
        );
      }
    }
    const { requestId, body } = await client.call('gpsExports.create', {
      body: {
        ...(input.psns === undefined ? {} : { psns: input.psns }),
        from: `${input.fromDay}T00:00:00Z`,
        to: `${input.toDay}T00:00:00Z`,
        format: input.format,
        ...(input.packaging === undefined ? {} : { packaging: input.packaging }),
      },
    });
    const job = (body as { data?: GpsExportJob } | null)?.data; // checked right below
    if (typeof job?.jobId !== 'string')
      throw new AppError('internal', 'The service took the order but named no job.');
    repository.spend(account.accountId, {
      atMs: deps.now(),
      bucket: 'export_job',
      amount: 1,
      operation: 'gpsExports.create',
      subject: job.jobId,
      requestId,
    });
    const ordered = save({
      accountId: account.accountId,
      job,
      isOurs: true,
      shouldImport: input.shouldImport ?? false,
      delivery: { status: 'waiting' },
      checkedAtMs: deps.now(),
      problem: null,
    });
    return ordered;
  }

  async function refresh(): Promise<void> {
    const { account, client } = await connections.active();
    for await (const job of client.rows<GpsExportJob>('gpsExports.list', { limit: 200 })) {
      const before = repository.order(account.accountId, job.jobId);
      const base: ExportOrder = before ?? {
        accountId: account.accountId,
        job,
        isOurs: false,
        shouldImport: false,
        delivery: { status: 'waiting' },
        checkedAtMs: deps.now(),
        problem: null,
      };
      repository.saveOrder(withJob(base, job));
    }
    repository.saveSnapshot(account.accountId, 'exports', '', deps.now(), null);
  }

  return {
    order,
    untilFinished,
    downloadTo,
    resume() {
      void connections
        .active()
        .then(({ account }) => {
          for (const known of repository.orders(account.accountId)) {
            const wasRunning = known.delivery.status === 'running';
            // A delivery that the app was closed under starts again from what is on disk.
            const order = wasRunning ? save({ ...known, delivery: { status: 'waiting' } }) : known;
            if (
              order.isOurs &&
              (isOpen(order.job) ||
                (order.shouldImport &&
                  order.delivery.status === 'waiting' &&
                  order.job.status === 'completed'))
            )
              watch(order);
          }
        })
        .catch(() => undefined); // no account, no orders to follow
    },
    close() {
      closing.abort();
    },
    handlers: {
      'exports.order': (input) =>
        withCloudErrors(async () => {
          const ordered = await order(input);
          watch(ordered);
          return ordered;
        }),
      async 'exports.list'({ isFresh }) {
        const { account } = await connections.active();
        let problem: CloudProblem | null = null;
        if (isFresh) {
          try {
            await refresh();
          } catch (thrown) {
            if (!(thrown instanceof CloudProblem)) throw thrown;
            problem = thrown;
          }
        }
        return {
          orders: repository.orders(account.accountId),
          fetchedAtMs: repository.snapshot(account.accountId, 'exports')?.fetchedAtMs ?? null,
          problem: problem?.toData() ?? null,
        };
      },
      'exports.cancel': ({ jobId }) =>
        withCloudErrors(async () => {
          const { account, client } = await connections.active();
          const before = known(account.accountId, jobId);
          await client.call('gpsExports.cancel', { jobId });
          return look(before);
        }),
      async 'exports.fetch'({ jobId }) {
        const { account } = await connections.active();
        const order = await look(known(account.accountId, jobId));
        if (order.delivery.status === 'running') return { jobId: order.delivery.trayJobId };
        if (order.job.status !== 'completed') {
          throw new AppError('busy', `The export is ${order.job.status}, not completed.`, {
            remedy: 'Wait until it is completed.',
          });
        }
        return { jobId: startDelivery(order) };
      },
    },
  };
}

/** A name that came from a server, as one that any file system takes and that can't lead elsewhere. */
function safeFileName(name: string): string {
  const safe = name
    .replaceAll(/[^\p{L}\p{N} ._()-]/gu, '_')
    .replace(/^[. ]+/, '')
    .slice(0, 150);
  return safe === '' ? 'export' : safe;
}

function deliveryOf(outcome: ImportOutcome, sha256: string): ExportOrder['delivery'] {
  const source = outcome.sources[0];
  const sourceId = source?.sourceId ?? source?.duplicateOf ?? null;
  if (sourceId !== null && sourceId !== undefined) return { status: 'imported', sourceId, sha256 };
  return { status: 'failed', message: source?.error?.message ?? 'Nothing could be imported.' };
}
