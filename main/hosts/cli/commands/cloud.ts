import { readFileSync } from 'node:fs';
import { AppError } from '../../../../shared/errors.ts';
import { UsageError } from '../arguments.ts';
import { exitCodes, type CommandContext, type ExitCode, type RunCommand } from '../command.ts';
import { table } from '../output.ts';
import { expectPositionals, parseAmount } from '../values.ts';
import { parseParameters, withCloudCalls } from '../withCloud.ts';

/** `cloud OPERATION [JSON]`, `cloud --list`, `cloud verify-signature`. */
export const runCloudCommand: RunCommand = async (context) => {
  const { args } = context;
  if (args.has('--list')) return listOperations(context);
  const name = args.positionals[0];
  if (name === undefined) throw new UsageError('OPERATION is missing; cloud --list names them.');
  return name === 'verify-signature' ? verifySignature(context) : callOperation(context, name);
};

async function listOperations({ args, output }: CommandContext): Promise<ExitCode> {
  expectPositionals(args, []);
  const { operations } = await import('../../../desk/cloud/operationList.ts');
  const rows = Object.entries(operations).map(([name, o]) => ({
    name,
    method: o.method,
    path: o.path,
    scope: o.scope,
    pagination: o.pagination,
    section: o.section,
  }));
  output.result({ operations: rows }, () =>
    table(
      ['OPERATION', 'METHOD', 'PATH', 'SCOPE', 'PAGES'],
      rows.map((row) => [row.name, row.method, row.path, row.scope, row.pagination]),
    ),
  );
  return exitCodes.done;
}

async function callOperation(context: CommandContext, name: string): Promise<ExitCode> {
  const { args, output, signal } = context;
  const { isOperationName, operations, toPath } = await import('../../../desk/cloud/operationList.ts');
  if (!isOperationName(name))
    throw new UsageError(`There is no operation ${JSON.stringify(name)}; cloud --list names them.`);
  if (args.positionals.length > 2)
    throw new UsageError(`${JSON.stringify(args.positionals[2])} is too much.`);
  const input = parseParameters(args.positionals[1]);
  try {
    toPath(name, input);
  } catch (thrown) {
    if (thrown instanceof RangeError) throw new UsageError(`${thrown.message}.`);
    throw thrown;
  }
  if (args.has('--all') && operations[name].pagination === null && name !== 'groups.list') {
    throw new UsageError(`${name} has no pages, so --all does not go with it.`);
  }
  if (input.body !== undefined && operations[name].hasBody !== true)
    throw new UsageError(`${name} takes no body.`);
  const deadline = args.value('--deadline');
  const options = {
    signal,
    ...(deadline === undefined ? {} : { deadlineMs: parseAmount(deadline, '--deadline', 86_400) * 1000 }),
    onWait: ({ problem, waitMs }: { problem: Error; waitMs: number }) =>
      output.message(`${problem.message} Trying again in ${Math.ceil(waitMs / 1000)} s.`),
  };
  const body = await withCloudCalls(context, async (cloud): Promise<unknown> =>
    args.has('--all') ? cloud.callAll(name, input, options) : (await cloud.call(name, input, options)).body,
  );
  // A picture is no JSON; it is given in a form that JSON can carry.
  const document = body instanceof Uint8Array ? { base64: Buffer.from(body).toString('base64') } : body;
  output.result(document, () => `${JSON.stringify(document, null, 2)}\n`);
  return exitCodes.done;
}

/** A webhook delivery's signature (specification, 6.3): exit 0 or 4. */
async function verifySignature(context: CommandContext): Promise<ExitCode> {
  const { args, output } = context;
  if (args.positionals.length > 1)
    throw new UsageError(`${JSON.stringify(args.positionals[1])} is too much.`);
  const required = (option: string): string => {
    const value = args.value(option);
    if (value === undefined) throw new UsageError(`${option} is missing.`);
    return value;
  };
  const file = required('--body-file');
  const delivery = {
    secret: required('--secret'),
    timestamp: required('--timestamp'),
    signatureHeader: required('--signature'),
  };
  const tolerance = args.value('--tolerance');
  let rawBody: Buffer;
  try {
    rawBody = readFileSync(file);
  } catch (thrown) {
    throw new AppError('file_unreadable', `The body can't be read: ${file}.`, {
      remedy: 'Check the name and the rights.',
      cause: thrown,
    });
  }
  const { verifyWebhookSignature } = await import('../../../desk/cloud/operationList.ts');
  const verdict = verifyWebhookSignature({
    ...delivery,
    rawBody,
    nowMs: Date.now(),
    ...(tolerance === undefined
      ? {}
      : { toleranceS: tolerance === 'any' ? null : parseAmount(tolerance, '--tolerance', 1e9) }),
  });
  const reasons = {
    timestamp_unreadable: 'the timestamp is not in Unix seconds',
    timestamp_outside_tolerance:
      'the timestamp is too far from now (--tolerance any looks at the signature alone)',
    no_signature: 'the header holds no v1= signature',
    no_match: 'no signature in the header fits this body and secret',
  };
  const document = verdict.ok ? { ok: true, reason: null } : { ok: false, reason: verdict.reason };
  output.result(document, () =>
    verdict.ok ? 'The signature is good.\n' : `Refused: ${reasons[verdict.reason]}.\n`,
  );
  return verdict.ok ? exitCodes.done : exitCodes.notVerified;
}
