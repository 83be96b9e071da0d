import { Button, Table } from '@mantine/core';
import { useState } from 'react';
import type { Usage } from '../../../shared/cloudResources.ts';
import { formatCount, formatCounted, Section } from '../../ui/index.ts';
import classes from './account.module.css';
import { formatRatio } from './budget.ts';
import { toCallChart, type CallChart, type CallDay } from './callHistory.ts';

/** API calls by UTC day. Days without figures are drawn as gaps, days without calls as zero. */
export function CallHistorySection({ usage }: { usage: Usage }) {
  const [isTable, setTable] = useState(false);
  const chart = toCallChart(usage.callHistory);
  return (
    <Section
      title="Call history"
      note={chart ? noteOf(chart) : undefined}
      actions={
        chart && chart.days.length > 0 ? (
          <Button
            style={{ flex: 'none' }}
            variant="default"
            aria-pressed={isTable}
            onClick={() => setTable(!isTable)}
          >
            {isTable ? 'Show as chart' : 'Show as table'}
          </Button>
        ) : null
      }
    >
      {chart === null && (
        <div className={classes.muted}>
          Not known: the service’s daily figures are not available right now. That is not the same as no
          calls.
        </div>
      )}
      {chart !== null && chart.days.length === 0 && (
        <div className={classes.muted}>No day has figures yet. They come after the end of a UTC day.</div>
      )}
      {chart !== null &&
        chart.days.length > 0 &&
        (isTable ? <DayTable chart={chart} /> : <Bars chart={chart} />)}
    </Section>
  );
}

function noteOf(chart: CallChart): string {
  const latency =
    chart.avgLatencyMs === null
      ? 'average answer time not known for every day'
      : `answered in ${formatCount(Math.round(chart.avgLatencyMs))} ms on average`;
  return `${formatCounted(chart.calls, 'call')} on ${formatCounted(chart.measuredDays, 'day')} with figures, of ${formatCounted(chart.days.length, 'UTC day')}; ${latency}.`;
}

function textOf({ date, calls, avgLatencyMs }: CallDay): string {
  if (calls === null) return `${date}: no figures`;
  const latency = avgLatencyMs === null ? '' : `, ${formatCount(avgLatencyMs)} ms on average`;
  return `${date}: ${formatCounted(calls, 'call')}${latency}`;
}
const kindOf = ({ calls }: CallDay) => (calls === null ? 'absent' : calls === 0 ? 'zero' : 'calls');

function Bars({ chart }: { chart: CallChart }) {
  const absent = chart.days.filter(({ calls }) => calls === null).length;
  const first = chart.days[0];
  const last = chart.days.at(-1);
  return (
    <div>
      <div
        className={classes.chart}
        role="img"
        aria-label={`API calls by day from ${first?.date ?? ''} to ${last?.date ?? ''}: at most ${formatCount(chart.most)} on one day; ${formatCounted(absent, 'day')} without figures`}
      >
        <span className={classes.chartMost}>{formatCounted(chart.most, 'call')}</span>
        {chart.days.map((day) => (
          <div key={day.date} className={classes.slot} data-kind={kindOf(day)} title={textOf(day)}>
            <div
              className={classes.bar}
              style={day.calls ? { height: `${(day.calls / chart.most) * 100}%` } : undefined}
            />
          </div>
        ))}
      </div>
      <div className={classes.chartAxis}>
        <span>{first?.date}</span>
        <span>{last?.date} UTC</span>
      </div>
      <div className={classes.legend}>
        <span>
          <i className={classes.legendCalls} /> calls of the day
        </span>
        <span>
          <i className={classes.legendZero} /> no calls (0)
        </span>
        <span>
          <i className={classes.legendAbsent} /> no figures: not counted as zero (
          {formatCounted(absent, 'day')})
        </span>
      </div>
    </div>
  );
}

function DayTable({ chart }: { chart: CallChart }) {
  return (
    <div className={classes.tableScroll} tabIndex={0} role="region" aria-label="Calls by day">
      <Table aria-label="API calls by UTC day" stickyHeader>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Day (UTC)</Table.Th>
            <Table.Th className={classes.figures}>Calls</Table.Th>
            <Table.Th className={classes.figures}>Average answer time</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {[...chart.days].reverse().map(({ date, calls, avgLatencyMs }) => (
            <Table.Tr key={date}>
              <Table.Td>{date}</Table.Td>
              <Table.Td className={classes.figures}>
                {calls === null ? 'no figures' : formatCount(calls)}
              </Table.Td>
              <Table.Td className={classes.figures}>
                {avgLatencyMs === null ? 'not known' : `${formatCount(avgLatencyMs)} ms`}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

const classNames: Readonly<Record<string, string>> = {
  '2xx': 'done',
  '3xx': 'led elsewhere',
  '4xx': 'refused: request, permission or allowance',
  '5xx': 'failed at the service',
};

/** How the calls of the window ended. */
export function StatusSection({ usage }: { usage: Usage }) {
  const breakdown = usage.statusBreakdown;
  return (
    <Section
      title="How calls ended"
      note={breakdown ? `${formatCounted(breakdown.total, 'call')} of the same days` : undefined}
    >
      {!breakdown ? (
        <div className={classes.muted}>Not known: the service’s figures are not available right now.</div>
      ) : (
        <Table aria-label="Calls by status class">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Status</Table.Th>
              <Table.Th className={classes.figures}>Calls</Table.Th>
              <Table.Th className={classes.figures}>Share</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {breakdown.classes.map(({ statusClass, count, ratio }) => (
              <Table.Tr key={statusClass}>
                <Table.Td>
                  {statusClass} <span className={classes.muted}>{classNames[statusClass] ?? ''}</span>
                </Table.Td>
                <Table.Td className={classes.figures}>{formatCount(count)}</Table.Td>
                <Table.Td className={classes.figures}>{formatRatio(ratio)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Section>
  );
}
