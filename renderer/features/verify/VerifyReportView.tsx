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

/** The verdict in words, then every check, then whose seal it is. */
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
  return (
    <>
      <div className={classes.verdict} data-ok={report.ok} role="alert">
        {report.ok ? (
          <IconCircleCheckFilled size={40} aria-hidden />
        ) : (
          <IconCircleXFilled size={40} aria-hidden />
        )}
        <div>
          <h2>{report.ok ? 'Unchanged since sealed' : 'Not as it was sealed'}</h2>
          <div>
            {report.ok
              ? `All ${formatCount(report.checks.length)} checks passed: ${formatCounted(report.files, 'file')}, ${formatCounted(report.custodyEntries, 'custody entry', 'custody entries')}.`
              : `${formatCount(failed.length)} of ${formatCounted(report.checks.length, 'check')} not passed. Do not rely on this copy; ask the sender for it again.`}
          </div>
          <div className={classes.verdictFile}>
            {fileName} · checked <Time utcMs={checkedAtMs} />
          </div>
        </div>
        {actions}
      </div>

      <Section title="Checks" isFlush>
        <ul className={classes.checks}>
          {[...failed, ...report.checks.filter((check) => check.ok)].map((check) => (
            <li key={check.name} data-ok={check.ok}>
              <Status tone={check.ok ? 'ok' : 'bad'}>{check.ok ? 'Passed' : 'Failed'}</Status>
              <div>
                <div className={classes.checkName}>{check.name}</div>
                <div className={classes.checkDetail}>{check.detail}</div>
              </div>
            </li>
          ))}
        </ul>
      </Section>

      <Section title="Whose seal">
        <SealFacts report={report} ownFingerprint={ownFingerprint} />
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
