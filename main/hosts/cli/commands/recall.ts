import { createInterface } from 'node:readline/promises';
import type { ClipQuality } from '../../../../shared/contract/cards.ts';
import type { Recall, RecallPrice, TransferBudget } from '../../../../shared/contract/recalls.ts';
import { AppError, fromErrorData } from '../../../../shared/errors.ts';
import type { CaseId } from '../../../../shared/ids.ts';
import { toRfc3339 } from '../../../../shared/time.ts';
import type { CloudUseCases } from '../../../desk/cloud.ts';
import type { Desk } from '../../../desk/desk.ts';
import { UsageError } from '../arguments.ts';
import { exitCodes, type CommandContext, type RunCommand } from '../command.ts';
import { megabytes, table } from '../output.ts';
import { expectPositionals, parseAmount } from '../values.ts';
import { withCloud } from '../withCloud.ts';
import { listWhole } from './cards.ts';

interface Wish {
  readonly psn: string;
  readonly filename: string;
  readonly quality: ClipQuality;
  readonly deadlineSeconds: number | undefined;
  readonly reason: string | undefined;
  /** The price was agreed to already. */
  readonly isAgreed: boolean;
  /** The clip becomes an exhibit of this case. */
  readonly caseId?: CaseId;
}

/** `recall PSN FILENAME`: prices, asks, recalls, downloads, hashes. */
export const runRecallCommand: RunCommand = async (context) => {
  const { args, output } = context;
  const [psn, filename] = expectPositionals(args, ['PSN', 'FILENAME']) as [string, string];
  const quality = args.value('--quality') ?? 'sub';
  if (quality !== 'sub' && quality !== 'main') throw new UsageError('--quality is sub or main.');
  const deadline = args.value('--deadline');
  const wish: Wish = {
    psn,
    filename,
    quality,
    deadlineSeconds: deadline === undefined ? undefined : parseAmount(deadline, '--deadline', 31_536_000),
    reason: args.value('--reason'),
    isAgreed: args.has('--yes'),
  };
  const document = await withCloud(context, (cloud, desk) => recallClip(context, cloud, desk, wish));
  output.result(document, () =>
    [
      document.path,
      `SHA-256  ${document.sha256}`,
      `${megabytes(document.chargedBytes)} counted toward the allowance`,
      '',
    ].join('\n'),
  );
  return exitCodes.done;
};

/** Prices one clip, recalls and downloads it. AppError('over_budget') before anything is sent to the camera. */
export async function recallClip(context: CommandContext, cloud: CloudUseCases, desk: Desk, wish: Wish) {
  const { output, signal } = context;
  const { psn, filename, quality } = wish;
  const price = await priceOf(context, desk, wish);
  const sum = price[quality];
  output.message(priceText(price, wish));
  if (sum.refusal !== null) throw overBudget(sum.refusal, price.budget);
  const isFree = sum.chargeBytes === 0;
  if (!isFree && !wish.isAgreed) await confirm('Recall it?', signal);
  const reason = sum.level === 'red' ? (wish.reason ?? (await reasonFor(wish, signal))) : undefined;
  if (signal.aborted) throw new AppError('canceled', 'Canceled. Nothing was requested.');
  const { recalls } = await desk.client.invoke('recalls.start', {
    items: [{ psn, filename, quality }],
    ...(wish.deadlineSeconds === undefined ? {} : { deadlineSeconds: wish.deadlineSeconds }),
    ...(wish.caseId === undefined ? {} : { caseId: wish.caseId }),
    ...(reason === undefined ? {} : { reason }),
  });
  const begun = await consent(context, desk, recalls[0]!, wish.isAgreed);
  let ended = await follow(context, cloud, desk, begun);
  // A link that ran out on the way: what was agreed to was one price, not two.
  if (ended.state.status === 'needs_consent') {
    const again = await consent(context, desk, ended, false);
    ended = await follow(context, cloud, desk, again);
  }
  const { state } = ended;
  if (state.status === 'stopped') throw fromErrorData(state.error);
  if (state.status === 'needs_consent') throw consentNeeded(state);
  if (state.status !== 'done')
    throw new AppError('canceled', 'The recall was canceled.', {
      remedy: 'Run the command again; it says what it costs.',
    });
  await desk.readArrivedClips();
  const after = await desk.client.invoke('recalls.budget', { isFresh: ended.chargedBytes > 0 });
  return {
    filename,
    quality,
    jobId: ended.jobId,
    sizeBytes: state.sizeBytes,
    sha256: state.sha256,
    path: cloud.media.clipPath(state.sha256),
    chargedBytes: ended.chargedBytes,
    budget: { limit: after.limitBytes, usedBefore: usedBytes(price.budget), usedAfter: usedBytes(after) },
  };
}

const usedBytes = ({ serverUsedBytes, spentSinceBytes }: TransferBudget): number | null =>
  serverUsedBytes === null ? null : serverUsedBytes + spentSinceBytes;

/** The price; where the card's listing is not stored, the one recording is listed first, which costs nothing. */
async function priceOf(context: CommandContext, desk: Desk, wish: Wish): Promise<RecallPrice> {
  const { psn, filename, quality } = wish;
  const price = (): Promise<RecallPrice> =>
    desk.client.invoke('recalls.price', { items: [{ psn, filename }], isFresh: true });
  const first = await price();
  const match = /^(\d{4})(\d\d)(\d\d)_(\d\d)(\d\d)(\d\d)_/.exec(filename);
  if (first.items[0]?.[quality].sizeFrom !== 'estimate' || !match) return first;
  const [, year, month, day, hour, minute, second] = match;
  const at = `${year}-${month}-${day}T${hour}:${minute}:${second}`;
  try {
    await listWhole(desk.client, psn, { from: at, to: at });
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown;
    context.output.message('The card could not be listed now; the size is an estimate.');
    return first;
  }
  return price();
}

function priceText(price: RecallPrice, { quality, filename }: Wish): string {
  const item = price.items[0]![quality];
  const sum = price[quality];
  if (item.heldSha256 !== null) return `${filename} is in the cache already; nothing is requested.`;
  if (item.queuedRecallId !== null) return `${filename} was ordered before and is taken up where it stands.`;
  const parts = [
    `${filename} (${quality}): ${megabytes(item.sizeBytes)}${item.sizeFrom === 'estimate' ? ' (estimate)' : ''}`,
    item.isCopyLikely ? 'no mobile data, the service has a copy; it counts all the same' : null,
    sum.leftAfterBytes === null ? null : `${megabytes(sum.leftAfterBytes)} left after it`,
    sum.expectedSeconds === null ? null : `about ${sum.expectedSeconds} s`,
    `level ${sum.level}`,
  ];
  return parts.filter((part) => part !== null).join('; ');
}

function overBudget(refusal: string, budget: TransferBudget): AppError {
  return new AppError('over_budget', refusal, {
    remedy: 'Take the small stream, or wait for the next month. Nothing was sent to the camera.',
    details: { bucket: 'transfer_bytes', limit: budget.limitBytes, left: budget.leftBytes },
  });
}

/** Goes on with a recall that would be charged again, once that is agreed to; any other as it is. */
async function consent(
  { output, signal }: CommandContext,
  desk: Desk,
  recall: Recall,
  isAgreed: boolean,
): Promise<Recall> {
  const { state, recallId } = recall;
  if (state.status !== 'needs_consent') return recall;
  output.message(`${state.what} That is ${megabytes(state.chargeBytes)}.`);
  if (!isAgreed) {
    if (!process.stdin.isTTY) throw consentNeeded(state);
    await confirm(`Go on for ${megabytes(state.chargeBytes)}?`, signal);
  }
  return desk.client.invoke('recalls.retry', { recallId, isCostAccepted: true });
}

type Consent = Extract<Recall['state'], { status: 'needs_consent' }>;
function consentNeeded({ what, chargeBytes, receivedBytes }: Consent): AppError {
  return new AppError('reason_needed', what, {
    remedy: `Run the same command again to agree to ${megabytes(chargeBytes)} more (with --yes it does not ask). The ${megabytes(receivedBytes)} that are here are kept.`,
    details: { chargeBytes, receivedBytes },
  });
}

async function confirm(what: string, signal: AbortSignal): Promise<void> {
  if (!process.stdin.isTTY) throw new UsageError('Nobody is here to agree to the price: give --yes.');
  const answer = await question(`${what} [y/N] `, signal);
  if (!/^y(es)?$/i.test(answer)) throw new AppError('canceled', 'Nothing was requested.');
}

/** Why so much of the month is taken; asked for where somebody is there. */
async function reasonFor({ isAgreed }: Wish, signal: AbortSignal): Promise<string> {
  if (isAgreed || !process.stdin.isTTY) return 'Confirmed on the command line.';
  const reason = await question('This takes much of what is left. Reason, kept in custody: ', signal);
  if (reason === '') throw new AppError('reason_needed', 'Nothing was requested: no reason was given.');
  return reason;
}

/** A line from the terminal; Ctrl+C and Ctrl+D are an empty one. */
async function question(text: string, signal: AbortSignal): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const closed = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
  const given = lines.question(text, { signal }).catch(() => '');
  try {
    return (await Promise.race([given, closed])).trim();
  } finally {
    lines.close();
  }
}

/** Waits for the end of a recall; Ctrl+C leaves it where it stands. */
async function follow(
  { output, signal }: CommandContext,
  { media }: CloudUseCases,
  desk: Desk,
  recall: Recall,
): Promise<Recall> {
  const stop = desk.client.on('recalls.changed', ({ recallId, state }) => {
    if (recallId !== recall.recallId) return;
    if (state.status === 'waiting')
      output.message(`Waiting (${state.problem.code}) until ${toRfc3339(state.untilMs)}.`);
    if (state.status !== 'transferring') return;
    const { receivedBytes: done, totalBytes: total } = state;
    output.progress({ stage: 'receiving', done, total, unit: 'bytes', points: null });
  });
  // One that an earlier run left goes on where it stood.
  media.queue.resume(({ recallId }) => recallId === recall.recallId);
  const latest = (): Recall =>
    media.queue.list().find(({ recallId }) => recallId === recall.recallId) ?? recall;
  try {
    return await Promise.race([media.queue.ended(recall.recallId), aborted(signal, latest)]);
  } finally {
    stop();
    output.endProgress();
  }
}

function aborted(signal: AbortSignal, latest: () => Recall): Promise<never> {
  return new Promise((_resolve, reject) => {
    const fail = (): void => reject(leftBehind(latest()));
    if (signal.aborted) fail();
    else signal.addEventListener('abort', fail, { once: true });
  });
}

/** What is true of a recall that nobody waits for any more, and how to go on or to end it. */
export function leftBehind({ state, jobId, chargedBytes, linkExpiresAtMs }: Recall): AppError {
  const goOn = 'The same command, or a start of the window, goes on with it';
  if (jobId === null) {
    return new AppError('canceled', 'Stopped waiting. The order is kept; nothing is charged yet.', {
      remedy:
        state.status === 'starting'
          ? 'The camera was being asked: it may begin to upload all the same, and that would count. ' +
            `${goOn} and finds out first.`
          : `${goOn}. To end it, cancel it in the window.`,
      details: { jobId, chargedBytes },
    });
  }
  const received = state.status === 'transferring' ? state.receivedBytes : 0;
  const until = linkExpiresAtMs === null ? '' : ` until ${toRfc3339(linkExpiresAtMs)}`;
  return new AppError(
    'canceled',
    `Stopped waiting. The camera goes on uploading to the service; ${megabytes(chargedBytes)} are counted toward the allowance, and ${megabytes(received)} that are here are kept.`,
    {
      remedy: `${goOn}, for free${until}. To stop the camera: cancel ${jobId}.`,
      details: { jobId, chargedBytes, receivedBytes: received },
    },
  );
}

/** `jobs`: the service's recall jobs of the last seven days. */
export const runJobsCommand: RunCommand = async (context) => {
  expectPositionals(context.args, []);
  const { signal } = context;
  const { data } = await withCloud(context, (cloud) => cloud.callAll('recallJobs.list', {}, { signal }));
  context.output.result({ data, fetchedAt: toRfc3339(Date.now()) }, () =>
    table(
      ['JOB', 'STATUS', 'BYTES', 'RECEIVED', 'FILE'],
      (data as Record<string, unknown>[]).map((job) => [
        String(job.jobId),
        String(job.status),
        typeof job.sizeBytes === 'number' ? job.sizeBytes : null,
        typeof job.receivedBytes === 'number' ? job.receivedBytes : null,
        typeof job.filename === 'string' ? job.filename : null,
      ]),
    ),
  );
  return exitCodes.done;
};

/** `cancel JOBID`: stops a job, and whatever else its camera uploads at the moment (3.1). */
export const runCancelCommand: RunCommand = async (context) => {
  const { args, output, signal } = context;
  const [jobId] = expectPositionals(args, ['JOBID']);
  output.message('This stops whatever the camera is uploading at the moment, whoever asked for it.');
  const body = await withCloud(context, async (cloud) => {
    const ours = cloud.media.queue
      .list()
      .find((recall) => recall.jobId === jobId && !['done', 'canceled'].includes(recall.state.status));
    const answer = await cloud.call('recallJobs.cancel', { jobId: jobId! }, { signal });
    if (ours) await cloud.media.queue.cancel(ours.recallId, true);
    return answer.body;
  });
  output.result(body, () => `${jobId} is canceled.\n`);
  return exitCodes.done;
};
