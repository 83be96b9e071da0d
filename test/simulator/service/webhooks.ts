/** Webhook subscriptions (sections 2.5, 2.6, 4.2). */
import { createHash } from 'node:crypto';
import { offsetPage, readOffset, usualOffset } from '../http/pagination.ts';
import { bodyObject, enumParameter, invalidField, isStringArray } from '../http/parameters.ts';
import { Problem } from '../http/problem.ts';
import { newId, ok, type Call, type Handler, type Webhook, type WebhookEvent } from '../simulation.ts';
import { dayMs, toIso, toTimestamp } from '../world/localTime.ts';
import { audit } from './audit.ts';
import { historyMs, post, toEnvelope, toEventKey, type Message } from './webhookPipeline.ts';

export const webhookEvents: readonly WebhookEvent[] = [
  'safety_event',
  'geofence_enter',
  'geofence_exit',
  'device_disconnected',
  'export_completed',
];
const maxGraceSeconds = 86_400;

function newSecret(call: Call): string {
  return createHash('sha256').update(newId(call.simulation, 'secret')).digest('hex');
}

/** Sandbox writes are kept for 24 hours (section 5.2). */
function keptWebhooks(call: Call): Webhook[] {
  const { organisation, nowMs } = call;
  return organisation.webhooks.filter(
    (webhook) => !organisation.isSandbox || nowMs - webhook.createdAtMs < dayMs,
  );
}

function findWebhook(call: Call): Webhook {
  const webhook = keptWebhooks(call).find(
    (candidate) => candidate.webhookId === call.parameters['webhookId'],
  );
  if (!webhook) throw new Problem('webhook_not_found', { detail: 'No such webhook subscription.' });
  return webhook;
}

/** The secret is in the answers to create and rotate-secret only. */
function toWebhook(call: Call, webhook: Webhook): Record<string, unknown> {
  const expiresAtMs = webhook.previousSecretExpiresAtMs;
  return {
    webhookId: webhook.webhookId,
    url: webhook.url,
    events: webhook.events,
    status: webhook.suspendedAtMs === null ? 'active' : 'suspended',
    createdAt: toTimestamp(webhook.createdAtMs),
    suspendedAt: webhook.suspendedAtMs === null ? null : toTimestamp(webhook.suspendedAtMs),
    previousSecretExpiresAt:
      expiresAtMs !== null && expiresAtMs > call.nowMs ? toTimestamp(expiresAtMs) : null,
  };
}

function readUrl(call: Call, url: unknown): string {
  const isLoopback =
    call.simulation.options.areLoopbackWebhooksAllowed &&
    typeof url === 'string' &&
    url.startsWith('http://127.0.0.1');
  const isAllowed =
    typeof url === 'string' && (url.startsWith('https://') || isLoopback) && URL.canParse(url);
  if (!isAllowed) throw invalidField('url', 'must be a URL that starts with https://');
  return url;
}

function readEvents(events: unknown): WebhookEvent[] {
  const isKnown = (event: string): event is WebhookEvent => webhookEvents.some((known) => known === event);
  if (!isStringArray(events) || events.length === 0 || !events.every(isKnown)) {
    throw invalidField('events', 'must list supported event types', { allowed: webhookEvents });
  }
  return [...new Set(events.filter(isKnown))];
}

/** The success status is not shown; 201, as for recall jobs. */
export const createWebhook: Handler = (call) => {
  const body = bodyObject(call);
  const webhook: Webhook = {
    webhookId: newId(call.simulation, 'wh'),
    url: readUrl(call, body['url']),
    events: readEvents(body['events']),
    createdAtMs: call.nowMs,
    secret: newSecret(call),
    previousSecret: null,
    previousSecretExpiresAtMs: null,
    suspendedAtMs: null,
    failureCount: 0,
    firstFailureAtMs: null,
    deliveries: [],
  };
  call.organisation.webhooks.push(webhook);
  audit(call, 'auth.webhook_create', webhook.webhookId, 'success');
  return ok({ ...toWebhook(call, webhook), secret: webhook.secret }, {}, 201);
};

export const listWebhooks: Handler = (call) => {
  const page = offsetPage(keptWebhooks(call), readOffset(call, usualOffset));
  const data = page.rows.map((webhook) => toWebhook(call, webhook));
  return { status: 200, body: { data, pagination: page.pagination } };
};

export const readWebhook: Handler = (call) => ok(toWebhook(call, findWebhook(call)));

/** Status and body are not shown; 204 is this simulation's choice. */
export const deleteWebhook: Handler = (call) => {
  const webhook = findWebhook(call);
  call.organisation.webhooks = call.organisation.webhooks.filter((other) => other !== webhook);
  audit(call, 'auth.webhook_delete', webhook.webhookId, 'delete');
  return { status: 204 };
};

function sampleMessage(call: Call): Message {
  const eventId = newId(call.simulation, 'whe');
  const camera = call.organisation.cameras[0];
  const data = {
    eventId,
    type: 'safety_event',
    subType: 'harsh_braking',
    psn: camera?.psn ?? 'SAMPLE',
    deviceName: camera?.name ?? 'Sample',
    occurredAt: toTimestamp(call.nowMs),
    location: { lat: 41.8819, lng: -87.6278, speedKmh: 42.5 },
  };
  return { event: 'safety_event', eventId, eventKey: toEventKey(eventId), data };
}

/** One attempt, outside the event pipeline: never counted, never suspends. A sandbox key sends nothing. */
export const testWebhook: Handler = async (call) => {
  const webhook = findWebhook(call);
  const message = sampleMessage(call);
  const envelope = toEnvelope(call.simulation, webhook, message, newId(call.simulation, 'dlv'), true);
  const isSandbox = call.key.kind === 'sandbox';
  const outcome = isSandbox
    ? { statusCode: null, error: 'sandbox keys send no outbound requests' }
    : await post(call.simulation, webhook.url, envelope);
  const delivered = outcome.statusCode !== null && outcome.statusCode >= 200 && outcome.statusCode < 300;
  const { statusCode, error } = outcome;
  webhook.deliveries.push({
    deliveryId: envelope.deliveryId,
    eventKey: message.eventKey,
    event: message.event,
    eventId: message.eventId,
    delivered,
    statusCode,
    attempts: 1,
    error,
    atMs: call.nowMs,
    test: true,
  });
  const { signatureHeader } = envelope;
  if (isSandbox) return ok({ delivered: false, sandbox: true, error, signatureHeader });
  return ok({ delivered, statusCode, error, deliveryId: envelope.deliveryId, signatureHeader });
};

export const listDeliveries: Handler = (call) => {
  const offset = readOffset(call, usualOffset);
  const test = enumParameter(call, 'test', ['true', 'false'] as const);
  const webhook = findWebhook(call);
  const rows = webhook.deliveries
    .filter((delivery) => call.nowMs - delivery.atMs < historyMs)
    .filter((delivery) => test === undefined || String(delivery.test) === test)
    .reverse();
  const page = offsetPage(rows, offset);
  // Records older than the field have no key (section 2.6).
  const isKeyless = call.simulation.modes.isMinimal;
  const data = page.rows.map(({ atMs, ...delivery }) => ({
    ...delivery,
    eventKey: isKeyless ? null : delivery.eventKey,
    at: toIso(atMs),
  }));
  return { status: 200, body: { data, pagination: page.pagination } };
};

/** Same URL, events and secret; failure counter and streak clock start anew. */
export const reactivateWebhook: Handler = (call) => {
  const webhook = findWebhook(call);
  if (webhook.suspendedAtMs === null) {
    throw new Problem('webhook_not_suspended', {
      detail: 'The subscription is active.',
      extensions: { subscriptionStatus: 'active' },
    });
  }
  webhook.suspendedAtMs = null;
  webhook.failureCount = 0;
  webhook.firstFailureAtMs = null;
  audit(call, 'auth.webhook_reactivate', webhook.webhookId, 'enable');
  return ok(toWebhook(call, webhook));
};

/** At most two secrets are valid: rotating inside a window discards the previous one at once. */
export const rotateSecret: Handler = (call) => {
  const webhook = findWebhook(call);
  const body = call.body === undefined ? {} : bodyObject(call);
  const grace = body['graceSeconds'] ?? maxGraceSeconds;
  if (typeof grace !== 'number' || !Number.isInteger(grace) || grace < 0 || grace > maxGraceSeconds) {
    throw invalidField('graceSeconds', 'is out of range', { min: 0, max: maxGraceSeconds });
  }
  webhook.previousSecret = grace === 0 ? null : webhook.secret;
  webhook.previousSecretExpiresAtMs = grace === 0 ? null : call.nowMs + grace * 1000;
  webhook.secret = newSecret(call);
  audit(call, 'auth.webhook_rotate_secret', webhook.webhookId, 'success');
  return ok({ ...toWebhook(call, webhook), secret: webhook.secret });
};
