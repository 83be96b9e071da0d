import { IconCircleCheckFilled, IconCircleXFilled } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { VerifyReport } from '../../../shared/contract/packages.ts';
import {
  Facts,
  formatCount,
  formatCounted,
  HashText,
  Notice,
  Section,
  Status,
  Time,
} from '../../ui/index.ts';
import classes from './verify.module.css';

/** What the verifier's checks are called for people; one that this window does not know keeps its own name. */
const checkNames: Readonly<Record<string, string>> = {
  container: 'Zip container',
  structure: 'Structure of the package',
  'payload-sha256': 'Every file against its SHA-256',
  'payload-sha512': 'Every file against its SHA-512',
  'payload-oxum': 'Number and size of files',
  'tag-files': 'Manifests and other tag files',
  'compressed-bytes': 'Compressed bytes',
  signature: 'Signature of the seal',
  'custody-chain': 'Chain of custody',
  'custody-head': 'End of the chain of custody',
  evidence: 'Evidence statement',
};

/** A failed check names every file, separated by semicolons. */
const onePerLine = (detail: string) => detail.split('; ').join('\n');

/** The answer to the one question that a stranger has. */
function verdictOf(report: VerifyReport): { title: string; text: string } {
  const { checks } = report;
  const failed = checks.filter((check) => !check.ok).length;
  if (report.ok) {
    const custody = formatCounted(report.custodyEntries, 'custody entry', 'custody entries');
    return {
      title: 'Unchanged since sealed',
      text: `All ${formatCount(checks.length)} checks passed: ${formatCounted(report.files, 'file')}, ${custody}.`,
    };
  }
  if (failed === checks.length) {
    return {
      title: 'Not a readable evidence package',
      text: 'Nothing in it could be checked. It is another kind of file, or damaged beyond reading.',
    };
  }
  return {
    title: 'Not as it was sealed',
    text: `${formatCount(failed)} of ${formatCounted(checks.length, 'check')} not passed. Do not rely on this copy; ask the sender for it again.`,
  };
}

/** The verdict in words, whose seal it is, then every check, failed ones first. */
export function VerifyReportView({
  fileName,
  report,
  checkedAtMs,
  ownFingerprint,
  actions,
}: {
  fileName: string;
  report: VerifyReport;
  checkedAtMs: number;
  ownFingerprint: string | null;
  actions?: ReactNode;
}) {
  const failed = report.checks.filter((check) => !check.ok);
  const verdict = verdictOf(report);
  return (
    <>
      <div className={classes.verdict} data-ok={report.ok} role="alert">
        {report.ok ? (
          <IconCircleCheckFilled size={40} aria-hidden />
        ) : (
          <IconCircleXFilled size={40} aria-hidden />
        )}
        <div>
          <h2>{verdict.title}</h2>
          <div>{verdict.text}</div>
          <div className={classes.verdictFile}>
            {fileName} · checked <Time utcMs={checkedAtMs} />
          </div>
        </div>
        {actions}
      </div>

      <Section title="Whose seal">
        <SealFacts report={report} ownFingerprint={ownFingerprint} />
      </Section>

      <Section title="Checks" isFlush>
        <ul className={classes.checks}>
          {[...failed, ...report.checks.filter((check) => check.ok)].map((check) => (
            <li key={check.name} data-ok={check.ok}>
              <Status tone={check.ok ? 'ok' : 'bad'}>{check.ok ? 'Passed' : 'Failed'}</Status>
              <div>
                <div className={classes.checkName}>
                  {checkNames[check.name] ?? check.name}
                  <code>{check.name}</code>
                </div>
                <div className={classes.checkDetail}>
                  {check.ok ? check.detail : onePerLine(check.detail)}
                </div>
              </div>
            </li>
          ))}
        </ul>
      </Section>

      <Notice>
        A passed check shows that no byte was changed since the package was sealed, and by which key. It does
        not show that what was recorded is true, nor who held the key: compare the fingerprint with one you
        got by another way.
      </Notice>
    </>
  );
}

function SealFacts({ report, ownFingerprint }: { report: VerifyReport; ownFingerprint: string | null }) {
  if (report.signedBy === null) {
    return <Status tone="bad">No readable signature: nobody’s seal is on this package</Status>;
  }
  const isOwn = report.isOwnSeal;
  return (
    <Facts
      rows={[
        [
          'Compared with your seal',
          isOwn === null ? (
            <Status key="own" tone="quiet">
              {ownFingerprint === null
                ? 'This computer has no seal yet: nothing to compare with'
                : 'Could not be compared'}
            </Status>
          ) : isOwn ? (
            <Status key="own" tone="ok">
              Sealed with this computer’s key
            </Status>
          ) : (
            <Status key="own" tone="warn">
              Sealed with another key: compare the fingerprint with the sender’s
            </Status>
          ),
        ],
        [
          'Fingerprint of the seal',
          <HashText key="by" hash={report.signedBy} what="fingerprint" form="groups" />,
        ],
        ...(ownFingerprint !== null && isOwn === false
          ? [
              [
                'Fingerprint of yours',
                <HashText key="mine" hash={ownFingerprint} what="own fingerprint" form="groups" />,
              ] as const,
            ]
          : []),
      ]}
    />
  );
}
