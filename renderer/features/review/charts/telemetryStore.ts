import { createStore } from 'zustand/vanilla';
import type { ReviewScene } from '../../../../shared/contract/review.ts';
import { shortestGapMs } from '../../../../shared/gaps.ts';
import type { Host } from '../../../app/client/index.ts';
import { loading } from '../../../ui/index.ts';
import type { SceneTelemetry, TelemetryState, TelemetryStore } from '../model.ts';
import { telemetryCacheOf } from './clipTelemetryCache.ts';
import { firstAfter, mergeTelemetry } from './mergeTelemetry.ts';
import { toChunk, type TelemetryChunk } from './telemetryChunk.ts';
import { planTelemetry, type TelemetryClaim, type TelemetryOrigin } from './telemetryPlan.ts';

/** The core reads one clip at a time; a few more keep it busy while answers travel. */
const requestsAtOnce = 4;
/**
 * What is there is shown anew when this much more has come in (as a share of it). Merging copies everything: at each
 * clip of a day that would be 1,440 copies, so it is about twenty.
 */
const growth = 0.5;

interface Source {
  readonly origin: TelemetryOrigin;
  readonly claims: readonly TelemetryClaim[];
  /** By place in `claims`; null: could not be read. */
  readonly chunks: (TelemetryChunk | null | undefined)[];
  readonly asked: Set<number>;
  read: number;
  samples: number;
  shownSamples: number;
  failures: { readonly fileName: string; readonly error: unknown }[];
  telemetry: TelemetryState['telemetry'];
}

/**
 * Telemetry of the scene's own camera, read clip by clip, nearest to `nowMs` first (by default the scene's focus).
 * Both sources are kept, clips and the service's metadata; one is in use and says so. A clip that can't be read is
 * named in `failures` and leaves a gap; only if none could be read, the whole has failed.
 */
export function createTelemetryStore(
  host: Pick<Host, 'client'>,
  scene: ReviewScene,
  options: { readonly nowMs?: () => number } = {},
): TelemetryStore & { close(): void } {
  const nowMs = options.nowMs ?? (() => scene.focusMs);
  const psn = scene.channels[0]?.psn ?? null;
  const sources = { clip: createSource(scene, 'clip'), metadata: createSource(scene, 'metadata') };
  const canChoose = sources.clip.claims.length > 0 && sources.metadata.claims.length > 0;
  let current =
    sources.clip.claims.length > 0 || sources.metadata.claims.length === 0 ? sources.clip : sources.metadata;
  let isClosed = false;
  let running = 0;
  const cache = telemetryCacheOf(host.client);
  takeKept(sources.clip);
  const store = createStore<TelemetryState>(() => stateOf(current));

  /** What was read for another scene is there at once. */
  function takeKept(source: Source): void {
    source.claims.forEach((claim, at) => {
      const kept = cache.get(claim.segment.clipId);
      if (!kept) return;
      source.asked.add(at);
      keep(source, at, toChunk(claim, kept));
      source.read++;
    });
    if (source.read > 0) merge(source);
  }
  function keep(source: Source, at: number, chunk: TelemetryChunk | null): void {
    source.chunks[at] = chunk;
    source.samples += chunk ? chunk.gps.timesMs.length + chunk.gSensor.timesMs.length : 0;
  }
  function merge(source: Source): void {
    const chunks = source.chunks.filter((chunk) => chunk !== undefined && chunk !== null);
    source.telemetry = { status: 'ready', value: mergeTelemetry(chunks, psn, source.origin) };
    source.shownSamples = source.samples;
  }

  function stateOf(source: Source): TelemetryState {
    return {
      telemetry: source.telemetry,
      read: source.read,
      total: source.claims.length,
      origin: source.origin,
      canChoose,
      failures: source.failures,
    };
  }

  function publish(source: Source): void {
    const isDone = source.read === source.claims.length;
    const isWorthwhile = source.samples > source.shownSamples * (1 + growth);
    if (isDone && source.failures.length > 0 && source.failures.length === source.claims.length)
      source.telemetry = { status: 'failed', error: source.failures[0]!.error };
    else if (isDone || isWorthwhile) merge(source);
    if (source === current) store.setState(stateOf(source));
  }

  async function read(source: Source, at: number): Promise<void> {
    const claim = source.claims[at]!;
    const { clipId, fileName } = claim.segment;
    source.asked.add(at);
    running++;
    try {
      const parts =
        source.origin === 'clip'
          ? await host.client.invoke('clips.telemetry', { clipId })
          : await host.client.invoke('review.metadata', { clipId });
      if (source.origin === 'clip' && parts) cache.set(clipId, parts);
      if (isClosed) return;
      keep(source, at, parts && toChunk(claim, parts));
    } catch (error) {
      if (isClosed) return;
      source.chunks[at] = null;
      source.failures = [...source.failures, { fileName, error }];
    } finally {
      running--;
    }
    source.read++;
    publish(source);
    fill();
  }

  /** The claim not yet asked for whose clip is nearest to the clock. */
  function nextOf(source: Source): number | null {
    const now = nowMs();
    let best: number | null = null;
    let bestMs = Infinity;
    source.claims.forEach(({ segment }, at) => {
      if (source.asked.has(at)) return;
      const awayMs = Math.max(0, segment.startMs - now, now - segment.endMs);
      if (awayMs >= bestMs) return;
      best = at;
      bestMs = awayMs;
    });
    return best;
  }

  function fill(): void {
    while (!isClosed && running < requestsAtOnce) {
      const next = nextOf(current);
      if (next === null) return;
      void read(current, next);
    }
  }
  fill();

  return {
    getState: store.getState,
    getInitialState: store.getInitialState,
    subscribe: store.subscribe,
    choose(origin) {
      if (sources[origin] === current || sources[origin].claims.length === 0) return;
      current = sources[origin];
      store.setState(stateOf(current));
      fill();
    },
    gpsIndexAt(sceneMs, maxAgeMs = shortestGapMs) {
      const { telemetry } = store.getState();
      const gps = telemetry.status === 'ready' ? telemetry.value.gps : null;
      if (!gps) return null;
      for (let at = firstAfter(gps.timesMs, sceneMs) - 1; at >= 0; at--) {
        if (sceneMs - gps.timesMs[at]! > maxAgeMs) return null;
        if (!Number.isNaN(gps.latDeg[at]!)) return at;
      }
      return null;
    },
    close() {
      isClosed = true;
    },
  };
}

function createSource(scene: ReviewScene, origin: TelemetryOrigin): Source {
  const claims = planTelemetry(scene, origin);
  const nothing: SceneTelemetry = {
    psn: scene.channels[0]?.psn ?? null,
    gps: null,
    gSensor: null,
    noFix: [],
    origin,
  };
  return {
    origin,
    claims,
    chunks: new Array<TelemetryChunk | null | undefined>(claims.length).fill(undefined),
    asked: new Set(),
    read: 0,
    samples: 0,
    shownSamples: 0,
    failures: [],
    telemetry: claims.length === 0 ? { status: 'ready', value: nothing } : loading,
  };
}
