/** Who uses the simulated service: one organisation per tier and a sandbox, each with its own fleet. */
import { createHash } from 'node:crypto';
import { createRandom } from './random.ts';
import type { ApiKey, Camera, Geofence, Organisation, SimulationOptions, Tier } from './simulation.ts';
import { blockM, toPosition } from './world/city.ts';
import { dayMs } from './world/localTime.ts';
import type { Story } from './world/vehicle.ts';

interface CameraPlan {
  readonly name: string;
  readonly story: Story;
  readonly groupId: string | null;
  readonly isOneCamera?: boolean;
}

interface OrganisationPlan {
  readonly label: Tier | 'sandbox';
  readonly tier: Tier;
  readonly cameraLimit: number;
  readonly cameras: readonly CameraPlan[];
}

const north = 'grp_north';
const south = 'grp_south';
const ordinary = (name: string, groupId: string | null = north, isOneCamera = false): CameraPlan => ({
  name,
  story: 'ordinary',
  groupId,
  isOneCamera,
});

/** 20 cameras: 17 with a cloud connection on a plan for 16, so the one registered first is over the limit. */
const enterpriseCameras: readonly CameraPlan[] = [
  { name: 'Van 07', story: 'collision', groupId: north },
  ordinary('Van 08'),
  ordinary('Van 09'),
  ordinary('Van 10', north, true),
  ordinary('Truck 21', south),
  ordinary('Truck 22 - crane', south),
  ordinary('Truck 23, "Big Blue"', south),
  ordinary('Pickup 31', south, true),
  ordinary('Автолавка 4', null),
  ordinary('配送 12', north),
  ordinary('Été - camionnette', null),
  ordinary('Shuttle 51', south),
  ordinary('Shuttle 52', south, true),
  { name: 'Van 13 (workshop)', story: 'offline', groupId: north },
  { name: 'Van 14', story: 'no_card', groupId: north },
  { name: 'Old Pickup 30', story: 'unsupported', groupId: south, isOneCamera: true },
  ordinary('Van 01 (first registered)', north),
  { name: 'Trailer 61', story: 'wifi', groupId: null },
  { name: 'Trailer 62', story: 'wifi', groupId: null },
  { name: 'Yard camera', story: 'wifi', groupId: null },
];

const organisationPlans: readonly OrganisationPlan[] = [
  { label: 'enterprise', tier: 'enterprise', cameraLimit: 16, cameras: enterpriseCameras },
  {
    label: 'pro',
    tier: 'pro',
    cameraLimit: 8,
    cameras: [
      { name: 'Courier 1', story: 'collision', groupId: north },
      ...['Courier 2', 'Courier 3', 'Courier 4', 'Courier 5', 'Courier 6', 'Courier 7'].map((name) =>
        ordinary(name),
      ),
      { name: 'Trailer', story: 'wifi', groupId: null },
    ],
  },
  {
    label: 'standard',
    tier: 'standard',
    cameraLimit: 5,
    cameras: ['Taxi 1', 'Taxi 2', 'Taxi 3', 'Taxi 4'].map((name) => ordinary(name)),
  },
  { label: 'starter', tier: 'starter', cameraLimit: 1, cameras: [ordinary('Plumber')] },
  { label: 'free', tier: 'free', cameraLimit: 1, cameras: [ordinary('My car')] },
  {
    label: 'sandbox',
    tier: 'enterprise',
    cameraLimit: 3,
    cameras: [
      { name: 'Demo van', story: 'collision', groupId: north },
      ...['Demo truck 1', 'Demo truck 2', 'Demo truck 3'].map((name) => ordinary(name, south)),
      { name: 'Demo trailer', story: 'wifi', groupId: null },
    ],
  },
];

const makers: readonly (readonly [string, string])[] = [
  ['Ford', 'Transit'],
  ['Mercedes-Benz', 'Sprinter'],
  ['Ram', 'ProMaster'],
  ['Isuzu', 'NPR'],
  ['Chevrolet', 'Express'],
];

export function createOrganisations(options: SimulationOptions, collisionMs: number): Organisation[] {
  return organisationPlans.map((plan, index) => createOrganisation(plan, index + 1, options, collisionMs));
}

function createOrganisation(
  plan: OrganisationPlan,
  number: number,
  options: SimulationOptions,
  collisionMs: number,
): Organisation {
  const isSandbox = plan.label === 'sandbox';
  const cameras = plan.cameras.map((camera, index) =>
    createCamera(camera, number, index, plan, options, collisionMs),
  );
  const organisation: Organisation = {
    organisationId: `org_${plan.label}`,
    label: plan.label,
    isSandbox,
    keys: [createKey(plan.label, isSandbox, `key_${plan.label}`)],
    cameras,
    groups: [
      { groupId: north, name: 'North depot' },
      { groupId: south, name: 'South depot' },
      { groupId: 'grp_empty', name: 'Spare vehicles' },
    ],
    plans: [
      {
        plan: { tier: plan.tier, cameraLimit: plan.cameraLimit, inactiveReason: null },
        effectiveAtMs: options.startAtMs,
      },
    ],
    callsByMonth: new Map(),
    transferByMonth: new Map(),
    exportsByMonth: new Map(),
    copies: new Map(),
    lastSizes: new Map(),
    recallJobs: [],
    exportJobs: [],
    webhooks: [],
    deadLetters: [],
    geofences: createGeofences(cameras, options),
    apiLogs: [],
    auditLogs: [],
    rate: { tokens: Number.POSITIVE_INFINITY, atMs: options.startAtMs },
    isEdgeQuotaSpent: false,
  };
  return organisation;
}

/** The same words give the same key, so tests may name it; the form is this simulation's choice (section 5.11). */
export function createKey(
  words: string,
  isSandbox: boolean,
  keyId: string,
  limits: { scopes?: readonly string[]; groupIds?: readonly string[]; isEnabled?: boolean } = {},
): ApiKey {
  const digest = createHash('sha256').update(`simulated key ${words}`).digest('hex').slice(0, 40);
  return {
    keyId,
    token: `fdc_${isSandbox ? 'test' : 'live'}_${digest}`,
    kind: isSandbox ? 'sandbox' : 'live',
    label: words,
    scopes: limits.scopes ?? null,
    groupIds: limits.groupIds ?? null,
    isEnabled: limits.isEnabled ?? true,
    isTierRetired: false,
  };
}

function createCamera(
  plan: CameraPlan,
  organisationNumber: number,
  index: number,
  organisation: OrganisationPlan,
  options: SimulationOptions,
  collisionMs: number,
): Camera {
  const psn = `FD${organisationNumber}E26${String(index + 1).padStart(6, '0')}`;
  const random = createRandom(options.seed, psn, 'camera');
  const isWifi = plan.story === 'wifi';
  const [maker, model] = random.pick(makers);
  // Newest first: every camera of the list is registered a fortnight before the one above it.
  const registeredAtMs = options.startAtMs - (120 + index * 14) * dayMs - random.integer(0, dayMs);
  const offlineSinceMs = options.startAtMs - 2 * dayMs - random.integer(0, dayMs / 4);
  return {
    psn,
    name: plan.name,
    category: isWifi ? 'wifi' : 'cloud',
    model: plan.story === 'unsupported' ? 'DR-200' : isWifi ? 'SD-5 Wi-Fi' : 'SD-7 LTE',
    isSupported: plan.story !== 'unsupported',
    registeredAtMs,
    connectivity: isWifi ? 'wifi' : 'lte',
    fwVersion: random.pick(['1.014', '1.014', '1.012', '1.009']),
    groupId: plan.groupId,
    uploadBytesPerSecond: random.integer(1_300_000, 1_900_000),
    vehicle: {
      psn,
      story: plan.story,
      home: { column: random.integer(-12, 10), row: random.integer(-16, 16) },
      hasOptionCamera: plan.isOneCamera !== true,
      activeFromMs: Math.max(registeredAtMs, options.startAtMs - 110 * dayMs),
      activeUntilMs:
        plan.story === 'collision' ? collisionMs + 120_000 : plan.story === 'offline' ? offlineSinceMs : null,
    },
    vehicleInfo: {
      vin: `1FD${random.hex(14).toUpperCase()}`,
      plate: `${random.pick(['AB', 'CK', 'DZ'])} ${random.integer(10_000, 99_999)}`,
      maker,
      model,
      year: random.integer(2016, 2025),
      tag: organisation.label,
    },
    hasCard: plan.story !== 'no_card',
    offlineUntilMs: plan.story === 'offline' ? Number.POSITIVE_INFINITY : 0,
    busyUntilMs: 0,
    isWedged: false,
    isUnresponsive: false,
    transfer: null,
    deletedFilenames: new Set(),
  };
}

function createGeofences(cameras: readonly Camera[], options: SimulationOptions): Geofence[] {
  const home = cameras[0]?.vehicle.home ?? { column: 0, row: 0 };
  const depot = toPosition(home.column * blockM, home.row * blockM);
  const common = {
    createdAtMs: options.startAtMs - 90 * dayMs,
    updatedAtMs: options.startAtMs - 90 * dayMs,
    style: { color: '#6B2FD9', opacity: 0.24 },
    recordingEvents: { enter: true, exit: true, pass: false, speed: false },
  };
  const corner = (column: number, row: number) =>
    toPosition((home.column + column) * blockM, (home.row + row) * blockM);
  return [
    {
      ...common,
      geofenceId: 'gf_depot',
      name: 'Depot',
      devices: cameras.filter((camera) => camera.category === 'cloud').map((camera) => camera.psn),
      shape: { type: 'circle', center: depot, radiusM: 180 },
    },
    {
      ...common,
      geofenceId: 'gf_quarter',
      name: 'Quarter with weight limit',
      devices: cameras.slice(0, 2).map((camera) => camera.psn),
      shape: { type: 'rectangle', points: [corner(1, 1), corner(6, 1), corner(6, 6), corner(1, 6)] },
    },
    {
      ...common,
      geofenceId: 'gf_legacy',
      name: 'Drawn by hand',
      devices: [],
      shape: null,
    },
  ];
}
