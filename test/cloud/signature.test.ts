import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { signWebhook, verifyWebhookSignature } from '../../main/cloud/signature.ts';

const secret = 'a'.repeat(64);
const rawBody = Buffer.from('{"event":"safety_event","at":"2026-03-14T16:32:09Z"}');
const timestamp = '1773505929';
const nowMs = 1773505929_000;
const good = `v1=${createHmac('sha256', secret).update(`v1:${timestamp}:${rawBody.toString()}`).digest('hex')}`;
const delivery = { secret, timestamp, rawBody, nowMs, signatureHeader: good };

describe('webhook signatures (specification 6.3)', () => {
  it('signs as the service does', () => expect(signWebhook(secret, timestamp, rawBody)).toBe(good));
  it('accepts a genuine delivery', () => expect(verifyWebhookSignature(delivery)).toEqual({ ok: true }));
  it('accepts either part during a rotation', () => {
    const other = `v1=${'0'.repeat(64)}`;
    expect(verifyWebhookSignature({ ...delivery, signatureHeader: `${other},${good}` }).ok).toBe(true);
    expect(verifyWebhookSignature({ ...delivery, signatureHeader: `${good}, ${other}` }).ok).toBe(true);
  });
  it.each([
    ['another body', { rawBody: Buffer.concat([rawBody, Buffer.from(' ')]) }, 'no_match'],
    ['another secret', { secret: 'b'.repeat(64) }, 'no_match'],
    ['another time', { timestamp: '1773505930' }, 'no_match'],
    ['upper-case hex', { signatureHeader: good.toUpperCase().replace('V1', 'v1') }, 'no_signature'],
    ['a short signature', { signatureHeader: good.slice(0, -1) }, 'no_signature'],
    ['an empty header', { signatureHeader: '' }, 'no_signature'],
    ['another version only', { signatureHeader: good.replace('v1', 'v2') }, 'no_signature'],
    ['a time that is none', { timestamp: 'now' }, 'timestamp_unreadable'],
    ['an old delivery', { nowMs: nowMs + 301_000 }, 'timestamp_outside_tolerance'],
    ['a delivery from the future', { nowMs: nowMs - 301_000 }, 'timestamp_outside_tolerance'],
  ])('refuses %s', (_, change, reason) => {
    expect(verifyWebhookSignature({ ...delivery, ...change })).toEqual({ ok: false, reason });
  });
  it('can check a delivery long after, without the clock', () => {
    expect(verifyWebhookSignature({ ...delivery, nowMs: nowMs + 1e9, toleranceS: null }).ok).toBe(true);
  });
});
