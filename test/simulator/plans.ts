/** Section 8: tiers, their allowances, and when a change of plan takes effect. */
import type { Organisation, Plan, Tier } from './simulation.ts';

export const tiers: readonly Tier[] = ['free', 'starter', 'standard', 'pro', 'enterprise'];
export const gigabyte = 2 ** 30;
export const megabyte = 2 ** 20;

interface TierLimits {
  readonly maxCameras: number;
  readonly rps: number;
  readonly burst: number;
  /** null: a fixed total of 300 calls a month. */
  readonly callsPerCamera: number | null;
  readonly transferBytesPerCamera: number;
  readonly exportJobsPerCamera: number;
  readonly exportConcurrent: number;
}

export const tierLimits: Readonly<Record<Tier, TierLimits>> = {
  free: {
    maxCameras: 1,
    rps: 1,
    burst: 2,
    callsPerCamera: null,
    transferBytesPerCamera: 0,
    exportJobsPerCamera: 0,
    exportConcurrent: 0,
  },
  starter: {
    maxCameras: 1,
    rps: 1,
    burst: 3,
    callsPerCamera: 3000,
    transferBytesPerCamera: 0,
    exportJobsPerCamera: 0,
    exportConcurrent: 0,
  },
  standard: {
    maxCameras: 10,
    rps: 3,
    burst: 6,
    callsPerCamera: 7000,
    transferBytesPerCamera: 5.6 * gigabyte,
    exportJobsPerCamera: 0,
    exportConcurrent: 1,
  },
  pro: {
    maxCameras: 99,
    rps: 10,
    burst: 25,
    callsPerCamera: 10_000,
    transferBytesPerCamera: 10 * gigabyte,
    exportJobsPerCamera: 50,
    exportConcurrent: 1,
  },
  enterprise: {
    maxCameras: 999,
    rps: 25,
    burst: 50,
    callsPerCamera: 15_000,
    transferBytesPerCamera: 18 * gigabyte,
    exportJobsPerCamera: 50,
    exportConcurrent: 2,
  },
};
const fixedFreeCalls = 300;
const baseCalls = 500;

/** Scopes, camera limit and rps/burst follow a plan change within this time; a lapse is noticed as late. */
export const planDelayMs = 300_000;

/**
 * The lowest tier that offers a scope: section 5.5, and for scopes it does not name, this simulation's
 * choice (docs/simulator.md).
 */
const scopeTiers: Readonly<Record<string, Tier>> = {
  'devices:read': 'free',
  'events:read': 'free',
  'trips:read': 'free',
  'fleet:read': 'free',
  'groups:read': 'free',
  'reports:read': 'starter',
  'geofences:read': 'starter',
  'geofences:write': 'standard',
  'devices:write': 'standard',
  'events:video': 'standard',
  'usage:read': 'starter',
  'media:read': 'pro',
  'media:recall': 'pro',
  'gps:export': 'pro',
  'webhooks:manage': 'pro',
  'media:write': 'enterprise',
  'audit:read': 'enterprise',
};
export const allScopes = Object.keys(scopeTiers);

export function isScopeInTier(scope: string, tier: Tier): boolean {
  return tiers.indexOf(tier) >= tiers.indexOf(scopeTiers[scope] ?? 'enterprise');
}

/** The plan as it was last changed: the monthly call limit and the volume quotas follow it on the next call. */
export function latestPlan(organisation: Organisation): Plan {
  const latest = organisation.plans[organisation.plans.length - 1];
  if (!latest) throw new Error('every organisation has a plan');
  return latest.plan;
}

/** The plan that scopes, seats and rates follow. */
export function planInEffect(organisation: Organisation, nowMs: number): Plan {
  const effective = organisation.plans.filter((change) => change.effectiveAtMs <= nowMs);
  return (effective[effective.length - 1] ?? organisation.plans[0])?.plan ?? latestPlan(organisation);
}

function paidCameras(plan: Plan): number {
  return plan.cameraLimit ?? 1;
}

export function monthlyCallLimit(plan: Plan): number {
  const perCamera = tierLimits[plan.tier].callsPerCamera;
  return perCamera === null ? fixedFreeCalls : baseCalls + perCamera * paidCameras(plan);
}

export function transferLimitBytes(plan: Plan): number {
  return Math.floor(tierLimits[plan.tier].transferBytesPerCamera * paidCameras(plan));
}

export function exportJobLimit(plan: Plan): number {
  return tierLimits[plan.tier].exportJobsPerCamera * paidCameras(plan);
}
