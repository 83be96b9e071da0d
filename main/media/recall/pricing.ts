import type { SdRecording } from '../../../shared/cloudResources.ts';
import type { ClipQuality } from '../../../shared/contract/cards.ts';
import type {
  BudgetLevel,
  ItemPrice,
  PriceSum,
  RecallPrice,
  StreamPrice,
  TransferBudget,
} from '../../../shared/contract/recalls.ts';
import type { StoredRecall } from '../../cache/recallRepository.ts';
import { flatBytes } from '../../cloud/spending.ts';

/** A complete copy stays about one day on the media server (8.3). */
const copyKeptMs = 24 * 3_600_000;
/** And is reused within 48 hours of the first request (4.1 rule 7). */
const reuseWindowMs = 48 * 3_600_000;

/** What is known of a recording when it is priced. */
export interface PriceFacts {
  readonly recording: SdRecording | null;
  readonly heldSha256: string | null;
  /** Every recall of this file in this quality, newest first. */
  readonly history: readonly StoredRecall[];
  /** The camera's latest recalls, newest first. */
  readonly ofDevice: readonly StoredRecall[];
  readonly nowMs: number;
}

const isOpen = ({ recall }: StoredRecall): boolean =>
  ['queued', 'waiting', 'starting', 'transferring', 'needs_consent'].includes(recall.state.status);

/** Stopped with a link that still lives: going on is free, asking the camera anew would be charged again. */
export function isResumable({ recall, inner }: StoredRecall, nowMs: number): boolean {
  const { linkExpiresAtMs, state } = recall;
  return (
    state.status === 'stopped' && inner.url !== null && (linkExpiresAtMs === null || linkExpiresAtMs > nowMs)
  );
}

function sizeOf(facts: PriceFacts, quality: ClipQuality): Pick<StreamPrice, 'sizeBytes' | 'sizeFrom'> {
  const reported = facts.history.find(({ recall }) => recall.sizeBytes !== null)?.recall.sizeBytes;
  if (typeof reported === 'number') return { sizeBytes: reported, sizeFrom: 'recall' };
  // A camera that reported no size with its last recall is charged the flat figure, whatever its listing says.
  const last = facts.ofDevice.find(({ recall }) => recall.jobId !== null);
  const listed = quality === 'main' ? facts.recording?.mainSizeBytes : facts.recording?.subSizeBytes;
  const isListed = typeof listed === 'number' && Number.isFinite(listed) && listed > 0;
  if (isListed && !(last && last.recall.sizeBytes === null))
    return { sizeBytes: listed, sizeFrom: 'listing' };
  return { sizeBytes: flatBytes[quality], sizeFrom: 'estimate' };
}

/** Until when the media server can be expected to hold a complete copy; null: it is not expected to. */
export function copyUntilMs(history: readonly StoredRecall[], nowMs: number): number | null {
  const upload = history.find(({ inner }) => inner.uploadedAtMs !== null && !inner.wasCopy);
  if (!upload || upload.inner.uploadedAtMs === null) return null;
  const firstMs = upload.inner.askedAtMs ?? upload.recall.requestedAtMs;
  const untilMs = Math.min(upload.inner.uploadedAtMs + copyKeptMs, firstMs + reuseWindowMs);
  return untilMs > nowMs ? untilMs : null;
}

/** Bytes a second over the camera's own link in its latest transfers; null where there was none. */
function speedOf(ofDevice: readonly StoredRecall[]): number | null {
  let bytes = 0;
  let seconds = 0;
  let transfers = 0;
  for (const { recall, inner } of ofDevice) {
    if (inner.wasCopy || inner.uploadedAtMs === null || inner.transferBeganAtMs === null) continue;
    const tookMs = inner.uploadedAtMs - inner.transferBeganAtMs;
    const size = recall.sizeBytes ?? (recall.state.status === 'done' ? recall.state.sizeBytes : null);
    if (size === null || tookMs <= 0) continue;
    bytes += size;
    seconds += tookMs / 1000;
    if (++transfers === 5) break;
  }
  return seconds > 0 ? bytes / seconds : null;
}

/** Prices one stream (8.2). Pure: every figure comes from `facts` and the budget. */
export function priceStream(quality: ClipQuality, facts: PriceFacts, leftBytes: number | null): StreamPrice {
  const size = sizeOf(facts, quality);
  const queued =
    facts.history.find(isOpen) ?? facts.history.find((one) => isResumable(one, facts.nowMs)) ?? null;
  const isFree = facts.heldSha256 !== null || queued !== null;
  const chargeBytes = isFree ? 0 : size.sizeBytes;
  const untilMs = copyUntilMs(facts.history, facts.nowMs);
  const mobileBytes = isFree || untilMs !== null ? 0 : size.sizeBytes;
  const speed = speedOf(facts.ofDevice);
  return {
    quality,
    ...size,
    heldSha256: facts.heldSha256,
    queuedRecallId: queued?.recall.recallId ?? null,
    chargeBytes,
    isCopyLikely: untilMs !== null,
    copyUntilMs: untilMs,
    mobileBytes,
    expectedSeconds:
      facts.heldSha256 !== null
        ? 0
        : untilMs !== null || speed === null
          ? null
          : Math.max(1, Math.round(size.sizeBytes / speed)),
    mayBeRefusedByService:
      !isFree &&
      size.sizeFrom !== 'recall' &&
      leftBytes !== null &&
      leftBytes >= chargeBytes &&
      leftBytes < flatBytes[quality],
  };
}

/**
 * Green: the month hardly notices. Amber: over a fifth of what is left, or less than 30 % of the month left after it.
 * Red: over half of what is left, or less than a tenth of the month left after it; needs a reason. Each with the
 * limit as the measure, so that it reads the same in a small plan and in a large one.
 */
export function levelOf(
  chargeBytes: number,
  budget: Pick<TransferBudget, 'limitBytes' | 'leftBytes'>,
): BudgetLevel {
  if (chargeBytes === 0) return 'free';
  const { limitBytes, leftBytes } = budget;
  if (limitBytes === null || leftBytes === null) return 'unknown';
  if (chargeBytes > leftBytes) return 'refused';
  const after = leftBytes - chargeBytes;
  if (after < limitBytes * 0.1 || chargeBytes > leftBytes * 0.5) return 'red';
  if (after < limitBytes * 0.3 || chargeBytes > leftBytes * 0.2) return 'amber';
  return 'green';
}

export function refusalOf(chargeBytes: number, leftBytes: number | null): string | null {
  if (leftBytes === null || chargeBytes <= leftBytes) return null;
  const bytes = (count: number): string => `${count.toLocaleString('en-US')} bytes`;
  return `It needs ${bytes(chargeBytes)} of the month’s allowance, and ${bytes(leftBytes)} are left.`;
}

/** The sum of several streams; a camera's transfers run one after the other, cameras beside each other. */
export function sumPrices(
  streams: readonly { readonly psn: string; readonly price: StreamPrice }[],
  budget: TransferBudget,
): PriceSum {
  let chargeBytes = 0;
  let mobileBytes = 0;
  let isTimeKnown = true;
  const seconds = new Map<string, number>();
  for (const { psn, price } of streams) {
    chargeBytes += price.chargeBytes;
    mobileBytes += price.mobileBytes;
    if (price.expectedSeconds === null) isTimeKnown = false;
    else seconds.set(psn, (seconds.get(psn) ?? 0) + price.expectedSeconds);
  }
  const { limitBytes, leftBytes } = budget;
  return {
    chargeBytes,
    mobileBytes,
    leftAfterBytes: leftBytes === null ? null : Math.max(0, leftBytes - chargeBytes),
    shareOfMonth: limitBytes === null || limitBytes <= 0 ? null : chargeBytes / limitBytes,
    expectedSeconds: isTimeKnown ? Math.max(0, ...seconds.values()) : null,
    level: levelOf(chargeBytes, budget),
    refusal: refusalOf(chargeBytes, leftBytes),
    held: streams.filter(({ price }) => price.heldSha256 !== null).length,
    estimated: streams.filter(({ price }) => price.heldSha256 === null && price.sizeFrom === 'estimate')
      .length,
  };
}

export function toPrice(
  items: readonly ItemPrice[],
  budget: TransferBudget,
  pricedAtMs: number,
): RecallPrice {
  const sum = (quality: ClipQuality): PriceSum =>
    sumPrices(
      items.map((item) => ({ psn: item.psn, price: item[quality] })),
      budget,
    );
  return { items, sub: sum('sub'), main: sum('main'), budget, pricedAtMs };
}
