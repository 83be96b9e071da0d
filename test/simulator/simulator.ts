/** Starts a simulated Fleet Dashcam Cloud on loopback, for tests, demos and `npm run simulator`. */
import type { AddressInfo } from 'node:net';
import { createClock } from './clock.ts';
import { createConductTally } from './conduct.ts';
import { createControl, handleControl, type Control } from './control.ts';
import { createFaultBook } from './faults.ts';
import { createSimulatorServer } from './http/server.ts';
import { startLiveEvents } from './liveEvents.ts';
import { createOrganisations } from './organisations.ts';
import { createRandom } from './random.ts';
import { createRequestLog } from './requestLog.ts';
import { scenarios } from './scenarios.ts';
import type { Simulation, SimulationOptions } from './simulation.ts';
import { createCardBook } from './world/card.ts';
import { createIncidentBook } from './world/incidents.ts';
import { dayMs, toDay, toIso, toLocalMs, toTimestamp, toUtcMs } from './world/localTime.ts';
import { createTripBook } from './world/trips.ts';

export interface SimulatorOptions extends Partial<SimulationOptions> {
  readonly port?: number;
  readonly scenario?: string;
  /** RFC 3339; the default is a fixed instant, so that tests see the same world every day. */
  readonly startAt?: string;
  /** `ticking` follows real time from `startAt`; `frozen` moves by `control.advance` alone. */
  readonly clock?: 'ticking' | 'frozen';
}

export interface SimulatorKeys {
  readonly enterprise: string;
  readonly pro: string;
  readonly standard: string;
  readonly starter: string;
  readonly free: string;
  readonly sandbox: string;
}

/** The parts that cameras of the enterprise organisation play, for tests that need one of each. */
export interface Story {
  readonly collision: {
    readonly psn: string;
    readonly impactAt: string;
    readonly frontFilename: string;
    readonly optionFilename: string;
    readonly tripId: string;
  };
  readonly ordinaryPsn: string;
  readonly offlinePsn: string;
  readonly noCardPsn: string;
  readonly unsupportedPsn: string;
  readonly overLimitPsn: string;
  readonly wifiPsn: string;
}

export interface Simulator {
  readonly baseUrl: string;
  readonly keys: SimulatorKeys;
  readonly control: Control;
  readonly story: Story;
  stop(): Promise<void>;
}

export const defaultStartAt = '2026-03-14T18:00:00Z';
/** 17:32:08 on the cameras' clock, on the local day before the simulation starts. */
const collisionTimeOfDayMs = (17 * 3600 + 32 * 60 + 8) * 1000;

export function collisionInstantMs(startAtMs: number): number {
  return toUtcMs((toDay(toLocalMs(startAtMs)) - 1) * dayMs + collisionTimeOfDayMs);
}

type World = Pick<Simulation, 'tripBook' | 'incidentBook' | 'cardBook'>;
const worlds = new Map<string, World>();
const worldsKept = 3;

/** The world is a function of seed and start, so simulations in one process share what was worked out before. */
function worldOf(seed: number, collisionMs: number): World {
  const key = `${seed}:${collisionMs}`;
  const tripBook = createTripBook(seed, collisionMs);
  const incidentBook = createIncidentBook(seed, tripBook);
  const world = worlds.get(key) ?? {
    tripBook,
    incidentBook,
    cardBook: createCardBook(seed, tripBook, incidentBook),
  };
  worlds.set(key, world);
  for (const oldest of worlds.keys()) {
    if (worlds.size <= worldsKept) break;
    worlds.delete(oldest);
  }
  return world;
}

function createSimulation(options: SimulatorOptions): Simulation {
  const scenario = scenarios[options.scenario ?? 'default'];
  if (!scenario)
    throw new Error(`no scenario "${options.scenario}"; known: ${Object.keys(scenarios).join(', ')}`);
  const startAtMs = options.startAtMs ?? Date.parse(options.startAt ?? defaultStartAt);
  if (Number.isNaN(startAtMs)) throw new Error('startAt is not a timestamp');
  const settings: SimulationOptions = {
    seed: options.seed ?? 1,
    startAtMs,
    nominalSizes: options.nominalSizes ?? scenario.options?.nominalSizes ?? null,
    cardDays: options.cardDays ?? scenario.options?.cardDays ?? 3,
    areLoopbackWebhooksAllowed: options.areLoopbackWebhooksAllowed ?? false,
    areLiveEventsOn: options.areLiveEventsOn ?? false,
    isRateLimited: options.isRateLimited ?? true,
    webhookTimeoutMs: options.webhookTimeoutMs ?? 5000,
    deviceLatencyMs: options.deviceLatencyMs ?? 0,
    conductFolder:
      options.conductFolder === undefined
        ? (process.env.EVIDENCE_DESK_CONDUCT_FOLDER ?? null)
        : options.conductFolder,
  };
  const collisionMs = collisionInstantMs(startAtMs);
  return {
    options: settings,
    clock: createClock(startAtMs, options.clock !== 'frozen'),
    ...worldOf(settings.seed, collisionMs),
    organisations: createOrganisations(settings, collisionMs),
    modes: {
      isAdditive: false,
      isMinimal: false,
      isNullSizes: false,
      isEmptyPages: false,
      isNullExpiry: false,
      isProbeDead: false,
      ...scenario.modes,
    },
    faults: createFaultBook(),
    log: createRequestLog(),
    conduct: createConductTally(settings.conductFolder),
    identifiers: createRandom(settings.seed, 'identifiers'),
    baseUrl: '',
    nextExport: null,
  };
}

function tellStory(simulation: Simulation): Story {
  const enterprise = simulation.organisations.find((organisation) => organisation.label === 'enterprise');
  const cameras = enterprise?.cameras ?? [];
  const psnOf = (story: string): string =>
    cameras.find((camera) => camera.vehicle.story === story)?.psn ?? '';
  const crashed = cameras.find((camera) => camera.vehicle.story === 'collision');
  if (!crashed) throw new Error('the enterprise fleet has a collision');
  const impactMs = collisionInstantMs(simulation.options.startAtMs);
  const trip = simulation.tripBook
    .onDay(crashed.vehicle, toDay(toLocalMs(impactMs)))
    .find((candidate) => candidate.impactMs === impactMs);
  const stamp = toIso(toLocalMs(impactMs - 10_000))
    .slice(0, 19)
    .replaceAll(/[-:]/g, '')
    .replace('T', '_');
  const cloudByAge = cameras
    .filter((camera) => camera.category === 'cloud')
    .sort((one, other) => other.registeredAtMs - one.registeredAtMs);
  return {
    collision: {
      psn: crashed.psn,
      impactAt: toTimestamp(impactMs),
      frontFilename: `${stamp}_EF.mp4`,
      optionFilename: `${stamp}_EO.mp4`,
      tripId: trip?.tripId ?? '',
    },
    ordinaryPsn: psnOf('ordinary'),
    offlinePsn: psnOf('offline'),
    noCardPsn: psnOf('no_card'),
    unsupportedPsn: psnOf('unsupported'),
    overLimitPsn: cloudByAge[cloudByAge.length - 1]?.psn ?? '',
    wifiPsn: psnOf('wifi'),
  };
}

export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const simulation = createSimulation(options);
  const control = createControl(simulation);
  scenarios[options.scenario ?? 'default']?.prepare?.(control, simulation.options.seed);
  if (simulation.options.areLiveEventsOn) startLiveEvents(simulation);
  const server = createSimulatorServer(simulation, (request, url, body) =>
    handleControl(control, request, url, body),
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  // A listening TCP server has an AddressInfo, never a pipe's name.
  simulation.baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const keyOf = (label: string): string =>
    simulation.organisations.find((organisation) => organisation.label === label)?.keys[0]?.token ?? '';
  return {
    baseUrl: simulation.baseUrl,
    keys: {
      enterprise: keyOf('enterprise'),
      pro: keyOf('pro'),
      standard: keyOf('standard'),
      starter: keyOf('starter'),
      free: keyOf('free'),
      sandbox: keyOf('sandbox'),
    },
    control,
    story: tellStory(simulation),
    async stop() {
      simulation.clock.stop();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
