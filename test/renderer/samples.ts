import type { CaseFile, CustodyEntry, Exhibit } from '../../shared/contract/cases.ts';
import type { Clip } from '../../shared/contract/clips.ts';
import type { Derived } from '../../shared/contract/derived.ts';
import type { EntryReport, ImportedSource } from '../../shared/contract/imports.ts';
import type { Job, JobProgress } from '../../shared/contract/jobs.ts';
import type { SealedPackage, VerifyReport } from '../../shared/contract/packages.ts';
import type { AppInfo, Settings } from '../../shared/contract/app.ts';
import type { Source, SourceReport } from '../../shared/contract/sources.ts';
import type { Trip } from '../../shared/contract/trips.ts';
import type {
  CaseId,
  ClipId,
  DerivedId,
  ExhibitId,
  JobId,
  PackageId,
  SourceId,
  TripId,
} from '../../shared/ids.ts';

// Values of the contract for tests of the window: plausible, and each field can be overridden.
export const sha = (letter: string): string => letter.repeat(64);
export const atMs = Date.UTC(2026, 2, 14, 16, 2, 11);

export const progress = (patch: Partial<JobProgress> = {}): JobProgress => ({
  stage: 'reading',
  done: 0,
  total: 1000,
  unit: 'bytes',
  points: 0,
  ...patch,
});

export const job = (patch: Partial<Job> = {}): Job => ({
  jobId: 'job_1' as JobId,
  kind: 'import',
  title: 'export.zip',
  startedAtMs: atMs,
  endedAtMs: null,
  state: { status: 'running', progress: progress() },
  ...patch,
});

export const entry = (patch: Partial<EntryReport> = {}): EntryReport => ({
  name: 'camera-Van 12-P12.csv',
  format: 'csv',
  status: 'imported',
  psns: ['P12'],
  trips: 2,
  points: 100,
  rows: 100,
  skipped: [],
  flagged: [],
  error: null,
  ...patch,
});

export const imported = (patch: Partial<ImportedSource> = {}): ImportedSource => ({
  sourceId: 'src_1' as SourceId,
  fileName: 'export.zip',
  sha256: sha('a'),
  sizeBytes: 84_400,
  status: 'imported',
  duplicateOf: null,
  error: null,
  entries: [entry()],
  trips: 2,
  points: 100,
  fromMs: atMs,
  toMs: atMs + 60_000,
  ...patch,
});

export const source = (patch: Partial<Source> = {}): Source => ({
  sourceId: 'src_1' as SourceId,
  fileName: 'export.zip',
  kind: 'export-zip',
  sha256: sha('a'),
  sizeBytes: 84_400,
  importedAtMs: atMs,
  trips: 2,
  points: 100,
  skippedRows: 0,
  fromMs: atMs,
  toMs: atMs + 60_000,
  unknownCameraTrips: 0,
  ...patch,
});

export const report = (patch: Partial<SourceReport> = {}): SourceReport => ({
  ...source(),
  readerVersion: '1',
  entries: [entry()],
  ...patch,
});

export const trip = (patch: Partial<Trip> = {}): Trip => ({
  tripId: 'trip_1' as TripId,
  sourceId: 'src_1' as SourceId,
  psn: 'P12',
  isPsnAssigned: false,
  cameraName: 'Van 12',
  driveNo: 414,
  name: null,
  startedAtMs: atMs,
  endedAtMs: atMs + 600_000,
  points: 50,
  hasPointTimes: true,
  distanceM: 8_200,
  maxSpeedKmh: 71,
  bbox: [4, 52, 5, 53],
  ...patch,
});

export const exhibit = (patch: Partial<Exhibit> = {}): Exhibit => ({
  exhibitId: 'exhibit_1' as ExhibitId,
  ref: { kind: 'trip', tripId: 'trip_1' as TripId },
  title: 'Van 12, trip 414, 2026-03-14 16:02:11 UTC',
  sha256: sha('a'),
  addedAtMs: atMs,
  ...patch,
});

export const clip = (patch: Partial<Clip> = {}): Clip => ({
  clipId: 'clip_1' as ClipId,
  sourceId: 'src_3' as SourceId,
  fileName: '20260314_170211_EF.mp4',
  sha256: sha('c'),
  sizeBytes: 4_200_000,
  importedAtMs: atMs,
  origin: 'recall',
  psn: 'P12',
  mainName: '20260314_170211_EF.mp4',
  quality: 'sub',
  typeCode: 'E',
  directionCode: 'F',
  recordedAtLocal: '2026-03-14T17:02:11',
  startUtcMs: atMs,
  endUtcMs: atMs + 60_000,
  durationS: 60,
  bbox: null,
  isRead: true,
  ...patch,
});

export const derived = (patch: Partial<Derived> = {}): Derived => ({
  derivedId: 'derived_1' as DerivedId,
  clipId: 'clip_1' as ClipId,
  kind: 'still',
  fileName: '20260314_170211_EF_f000361_2026-03-14T160223.033Z.png',
  sha256: sha('d'),
  sizeBytes: 2_100_000,
  caseId: 'case_1' as CaseId,
  actor: 'Inge Vries',
  madeAtMs: atMs,
  recipe: {
    schemaVersion: 1,
    kind: 'still',
    source: { clipId: 'clip_1' as ClipId, fileName: '20260314_170211_EF.mp4', sha256: sha('c') },
    requestedS: { from: 12.04, to: 12.04 },
    actualS: { from: 12.033, to: 12.066 },
    frameIndex: 361,
    startUtcMs: atMs + 12_033,
    endUtcMs: atMs + 12_066,
    uncertaintyMs: 1000,
    clockHow: 'From 60 GPS times in the clip.',
    tool: { name: 'Evidence Desk', version: '1.2.3' },
    output: {
      fileName: '20260314_170211_EF_f000361_2026-03-14T160223.033Z.png',
      sha256: sha('d'),
      sizeBytes: 2_100_000,
      widthPx: 1920,
      heightPx: 1080,
    },
    lost: [],
    stamp: null,
  },
  ...patch,
});

export const caseFile = (patch: Partial<CaseFile> = {}): CaseFile => ({
  caseId: 'case_1' as CaseId,
  name: 'Keizersgracht',
  createdAtMs: atMs,
  exhibits: patch.exhibitList?.length ?? 0,
  notes: patch.noteList?.length ?? 0,
  range: { fromMs: null, toMs: null },
  packages: 0,
  exhibitList: [],
  noteList: [],
  ...patch,
});

export const custodyEntry = (patch: Partial<CustodyEntry> = {}): CustodyEntry => ({
  seq: 1,
  at: '2026-03-14T16:02:11.000Z',
  actor: 'A. Jansen',
  action: 'case.create',
  subject: { kind: 'case', id: 'case_1', sha256: null },
  detail: { name: 'Keizersgracht' },
  prev: null,
  hash: sha('b'),
  ...patch,
});

export const sealed = (patch: Partial<SealedPackage> = {}): SealedPackage => ({
  packageId: 'package_1' as PackageId,
  caseId: 'case_1' as CaseId,
  fileName: 'evidence-Keizersgracht.zip',
  sha256: sha('c'),
  sizeBytes: 158_000,
  files: 12,
  sealedAtMs: atMs,
  signedBy: sha('d'),
  custodyHead: sha('e'),
  range: { fromMs: null, toMs: null },
  isPresent: true,
  ...patch,
});

export const verifyReport = (patch: Partial<VerifyReport> = {}): VerifyReport => ({
  ok: true,
  checks: [
    { name: 'payload-sha256', ok: true, detail: 'all 12 files under data/ have the hashes' },
    { name: 'signature', ok: true, detail: 'valid' },
  ],
  files: 12,
  signedBy: sha('d'),
  isOwnSeal: true,
  custodyEntries: 6,
  ...patch,
});

export const settings = (patch: Partial<Settings> = {}): Settings => ({
  theme: 'system',
  localZone: null,
  onlineTileUrl: null,
  onlineTileAttribution: null,
  actorName: null,
  organization: null,
  ...patch,
});

export const appInfo = (patch: Partial<AppInfo> = {}): AppInfo => ({
  version: '0.1.0',
  dataFolder: '/data',
  abilities: { host: 'test', canRevealInFolder: false, canPickFiles: true, secretStore: 'keychain' },
  sealFingerprint: null,
  sealPublicKeyPem: null,
  cacheSizeBytes: 4_400_000,
  hasSample: true,
  versions: { node: '24' },
  ...patch,
});
