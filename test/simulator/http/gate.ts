/** What a request passes before a handler sees it (sections 5, 7, 8.1). */
import { latestPlan, isScopeInTier, monthlyCallLimit, planInEffect, tierLimits } from '../plans.ts';
import { monthEndMs, monthOf, type ApiKey, type Organisation, type Simulation } from '../simulation.ts';
import { Problem } from './problem.ts';

const bearerPattern = /^Bearer (fdc_(?:live|test)_[0-9a-f]{40})$/;

export interface Caller {
  readonly organisation: Organisation;
  readonly key: ApiKey;
}

/** Authentication runs before routing; a key that is valid but not enabled yet is a 403 of the edge. */
export function authenticate(simulation: Simulation, authorization: string | undefined): Caller {
  const token = bearerPattern.exec(authorization ?? '')?.[1];
  for (const organisation of simulation.organisations) {
    const key = organisation.keys.find((candidate) => candidate.token === token);
    if (!key) continue;
    if (!key.isEnabled) {
      throw new Problem('unauthorized', {
        status: 403,
        detail: 'The key is not enabled for this API stage yet.',
        isEdge: true,
      });
    }
    return { organisation, key };
  }
  throw new Problem('unauthorized', {
    detail: 'The API key is missing, malformed or unknown.',
    isEdge: true,
  });
}

/** A token bucket per organisation: `burst` deep, refilled at `rps`. */
export function takeRateToken(simulation: Simulation, organisation: Organisation, nowMs: number): void {
  if (!simulation.options.isRateLimited) return;
  const { rps, burst } = tierLimits[planInEffect(organisation, nowMs).tier];
  const elapsedMs = Math.max(0, nowMs - organisation.rate.atMs);
  const tokens = Math.min(burst, organisation.rate.tokens + (elapsedMs / 1000) * rps);
  if (tokens < 1) {
    organisation.rate = { tokens, atMs: nowMs };
    throw new Problem('rate_limited', {
      detail: 'Too many requests per second.',
      retryAfterSeconds: 1,
      isEdge: true,
    });
  }
  organisation.rate = { tokens: tokens - 1, atMs: nowMs };
}

/** The edge's own safety net: 429, no extension fields. */
export function checkEdgeQuota(organisation: Organisation): void {
  if (organisation.isEdgeQuotaSpent) {
    throw new Problem('quota_exceeded', { status: 429, detail: 'The usage plan is spent.', isEdge: true });
  }
}

/** Counted per organisation, every authenticated request; beyond the cap nothing answers until the 1st, 00:00 UTC. */
export function countCall(organisation: Organisation, nowMs: number): number {
  const month = monthOf(nowMs);
  const used = (organisation.callsByMonth.get(month) ?? 0) + 1;
  organisation.callsByMonth.set(month, used);
  return used;
}

export function checkMonthlyLimit(organisation: Organisation, used: number, nowMs: number): void {
  const limit = monthlyCallLimit(latestPlan(organisation));
  if (used <= limit) return;
  const resetsAtMs = monthEndMs(nowMs);
  throw new Problem('monthly_limit_exceeded', {
    detail: 'The monthly call limit is used up.',
    extensions: { limit, used, resetsAt: new Date(resetsAtMs).toISOString() },
    retryAfterSeconds: Math.ceil((resetsAtMs - nowMs) / 1000),
  });
}

/** Sandbox and free-tier keys are never affected by a lapse. */
export function checkSubscription({ organisation, key }: Caller, nowMs: number): void {
  if (key.isTierRetired)
    throw new Problem('tier_invalid', { detail: 'The tier of this key is retired; issue a new key.' });
  const plan = planInEffect(organisation, nowMs);
  if (plan.inactiveReason === null || key.kind === 'sandbox' || plan.tier === 'free') return;
  throw new Problem('subscription_inactive', {
    detail: 'The subscription is not active.',
    extensions: { reason: plan.inactiveReason },
  });
}

/** A key's scopes are what its tier offers, narrowed by the list it was issued with. */
export function checkScope({ organisation, key }: Caller, scope: string, nowMs: number): void {
  const isListed = key.scopes === null || key.scopes.includes(scope);
  if (isListed && isScopeInTier(scope, planInEffect(organisation, nowMs).tier)) return;
  throw new Problem('insufficient_scope', {
    detail: `The key lacks the scope ${scope}.`,
    extensions: { requiredScope: scope },
  });
}
