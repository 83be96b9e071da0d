import { describe, expect, it } from 'vitest';
import type { CloudCode } from '../../../shared/cloudProblem.ts';
import type { Recall, TransferBudget } from '../../../shared/contract/recalls.ts';
import type { RecallInner, StoredRecall } from '../../../main/cache/recallRepository.ts';
import { CloudProblem } from '../../../main/cloud/problem.ts';
import { levelOf, priceStream, sumPrices } from '../../../main/media/recall/pricing.ts';
import { pauseAfter } from '../../../main/media/recall/rules.ts';

const problem = (code: CloudCode, status: number, more: { retryAfterMs?: number; isKnownNotDone?: boolean } = {}) =>
  new CloudProblem({ code, sentCode: null, status, title: '', detail: '', requestId: null, operation: 'sdFiles.playback', extensions: {}, ...more }); // prettier-ignore

describe('after a request that failed', () => {
  it('a busy camera is waited for as long as it says, five seconds where it does not', () => {
    expect(pauseAfter(problem('device_busy', 409, { retryAfterMs: 7000 }), 1)).toMatchObject({
      waitMs: 7000,
    });
    expect(pauseAfter(problem('device_busy', 409), 9)).toMatchObject({ for: 'device_busy', waitMs: 5000, isOutcomeOpen: false, maxTries: null }); // prettier-ignore
  });

  it('an answer that may have been lost leaves the outcome open; a connection that never was does not', () => {
    expect(pauseAfter(problem('command_timeout', 504), 1)).toMatchObject({ for: 'device_answer', isOutcomeOpen: true }); // prettier-ignore
    expect(pauseAfter(problem('connection_lost', 0), 1)).toMatchObject({
      for: 'network',
      isOutcomeOpen: true,
    });
    expect(pauseAfter(problem('address_unreachable', 0, { isKnownNotDone: true }), 1)).toMatchObject({ for: 'network', isOutcomeOpen: false }); // prettier-ignore
  });

  it.each([
    ['file_not_found', 404],
    ['sd_card_absent', 409],
    ['quota_exceeded', 403],
    ['camera_limit_exceeded', 403],
    ['insufficient_scope', 403],
    ['cloud_only', 422],
    ['monthly_limit_exceeded', 429],
    ['media_recall_not_configured', 501],
    ['unknown', 418],
  ] as const)('%s stops it', (code, status) => {
    expect(pauseAfter(problem(code, status), 1)).toBeNull();
  });

  it('waits grow to a minute', () => {
    const waits = [1, 2, 3, 4, 5, 9].map(
      (tries) => pauseAfter(problem('upstream_unavailable', 503), tries)?.waitMs,
    );
    expect(waits).toEqual([5000, 10_000, 20_000, 40_000, 60_000, 60_000]);
  });
});

const hourMs = 3_600_000;
const nowMs = Date.UTC(2026, 2, 14);
function stored(recall: Partial<Recall>, inner: Partial<RecallInner>): StoredRecall {
  return {
    recall: {
      recallId: 'rcl_1', accountId: 'acc_1', psn: 'P1', filename: 'f.mp4', quality: 'sub', caseId: null, requestedAtMs: nowMs,
      deadlineAtMs: null, priceBytes: 0, reason: null, jobId: 'mrcl_1', requestId: null, sizeBytes: 8_000_000, linkExpiresAtMs: null,
      chargedBytes: 0, requests: 1, state: { status: 'canceled', endedAtMs: nowMs }, ...recall,
    } as Recall, // ids are made here
    inner: { url: null, askedAtMs: null, ledgerMark: 0, isAskOpen: false, jobIds: [], transferBeganAtMs: null, uploadedAtMs: null, wasCopy: false, ...inner },
  };
} // prettier-ignore
const facts = { recording: null, heldSha256: null, history: [], ofDevice: [], nowMs };

describe('a price', () => {
  it('says that a copy is likely for a day after the upload and 48 hours after the request, and counts it all the same', () => {
    const after = (askedHours: number, uploadedHours: number) =>
      priceStream('sub', { ...facts, history: [stored({}, { askedAtMs: nowMs - askedHours * hourMs, uploadedAtMs: nowMs - uploadedHours * hourMs })] }, null); // prettier-ignore
    expect(after(2, 1)).toMatchObject({
      isCopyLikely: true,
      mobileBytes: 0,
      chargeBytes: 8_000_000,
      sizeFrom: 'recall',
    });
    expect(after(25, 24.5)).toMatchObject({ isCopyLikely: false, mobileBytes: 8_000_000 });
    expect(after(48.5, 23)).toMatchObject({ isCopyLikely: false });
  });

  it('expects the time that the camera’s own uploads took, not that of copies', () => {
    const ofDevice = [
      stored(
        { sizeBytes: 50_000_000 },
        { transferBeganAtMs: nowMs - 1000, uploadedAtMs: nowMs, wasCopy: true },
      ),
      stored({ sizeBytes: 10_000_000 }, { transferBeganAtMs: nowMs - 20_000, uploadedAtMs: nowMs }),
    ];
    const recording = { filename: 'f.mp4', subSizeBytes: 5_000_000 };
    expect(priceStream('sub', { ...facts, recording, ofDevice }, null).expectedSeconds).toBe(10);
    expect(priceStream('sub', { ...facts, recording }, null).expectedSeconds).toBeNull();
  });

  it('is the flat figure for a camera that reports no sizes when it uploads, whatever its listing says', () => {
    const recording = { filename: 'f.mp4', mainSizeBytes: 5_000_000 };
    const price = priceStream(
      'main',
      { ...facts, recording, ofDevice: [stored({ sizeBytes: null }, {})] },
      null,
    );
    expect(price).toMatchObject({ sizeBytes: 150 * 2 ** 20, sizeFrom: 'estimate' });
  });

  it.each([
    [0, 100, 'free'],
    [1, 100, 'green'],
    [21, 100, 'amber'],
    [5, 34, 'amber'],
    [51, 100, 'red'],
    [1, 10, 'red'],
    [10, 10, 'red'],
    [11, 10, 'refused'],
  ] as const)('of %i with %i of 100 left is %s… as levels go', (charge, left, level) => {
    expect(levelOf(charge, { limitBytes: 100, leftBytes: left })).toBe(level);
  });

  it('of several clips adds up: cameras beside each other, one camera’s clips one after the other', () => {
    const budget = { limitBytes: 1000, leftBytes: 500 } as TransferBudget; // what the sum reads of it
    const one = priceStream('sub', { ...facts, recording: { filename: 'f', subSizeBytes: 100 } }, 500);
    const timed = { ...one, expectedSeconds: 30 };
    const sum = sumPrices([{ psn: 'A', price: timed }, { psn: 'A', price: timed }, { psn: 'B', price: timed }], budget); // prettier-ignore
    expect(sum).toMatchObject({
      chargeBytes: 300,
      leftAfterBytes: 200,
      shareOfMonth: 0.3,
      expectedSeconds: 60,
      level: 'red',
    });
  });
});
