import type { LedgerSum } from '../../../shared/contract/cloud.ts';
import type { Usage, VolumeQuota } from '../../../shared/cloudResources.ts';
import { formatCount, type Tone } from '../../ui/index.ts';

/** The service counts in these (8.2: 1 GB = 2^30 bytes), so its figures are shown in them. */
const gibibyte = 2 ** 30;
/** From here on a budget is called nearly used up. */
const nearShare = 0.8;

/** Bytes as the service's GB: 5368709120 → "5.00 GB"; amounts below 0.1 GB in MB of 2^20. */
export function formatQuotaBytes(sizeBytes: number): string {
  if (sizeBytes === 0) return '0 GB';
  if (Math.abs(sizeBytes) < gibibyte / 10) return `${(sizeBytes / 2 ** 20).toFixed(1)} MB`;
  const value = sizeBytes / gibibyte;
  return `${value.toFixed(Math.abs(value) >= 100 ? 1 : 2)} GB`;
}

export interface Budget {
  readonly used: number | null;
  /** Null: none stated. Zero: not part of the plan. */
  readonly limit: number | null;
  /** 0 to 1, null where there is nothing to fill. */
  readonly share: number | null;
  readonly tone: Tone;
  /** The state in words. */
  readonly state: string;
}

/** How much of a limit is used, and what that means in words. */
export function toBudget(used: number | null, limit: number | null): Budget {
  if (used === null) return { used, limit, share: null, tone: 'quiet', state: 'Not stated' };
  if (limit === null) return { used, limit, share: null, tone: 'quiet', state: 'No limit stated' };
  if (limit <= 0) return { used, limit, share: null, tone: 'quiet', state: 'Not in this plan' };
  const share = Math.min(1, used / limit);
  if (used >= limit) return { used, limit, share, tone: 'bad', state: 'Used up' };
  if (share >= nearShare) return { used, limit, share, tone: 'warn', state: 'Nearly used up' };
  return { used, limit, share, tone: 'ok', state: 'Within the allowance' };
}

export interface Bucket {
  readonly bucket: string;
  readonly title: string;
  readonly meaning: string;
  readonly isMonthly: boolean;
  readonly budget: Budget;
  /** An amount in the bucket's own unit. */
  readonly format: (amount: number) => string;
}

const known: readonly Omit<Bucket, 'budget' | 'format'>[] = [
  {
    bucket: 'transfer_bytes',
    title: 'Video transfer',
    meaning:
      'Bytes of clips recalled from SD cards (as the camera states them, or a flat 8 MB low / 150 MB full resolution) and 6 MB for each event video opened. Lists, thumbnails and GPS exports cost nothing.',
    isMonthly: true,
  },
  {
    bucket: 'export_job',
    title: 'GPS export jobs',
    meaning: 'Each order counts as one, however many cameras and days it covers. Downloading costs nothing.',
    isMonthly: true,
  },
  {
    bucket: 'export_concurrent',
    title: 'GPS exports at the same time',
    meaning: 'Orders that are queued or running now. It frees itself when they end.',
    isMonthly: false,
  },
];

function formatOf(quota: VolumeQuota | undefined, bucket: string): (amount: number) => string {
  const isBytes = quota?.unit === undefined ? bucket === 'transfer_bytes' : quota.unit === 'bytes';
  return isBytes ? formatQuotaBytes : formatCount;
}

const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null);

/** The three volume buckets of 8.2 in fixed order, then whatever else the service states. */
export function toBuckets(usage: Usage): readonly Bucket[] {
  const quotas = Array.isArray(usage.volumeQuotas) ? usage.volumeQuotas : [];
  const stated = known.map((facts): Bucket => {
    const quota = quotas.find(({ bucket }) => bucket === facts.bucket);
    const budget = toBudget(numberOf(quota?.used), numberOf(quota?.limit));
    const isBusy = !facts.isMonthly && budget.tone !== 'quiet';
    return {
      ...facts,
      format: formatOf(quota, facts.bucket),
      budget: !isBusy
        ? budget
        : budget.tone === 'bad'
          ? { ...budget, tone: 'warn', state: 'All in use' }
          : { ...budget, tone: 'ok', state: 'Free' },
    };
  });
  const others = quotas
    .filter(({ bucket }) => !known.some((facts) => facts.bucket === bucket))
    .map((quota): Bucket => ({
      bucket: quota.bucket,
      title: quota.bucket,
      meaning: 'Newer than this version of Evidence Desk; shown as the service states it.',
      isMonthly: true,
      format: formatOf(quota, quota.bucket),
      budget: toBudget(numberOf(quota.used), numberOf(quota.limit)),
    }));
  return [...stated, ...others];
}

/** 00:00 UTC on the 1st after a "2026-03": when monthly counters start anew. Null for what is no month. */
export function resetMs(period: string | undefined): number | null {
  const match = /^(\d{4})-(\d{2})$/.exec(period ?? '');
  return match ? Date.UTC(Number(match[1]), Number(match[2]), 1) : null;
}

/** 0.9871 → "98.7 %"; a share too small to show is not shown as none; null is "not known". */
export function formatRatio(ratio: number | null): string {
  if (ratio === null) return 'not known';
  const percent = ratio * 100;
  if (percent > 0 && percent < 0.1) return '< 0.1 %';
  if (percent > 99.9 && percent < 100) return '> 99.9 %';
  return `${Number(percent.toFixed(1))} %`;
}

export type LedgerComparison =
  /** The service's figures are of another month, or it stated none. */
  | { readonly status: 'unknown' }
  /** `others`: spent by other keys, the web console, another computer. */
  | { readonly status: 'sound'; readonly others: number }
  /** Counted here after the figure was fetched, or counted differently: `surplus` more than the service. */
  | { readonly status: 'ahead'; readonly surplus: number };

/** Ours beside the server's: ours is a part of it, so what is left over was spent by others. */
export function compareLedger(sum: LedgerSum, isSameMonth: boolean): LedgerComparison {
  if (sum.serverUsed === null || !isSameMonth) return { status: 'unknown' };
  const difference = sum.serverUsed - sum.spent;
  return difference >= 0
    ? { status: 'sound', others: difference }
    : { status: 'ahead', surplus: -difference };
}
