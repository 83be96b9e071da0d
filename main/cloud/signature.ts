import { createHmac, timingSafeEqual } from 'node:crypto';

export type SignatureVerdict =
  | { readonly ok: true }
  | {
      readonly ok: false;
      readonly reason: 'timestamp_unreadable' | 'timestamp_outside_tolerance' | 'no_signature' | 'no_match';
    };

/** Recommended tolerance of the specification, 6.3 rule 2. */
export const defaultToleranceS = 300;

/** `v1=` and the HMAC-SHA256 of `v1:{timestamp}:{raw body}` in lower-case hex (specification, 6.3 rule 1). */
export function signWebhook(secret: string, timestamp: string, rawBody: Uint8Array): string {
  return `v1=${createHmac('sha256', secret).update(`v1:${timestamp}:`).update(rawBody).digest('hex')}`;
}

/**
 * Checks a webhook delivery (specification, 6.3): the timestamp (Unix seconds) within the tolerance, and any `v1=`
 * part equal in constant time. `rawBody` is the body before any parsing. `toleranceS` null skips the time check,
 * for deliveries looked at later.
 */
export function verifyWebhookSignature(delivery: {
  readonly secret: string;
  readonly timestamp: string;
  readonly signatureHeader: string;
  readonly rawBody: Uint8Array;
  readonly nowMs: number;
  readonly toleranceS?: number | null;
}): SignatureVerdict {
  const { secret, timestamp, signatureHeader, rawBody, nowMs } = delivery;
  const toleranceS = delivery.toleranceS === undefined ? defaultToleranceS : delivery.toleranceS;
  if (!/^\d{1,12}$/.test(timestamp)) return { ok: false, reason: 'timestamp_unreadable' };
  if (toleranceS !== null && Math.abs(nowMs / 1000 - Number(timestamp)) > toleranceS) {
    return { ok: false, reason: 'timestamp_outside_tolerance' };
  }
  const expected = Buffer.from(signWebhook(secret, timestamp, rawBody).slice(3), 'hex');
  const parts = signatureHeader
    .split(',')
    .map((part) => /^v1=([0-9a-f]{64})$/.exec(part.trim())?.[1])
    .filter((hex) => hex !== undefined);
  if (parts.length === 0) return { ok: false, reason: 'no_signature' };
  // Every part is compared, so that the time taken does not tell which one matched.
  let isMatch = false;
  for (const hex of parts) if (timingSafeEqual(Buffer.from(hex, 'hex'), expected)) isMatch = true;
  return isMatch ? { ok: true } : { ok: false, reason: 'no_match' };
}
