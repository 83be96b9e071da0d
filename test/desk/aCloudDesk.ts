import type { CloudAccount, ExportOrder } from '../../shared/contract/cloud.ts';
import type { Desk } from '../../main/desk/desk.ts';
import type { Timing } from '../../main/cloud/rateGate.ts';
import { timingOf } from '../cloud/aCloud.ts';
import { startSimulator, type Simulator, type SimulatorKeys } from '../simulator/simulator.ts';
import { aDesk, aPlace, type Place } from './aDesk.ts';

export interface CloudDesk {
  readonly simulator: Simulator;
  readonly place: Place;
  /** Opens a desk over the place; close it yourself, or leave it to `end`. */
  open(options?: { timing?: Timing; environment?: NodeJS.ProcessEnv }): Promise<OpenDesk>;
  end(): Promise<void>;
}
export type OpenDesk = Desk & { bugs: unknown[] };

/** A simulated service with a frozen clock, and desks that live by that clock: waiting moves it. */
export async function aCloudDesk(): Promise<CloudDesk> {
  const simulator = await startSimulator({ clock: 'frozen' });
  const place = aPlace();
  const desks: OpenDesk[] = [];
  return {
    simulator,
    place,
    async open({ timing = timingOf(simulator), environment = {} } = {}) {
      const now = () => simulator.control.now();
      const desk = await aDesk(place, { now, cloud: { timing, environment } });
      desks.push(desk);
      return desk;
    },
    async end() {
      for (const desk of desks) await desk.close();
      await simulator.stop();
      place.remove();
    },
  };
}

/** A clock on which no poll comes: who waits 5 s or more waits until told to stop. Turns of the rate gate pass. */
export function stoppedTiming(simulator: Simulator): Timing {
  return {
    now: () => simulator.control.now(),
    wait: (ms, signal) => {
      if (ms < 5000) return simulator.control.advance(ms);
      return new Promise((_resolve, reject) => {
        if (signal?.aborted) reject(signal.reason);
        signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
      });
    },
  };
}

export function addAccount(
  { simulator }: CloudDesk,
  desk: OpenDesk,
  tier: keyof SimulatorKeys = 'enterprise',
): Promise<CloudAccount> {
  const apiKey = simulator.keys[tier];
  return desk.client.invoke('accounts.add', { label: tier, baseUrl: simulator.baseUrl, apiKey });
}

/** Waits, by events, until an order is as wanted. */
export async function orderThat(
  desk: OpenDesk,
  jobId: string,
  isWanted: (order: ExportOrder) => boolean,
): Promise<ExportOrder> {
  const found = Promise.withResolvers<ExportOrder>();
  const look = (order: ExportOrder): void => {
    if (order.job.jobId === jobId && isWanted(order)) found.resolve(order);
  };
  const stop = desk.client.on('exports.changed', look);
  const { orders } = await desk.client.invoke('exports.list', {});
  orders.forEach(look);
  return found.promise.finally(stop);
}

/** The error that a use case answered with. */
export async function errorOf(work: Promise<unknown>) {
  return work.then(
    () => Promise.reject(new Error('it worked')),
    (thrown: { code: string; message: string; remedy?: string; details?: Record<string, unknown> }) => thrown,
  );
}
