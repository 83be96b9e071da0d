import { AppError } from '../../../shared/errors.ts';
import type { CloudUseCases } from '../../desk/cloud.ts';
import type { Desk } from '../../desk/desk.ts';
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

/** The JSON object of an operation's parameters. AppError('invalid_input') when it is none. */
export function parseParameters(text: string | undefined): Record<string, unknown> {
  if (text === undefined) return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = null;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new AppError('invalid_input', 'The parameters are not a JSON object.', {
      remedy: `Write them like '{"psn":"P1","body":{...}}', in single quotes.`,
    });
  }
  return value as Record<string, unknown>; // a JSON object, as just checked
}
