import path from 'node:path';
import { UsageError } from '../arguments.ts';
import { exitCodes, type RunCommand } from '../command.ts';
import { findCase } from '../findCase.ts';
import { withDesk } from '../openCliDesk.ts';
import { megabytes } from '../output.ts';
import { expectPositionals, parseRange } from '../values.ts';

/** `package --case NAME --out FILE.zip`: seals a case. Never writes over a file. */
export const runPackageCommand: RunCommand = async (context) => {
  const { args, output, signal } = context;
  expectPositionals(args, []);
  const name = args.value('--case');
  const out = args.value('--out');
  if (name === undefined) throw new UsageError('--case NAME is missing.');
  if (out === undefined) throw new UsageError('--out FILE.zip is missing.');
  const range = parseRange(args);
  const outPath = path.resolve(out);
  const sealed = await withDesk(context, async (desk) => {
    const caseId = await findCase(desk.client, name);
    return desk.sealTo(caseId, outPath, { ...range, signal, onProgress: output.progress });
  });
  const document = {
    path: outPath,
    sha256: sealed.sha256,
    files: sealed.files,
    bytes: sealed.sizeBytes,
    signedBy: sealed.signedBy,
    custodyHead: sealed.custodyHead,
  };
  output.result(
    document,
    () =>
      `Sealed ${sealed.files} files, ${megabytes(sealed.sizeBytes)}: ${outPath}\n` +
      `SHA-256    ${sealed.sha256}\nSigned by  ${sealed.signedBy}\nCustody    ${sealed.custodyHead}\n`,
  );
  return exitCodes.done;
};
