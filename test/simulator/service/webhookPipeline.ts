/** How events reach receivers: bursts, queue retries, suspension, dead letters (sections 6.1 to 6.4). */
import { createHash, createHmac } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { newId, type Organisation, type Simulation, type Webhook, type WebhookEvent } from '../simulation.ts';
import { dayMs, minuteMs, toIso } from '../world/localTime.ts';
import { auditBySystem } from './audit.ts';

export const historyMs = 30 * dayMs;
const deadLetterMs = 14 * dayMs;
const maxBursts = 5;
const queueDelayMs = 60_000;
const maxQueueDelayMs = 300_000;
/** In-burst attempts: immediately, +0.5 s, +1.5 s. */
const attemptOffsetsMs = [0, 500, 1500];
const failuresToSuspend = 10;
const failureSpanMs = 15 * minuteMs;

export interface Message {
  readonly event: WebhookEvent;
  readonly eventKey: string;
  readonly eventId: string;
  readonly data: Readonly<Record<string, unknown>>;
}

interface Outcome {
  readonly statusCode: number | null;
  readonly error: string | null;
  readonly retryAfterMs: number | null;
}

interface Burst extends Outcome {
  readonly attempts: number;
}

/** Stable across redeliveries; derived from `data.eventId`. */
export function toEventKey(eventId: string): string {
  return `evk_${createHash('sha256').update(eventId).digest('hex').slice(0, 32)}`;
}

/** Section 6.3 and 4.2 rule 2: the new secret's signature first, the previous one's while its window lasts. */
export function signatureHeader(webhook: Webhook, timestamp: number, body: string, nowMs: number): string {
  const isPreviousValid =
    webhook.previousSecretExpiresAtMs !== null && webhook.previousSecretExpiresAtMs > nowMs;
  const secrets =
    isPreviousValid && webhook.previousSecret !== null
      ? [webhook.secret, webhook.previousSecret]
      : [webhook.secret];
  return secrets
    .map((secret) => `v1=${createHmac('sha256', secret).update(`v1:${timestamp}:${body}`).digest('hex')}`)
    .join(',');
}

export interface Envelope {
  readonly deliveryId: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signatureHeader: string;
}

export function toEnvelope(
  simulation: Simulation,
  webhook: Webhook,
  message: Message,
  deliveryId: string,
  isTest: boolean,
): Envelope {
  const nowMs = simulation.clock.now();
  const { event, eventKey, data } = message;
  const extra = simulation.modes.isAdditive ? { addedLater: { note: 'unknown to older receivers' } } : {};
  const body = JSON.stringify({ event, deliveryId, eventKey, at: toIso(nowMs), data, ...extra });
  const timestamp = Math.floor(nowMs / 1000);
  const signature = signatureHeader(webhook, timestamp, body, nowMs);
  return {
    deliveryId,
    body,
    signatureHeader: signature,
    headers: {
      'Content-Type': 'application/json',
      'X-Service-Event': isTest ? 'test' : event,
      'X-Service-Delivery': deliveryId,
      'X-Service-Event-Key': eventKey,
      'X-Service-Timestamp': String(timestamp),
      'X-Service-Signature': signature,
    },
  };
}

/** One POST. Redirects are not followed; the time-out is real, because the receiver is. */
export function post(simulation: Simulation, url: string, envelope: Envelope): Promise<Outcome> {
  const target = new URL(url);
  const send = target.protocol === 'https:' ? httpsRequest : httpRequest;
  const timeoutMs = simulation.options.webhookTimeoutMs;
  return new Promise((resolve) => {
    const outgoing = send(target, {
      method: 'POST',
      agent: false,
      headers: { ...envelope.headers, 'Content-Length': Buffer.byteLength(envelope.body) },
    });
    const timer = setTimeout(
      () => outgoing.destroy(new Error(`timeout of ${timeoutMs / 1000} s`)),
      timeoutMs,
    );
    outgoing.on('response', (incoming) => {
      incoming.resume();
      incoming.on('close', () => {
        clearTimeout(timer);
        const retryAfterMs = readRetryAfter(incoming.headers['retry-after'], simulation.clock.now());
        resolve({ statusCode: incoming.statusCode ?? null, error: null, retryAfterMs });
      });
    });
    outgoing.on('error', (error) => {
      clearTimeout(timer);
      resolve({ statusCode: null, error: error.message, retryAfterMs: null });
    });
    outgoing.end(envelope.body);
  });
}

function readRetryAfter(header: string | undefined, nowMs: number): number | null {
  if (header === undefined) return null;
  if (/^\d+$/.test(header)) return Number(header) * 1000;
  const atMs = Date.parse(header);
  return Number.isNaN(atMs) ? null : atMs - nowMs;
}

const isSuccess = (outcome: Outcome): boolean =>
  outcome.statusCode !== null && outcome.statusCode >= 200 && outcome.statusCode < 300;
/** 5xx, network errors and time-outs are tried again within the burst. */
const isRetriedInBurst = (outcome: Outcome): boolean =>
  outcome.statusCode === null || outcome.statusCode >= 500;
/** These, and 408 and 429, send the event back to the queue; any other 4xx is final, and so is a redirect. */
const isRequeued = (outcome: Outcome): boolean =>
  isRetriedInBurst(outcome) || outcome.statusCode === 408 || outcome.statusCode === 429;

/** Publishes to every active subscription of the event's type, and resolves after the first burst's first attempts. */
export function publish(
  simulation: Simulation,
  organisation: Organisation,
  event: WebhookEvent,
  data: Readonly<Record<string, unknown>> & { readonly eventId: string },
): Promise<void> {
  if (organisation.isSandbox) return Promise.resolve();
  const message: Message = { event, eventId: data.eventId, eventKey: toEventKey(data.eventId), data };
  const subscribed = organisation.webhooks.filter((webhook) => webhook.events.includes(event));
  const active = subscribed.filter((webhook) => webhook.suspendedAtMs === null);
  if (active.length === 0) {
    if (subscribed.length > 0) park(simulation, organisation, message);
    return Promise.resolve();
  }
  return deliver(simulation, organisation, message, active, 1);
}

function park(simulation: Simulation, organisation: Organisation, message: Message): void {
  const nowMs = simulation.clock.now();
  const { event, eventKey, data } = message;
  organisation.deadLetters.push({
    event,
    eventKey,
    data,
    parkedAtMs: nowMs,
    expiresAtMs: nowMs + deadLetterMs,
  });
}

/** One round of bursts. The next round goes to every subscription again, also to those that answered (6.4 rule 6). */
async function deliver(
  simulation: Simulation,
  organisation: Organisation,
  message: Message,
  receivers: readonly Webhook[],
  burstNumber: number,
): Promise<void> {
  let pending = receivers.length;
  let isRetryWanted = false;
  let delayMs = queueDelayMs;
  const finish = (webhook: Webhook, deliveryId: string, burst: Burst): void => {
    recordBurst(simulation, organisation, webhook, message, deliveryId, burst, burstNumber);
    if (!isSuccess(burst) && isRequeued(burst)) {
      isRetryWanted = true;
      const asked = burst.retryAfterMs ?? 0;
      if (asked > queueDelayMs) delayMs = Math.max(delayMs, Math.min(asked, maxQueueDelayMs));
    }
    pending -= 1;
    if (pending > 0 || !isRetryWanted) return;
    if (burstNumber >= maxBursts) {
      park(simulation, organisation, message);
      return;
    }
    simulation.clock.schedule(simulation.clock.now() + delayMs, () => {
      const again = receivers.filter(
        (candidate) => candidate.suspendedAtMs === null && organisation.webhooks.includes(candidate),
      );
      if (again.length === 0) {
        park(simulation, organisation, message);
        return undefined;
      }
      return deliver(simulation, organisation, message, again, burstNumber + 1);
    });
  };
  await Promise.all(
    receivers.map((webhook) => attempt(simulation, webhook, message, newId(simulation, 'dlv'), 1, finish)),
  );
}

async function attempt(
  simulation: Simulation,
  webhook: Webhook,
  message: Message,
  deliveryId: string,
  attemptNumber: number,
  finish: (webhook: Webhook, deliveryId: string, burst: Burst) => void,
): Promise<void> {
  const outcome = await post(
    simulation,
    webhook.url,
    toEnvelope(simulation, webhook, message, deliveryId, false),
  );
  const nextOffsetMs = attemptOffsetsMs[attemptNumber];
  if (isSuccess(outcome) || !isRetriedInBurst(outcome) || nextOffsetMs === undefined) {
    finish(webhook, deliveryId, { ...outcome, attempts: attemptNumber });
    return;
  }
  const waitMs = nextOffsetMs - (attemptOffsetsMs[attemptNumber - 1] ?? 0);
  simulation.clock.schedule(simulation.clock.now() + waitMs, () =>
    attempt(simulation, webhook, message, deliveryId, attemptNumber + 1, finish),
  );
}

function recordBurst(
  simulation: Simulation,
  organisation: Organisation,
  webhook: Webhook,
  message: Message,
  deliveryId: string,
  burst: Burst,
  burstNumber: number,
): void {
  const nowMs = simulation.clock.now();
  const delivered = isSuccess(burst);
  webhook.deliveries.push({
    deliveryId,
    eventKey: message.eventKey,
    event: message.event,
    eventId: message.eventId,
    delivered,
    statusCode: burst.statusCode,
    attempts: burst.attempts,
    error: burst.error,
    atMs: nowMs,
    test: false,
  });
  if (delivered) {
    webhook.failureCount = 0;
    webhook.firstFailureAtMs = null;
    return;
  }
  // Each event counts once, on its first burst.
  if (burstNumber === 1) webhook.failureCount += 1;
  webhook.firstFailureAtMs ??= nowMs;
  const isLongEnough = nowMs - webhook.firstFailureAtMs >= failureSpanMs;
  if (webhook.suspendedAtMs === null && webhook.failureCount >= failuresToSuspend && isLongEnough) {
    webhook.suspendedAtMs = nowMs;
    auditBySystem(simulation, organisation, 'webhook.suspended', webhook.webhookId, 'disable');
  }
}
