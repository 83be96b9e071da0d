/**
 * The control interface for tests, at `/__control/<name>` with a JSON body, and as functions. Never part of
 * the simulated API; the server listens on loopback only.
 */
import type { IncomingMessage } from 'node:http';
import type { ConductLine } from './conduct.ts';
import type { Fault } from './faults.ts';
import { createKey } from './organisations.ts';
import {
  exportJobLimit,
  latestPlan,
  monthlyCallLimit,
  planDelayMs,
  tierLimits,
  transferLimitBytes,
} from './plans.ts';
import type { RequestRecord } from './requestLog.ts';
import { abortTransfer, usedTransferBytes } from './service/media.ts';
import { rankSeats } from './service/scope.ts';
import { publish } from './service/webhookPipeline.ts';
import {
  monthOf,
  newId,
  type Camera,
  type InactiveReason,
  type Modes,
  type NextExport,
  type Organisation,
  type Simulation,
  type Tier,
  type WebhookEvent,
} from './simulation.ts';

export interface DeviceChange {
  readonly psn: string;
  readonly offlineForSeconds?: number;
  readonly busyForSeconds?: number;
  readonly isWedged?: boolean;
  readonly isUnresponsive?: boolean;
  readonly hasCard?: boolean;
  /** For transfers that start from now on. */
  readonly uploadBytesPerSecond?: number;
}

export interface PlanChange {
  readonly tier?: Tier;
  readonly cameraLimit?: number | null;
  readonly inactiveReason?: InactiveReason | null;
  /** True: in effect at once instead of after the five minutes of section 8.1. */
  readonly isImmediate?: boolean;
}

export interface UsageChange {
  readonly transferBytesLeft?: number;
  readonly exportJobsLeft?: number;
  readonly callsLeft?: number;
  readonly isEdgeQuotaSpent?: boolean;
}

export interface KeyOrder {
  readonly organisation: string;
  readonly label: string;
  readonly scopes?: readonly string[];
  readonly groupIds?: readonly string[];
  readonly isEnabled?: boolean;
  readonly isTierRetired?: boolean;
}

export interface Control {
  now(): number;
  /** Moves the virtual clock and runs what becomes due: uploads, export jobs, webhook retries. */
  advance(byMs: number): Promise<void>;
  addFault(fault: Fault): void;
  clearFaults(): void;
  setModes(modes: Partial<Modes>): void;
  setDevice(change: DeviceChange): void;
  setPlan(organisation: string, change: PlanChange): void;
  setUsage(organisation: string, change: UsageChange): void;
  setKey(keyId: string, change: { isEnabled?: boolean; isTierRetired?: boolean }): void;
  createKey(order: KeyOrder): string;
  setNextExport(outcome: NextExport | null): void;
  emit(organisation: string, event: WebhookEvent, data: Readonly<Record<string, unknown>>): Promise<void>;
  state(organisation: string): Record<string, unknown>;
  requests(): readonly RequestRecord[];
  counters(): Record<string, unknown>;
  clearLog(): void;
  /** How this app's clients treated cameras so far. */
  conduct(): readonly ConductLine[];
  /** Clients lost the clips whose `psn/filename/quality` holds `text`: asking anew is no misconduct. */
  forgetDownloads(text: string, reason: string): void;
  /** Faults, modes, log and injected device states go; jobs, usage and the clock stay. */
  reset(): void;
}

export function createControl(simulation: Simulation): Control {
  const organisationNamed = (name: string): Organisation => {
    const found = simulation.organisations.find((candidate) => candidate.label === name);
    if (!found) throw new Error(`no organisation "${name}"`);
    return found;
  };
  const cameraWith = (psn: string): Camera => {
    const found = simulation.organisations
      .flatMap((candidate) => candidate.cameras)
      .find((camera) => camera.psn === psn);
    if (!found) throw new Error(`no camera "${psn}"`);
    return found;
  };
  const keyWith = (keyId: string) => {
    const found = simulation.organisations
      .flatMap((candidate) => candidate.keys)
      .find((key) => key.keyId === keyId);
    if (!found) throw new Error(`no key "${keyId}"`);
    return found;
  };
  const control: Control = {
    now: () => simulation.clock.now(),
    advance: (byMs) => simulation.clock.advance(byMs),
    addFault: (fault) => simulation.faults.add(fault),
    clearFaults: () => simulation.faults.clear(),
    setModes: (modes) => Object.assign(simulation.modes, modes),
    setDevice(change) {
      const camera = cameraWith(change.psn);
      const nowMs = simulation.clock.now();
      if (change.offlineForSeconds !== undefined) {
        camera.offlineUntilMs = nowMs + change.offlineForSeconds * 1000;
        // A camera that is gone uploads nothing more.
        if (change.offlineForSeconds > 0) abortTransfer(camera, nowMs);
      }
      if (change.busyForSeconds !== undefined) camera.busyUntilMs = nowMs + change.busyForSeconds * 1000;
      if (change.isWedged !== undefined) {
        camera.isWedged = change.isWedged;
        // Wedged means busy with nothing moving, so what was on its way stops.
        if (change.isWedged) abortTransfer(camera, nowMs);
      }
      if (change.uploadBytesPerSecond !== undefined)
        camera.uploadBytesPerSecond = change.uploadBytesPerSecond;
      if (change.isUnresponsive !== undefined) camera.isUnresponsive = change.isUnresponsive;
      if (change.hasCard !== undefined) camera.hasCard = change.hasCard;
    },
    setPlan(name, change) {
      const organisation = organisationNamed(name);
      const { isImmediate, ...fields } = change;
      const nowMs = simulation.clock.now();
      const plan = { ...latestPlan(organisation), ...fields };
      const maxCameras = tierLimits[plan.tier].maxCameras;
      organisation.plans.push({
        plan: {
          ...plan,
          cameraLimit: plan.cameraLimit === null ? null : Math.min(plan.cameraLimit, maxCameras),
        },
        effectiveAtMs: isImmediate === true ? nowMs : nowMs + planDelayMs,
      });
    },
    setUsage(name, change) {
      const organisation = organisationNamed(name);
      const plan = latestPlan(organisation);
      const month = monthOf(simulation.clock.now());
      if (change.transferBytesLeft !== undefined) {
        organisation.transferByMonth.set(month, transferLimitBytes(plan) - change.transferBytesLeft);
      }
      if (change.exportJobsLeft !== undefined) {
        organisation.exportsByMonth.set(month, exportJobLimit(plan) - change.exportJobsLeft);
      }
      if (change.callsLeft !== undefined)
        organisation.callsByMonth.set(month, monthlyCallLimit(plan) - change.callsLeft);
      if (change.isEdgeQuotaSpent !== undefined) organisation.isEdgeQuotaSpent = change.isEdgeQuotaSpent;
    },
    setKey(keyId, change) {
      Object.assign(keyWith(keyId), change);
    },
    createKey(order) {
      const organisation = organisationNamed(order.organisation);
      const key = createKey(
        `${order.organisation}/${order.label}`,
        organisation.isSandbox,
        newId(simulation, 'key'),
        order,
      );
      key.isTierRetired = order.isTierRetired ?? false;
      organisation.keys.push(key);
      return key.token;
    },
    setNextExport(outcome) {
      simulation.nextExport = outcome;
    },
    emit(name, event, data) {
      const eventId = typeof data['eventId'] === 'string' ? data['eventId'] : newId(simulation, 'whe');
      return publish(simulation, organisationNamed(name), event, { ...data, eventId });
    },
    state(name) {
      const organisation = organisationNamed(name);
      const nowMs = simulation.clock.now();
      const seats = rankSeats(organisation, nowMs);
      return {
        now: new Date(nowMs).toISOString(),
        plan: latestPlan(organisation),
        transferLimitBytes: transferLimitBytes(latestPlan(organisation)),
        transferUsedBytes: usedTransferBytes(organisation, nowMs),
        calls: organisation.callsByMonth.get(monthOf(nowMs)) ?? 0,
        recallJobs: organisation.recallJobs.length,
        exportJobs: organisation.exportJobs.map((job) => ({ jobId: job.jobId, status: job.status })),
        deadLetters: organisation.deadLetters,
        webhooks: organisation.webhooks,
        seats: { limit: seats.limit, registered: seats.registered, overLimitPsns: seats.overLimitPsns },
      };
    },
    requests: () => simulation.log.records,
    counters: () => simulation.log.summary(),
    clearLog: () => simulation.log.clear(),
    conduct: () => simulation.conduct.lines(),
    forgetDownloads: (text, reason) => simulation.conduct.forget(text, reason),
    reset() {
      simulation.faults.clear();
      simulation.log.clear();
      simulation.nextExport = null;
      for (const name of Object.keys(simulation.modes) as (keyof Modes)[]) simulation.modes[name] = false;
      for (const organisation of simulation.organisations) {
        organisation.isEdgeQuotaSpent = false;
        for (const camera of organisation.cameras) {
          camera.isWedged = false;
          camera.isUnresponsive = false;
          camera.busyUntilMs = 0;
          camera.hasCard = camera.vehicle.story !== 'no_card';
          camera.offlineUntilMs = camera.vehicle.story === 'offline' ? Number.POSITIVE_INFINITY : 0;
        }
      }
    },
  };
  return control;
}

type Fields = Readonly<Record<string, unknown>>;

/** `POST /__control/<name>`; the body's fields are the function's arguments, as docs/simulator.md lists them. */
export async function handleControl(
  control: Control,
  _request: IncomingMessage,
  url: URL,
  body: unknown,
): Promise<unknown> {
  const fields = (body ?? {}) as Fields;
  const text = (name: string): string => String(fields[name] ?? url.searchParams.get(name) ?? '');
  switch (url.pathname.replace('/__control/', '')) {
    case 'now':
      return { nowMs: control.now() };
    case 'advance':
      await control.advance(Number(fields['ms']));
      return { nowMs: control.now() };
    case 'fault':
      return control.addFault(fields as unknown as Fault);
    case 'clear-faults':
      return control.clearFaults();
    case 'modes':
      return control.setModes(fields as Partial<Modes>);
    case 'device':
      return control.setDevice(fields as unknown as DeviceChange);
    case 'plan':
      return control.setPlan(text('organisation'), (fields['change'] ?? {}) as PlanChange);
    case 'usage':
      return control.setUsage(text('organisation'), (fields['change'] ?? {}) as UsageChange);
    case 'key':
      return control.setKey(text('keyId'), (fields['change'] ?? {}) as { isEnabled?: boolean });
    case 'create-key':
      return { key: control.createKey(fields as unknown as KeyOrder) };
    case 'next-export':
      return control.setNextExport((fields['outcome'] ?? null) as NextExport | null);
    case 'emit':
      return control.emit(
        text('organisation'),
        text('event') as WebhookEvent,
        (fields['data'] ?? {}) as Fields,
      );
    case 'state':
      return control.state(text('organisation'));
    case 'requests':
      return { requests: control.requests() };
    case 'counters':
      return control.counters();
    case 'conduct':
      return { lines: control.conduct() };
    case 'forget-downloads':
      return control.forgetDownloads(text('text'), text('reason'));
    case 'clear-log':
      return control.clearLog();
    case 'reset':
      return control.reset();
    default:
      throw new Error(`no control "${url.pathname}"`);
  }
}
