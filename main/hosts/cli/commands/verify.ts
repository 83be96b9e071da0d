import path from 'node:path';
import { exitCodes, type RunCommand } from '../command.ts';
import { printable } from '../output.ts';
import { expectPositionals } from '../values.ts';

/** `verify FILE.zip`: needs nothing but the file; no data folder is opened or made. */
export const runVerifyCommand: RunCommand = async (context) => {
  const { args, output, signal } = context;
  const [file] = expectPositionals(args, ['FILE.zip']);
  const { verifyPackage } = await import('../../../desk/verifyFile.ts');
  const report = await verifyPackage(path.resolve(file!), { signal, onProgress: output.progress });
  const document = {
    ok: report.ok,
    checks: report.checks,
    files: report.files,
    signedBy: report.signedBy,
    custodyEntries: report.custodyEntries,
  };
  output.result(document, () => {
    const checks = report.checks.map(
      (check) => `${check.ok ? 'ok    ' : 'FAILED'}  ${printable(check.name)}: ${printable(check.detail)}\n`,
    );
    const verdict = report.ok
      ? `Unchanged since sealed: ${report.files} files, signed by ${report.signedBy}.\n`
      : 'NOT VERIFIED: the package is not as it was sealed.\n';
    return checks.join('') + verdict;
  });
  return report.ok ? exitCodes.done : exitCodes.notVerified;
};
