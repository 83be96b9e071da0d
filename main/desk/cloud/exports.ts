import type { ExportOrder } from '../../../shared/contract/cloud.ts';
import type { ImportOutcome } from '../../../shared/contract/imports.ts';
import type { Handlers, ParsedInputOf } from '../../../shared/contract/index.ts';
import type { GpsExportJob } from '../../../shared/cloudResources.ts';
import { AppError } from '../../../shared/errors.ts';
import type { AccountId } from '../../../shared/ids.ts';
import type { CloudRepository } from '../../cache/cloudRepository.ts';
import type { Download } from '../../cloud/download.ts';
import { CloudProblem } from '../../cloud/problem.ts';
import { systemTiming, type Timing } from '../../cloud/rateGate.ts';
import type { DeskDeps, JobContext } from '../deps.ts';
import { explainRefusal, toCloudError } from './cloudError.ts';
import type { Connections } from './connections.ts';
import { createExportDeliveries, type DownloadOptions } from './exportDelivery.ts';
import { isOpen, isPassing, isUnderWay, pollDelayMs, refuseRange } from './exportRules.ts';

export { pollEveryMs } from './exportRules.ts';

export interface ExportUseCases {
  readonly handlers: Pick<Handlers, 'exports.order' | 'exports.list' | 'exports.cancel' | 'exports.fetch'>;
  /** Takes up the orders that an earlier run of the app was waiting for. */
  resume(): void;
  /** Orders without following it in the background; for callers that wait themselves. */
  order(input: ParsedInputOf<'exports.order'>): Promise<ExportOrder>;
  /**
   * Waits until the service has finished an order of the active account (for the command line). An order that comes
   * back with a `problem` is one that no waiting mends.
   */
  untilFinished(
    jobId: string,
    options?: { readonly signal?: AbortSignal; readonly onLook?: (order: ExportOrder) => void },
  ): Promise<ExportOrder>;
  /** Downloads a finished export's archive of the active account to `folder`. AppError('not_found') without data. */
  downloadTo(folder: string, jobId: string, options?: DownloadOptions): Promise<Download>;
  close(): void;
}

/**
 * GPS exports from order to imported source (specification, 4.3). Orders are written down before they are watched,
 * so that closing the app loses none. An order is followed with the account it was made with, whichever is active.
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
    if (order) return order;
    throw new AppError('not_found', `There is no export ${jobId}.`, {
      remedy: 'Refresh the list of exports.',
    });
  }

  const deliveries = createExportDeliveries(deps, {
    connections,
    repository,
    importPath,
    timing,
    known,
    save,
  });

  /** What the service says now, over what it said before: answers may leave out what others had, but a link ends. */
  function withJob(order: ExportOrder, job: GpsExportJob): ExportOrder {
    const before: Record<string, unknown> = { ...order.job };
    delete before.downloadUrl;
    return { ...order, job: { ...before, ...job }, checkedAtMs: deps.now(), problem: null };
  }

  /** Asks the service about an order. The order is read again afterwards: much may have happened meanwhile. */
  async function look(accountId: AccountId, jobId: string, signal?: AbortSignal): Promise<ExportOrder> {
    const client = await connections.byId(accountId);
    try {
      const job = await client.exportJob(jobId, signal ? { signal } : {});
      return save(withJob(known(accountId, jobId), job));
    } catch (thrown) {
      if (!(thrown instanceof CloudProblem)) throw thrown;
      return save({ ...known(accountId, jobId), problem: thrown.toData(), checkedAtMs: deps.now() });
    }
  }

  async function follow(
    accountId: AccountId,
    jobId: string,
    options: { readonly signal?: AbortSignal; readonly onLook?: (order: ExportOrder) => void } = {},
  ): Promise<ExportOrder> {
    const signal = options.signal ? AbortSignal.any([options.signal, closing.signal]) : closing.signal;
    for (let failures = 0; ;) {
      const order = await look(accountId, jobId, signal);
      options.onLook?.(order);
      if (order.problem ? !isPassing(order.problem) : !isOpen(order.job)) return order;
      failures = order.problem ? failures + 1 : 0;
      await timing.wait(pollDelayMs(failures), signal);
    }
  }

  /** Follows an order in the background, and brings in what it yields. */
  function watch({ accountId, job: { jobId } }: ExportOrder): void {
    const name = `${accountId}/${jobId}`;
    if (watched.has(name)) return;
    watched.add(name);
    void follow(accountId, jobId)
      .then((order) => {
        if (order.job.status !== 'completed' || order.problem || order.delivery.status !== 'waiting') return;
        if (order.job.downloadUrl === undefined) save({ ...order, delivery: { status: 'empty' } });
        else if (order.shouldImport) deliveries.start(order);
      })
      .catch((thrown: unknown) => {
        if (closing.signal.aborted || repository.order(accountId, jobId) === null) return; // closed, or forgotten
        onBug('exports.watch', thrown);
      })
      .finally(() => watched.delete(name));
  }

  /** One at a time for the organization (4.3 rule 4), checked before anything is charged or even sent. */
  async function refuseSecond(accountId: AccountId): Promise<void> {
    const active = repository.orders(accountId).find(isUnderWay);
    if (!active) return;
    const fresh = await look(accountId, active.job.jobId);
    if (!isUnderWay(fresh)) return;
    if (fresh.problem) throw toCloudError(new CloudProblem(fresh.problem));
    const { jobId, status } = fresh.job;
    throw new AppError(
      'busy',
      `Export ${jobId} is still ${status}; the organization can run one at a time.`,
      { remedy: 'Wait for it, or cancel it.', details: { activeJobId: jobId, activeStatus: status } },
    );
  }

  async function order(input: ParsedInputOf<'exports.order'>): Promise<ExportOrder> {
    refuseRange(input.fromDay, input.toDay);
    const { account, client } = await connections.active();
    const { accountId } = account;
    await refuseSecond(accountId);
    const body = {
      ...(input.psns === undefined ? {} : { psns: input.psns }),
      from: `${input.fromDay}T00:00:00Z`,
      to: `${input.toDay}T00:00:00Z`,
      format: input.format,
      ...(input.packaging === undefined ? {} : { packaging: input.packaging }),
    };
    const job = await client.createExport(body).catch(async (thrown: unknown) => {
      if (!(thrown instanceof CloudProblem)) throw thrown;
      throw await explainRefusal(thrown, async () => {
        await refresh();
        return repository.orders(accountId).find(isUnderWay)?.job ?? null;
      });
    });
    if (typeof job.jobId !== 'string') {
      throw new AppError('internal', 'The service took the order but named no job.', {
        remedy: 'Look at the list of exports: the job may be there.',
      });
    }
    return save({
      accountId,
      job,
      isOurs: true,
      shouldImport: input.shouldImport ?? false,
      delivery: { status: 'waiting' },
      checkedAtMs: deps.now(),
      problem: null,
    });
  }

  /** Takes over the service's list; what it does not list any more is asked about once. */
  async function refresh(): Promise<void> {
    const { account, client } = await connections.active();
    const { accountId } = account;
    const listed = new Set<string>();
    for await (const job of client.rows<GpsExportJob>('gpsExports.list')) {
      listed.add(job.jobId);
      const seen: ExportOrder = {
        accountId,
        job,
        isOurs: false,
        shouldImport: false,
        delivery: { status: 'waiting' },
        checkedAtMs: deps.now(),
        problem: null,
      };
      repository.saveOrder(withJob(repository.order(accountId, job.jobId) ?? seen, job));
    }
    for (const { job } of repository.orders(accountId).filter(isUnderWay))
      if (!listed.has(job.jobId)) await look(accountId, job.jobId);
    repository.saveSnapshot(accountId, 'exports', '', deps.now(), null);
    takeUp(accountId);
  }

  const isToBeFollowed = (order: ExportOrder): boolean =>
    order.isOurs &&
    (isUnderWay(order) ||
      (order.job.status === 'completed' && order.shouldImport && order.delivery.status === 'waiting'));

  function takeUp(accountId: AccountId): void {
    for (const order of repository.orders(accountId)) {
      const { delivery } = order;
      const isInterrupted =
        delivery.status === 'running' &&
        !deps.jobs.list().some((j) => j.jobId === delivery.trayJobId && j.state.status === 'running');
      // A delivery that the app was closed under starts again from what is on disk.
      const now = isInterrupted ? save({ ...order, delivery: { status: 'waiting' } }) : order;
      if (isToBeFollowed(now)) watch(now);
    }
  }

  return {
    order,
    async untilFinished(jobId, options) {
      return follow(connections.account().accountId, jobId, options);
    },
    async downloadTo(folder, jobId, options) {
      return deliveries.fetchArchive(connections.account().accountId, folder, jobId, options);
    },
    resume() {
      try {
        deliveries.sweep();
        takeUp(connections.account().accountId);
      } catch (thrown) {
        if (!(thrown instanceof AppError)) onBug('exports.resume', thrown); // no account, no orders to follow
      }
    },
    close() {
      closing.abort(new AppError('canceled', 'Evidence Desk is closing.'));
    },
    handlers: {
      async 'exports.order'(input) {
        const ordered = await order(input);
        watch(ordered);
        return ordered;
      },
      async 'exports.list'({ isFresh }) {
        const { accountId } = connections.account();
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
          orders: repository.orders(accountId),
          fetchedAtMs: repository.snapshot(accountId, 'exports')?.fetchedAtMs ?? null,
          problem: problem?.toData() ?? null,
        };
      },
      async 'exports.cancel'({ jobId }) {
        const { account, client } = await connections.active();
        known(account.accountId, jobId);
        try {
          await client.call('gpsExports.cancel', { jobId });
        } catch (thrown) {
          // Completed meanwhile: the list should say so, beside the refusal.
          if (thrown instanceof CloudProblem && thrown.code === 'job_already_completed')
            await look(account.accountId, jobId);
          throw thrown;
        }
        return look(account.accountId, jobId);
      },
      async 'exports.fetch'({ jobId }) {
        const { accountId } = connections.account();
        const { delivery } = known(accountId, jobId);
        if (delivery.status === 'running') return { jobId: delivery.trayJobId };
        const fresh = await look(accountId, jobId);
        if (fresh.problem) throw toCloudError(new CloudProblem(fresh.problem));
        if (fresh.job.status !== 'completed') {
          throw new AppError('busy', `The export is ${fresh.job.status}, not completed.`, {
            remedy: 'Wait until it is completed.',
          });
        }
        if (fresh.job.downloadUrl === undefined) {
          save({ ...fresh, delivery: { status: 'empty' } });
          throw new AppError('not_found', 'The export holds no data: nothing was recorded in this range.', {
            remedy: 'Order another range or other cameras.',
          });
        }
        return { jobId: deliveries.start(fresh) };
      },
    },
  };
}
