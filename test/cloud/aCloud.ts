import { CloudClient, type CloudClientOptions } from '../../main/cloud/client.ts';
import type { Timing } from '../../main/cloud/rateGate.ts';
import {
  startSimulator,
  type Simulator,
  type SimulatorKeys,
  type SimulatorOptions,
} from '../simulator/simulator.ts';

/** The simulated service's own clock: waiting moves it, so nothing sleeps and both sides agree on the time. */
export function timingOf(simulator: Simulator): Timing & { readonly waits: number[] } {
  const waits: number[] = [];
  return {
    waits,
    now: () => simulator.control.now(),
    async wait(ms, signal) {
      signal?.throwIfAborted();
      waits.push(ms);
      await simulator.control.advance(ms);
      signal?.throwIfAborted();
    },
  };
}

export interface Cloud {
  readonly simulator: Simulator;
  readonly timing: ReturnType<typeof timingOf>;
  /** The client of a tier's key. */
  client(tier?: keyof SimulatorKeys): CloudClient;
  /** A client with a key of its own. */
  clientWith(apiKey: string, options?: Partial<CloudClientOptions>): CloudClient;
}

/** A fresh simulated service with a frozen clock, and clients that share that clock. */
export async function aCloud(options: SimulatorOptions = {}): Promise<Cloud> {
  const simulator = await startSimulator({ clock: 'frozen', ...options });
  const timing = timingOf(simulator);
  const clients = new Map<string, CloudClient>();
  const clientWith: Cloud['clientWith'] = (apiKey, more = {}) =>
    new CloudClient({
      baseUrl: simulator.baseUrl,
      apiKey,
      userAgent: 'EvidenceDesk/test',
      tier: 'enterprise',
      timing,
      random: () => 0.5,
      ...more,
    });
  return {
    simulator,
    timing,
    clientWith,
    client(tier = 'enterprise') {
      const client =
        clients.get(tier) ??
        clientWith(simulator.keys[tier], { tier: tier === 'sandbox' ? 'enterprise' : tier });
      clients.set(tier, client);
      return client;
    },
  };
}

/** Runs with a fresh service and stops it whatever happens. */
export async function withCloud(
  work: (cloud: Cloud) => Promise<void>,
  options: SimulatorOptions = {},
): Promise<void> {
  const cloud = await aCloud(options);
  try {
    await work(cloud);
  } finally {
    await cloud.simulator.stop();
  }
}

/** What the service's own log has of the API, without the control interface. */
export function apiRequests(simulator: Simulator) {
  return simulator.control.requests().filter((request) => request.surface === 'api');
}
