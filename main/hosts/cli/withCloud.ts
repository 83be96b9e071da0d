import { AppError } from '../../../shared/errors.ts';
import type { DirectCloud } from '../../desk/cloud/direct.ts';
import type { CloudUseCases } from '../../desk/cloud.ts';
import type { Desk } from '../../desk/desk.ts';
import { UsageError } from './arguments.ts';
import type { CommandContext } from './command.ts';
import { withDesk } from './openCliDesk.ts';

/** Runs `work` with the active account's cloud; problems of the service come out as AppErrors. */
export function withCloud<T>(
  context: CommandContext,
  work: (cloud: CloudUseCases, desk: Desk) => Promise<T>,
): Promise<T> {
  return withDesk(context, async (desk) => {
    const { withCloudErrors } = await import('../../desk/cloud/cloudError.ts');
    return withCloudErrors(async () => work(await desk.cloud(), desk));
  });
}

/**
 * The same for calls by name alone, which need no data folder: where a running window has it locked, an account of
 * the environment works all the same, without the ledger.
 */
export async function withCloudCalls<T>(
  context: CommandContext,
  work: (cloud: DirectCloud) => Promise<T>,
): Promise<T> {
  let isBegun = false;
  try {
    return await withCloud(context, (cloud) => {
      isBegun = true;
      return work(cloud);
    });
  } catch (thrown) {
    if (isBegun || !(thrown instanceof AppError) || thrown.code !== 'cache_locked') throw thrown;
    const [{ openDirectCloud }, { withCloudErrors }, { appVersion }] = await Promise.all([
      import('../../desk/cloud/direct.ts'),
      import('../../desk/cloud/cloudError.ts'),
      import('./appFiles.ts'),
    ]);
    const { output } = context;
    return withCloudErrors(async () => {
      const cloud = openDirectCloud(appVersion());
      if (!cloud) throw thrown;
      output.message(
        'The data folder is in use by another Evidence Desk; this call is not in its ledger, and does not wait for its turn at a camera.',
      );
      return work(cloud);
    });
  }
}

/** The JSON object of an operation's parameters. UsageError when it is none. */
export function parseParameters(text: string | undefined): Record<string, unknown> {
  if (text === undefined) return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = null;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new UsageError(
      `The parameters are not a JSON object; write them like '{"psn":"P1","body":{...}}', in single quotes.`,
    );
  }
  return value as Record<string, unknown>; // a JSON object, as just checked
}
