import type { CardFilters, CardListing } from '../../../../shared/contract/cards.ts';
import type { DeskClient } from '../../../../shared/contract/client.ts';
import type { SdRecording } from '../../../../shared/cloudResources.ts';
import { explainProblem, type CloudProblemData } from '../../../../shared/cloudProblem.ts';
import { AppError, toErrorData, type AppErrorData } from '../../../../shared/errors.ts';
import { toRfc3339 } from '../../../../shared/time.ts';
import { withCloudErrors } from '../../../desk/cloud/cloudError.ts';
import type { CloudUseCases } from '../../../desk/cloud.ts';
import type { Desk } from '../../../desk/desk.ts';
import { UsageError } from '../arguments.ts';
import { exitCodes, type CommandContext, type RunCommand } from '../command.ts';
import { megabytes, table, toJsonError } from '../output.ts';
import { expectPositionals } from '../values.ts';
import { withCloud } from '../withCloud.ts';

/** `devices`: the account's cameras. */
export const runDevicesCommand: RunCommand = async (context) => {
  expectPositionals(context.args, []);
  const listing = await withCloud(context, (_cloud, desk) =>
    desk.client.invoke('cards.cameras', { isFresh: true }),
  );
  if (listing.problem !== null && listing.fetchedAtMs === null) throw problemError(listing.problem);
  if (listing.problem !== null)
    context.output.message(
      `${problemError(listing.problem).message} This is the list of ${toRfc3339(listing.fetchedAtMs)}.`,
    );
  const data = listing.cameras.map(({ device }) => device);
  context.output.result(
    withProblem({ data, fetchedAt: toRfc3339(listing.fetchedAtMs) }, listing.problem),
    () =>
      table(
        ['PSN', 'NAME', 'CATEGORY', 'LINK', 'FIRMWARE', 'SEAT', 'CARD'],
        listing.cameras.map(({ device, obstacle }) => [
          device.psn,
          device.name ?? null,
          device.category ?? null,
          device.connectivity ?? null,
          device.fwVersion ?? null,
          device.cameraPosition ?? null,
          obstacle?.what ?? 'can be browsed',
        ]),
      ),
  );
  return listing.problem === null ? exitCodes.done : exitCodes.partial;
};

/** Nobody said what the card holds now; every other refusal is an answer, which nothing stored may cover up. */
const unreached: ReadonlySet<string> = new Set([
  ...['device_offline', 'device_busy', 'command_timeout', 'rate_limited'],
  ...['address_unreachable', 'connection_lost', 'deadline_exceeded', 'not_the_service', 'answer_malformed'],
  ...['upstream_unavailable', 'delegate_failed', 'internal_error'],
]);

function isUnreached(thrown: unknown): thrown is AppError {
  if (!(thrown instanceof AppError) || thrown.code !== 'cloud_problem') return false;
  return unreached.has((thrown.details?.problem as CloudProblemData | undefined)?.code ?? '');
}

/** A document that says why it is older than it could be. */
function withProblem<T extends object>(document: T, problem: CardListing['problem']): T {
  return problem === null
    ? document
    : { ...document, problem: toJsonError(toErrorData(problemError(problem))) };
}

function problemError(problem: NonNullable<CardListing['problem']>): AppError {
  const { what, todo } = explainProblem(problem);
  return new AppError('cloud_problem', what, { remedy: todo, details: { problem } });
}

const localTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/;

function filtersOf({ args }: CommandContext): CardFilters {
  const moment = (option: string): string | undefined => {
    const text = args.value(option);
    if (text === undefined || localTime.test(text)) return text;
    throw new UsageError(`${option} is a time on the camera's clock, like 2026-03-14T17:30:00.`);
  };
  const stream = args.value('--stream');
  if (stream !== undefined && stream !== 'main' && stream !== 'sub')
    throw new UsageError('--stream is main or sub.');
  const from = moment('--from');
  const to = moment('--to');
  const type = args.value('--type');
  const direction = args.value('--direction');
  return {
    ...(type === undefined ? {} : { type }),
    ...(direction === undefined ? {} : { direction }),
    ...(stream === undefined ? {} : { stream }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
  };
}

/** Lists a card to its end; what comes is kept for pricing and for reading offline. */
export async function listWhole(
  client: DeskClient,
  psn: string,
  filters: CardFilters,
): Promise<{ readonly recordings: readonly SdRecording[]; readonly listing: CardListing }> {
  const byName = new Map<string, SdRecording>();
  const take = (rows: CardListing['rows']): void => {
    for (const row of rows) for (const part of row.parts) byName.set(part.filename, part.raw);
  };
  const last = Promise.withResolvers<void>();
  const stop = client.on('cards.page', (page) => {
    if (page.psn !== psn) return;
    take(page.rows);
    if (!page.isLast) return;
    if (page.problem === null) last.resolve();
    else last.reject(problemError(page.problem));
  });
  try {
    const listing = await client.invoke('cards.listing', { psn, filters, isFresh: true });
    if (listing.problem !== null) throw problemError(listing.problem);
    take(listing.rows);
    if (listing.isLoading) await last.promise;
    const recordings = [...byName.values()].sort((a, b) => (a.filename < b.filename ? 1 : -1));
    return { recordings, listing };
  } finally {
    stop();
    last.promise.catch(() => undefined); // heard of above, where it was waited for
  }
}

/** What `sd-list` found; `problem` says why it is not what the card holds now. */
interface Listed {
  readonly data: readonly unknown[];
  readonly fetchedAtMs: number | null;
  readonly problem: AppErrorData | null;
}

/** The card's recordings or, where the camera can't be asked, those of its last listing. */
async function listCard(
  { signal }: CommandContext,
  cloud: CloudUseCases,
  desk: Desk,
  psn: string,
  filters: CardFilters,
): Promise<Listed> {
  try {
    const { recordings, listing } = await listWhole(desk.client, psn, filters);
    if (listing.isFromCard) return { data: recordings, fetchedAtMs: listing.fetchedAtMs, problem: null };
    // Ruled out by the device list: the service says why in its own words.
    const { data } = await withCloudErrors(() =>
      cloud.callAll('sdFiles.list', { psn, ...filters }, { signal }),
    );
    return { data, fetchedAtMs: Date.now(), problem: null };
  } catch (thrown) {
    signal.throwIfAborted();
    if (!isUnreached(thrown)) throw thrown;
    const { rows, fetchedAtMs } = cloud.media.storedListing(psn, filters);
    if (fetchedAtMs === null) throw thrown;
    const data = rows.flatMap((row) => row.parts.map((part) => part.raw));
    return { data, fetchedAtMs, problem: toErrorData(thrown) };
  }
}

/**
 * `sd-list PSN`: the recordings of a card. Exit 3 when the camera could not be asked and what is listed is older; 1
 * when nothing is stored either.
 */
export const runSdListCommand: RunCommand = async (context) => {
  const [psn] = expectPositionals(context.args, ['PSN']);
  const filters = filtersOf(context);
  const { data, fetchedAtMs, problem } = await withCloud(context, (cloud, desk) =>
    listCard(context, cloud, desk, psn!, filters),
  );
  if (problem !== null)
    context.output.message(
      `${problem.message} This is the listing of ${toRfc3339(fetchedAtMs) ?? 'an unknown time'}; the card may hold other recordings by now.`,
    );
  const document = {
    data,
    fetchedAt: toRfc3339(fetchedAtMs),
    ...(problem === null ? {} : { problem: toJsonError(problem) }),
  };
  context.output.result(document, () =>
    table(
      ['FILE', 'TYPE', 'CAMERA', 'MAIN', 'SUB'],
      (data as readonly SdRecording[]).map((row) => [
        row.filename,
        row.type === 'unknown' ? `unknown (${row.typeCode ?? '?'})` : (row.type ?? null),
        row.direction ?? null,
        typeof row.mainSizeBytes === 'number' ? megabytes(row.mainSizeBytes) : null,
        typeof row.subSizeBytes === 'number' && row.subSizeBytes > 0 ? megabytes(row.subSizeBytes) : null,
      ]),
    ),
  );
  return problem === null ? exitCodes.done : exitCodes.partial;
};

/** `metadata PSN FILENAME`: thumbnail (base64), GPS and G-sensor samples of a recording. */
export const runMetadataCommand: RunCommand = async (context) => {
  const [psn, filename] = expectPositionals(context.args, ['PSN', 'FILENAME']);
  const { metadata, problem } = await withCloud(context, (cloud, desk) =>
    desk.client.invoke('cards.metadata', { psn: psn!, filename: filename!, isFresh: true }).then(
      (fresh) => ({ metadata: fresh, problem: null }),
      (thrown: unknown) => {
        const stored = cloud.media.storedMetadata(psn!, filename!);
        if (stored === null || !isUnreached(thrown)) throw thrown;
        return { metadata: stored, problem: toErrorData(thrown) };
      },
    ),
  );
  if (problem !== null)
    context.output.message(
      `${problem.message} This is what the camera said at ${toRfc3339(metadata.fetchedAtMs)}.`,
    );
  const { thumbnail, rawText, fetchedAtMs, gps, gSensor } = metadata;
  const data = {
    ...(JSON.parse(rawText) as Record<string, unknown>), // JSON of the service, kept as text
    thumbnail: thumbnail === null ? null : Buffer.from(thumbnail).toString('base64'),
  };
  const document = {
    data,
    fetchedAt: toRfc3339(fetchedAtMs),
    ...(problem === null ? {} : { problem: toJsonError(problem) }),
  };
  context.output.result(document, () =>
    [
      `Thumbnail  ${thumbnail === null ? 'none' : `${thumbnail.length} bytes`}`,
      `GPS        ${gps === null ? 'none' : `${gps.tMs.length} samples from ${toRfc3339(gps.tMs[0]!) ?? '?'}`}`,
      `G-sensor   ${gSensor === null ? 'none' : `${gSensor.offsetMs.length} samples`}`,
      '',
    ].join('\n'),
  );
  return problem === null ? exitCodes.done : exitCodes.partial;
};

/** `budget`: what is left of the month's mobile data. */
export const runBudgetCommand: RunCommand = async (context) => {
  expectPositionals(context.args, []);
  const budget = await withCloud(context, (_cloud, desk) =>
    desk.client.invoke('recalls.budget', { isFresh: true }),
  );
  if (budget.fetchedAtMs === null && budget.problem !== null) throw problemError(budget.problem);
  const used = budget.serverUsedBytes === null ? null : budget.serverUsedBytes + budget.spentSinceBytes;
  const data = {
    bucket: 'transfer_bytes',
    unit: 'bytes',
    limit: budget.limitBytes,
    used,
    left: budget.leftBytes,
    reserved: budget.reservedBytes,
    resetsAt: toRfc3339(budget.resetsAtMs),
    daysToReset: budget.daysToReset,
  };
  context.output.result(
    withProblem({ data, fetchedAt: toRfc3339(budget.fetchedAtMs) }, budget.problem),
    () => {
      const amount = (bytes: number | null): string => (bytes === null ? 'unknown' : megabytes(bytes));
      return `${amount(data.left)} left of ${amount(data.limit)}; ${amount(used)} used, ${amount(data.reserved)} waiting. Resets in ${data.daysToReset} days.\n`;
    },
  );
  return budget.problem === null ? exitCodes.done : exitCodes.partial;
};
