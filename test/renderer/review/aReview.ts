import { createStore } from 'zustand/vanilla';
import { createMarkStore, type MarkDeps } from '../../../renderer/features/review/marks/markStore.ts';
import type {
  MasterClock,
  MasterClockState,
  PictureSource,
  Review,
  ReviewState,
  ShownFrame,
  TelemetryState,
} from '../../../renderer/features/review/model.ts';
import { createUndoStack } from '../../../renderer/features/review/undo/undoStack.ts';
import type { Derived, Recipe } from '../../../shared/contract/derived.ts';
import type { Handlers } from '../../../shared/contract/index.ts';
import type { Mark } from '../../../shared/contract/marks.ts';
import type {
  ReviewChannel,
  ReviewScene,
  ReviewSegment,
  SourceClock,
} from '../../../shared/contract/review.ts';
import { AppError } from '../../../shared/errors.ts';
import type { ClipId, DerivedId, JobId, MarkId, SourceId, TripId } from '../../../shared/ids.ts';
import { createFakeHost, type FakeHost } from '../fakeHost.ts';
import { sha } from '../samples.ts';

/** 2026-03-14 16:32:00 UTC: the first frame of the sample scene. */
export const startMs = Date.UTC(2026, 2, 14, 16, 32, 0);
export const frontId = 'clip_front' as ClipId;
export const secondId = 'clip_front2' as ClipId;
export const tripId = 'trip_1' as TripId;

export const segment = (patch: Partial<ReviewSegment> = {}): ReviewSegment => ({
  clipId: frontId,
  sourceId: 'src_1' as SourceId,
  fileName: '20260314_173200_EF.mp4',
  sha256: sha('a'),
  quality: 'main',
  alternatives: [],
  startMs,
  endMs: startMs + 20_000,
  rate: 1,
  durationS: 20,
  joinsPrevious: false,
  typeCode: 'E',
  video: { codec: 'avc1', isH265: false, width: 320, height: 180, fps: 30, isConstantRate: true },
  hasAudio: false,
  damage: [],
  hasGps: true,
  hasGSensor: true,
  hasMetadata: false,
  ...patch,
});

export const channel = (patch: Partial<ReviewChannel> = {}): ReviewChannel => ({
  channelId: 'front',
  psn: 'P07',
  cameraName: 'Van 07',
  direction: 'front',
  directionCode: 'F',
  segments: [segment()],
  ...patch,
});

export const sourceClock = (patch: Partial<SourceClock> = {}): SourceClock => ({
  subject: { kind: 'clip', clipId: frontId },
  label: 'Van 07, front, 20260314_173200_EF.mp4',
  sha256: sha('a'),
  origin: 'clip-gps',
  how: '20 GPS times in the clip.',
  startUtcMs: startMs,
  utcOffsetMin: 60,
  spreadMs: 320,
  uncertaintyMs: 1500,
  rate: 1,
  driftNote: null,
  manual: null,
  ...patch,
});

export const scene = (patch: Partial<ReviewScene> = {}): ReviewScene => ({
  title: 'Van 07',
  timebase: 'utc',
  fromMs: startMs,
  toMs: startMs + 20_000,
  focusMs: startMs,
  utcOffsetMin: 60,
  channels: [channel()],
  tracks: [],
  onCard: [],
  nearby: [],
  clocks: [sourceClock()],
  caseId: null,
  notes: [],
  ...patch,
});

export const frame = (patch: Partial<ShownFrame> = {}): ShownFrame => ({
  channelId: 'front',
  clipId: frontId,
  clipS: 10,
  sceneMs: startMs + 10_000,
  frameIndex: 300,
  ...patch,
});

const recipe = (patch: Partial<Recipe>): Recipe => ({
  schemaVersion: 1,
  kind: 'still',
  source: { clipId: frontId, fileName: '20260314_173200_EF.mp4', sha256: sha('a') },
  requestedS: { from: 10, to: 10 },
  actualS: { from: 10, to: 10.033 },
  frameIndex: 300,
  startUtcMs: startMs + 10_000,
  endUtcMs: null,
  uncertaintyMs: 1500,
  clockHow: '20 GPS times in the clip.',
  tool: { name: 'Evidence Desk', version: '0.1.0' },
  output: { fileName: 'still.png', sha256: sha('f'), sizeBytes: 40_000, widthPx: 320, heightPx: 180 },
  lost: [],
  stamp: null,
  ...patch,
});

/** A core that keeps marks and derived files in memory, as far as the window can tell. */
export function memoryCore() {
  const marks = new Map<MarkId, { mark: Mark; isRemoved: boolean }>();
  const derived = new Map<DerivedId, { derived: Derived; isRemoved: boolean }>();
  let host: FakeHost | null = null;
  let made = 0;
  const tell = () => host?.emit('marks.changed', { caseId: null });
  const markOf = (markId: MarkId) => {
    const kept = marks.get(markId);
    if (!kept) throw new AppError('not_found', 'There is no such mark.');
    return kept;
  };
  const derivedOf = (derivedId: DerivedId) => {
    const kept = derived.get(derivedId);
    if (!kept) throw new AppError('not_found', 'There is no such file.');
    return kept;
  };
  function keep(patch: Partial<Derived> & Pick<Derived, 'kind'>, recipePatch: Partial<Recipe>): Derived {
    const one: Derived = {
      derivedId: `derived_${++made}` as DerivedId,
      clipId: frontId,
      fileName: patch.kind === 'trim' ? 'trim.mp4' : `${patch.kind}.png`,
      sha256: sha('f'),
      sizeBytes: 40_000,
      caseId: null,
      actor: 'A. Jansen',
      madeAtMs: startMs,
      recipe: recipe({ kind: patch.kind, ...recipePatch }),
      ...patch,
    };
    derived.set(one.derivedId, { derived: one, isRemoved: false });
    tell();
    return one;
  }
  const handlers: Partial<Handlers> = {
    'cases.list': () => [],
    'marks.list': ({ clipIds, fromMs }) =>
      [...marks.values()]
        .filter(({ isRemoved }) => !isRemoved)
        .map(({ mark }) => mark)
        .filter(
          ({ from, fromMs: atMs }) =>
            (clipIds === undefined || (from !== null && clipIds.includes(from.clipId))) &&
            (fromMs === undefined || (atMs !== null && atMs >= fromMs)),
        ),
    'marks.add': (input) => {
      const markId = `mark_${++made}` as MarkId;
      const mark: Mark = { ...input, markId, actor: 'A. Jansen', madeAtMs: startMs, editedAtMs: null };
      marks.set(markId, { mark, isRemoved: false });
      tell();
      return mark;
    },
    'marks.edit': ({ markId, ...patch }) => {
      const kept = markOf(markId);
      kept.mark = { ...kept.mark, ...(patch as Partial<Mark>) }; // absent fields are absent, as the schema made them
      tell();
      return kept.mark;
    },
    'marks.remove': ({ markId }) => {
      markOf(markId).isRemoved = true;
      tell();
      return null;
    },
    'marks.restore': ({ markId }) => {
      const kept = markOf(markId);
      kept.isRemoved = false;
      tell();
      return kept.mark;
    },
    'derived.list': ({ caseId }) =>
      [...derived.values()]
        .filter(({ isRemoved }) => !isRemoved)
        .map(({ derived: one }) => one)
        .filter((one) => caseId === undefined || one.caseId === caseId),
    'derived.still': ({ stamp, frameS, clipId, caseId }) =>
      keep(
        { kind: stamp === null ? 'still' : 'stamped-still', clipId, caseId },
        { stamp, requestedS: { from: frameS, to: frameS }, actualS: { from: frameS, to: frameS + 0.033 } },
      ),
    'derived.trimPreview': ({ fromS, toS }) => ({
      fromS: Math.floor(fromS),
      toS,
      frames: Math.round((toS - Math.floor(fromS)) * 30),
      approximateBytes: 123_000,
    }),
    'derived.trim': () => ({ jobId: `job_${++made}` as JobId }),
    'derived.remove': ({ derivedId }) => {
      derivedOf(derivedId).isRemoved = true;
      tell();
      return null;
    },
    'derived.restore': ({ derivedId }) => {
      const kept = derivedOf(derivedId);
      kept.isRemoved = false;
      tell();
      return kept.derived;
    },
  };
  return {
    handlers,
    keep,
    attach: (to: FakeHost) => void (host = to),
    /** What lists would show. */
    marks: () => [...marks.values()].filter(({ isRemoved }) => !isRemoved).map(({ mark }) => mark),
    derived: () => [...derived.values()].filter(({ isRemoved }) => !isRemoved).map(({ derived: one }) => one),
  };
}

/** A clock that stands where it is put, for parts that follow the real one. */
export function stillClock(atMs: number): MasterClock & { readonly seeks: number[] } {
  const state = createStore<MasterClockState>(() => ({
    isPlaying: false,
    isHeld: false,
    rate: 1,
    loop: null,
  }));
  const listeners = new Set<(sceneMs: number) => void>();
  const seeks: number[] = [];
  let nowMs = atMs;
  return {
    state,
    seeks,
    nowMs: () => nowMs,
    play: () => state.setState({ isPlaying: true }),
    pause: () => state.setState({ isPlaying: false }),
    seek(sceneMs) {
      nowMs = sceneMs;
      seeks.push(sceneMs);
      for (const listener of listeners) listener(sceneMs);
    },
    setRate: (rate) => state.setState({ rate }),
    setLoop: (loop) => state.setState({ loop }),
    onTick(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    hold: () => () => undefined,
  };
}

export interface AReview {
  readonly review: Review;
  readonly host: FakeHost;
  readonly clock: ReturnType<typeof stillClock>;
  readonly core: ReturnType<typeof memoryCore>;
  /** Times that the scene was opened anew. */
  readonly reloads: () => number;
}

/** An open scene over a core in memory; `state` and `handlers` override parts of it. */
export function aReview(
  options: {
    readonly state?: Partial<ReviewState>;
    readonly handlers?: Partial<Handlers>;
    readonly deps?: Partial<MarkDeps>;
    readonly atMs?: number;
    readonly onReload?: (review: Review) => void;
  } = {},
): AReview {
  const core = memoryCore();
  const host = createFakeHost({ ...core.handlers, ...options.handlers });
  core.attach(host);
  const clock = stillClock(options.atMs ?? startMs + 10_000);
  const store = createStore<ReviewState>(() => ({
    scene: scene(),
    zone: 'utc',
    view: { fromMs: startMs, toMs: startMs + 20_000 },
    inMs: null,
    outMs: null,
    shown: ['front'],
    enlarged: null,
    chosenClip: new Map(),
    frames: new Map([['front', frame()]]),
    stepMs: null,
    caseId: null,
    ...options.state,
  }));
  const telemetry = createStore<TelemetryState>(() => ({
    telemetry: { status: 'loading' },
    read: 0,
    total: 0,
    origin: 'clip',
    canChoose: false,
  }));
  const undo = createUndoStack();
  let pictures: PictureSource | null = null;
  let reloads = 0;
  const marks = createMarkStore({ host, clock, store, undo, pictures: () => pictures, ...options.deps });
  const review: Review = {
    host,
    clock,
    store,
    telemetry: { ...telemetry, choose: () => undefined, gpsIndexAt: () => null },
    marks,
    undo,
    get pictures() {
      return pictures;
    },
    set pictures(next) {
      pictures = next;
    },
    async reload() {
      reloads += 1;
      options.onReload?.(review);
    },
    hiddenTracks: createStore(() => ({ tripIds: new Set<TripId>() })),
    close: () => marks.close(),
  };
  return { review, host, clock, core, reloads: () => reloads };
}

/** A pane that shows this frame; its "PNG" is not drawn, since nothing here looks into it. */
export const picturesOf = (shown: ShownFrame): PictureSource => ({
  capture: async () => ({
    frame: shown,
    png: new Blob(['png'], { type: 'image/png' }),
    widthPx: 320,
    heightPx: 180,
  }),
});
