import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import {
  activeOrder,
  checkRange,
  defaultPackaging,
  exportAllowance,
  isExportable,
  lastDays,
} from '../../../renderer/features/account/orderRules.ts';
import {
  compareLedger,
  formatQuotaBytes,
  formatRatio,
  resetMs,
  toBuckets,
  toBudget,
} from '../../../renderer/features/account/budget.ts';
import { toCallChart } from '../../../renderer/features/account/callHistory.ts';
import {
  canFetch,
  deliveryState,
  jobState,
  rangeText,
} from '../../../renderer/features/account/orderState.ts';
import { formatAge, isOldMs } from '../../../renderer/features/account/freshness.ts';
import { noonMs, order, problem, usage, usageReport } from './samples.ts';

const dayMs = 86_400_000;

describe('the range of an order', () => {
  it('is whole UTC days with both ends, and may end at most 90 days after it began', () => {
    expect(checkRange('2026-03-14', '2026-03-14')).toMatchObject({ status: 'ok', days: 1 });
    expect(checkRange('2026-01-01', '2026-04-01')).toMatchObject({ status: 'ok', days: 91 });
    expect(checkRange('2026-01-01', '2026-04-02')).toMatchObject({ status: 'wrong', field: 'to' });
    expect(checkRange('2026-03-14', '2026-03-13')).toMatchObject({ message: 'Lies before the first day' });
  });

  it('refuses what is no day of the calendar', () => {
    for (const day of ['', '2026-02-30', '2026-13-01', '14-03-2026', 'today']) {
      expect(checkRange(day, '2026-03-14')).toMatchObject({ status: 'wrong', field: 'from' });
      expect(checkRange('2026-03-14', day)).toMatchObject({ status: 'wrong', field: 'to' });
    }
  });

  it('agrees with counting days one by one', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 20_000 }),
        fc.integer({ min: -5, max: 200 }),
        (start, distance) => {
          const day = (index: number) => new Date(index * dayMs).toISOString().slice(0, 10);
          const check = checkRange(day(start), day(start + distance));
          expect(check.status).toBe(distance >= 0 && distance <= 90 ? 'ok' : 'wrong');
          if (check.status === 'ok') expect(check.toMs - check.fromMs).toBe(check.days * dayMs);
        },
      ),
    );
  });

  it('offers the last days with today, the longest just inside the rule', () => {
    expect(lastDays(7, noonMs)).toEqual({ fromDay: '2026-03-08', toDay: '2026-03-14' });
    const { fromDay, toDay } = lastDays(91, noonMs);
    expect(checkRange(fromDay, toDay)).toMatchObject({ status: 'ok', days: 91 });
  });
});

describe('what an order meets', () => {
  it('leaves out Wi-Fi-only cameras, not those over the limit nor of a category it does not know', () => {
    expect(isExportable({ psn: 'P', category: 'wifi' })).toBe(false);
    expect(isExportable({ psn: 'P', category: 'cloud', entitlement: 'over_limit' })).toBe(true);
    expect(isExportable({ psn: 'P' })).toBe(true);
    expect(isExportable({ psn: 'P', category: 'satellite' })).toBe(true);
  });

  it('packs one file for one camera, one each for several', () => {
    expect([defaultPackaging(1), defaultPackaging(2)]).toEqual(['single', 'perDevice']);
  });

  it('is held up by a job under way, a state it does not know too, but not by one that is gone', () => {
    expect(
      activeOrder([order({ status: 'completed' }), order({ jobId: 'b', status: 'paused' })])?.job.jobId,
    ).toBe('b');
    expect(activeOrder([order({ status: 'failed' }), order({ status: 'canceled' })])).toBeNull();
    expect(activeOrder([order({}, { problem: problem({ code: 'job_not_found' }) })])).toBeNull();
  });

  it('knows what is left only where the service said it', () => {
    expect(exportAllowance(usageReport())).toEqual({ used: 3, limit: 800 });
    expect(exportAllowance(null)).toBeNull();
    const silent = [{ bucket: 'export_job', spent: 1, serverUsed: null, serverLimit: null }] as const;
    expect(exportAllowance(usageReport({ ledger: silent }))).toBeNull();
  });
});

describe('budgets', () => {
  it('say in words how much is used, and keep none, nothing stated and no limit apart', () => {
    expect(toBudget(0, 10)).toMatchObject({ state: 'Within the allowance', share: 0 });
    expect(toBudget(8, 10)).toMatchObject({ state: 'Nearly used up', tone: 'warn' });
    expect(toBudget(12, 10)).toMatchObject({ state: 'Used up', share: 1 });
    expect(toBudget(0, 0)).toMatchObject({ state: 'Not in this plan', share: null });
    expect(toBudget(5, null)).toMatchObject({ state: 'No limit stated' });
    expect(toBudget(null, 10)).toMatchObject({ state: 'Not stated', used: null });
  });

  it('always list the three buckets, and what a newer service adds', () => {
    const all = toBuckets(usage({ volumeQuotas: [{ bucket: 'moon', limit: 5, used: 1, unit: 'count' }] }));
    expect(all.map(({ bucket, budget }) => [bucket, budget.state])).toEqual([
      ['transfer_bytes', 'Not stated'],
      ['export_job', 'Not stated'],
      ['export_concurrent', 'Not stated'],
      ['moon', 'Within the allowance'],
    ]);
  });

  it('do not call a full concurrency a spent allowance: it frees itself', () => {
    const concurrent = toBuckets(usage()).find(({ bucket }) => bucket === 'export_concurrent');
    expect(concurrent?.budget).toMatchObject({ state: 'All in use', tone: 'warn' });
  });

  it('count bytes as the service does, in GB of 2^30', () => {
    expect(formatQuotaBytes(5 * 2 ** 30)).toBe('5.00 GB');
    expect(formatQuotaBytes(288 * 2 ** 30)).toBe('288.0 GB');
    expect(formatQuotaBytes(8 * 2 ** 20)).toBe('8.0 MB');
    expect(formatQuotaBytes(0)).toBe('0 GB');
  });

  it('begin anew on the 1st, over the end of the year too', () => {
    expect(resetMs('2026-12')).toBe(Date.UTC(2027, 0, 1));
    expect(resetMs(undefined)).toBeNull();
  });

  it('never show a small share as none, nor an unknown one as zero', () => {
    expect([0, 0.0004, 0.0167, 0.9996, 1, null].map(formatRatio)).toEqual([
      '0 %',
      '< 0.1 %',
      '1.7 %',
      '> 99.9 %',
      '100 %',
      'not known',
    ]);
  });

  it('tell what others spent, and what was counted here since', () => {
    const sum = { bucket: 'export_job', spent: 2, serverUsed: 5, serverLimit: 10 } as const;
    expect(compareLedger(sum, true)).toEqual({ status: 'sound', others: 3 });
    expect(compareLedger({ ...sum, spent: 6 }, true)).toEqual({ status: 'ahead', surplus: 1 });
    expect(compareLedger(sum, false)).toEqual({ status: 'unknown' });
    expect(compareLedger({ ...sum, serverUsed: null }, true)).toEqual({ status: 'unknown' });
  });
});

describe('call history', () => {
  it('keeps a day without figures apart from a day without calls', () => {
    const chart = toCallChart(usage().callHistory);
    expect(chart?.days.map(({ date, calls }) => [date, calls])).toEqual([
      ['2026-03-10', 40],
      ['2026-03-11', 0],
      ['2026-03-12', null],
      ['2026-03-13', 80],
    ]);
    expect(chart).toMatchObject({ most: 80, calls: 120, measuredDays: 3, avgLatencyMs: null });
  });

  it('is unknown when the service has none, and takes timestamps and odd rows in its stride', () => {
    expect(toCallChart(null)).toBeNull();
    expect(toCallChart(undefined)).toBeNull();
    const odd = [
      { date: '2026-03-10T00:00:00Z', calls: 4 },
      { date: 'yesterday', calls: 9 },
    ];
    expect(toCallChart({ days: odd })).toMatchObject({ calls: 4, days: [{ date: '2026-03-10' }] });
    expect(toCallChart({ days: [] })).toMatchObject({ days: [], most: 0 });
    // A window of a thousand years would be nobody's chart.
    const wide = toCallChart({ from: '1026-01-01', to: '2026-01-01', days: [] });
    expect(wide?.days.length).toBe(400);
  });
});

describe('the state of an export in words', () => {
  it('names every state, and an unknown one by its own name', () => {
    const texts = ['queued', 'running', 'completed', 'failed', 'canceled', 'paused'].map(
      (status) => jobState(order({ status }), noonMs).text,
    );
    expect(texts).toEqual(['Queued', 'Running', 'Completed', 'Failed on the service', 'Canceled', 'paused']);
    expect(jobState(order({ status: 'completed', expiresAt: '2026-03-13T00:00:00Z' }), noonMs).text).toBe(
      'Expired',
    );
    expect(jobState(order({}, { problem: problem({ code: 'job_not_found' }) }), noonMs).tone).toBe('warn');
  });

  it('says what becomes of the archive', () => {
    expect(deliveryState(order())?.text).toBe('Will be imported when complete');
    expect(deliveryState(order({}, { shouldImport: false }))?.text).toBe('Waits to be imported by you');
    expect(deliveryState(order({}, { isOurs: false }))).toBeNull();
    expect(deliveryState(order({ status: 'completed' }, { delivery: { status: 'empty' } }))?.text).toContain(
      'No GPS data',
    );
    expect(deliveryState(order({ status: 'canceled' }))).toBeNull();
  });

  it('offers a download only while there is one', () => {
    expect(canFetch(order({ status: 'completed' }), noonMs)).toBe(true);
    expect(
      canFetch(order({ status: 'completed' }, { delivery: { status: 'failed', message: '' } }), noonMs),
    ).toBe(true);
    expect(canFetch(order({ status: 'running' }), noonMs)).toBe(false);
    expect(canFetch(order({ status: 'completed', expiresAt: '2026-03-01T00:00:00Z' }), noonMs)).toBe(false);
    expect(canFetch(order({ status: 'completed' }, { delivery: { status: 'empty' } }), noonMs)).toBe(false);
  });

  it('states its UTC days, or that they are not stated', () => {
    expect(rangeText(order())).toBe('2026-03-08 to 2026-03-14');
    expect(rangeText(order({ from: '2026-03-08', to: '2026-03-08T23:59:59Z' }))).toBe('2026-03-08');
    const fresh = { jobId: 'gpsexp_1', status: 'queued' };
    expect(rangeText({ ...order(), job: fresh })).toBeNull();
  });
});

describe('ages', () => {
  it('are said in whole units, and a clock set back makes none negative', () => {
    const ages = [0, 59_000, 61_000, 2 * 3_600_000, 50 * 3_600_000].map((age) =>
      formatAge(noonMs, noonMs + age),
    );
    expect(ages).toEqual(['just now', 'just now', '1 min ago', '2 h ago', '2 d ago']);
    expect(formatAge(noonMs, noonMs - 5_000)).toBe('just now');
    expect([
      isOldMs(null, noonMs),
      isOldMs(noonMs, noonMs + 30_000),
      isOldMs(noonMs, noonMs + 61_000),
    ]).toEqual([true, false, true]);
  });
});
