import { Button, SegmentedControl, Table } from '@mantine/core';
import { useState } from 'react';
import type { LedgerEntry, LedgerSum, UsageReport } from '../../../shared/contract/cloud.ts';
import { CopyButton, formatCount, Notice, Section, Time } from '../../ui/index.ts';
import classes from './account.module.css';
import { compareLedger, formatQuotaBytes } from './budget.ts';

const bucketNames: Record<LedgerEntry['bucket'], string> = {
  transfer_bytes: 'Video transfer',
  export_job: 'GPS export jobs',
  api_calls: 'API calls',
};
const amountText = (bucket: LedgerEntry['bucket'], amount: number) =>
  bucket === 'transfer_bytes' ? formatQuotaBytes(amount) : formatCount(amount);

/** What this app spent, by its own count, beside what the service counts for the whole organization. */
export function LedgerSection({ report, monthNow }: { report: UsageReport; monthNow: string }) {
  const isSameMonth = report.usage.period === undefined || report.usage.period === monthNow;
  const isAhead = report.ledger.some((sum) => compareLedger(sum, isSameMonth).status === 'ahead');
  return (
    <Section
      title="This app’s own count"
      note={`Spent from this computer in ${monthNow} (UTC), beside the whole organization.`}
    >
      <div className={classes.column} style={{ gap: 8 }}>
        {!isSameMonth && (
          <Notice tone="warn">
            The service’s figures are of {report.usage.period}; refresh to compare them with this month’s.
          </Notice>
        )}
        <Table aria-label="This app’s count beside the service’s">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>What</Table.Th>
              <Table.Th className={classes.figures}>This app</Table.Th>
              <Table.Th className={classes.figures}>Organization</Table.Th>
              <Table.Th className={classes.figures}>By others</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {report.ledger.map((sum) => (
              <SumRow key={sum.bucket} sum={sum} isSameMonth={isSameMonth} />
            ))}
          </Table.Tbody>
        </Table>
        <div className={classes.muted}>
          “By others” is what is left over: other keys, the web console, other computers.
          {isAhead &&
            ' “Counted here since”: this app went on after the service’s figure was fetched; refresh to bring both to one time.'}
        </div>
      </div>
    </Section>
  );
}

function SumRow({ sum, isSameMonth }: { sum: LedgerSum; isSameMonth: boolean }) {
  const { bucket, spent, serverUsed } = sum;
  const comparison = compareLedger(sum, isSameMonth);
  return (
    <Table.Tr>
      <Table.Td>{bucketNames[bucket]}</Table.Td>
      <Table.Td className={classes.figures}>{amountText(bucket, spent)}</Table.Td>
      <Table.Td className={classes.figures}>
        {serverUsed === null ? 'not stated' : amountText(bucket, serverUsed)}
      </Table.Td>
      <Table.Td className={classes.figures}>
        {comparison.status === 'unknown' && 'not known'}
        {comparison.status === 'sound' && amountText(bucket, comparison.others)}
        {comparison.status === 'ahead' && `${amountText(bucket, comparison.surplus)} counted here since`}
      </Table.Td>
    </Table.Tr>
  );
}

const firstRows = 20;

/** The latest spending, newest first. */
export function SpendingSection({ entries }: { entries: readonly LedgerEntry[] }) {
  const [which, setWhich] = useState<'volume' | 'all'>('volume');
  const [isAll, setAll] = useState(false);
  const matching = which === 'all' ? entries : entries.filter(({ bucket }) => bucket !== 'api_calls');
  const shown = isAll ? matching : matching.slice(0, firstRows);
  return (
    <Section
      title="Recent spending"
      note="By this app, newest first; the latest 200 entries are kept here."
      actions={
        <SegmentedControl
          aria-label="Which spending is listed"
          value={which}
          onChange={(value) => setWhich(value === 'all' ? 'all' : 'volume')}
          data={[
            { value: 'volume', label: 'Exports and video' },
            { value: 'all', label: 'API calls too' },
          ]}
        />
      }
      isFlush
    >
      {matching.length === 0 ? (
        <div className={classes.row}>
          <span className={classes.muted}>
            {entries.length === 0
              ? 'Nothing spent by this app yet.'
              : 'No exports or video; only API calls so far.'}
          </span>
        </div>
      ) : (
        <div className={classes.tableScroll} tabIndex={0} role="region" aria-label="Spending">
          <Table aria-label="Recent spending" stickyHeader>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Time</Table.Th>
                <Table.Th>Allowance</Table.Th>
                <Table.Th className={classes.figures}>Amount</Table.Th>
                <Table.Th>For</Table.Th>
                <Table.Th>Request</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {shown.map((entry, index) => (
                <Table.Tr key={`${entry.atMs}/${index}`}>
                  <Table.Td style={{ whiteSpace: 'nowrap' }}>
                    <Time utcMs={entry.atMs} />
                  </Table.Td>
                  <Table.Td>{bucketNames[entry.bucket]}</Table.Td>
                  <Table.Td className={classes.figures}>{amountText(entry.bucket, entry.amount)}</Table.Td>
                  <Table.Td className={classes.mono}>
                    {entry.operation}
                    {entry.subject !== null && ` ${entry.subject}`}
                  </Table.Td>
                  <Table.Td style={{ whiteSpace: 'nowrap' }}>
                    {entry.requestId === null ? (
                      <span className={classes.muted}>none</span>
                    ) : (
                      <>
                        <span className={classes.mono} title={entry.requestId}>
                          {entry.requestId.slice(0, 12)}
                        </span>{' '}
                        <CopyButton text={entry.requestId} what="request number" />
                      </>
                    )}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
          {matching.length > shown.length && (
            <Button variant="subtle" onClick={() => setAll(true)}>
              Show all {formatCount(matching.length)}
            </Button>
          )}
        </div>
      )}
    </Section>
  );
}
