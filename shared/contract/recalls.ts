import { z } from 'zod';
import type { CloudProblemData } from '../cloudProblem.ts';
import type { AppErrorData } from '../errors.ts';
import type { AccountId, CaseId, RecallId } from '../ids.ts';
import { caseIdSchema, filenameSchema, psnSchema, type ClipQuality } from './cards.ts';
import { event, idSchema, nothing, output, request } from './define.ts';

/** `unknown`: the allowance could not be read. `refused`: more than what is left. */
export type BudgetLevel = 'free' | 'green' | 'amber' | 'red' | 'refused' | 'unknown';

/** The month's `transfer_bytes` (8.2): the service's figure, and what this app spent since it was read. */
export interface TransferBudget {
  readonly limitBytes: number | null;
  /** By the whole organization at `fetchedAtMs`. */
  readonly serverUsedBytes: number | null;
  /** By this app since then. */
  readonly spentSinceBytes: number;
  /** Priced and waiting in the queue, not charged yet. */
  readonly reservedBytes: number;
  /** Limit less all three; never below 0; null where the limit is unknown. */
  readonly leftBytes: number | null;
  readonly fetchedAtMs: number | null;
  /** 00:00 UTC on the 1st of the next month. */
  readonly resetsAtMs: number;
  /** Whole days until then, rounded up. */
  readonly daysToReset: number;
  /** Why the figure is not newer. */
  readonly problem: CloudProblemData | null;
}

/** What one stream of one recording costs. */
export interface StreamPrice {
  readonly quality: ClipQuality;
  readonly sizeBytes: number;
  /** `recall`: as the camera reported at the last recall; `listing`: as listed; `estimate`: the flat figure of 8.2. */
  readonly sizeFrom: 'recall' | 'listing' | 'estimate';
  /** In the local cache already: nothing is requested, nothing is charged. */
  readonly heldSha256: string | null;
  /** Under way or waiting in the queue already, or stopped where going on is free: nothing is requested a second time. */
  readonly queuedRecallId: RecallId | null;
  /** What the allowance will be charged; 0 when held or queued. */
  readonly chargeBytes: number;
  /** A complete copy can be expected on the media server: no mobile data, but the allowance counts all the same. */
  readonly isCopyLikely: boolean;
  readonly copyUntilMs: number | null;
  /** Over the camera's cellular link; 0 when held or copied. */
  readonly mobileBytes: number;
  /** From this camera's earlier transfers; null: unknown. */
  readonly expectedSeconds: number | null;
  /** The service checks a first recall against its flat figure (8.2), which is more than what is left: it may refuse. */
  readonly mayBeRefusedByService: boolean;
}

export interface ItemPrice {
  readonly psn: string;
  readonly filename: string;
  readonly sub: StreamPrice;
  readonly main: StreamPrice;
}

/** The sum over all items in one quality. */
export interface PriceSum {
  readonly chargeBytes: number;
  readonly mobileBytes: number;
  readonly leftAfterBytes: number | null;
  /** Part of the month's limit, 0 to 1 and beyond; null where the limit is unknown. */
  readonly shareOfMonth: number | null;
  /** Per camera one after the other, cameras beside each other; null where one of them is unknown. */
  readonly expectedSeconds: number | null;
  readonly level: BudgetLevel;
  /** Why it is refused, for people; null otherwise. */
  readonly refusal: string | null;
  readonly held: number;
  /** How many sizes are estimates. */
  readonly estimated: number;
}

export interface RecallPrice {
  readonly items: readonly ItemPrice[];
  readonly sub: PriceSum;
  readonly main: PriceSum;
  readonly budget: TransferBudget;
  readonly pricedAtMs: number;
}

export type RecallState =
  /** Behind another recall of the same camera. */
  | { readonly status: 'queued' }
  | {
      readonly status: 'waiting';
      readonly for: 'network' | 'device_busy' | 'device_offline' | 'device_answer' | 'service';
      /** When it is tried again. */
      readonly untilMs: number;
      readonly problem: CloudProblemData;
    }
  /** The camera is being asked. */
  | { readonly status: 'starting' }
  | {
      readonly status: 'transferring';
      /** In the local file. */
      readonly receivedBytes: number;
      /** On the media server; null while it does not say. */
      readonly serverBytes: number | null;
      readonly totalBytes: number | null;
      readonly startedAtMs: number;
      /** Why no byte comes at the moment; null while they do. */
      readonly problem: CloudProblemData | null;
    }
  /** The link ran out; a fresh one would be charged in full. `recalls.retry` with `isCostAccepted` goes on. */
  | {
      readonly status: 'needs_consent';
      readonly chargeBytes: number;
      readonly isCopyLikely: boolean;
      readonly receivedBytes: number;
      readonly what: string;
    }
  | {
      readonly status: 'done';
      readonly sha256: string;
      readonly sizeBytes: number;
      readonly endedAtMs: number;
      /** It was in the cache before; nothing was requested. */
      readonly wasHeld: boolean;
    }
  | {
      readonly status: 'stopped';
      readonly error: AppErrorData;
      readonly endedAtMs: number;
      /** Trying again continues for free, or would be charged (again). */
      readonly retryChargeBytes: number;
    }
  | { readonly status: 'canceled'; readonly endedAtMs: number };

/** A recall as the queue follows it, over restarts. */
export interface Recall {
  readonly recallId: RecallId;
  readonly accountId: AccountId;
  readonly psn: string;
  readonly filename: string;
  readonly quality: ClipQuality;
  readonly caseId: CaseId | null;
  readonly requestedAtMs: number;
  /** Until then the camera is waited for; null: for ever. A transfer that has begun is not cut off by it. */
  readonly deadlineAtMs: number | null;
  /** What a request costs: as priced, and once the camera accepted, as charged. */
  readonly priceBytes: number;
  readonly reason: string | null;
  /** The service's job, once the camera accepted. */
  readonly jobId: string | null;
  readonly requestId: string | null;
  readonly sizeBytes: number | null;
  readonly linkExpiresAtMs: number | null;
  /** Charged to the allowance so far, all requests together. */
  readonly chargedBytes: number;
  /** How often the camera was asked to upload. */
  readonly requests: number;
  readonly state: RecallState;
}

export type Cancellation =
  | {
      readonly status: 'needs_confirmation';
      /** The abort stops whatever the camera is uploading, whoever asked for it (3.1). */
      readonly what: string;
      readonly recall: Recall;
    }
  | { readonly status: 'canceled'; readonly recall: Recall };

const item = z.object({ psn: psnSchema, filename: filenameSchema }).strict();
const recallId = idSchema<RecallId>();

export const recallRequests = {
  /** Prices recordings in both qualities; asks the service for the allowance when `isFresh` or never asked. No camera is contacted. */
  'recalls.price': request(
    z.object({ items: z.array(item).min(1).max(500), isFresh: z.boolean().optional() }).strict(),
    output<RecallPrice>(),
  ),
  'recalls.budget': request(z.object({ isFresh: z.boolean().optional() }).strict(), output<TransferBudget>()),
  /**
   * Queues recalls; what is held or queued already is returned as it is. All or none: over the remainder is refused
   * with `over_budget` before anything is sent; red without a reason with `reason_needed`.
   */
  'recalls.start': request(
    z
      .object({
        items: z
          .array(item.extend({ quality: z.enum(['main', 'sub']) }))
          .min(1)
          .max(500),
        /** How long to wait for the camera; absent: until it comes. */
        deadlineSeconds: z.number().positive().max(31_536_000).optional(),
        /** Needed when the price is red; kept in custody. */
        reason: z.string().trim().min(1).max(2000).optional(),
        /** The clips become exhibits of this case when they are here. */
        caseId: caseIdSchema.optional(),
      })
      .strict(),
    output<{ readonly recalls: readonly Recall[] }>(),
  ),
  /** All recalls that were not dismissed, newest first. */
  'recalls.list': request(nothing, output<readonly Recall[]>()),
  /** Before the camera was asked: at once. After: explains what the abort reaches, and asks. */
  'recalls.cancel': request(
    z.object({ recallId, isConfirmed: z.boolean().optional() }).strict(),
    output<Cancellation>(),
  ),
  /** Goes on with a stopped, canceled or consent-needing recall, or tries a waiting one now. */
  'recalls.retry': request(
    z
      .object({
        recallId,
        isCostAccepted: z.boolean().optional(),
        deadlineSeconds: z.number().positive().max(31_536_000).optional(),
      })
      .strict(),
    output<Recall>(),
  ),
  /** Takes an ended recall out of the list. */
  'recalls.dismiss': request(z.object({ recallId }).strict(), output<null>()),
} as const;

export const recallEvents = {
  /** A recall was added, moved on or ended. At most about ten a second for each. */
  'recalls.changed': event<Recall>(),
  'recalls.dismissed': event<{ readonly recallId: RecallId }>(),
} as const;
