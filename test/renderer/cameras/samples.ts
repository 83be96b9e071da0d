import type {
  CameraEntry,
  CardClock,
  CardListing,
  RecordingMetadata,
  RecordingPart,
  RecordingRow,
} from '../../../shared/contract/cards.ts';
import type {
  ItemPrice,
  PriceSum,
  Recall,
  RecallPrice,
  StreamPrice,
  TransferBudget,
} from '../../../shared/contract/recalls.ts';
import type { CloudAccount } from '../../../shared/contract/cloud.ts';
import type { CloudProblemData } from '../../../shared/cloudProblem.ts';
import type { AccountId, RecallId } from '../../../shared/ids.ts';

// Values of the contract for tests of the cameras; each field can be overridden.
export const psn = 'FD1E26000001';
export const atMs = Date.UTC(2026, 2, 14, 16, 32, 10);

export const account = (patch: Partial<CloudAccount> = {}): CloudAccount => ({
  accountId: 'acc_1' as AccountId,
  label: 'Fleet',
  baseUrl: 'https://cloud.example',
  tier: 'enterprise',
  isActive: true,
  isFromEnvironment: false,
  isDemo: false,
  addedAtMs: atMs,
  ...patch,
});

export const camera = (
  patch: Partial<CameraEntry['device']> = {},
  rest: Partial<CameraEntry> = {},
): CameraEntry => ({
  device: { psn, name: 'Van 12', category: 'cloud', entitlement: 'covered', connectivity: 'lte', ...patch },
  obstacle: null,
  listedAtMs: null,
  ...rest,
});

export const part = (filename: string, patch: Partial<RecordingPart> = {}): RecordingPart => {
  const isFront = filename.endsWith('F.mp4');
  return {
    filename,
    direction: isFront ? 'front' : 'option',
    directionCode: isFront ? 'F' : 'O',
    main: { sizeBytes: 312_000_000, heldSha256: null },
    sub: { sizeBytes: 8_000_000, heldSha256: null },
    raw: { filename },
    ...patch,
  };
};

/** A front and option pair of `2026-03-14T17:32:10` and letter N unless said otherwise. */
export const row = (
  recordedAtLocal = '2026-03-14T17:32:10',
  patch: Partial<RecordingRow> = {},
): RecordingRow => {
  const letter = patch.typeCode ?? 'N';
  const stamp = recordedAtLocal.replace(/[-:]/g, '').replace('T', '_');
  return {
    rowId: `${stamp}_${letter}`,
    recordedAtLocal,
    type: 'normal',
    typeCode: letter,
    parts: [part(`${stamp}_${letter}F.mp4`), part(`${stamp}_${letter}O.mp4`)],
    startUtcMs: null,
    offsetMinutes: null,
    uncertaintyMs: null,
    timeSource: null,
    livesAboutMs: null,
    ...patch,
  };
};

export const clock = (patch: Partial<CardClock> = {}): CardClock => ({
  psn,
  segments: [],
  manual: null,
  clips: { used: 0, leftOut: 0, withoutGps: 0 },
  ...patch,
});

export const listing = (rows: readonly RecordingRow[], patch: Partial<CardListing> = {}): CardListing => ({
  psn,
  filters: {},
  rows,
  recordings: rows.length * 2,
  total: rows.length * 2,
  fetchedAtMs: atMs,
  isLoading: false,
  listingId: 'listing_1',
  isFromCard: false,
  clock: clock(),
  obstacle: null,
  problem: null,
  ...patch,
});

export const metadata = (filename: string, patch: Partial<RecordingMetadata> = {}): RecordingMetadata => ({
  psn,
  filename,
  thumbnail: new Uint8Array([0xff, 0xd8]),
  gps: null,
  gSensor: null,
  rawText: '{}',
  fetchedAtMs: atMs,
  ...patch,
});

export const problem = (code: CloudProblemData['code'], status = 409): CloudProblemData => ({
  code,
  sentCode: null,
  status,
  title: code,
  detail: code,
  requestId: 'req_1',
  operation: 'sdFiles.metadata',
  extensions: {},
});

export const recall = (patch: Partial<Recall> = {}): Recall => ({
  recallId: 'rec_1' as RecallId,
  accountId: 'acc_1' as AccountId,
  psn,
  filename: '20260314_173210_EF.mp4',
  quality: 'sub',
  caseId: null,
  requestedAtMs: atMs,
  deadlineAtMs: null,
  priceBytes: 8_000_000,
  reason: null,
  jobId: null,
  requestId: null,
  sizeBytes: null,
  linkExpiresAtMs: null,
  chargedBytes: 0,
  requests: 0,
  state: { status: 'queued' },
  ...patch,
});

export const budget = (patch: Partial<TransferBudget> = {}): TransferBudget => ({
  limitBytes: 10 * 2 ** 30,
  serverUsedBytes: 6 * 2 ** 30,
  spentSinceBytes: 0,
  reservedBytes: 0,
  leftBytes: 4 * 2 ** 30,
  fetchedAtMs: atMs,
  resetsAtMs: Date.UTC(2026, 3, 1),
  daysToReset: 18,
  problem: null,
  ...patch,
});

export const streamPrice = (patch: Partial<StreamPrice> = {}): StreamPrice => ({
  quality: 'sub',
  sizeBytes: 8_000_000,
  sizeFrom: 'listing',
  heldSha256: null,
  queuedRecallId: null,
  chargeBytes: 8_000_000,
  isCopyLikely: false,
  copyUntilMs: null,
  mobileBytes: 8_000_000,
  expectedSeconds: null,
  mayBeRefusedByService: false,
  ...patch,
});

export const priceSum = (patch: Partial<PriceSum> = {}): PriceSum => ({
  chargeBytes: 8_000_000,
  mobileBytes: 8_000_000,
  leftAfterBytes: 4 * 2 ** 30 - 8_000_000,
  shareOfMonth: 8_000_000 / (10 * 2 ** 30),
  expectedSeconds: null,
  level: 'green',
  refusal: null,
  held: 0,
  estimated: 0,
  ...patch,
});

export const price = (
  items: readonly ItemPrice[],
  patch: Partial<Omit<RecallPrice, 'items'>> = {},
): RecallPrice => ({
  items,
  sub: priceSum(),
  main: priceSum({ chargeBytes: 312_000_000 }),
  budget: budget(),
  pricedAtMs: atMs,
  ...patch,
});
