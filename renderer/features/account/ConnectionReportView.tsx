import { Table } from '@mantine/core';
import type { ConnectionReport, ScopeReport } from '../../../shared/contract/cloud.ts';
import {
  Facts,
  Failure,
  formatCount,
  formatCounted,
  formatDuration,
  Notice,
  Status,
} from '../../ui/index.ts';
import classes from './account.module.css';
import { problemError } from './problemError.ts';

/** A clock that is off by more makes times and signatures doubtful. */
const notableSkewMs = 60_000;

const scopeStates: Record<ScopeReport['state'], { tone: 'ok' | 'bad' | 'quiet'; text: string }> = {
  granted: { tone: 'ok', text: 'Granted' },
  missing: { tone: 'bad', text: 'Missing' },
  unknown: { tone: 'quiet', text: 'Not known' },
};

/** What a try of an address and key showed: whether they work, what the key may do, and what not. */
export function ConnectionReportView({ report }: { report: ConnectionReport }) {
  if (!report.isWorking) {
    return report.problem ? (
      <Failure error={problemError(report.problem)} isInline />
    ) : (
      <Failure error={new Error('not working without a problem')} isInline />
    );
  }
  const missing = report.scopes.filter(({ state }) => state === 'missing');
  const isAnyUnknown = report.scopes.some(({ state }) => state === 'unknown');
  return (
    <section className={classes.report} aria-label="Result of the connection test">
      <div className={classes.rowTitle}>
        <Status tone="ok">Connection works</Status>
        {missing.length > 0 && (
          <Status tone="warn">{formatCounted(missing.length, 'permission')} missing</Status>
        )}
      </div>
      <Facts
        rows={[
          [
            'Address',
            <span key="address" className={classes.mono}>
              {report.baseUrl}
            </span>,
          ],
          ['Tier', report.tier ?? 'not known: the key does not show it'],
          ['Environment', environmentOf(report.isSandbox)],
          ['Camera seats', seatsOf(report.seats)],
        ]}
      />
      <ClockNotice skewMs={report.clockSkewMs} />
      {report.scopes.length > 0 && (
        <Table aria-label="Permissions of the key" layout="fixed">
          <Table.Thead>
            <Table.Tr>
              <Table.Th w={150}>Permission (scope)</Table.Th>
              <Table.Th w={110}>State</Table.Th>
              <Table.Th>Without it, the app can’t do</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {report.scopes.map(({ scope, state, turnsOff }) => (
              <Table.Tr key={scope}>
                <Table.Td className={classes.mono}>{scope}</Table.Td>
                <Table.Td>
                  <Status tone={scopeStates[state].tone}>{scopeStates[state].text}</Status>
                </Table.Td>
                <Table.Td>
                  <span className={state === 'missing' ? classes.strong : classes.muted}>{turnsOff}</span>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      {isAnyUnknown && (
        <div className={classes.muted}>
          “Not known”: the test only reads; it does not start, delete or restart anything to find out.
        </div>
      )}
      {missing.length > 0 && (
        <div className={classes.muted}>
          For a missing permission ask an administrator for a new key: a key never gains permissions by
          itself.
        </div>
      )}
    </section>
  );
}

function ClockNotice({ skewMs }: { skewMs: number | null }) {
  if (skewMs === null || Math.abs(skewMs) <= notableSkewMs) return null;
  return (
    <Notice tone="warn">
      This computer’s clock is {formatDuration(Math.abs(skewMs))} {skewMs > 0 ? 'ahead of' : 'behind'} the
      service’s. Set it right: the times of custody entries come from it.
    </Notice>
  );
}

function environmentOf(isSandbox: boolean | null): string {
  if (isSandbox === null) return 'not known: the service does not say whether the key is live or sandbox';
  return isSandbox ? 'Sandbox: demo data, writes are kept 24 hours' : 'Live';
}

function seatsOf(seats: ConnectionReport['seats']): string {
  if (seats === null) return 'not stated';
  const registered = `${formatCounted(seats.registered, 'camera')} registered`;
  if (seats.limit === null) return `${registered}; number of seats not known, nothing is locked`;
  const over =
    seats.overLimit > 0 ? `; ${formatCount(seats.overLimit)} over the limit, locked for video` : '';
  return `${registered} of ${formatCounted(seats.limit, 'seat')}${over}`;
}
