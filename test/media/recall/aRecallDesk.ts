import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { CardFilters, CardListing } from '../../../shared/contract/cards.ts';
import { createDeskClient, type DeskClient } from '../../../shared/contract/client.ts';
import { createDispatcher } from '../../../shared/contract/dispatch.ts';
import type { EventName, PayloadOf } from '../../../shared/contract/index.ts';
import type { Recall } from '../../../shared/contract/recalls.ts';
import type { RecallId } from '../../../shared/ids.ts';
import { openCache, type EvidenceCache } from '../../../main/cache/openCache.ts';
import type { Timing } from '../../../main/cloud/rateGate.ts';
import { createClipUseCases } from '../../../main/desk/clips.ts';
import { createCloudUseCases, type CloudUseCases } from '../../../main/desk/cloud.ts';
import type { DeskDeps } from '../../../main/desk/deps.ts';
import { testAbilities } from '../../desk/aDesk.ts';
import { startSimulator, type Simulator, type SimulatorOptions } from '../../simulator/simulator.ts';

export type Counters = {
  readonly deviceContacts: Readonly<
    Record<string, { readonly count: number; readonly overlaps: number; readonly kinds: readonly string[] }>
  >;
  readonly recalls: Readonly<Record<string, number>>;
  readonly linkRequestsWithKey: number;
};

/** The simulator's clock as the app's: whoever waits makes it move, in the order of the waits' ends. */
export function simulatedTiming(simulator: Simulator): Timing & { jumpMs: number } {
  const waits: { readonly atMs: number; readonly pass: () => void }[] = [];
  let isPumping = false;
  const timing = {
    /** Added once to the next move: a laptop that slept through it. */
    jumpMs: 0,
    now: () => simulator.control.now(),
    wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
      return new Promise((resolve, reject) => {
        if (signal?.aborted) {
          reject(signal.reason as Error);
          return;
        }
        const onAbort = (): void => {
          waits.splice(waits.indexOf(entry), 1);
          reject(signal?.reason as Error);
        };
        const entry = {
          atMs: simulator.control.now() + ms,
          pass() {
            signal?.removeEventListener('abort', onAbort);
            resolve();
          },
        };
        signal?.addEventListener('abort', onAbort, { once: true });
        waits.push(entry);
        waits.sort((a, b) => a.atMs - b.atMs);
        if (!isPumping) void pump();
      });
    },
  };
  async function pump(): Promise<void> {
    isPumping = true;
    // Lets requests that are out come back first: real time is only for them.
    for (let i = 0; i < 3; i++) await new Promise((resolve) => setImmediate(resolve));
    while (waits.length > 0) {
      await new Promise((resolve) => setTimeout(resolve, 1));
      const next = waits.shift();
      if (!next) break;
      const byMs = next.atMs - simulator.control.now() + timing.jumpMs;
      timing.jumpMs = 0;
      if (byMs > 0) await simulator.control.advance(byMs);
      next.pass();
    }
    isPumping = false;
  }
  return timing;
}

export interface RecallDesk {
  readonly client: DeskClient;
  readonly cloud: CloudUseCases;
  readonly cache: EvidenceCache;
  readonly timing: ReturnType<typeof simulatedTiming>;
  readonly bugs: unknown[];
  readonly events: { readonly name: EventName; readonly payload: unknown }[];
  /** Orders one clip and waits until it ends or needs the user. */
  recall(
    psn: string,
    filename: string,
    quality: 'main' | 'sub',
    more?: { deadlineSeconds?: number; reason?: string },
  ): Promise<Recall>;
  order(
    psn: string,
    filename: string,
    quality: 'main' | 'sub',
    more?: { deadlineSeconds?: number; reason?: string },
  ): Promise<Recall>;
  ended(recall: Pick<Recall, 'recallId'>): Promise<Recall>;
  /** Resolves when the recall has the state, by events. */
  until(recallId: RecallId, isReached: (recall: Recall) => boolean): Promise<Recall>;
  counters(): Counters;
  close(): Promise<void>;
}

/** Lists a card to its end, as it is then stored. */
export async function listCard(
  desk: RecallDesk,
  psn: string,
  filters: CardFilters = {},
): Promise<CardListing> {
  const last = Promise.withResolvers<void>();
  const stop = desk.client.on('cards.page', (page) => {
    if (page.psn === psn && page.isLast) last.resolve();
  });
  const { isLoading } = await desk.client.invoke('cards.listing', { psn, filters, isFresh: true });
  if (isLoading) await last.promise;
  stop();
  return desk.client.invoke('cards.listing', { psn, filters });
}

export const temporaryFolder = (): string => fs.mkdtempSync(path.join(os.tmpdir(), 'recall-'));

/** The app's core without a window, on a simulated fleet. */
export function aRecallDesk(
  simulator: Simulator,
  folder: string,
  options: { readonly apiKey?: string; readonly baseUrl?: string } = {},
): RecallDesk {
  const timing = simulatedTiming(simulator);
  const cache = openCache({ folder: path.join(folder, 'data'), now: timing.now });
  const bugs: unknown[] = [];
  const events: { name: EventName; payload: unknown }[] = [];
  const listeners = new Set<(name: EventName, payload: unknown) => void>();
  const onBug = (where: string, thrown: unknown): void => void bugs.push({ where, thrown });
  const deps: DeskDeps = {
    cache,
    now: timing.now,
    actor: () => 'Investigator',
    emit(name, payload) {
      events.push({ name, payload });
      for (const listener of [...listeners]) listener(name, payload);
    },
    jobs: {
      start: () => {
        throw new Error('No jobs here.');
      },
      list: () => [],
      cancel: () => undefined,
      dismiss: () => undefined,
      ended: () => Promise.reject(new Error('No jobs here.')),
      close: () => Promise.resolve(),
    },
    abilities: testAbilities({
      root: folder,
      dataFolder: path.join(folder, 'data'),
      configFolder: path.join(folder, 'config'),
      remove: () => undefined,
    }),
    runner: 'worker',
    // Tells this data folder from others at the simulator, which counts how each client treats cameras.
    appVersion: `1.2.3-${path.basename(folder)}`,
    samplePath: null,
  };
  const clips = createClipUseCases(deps);
  const cloud = createCloudUseCases(deps, {
    importPath: () => Promise.reject(new Error('Nothing is imported here.')),
    library: { ...clips, addToCase: () => undefined, readUnread: () => Promise.resolve() },
    onBug,
    timing,
    environment: {
      FLEET_DASHCAM_BASE_URL: options.baseUrl ?? simulator.baseUrl,
      FLEET_DASHCAM_API_KEY: options.apiKey ?? simulator.keys.enterprise,
    },
  });
  const request = createDispatcher(() => cloud.handlers, onBug); // only these are asked
  const client = createDeskClient({
    request,
    subscribe(name, listener) {
      const hear = (which: EventName, payload: unknown): void => {
        if (which === name) listener(payload);
      };
      listeners.add(hear);
      return () => listeners.delete(hear);
    },
  });
  const desk: RecallDesk = {
    client,
    cloud,
    cache,
    timing,
    bugs,
    events,
    async order(psn, filename, quality, more = {}) {
      const { recalls } = await client.invoke('recalls.start', {
        items: [{ psn, filename, quality }],
        ...more,
      });
      return recalls[0]!;
    },
    async recall(psn, filename, quality, more) {
      return desk.ended(await desk.order(psn, filename, quality, more));
    },
    ended: ({ recallId }) => cloud.media.queue.ended(recallId),
    until(recallId, isReached) {
      const reached = Promise.withResolvers<Recall>();
      const stop = client.on('recalls.changed', (recall: PayloadOf<'recalls.changed'>) => {
        if (recall.recallId === recallId && isReached(recall)) reached.resolve(recall);
      });
      const now = cloud.media.queue.list().find((recall) => recall.recallId === recallId);
      if (now && isReached(now)) reached.resolve(now);
      return reached.promise.finally(stop);
    },
    counters: () => simulator.control.counters() as Counters,
    async close() {
      await cloud.close();
      await clips.close();
      cache.close();
    },
  };
  return desk;
}

/** A frozen simulator and a desk on it; both end with the test file. */
export async function aFleet(options: SimulatorOptions = {}): Promise<{
  readonly simulator: Simulator;
  readonly desk: RecallDesk;
  readonly folder: string;
  end(): Promise<void>;
}> {
  const simulator = await startSimulator({ clock: 'frozen', isRateLimited: false, ...options });
  const folder = temporaryFolder();
  const desk = aRecallDesk(simulator, folder);
  return {
    simulator,
    desk,
    folder,
    async end() {
      await desk.close();
      await simulator.stop();
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}
