import { describe, expect, it } from 'vitest';
import { endSummary, importSummary, progressText, rateText } from '../../../renderer/features/jobs/index.ts';
import { entry, imported, job, progress, verifyReport } from '../samples.ts';

describe('a job in one line', () => {
  it('says stage, amount and points while it runs', () => {
    expect(progressText(progress({ done: 12_000_000, total: 76_000_000, points: 412_000 }))).toBe(
      'Reading · 12.0 MB of 76.0 MB · 412,000 points',
    );
    expect(
      progressText(progress({ stage: 'hashing', unit: 'files', done: 1, total: null, points: null })),
    ).toBe('Hashing · 1 file');
    expect(rateText({ perSecond: 1e6, pointsPerSecond: 2_123_456, leftMs: 8_000 }, 'bytes')).toBe(
      '2,100,000 points/s · 8 s left',
    );
    expect(rateText(undefined, 'bytes')).toBe('');
  });

  it('counts what came in, what was known and what failed', () => {
    const failed = imported({
      status: 'failed',
      sourceId: null,
      error: { code: 'archive_damaged', message: 'x' },
    });
    expect(importSummary({ sources: [imported(), imported({ status: 'duplicate' }), failed] })).toEqual({
      tone: 'bad',
      text: '2 trips, 100 points imported; 1 file imported before; 1 file not imported',
    });
    expect(importSummary({ sources: [imported()] }).tone).toBe('ok');
  });

  it('does not hide that rows were skipped', () => {
    const partly = imported({
      entries: [entry({ status: 'partial', skipped: [{ where: 'line 2', reason: 'no time', count: 7 }] })],
    });
    expect(importSummary({ sources: [partly] })).toMatchObject({ tone: 'warn' });
  });

  it('tells a changed package from an unchanged one, and an interruption from a cancel', () => {
    const verified = (ok: boolean) =>
      job({
        kind: 'verify',
        state: {
          status: 'done',
          result: { kind: 'verify', report: verifyReport({ ok, checks: [{ name: 'x', ok, detail: '' }] }) },
        },
      });
    expect(endSummary(verified(true))).toEqual({ tone: 'ok', text: 'Unchanged since sealed' });
    expect(endSummary(verified(false))).toMatchObject({ tone: 'bad' });
    expect(endSummary(job({ state: { status: 'canceled' } }))?.text).toMatch(/nothing of it was kept/);
    expect(endSummary(job({ state: { status: 'interrupted' } }))?.text).toMatch(/was closed while this ran/);
    expect(endSummary(job())).toBeNull();
  });
});
