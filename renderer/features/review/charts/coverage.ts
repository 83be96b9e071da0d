import type { ReviewChannel, ReviewScene, ReviewSegment } from '../../../../shared/contract/review.ts';
import { gapThresholdMs } from '../../../../shared/gaps.ts';
import type { SceneSpan, SceneTelemetry } from '../model.ts';
import { sensorGapMs } from './gShown.ts';
import type { OwnTrack } from './ownTrack.ts';

/** `missing` is what no other state covers, and is drawn as the lane's ground. */
export type CoverageState = 'present' | 'damaged' | 'on-card' | 'no-fix';
export interface CoverageSpan extends SceneSpan {
  readonly state: CoverageState;
  /** What it is, for the pointer: file, type of recording, damage. */
  readonly text: string;
  /** A letter to stand in it: the type of a recording that is no ordinary drive. */
  readonly letter: string | null;
}
export interface CoverageLane {
  readonly key: string;
  readonly label: string;
  /** In order of time. */
  readonly spans: readonly CoverageSpan[];
}

/** Letters of file names as public tools read them (formats.md section 1): hints. */
const typeWords: Readonly<Record<string, string>> = {
  N: 'driving',
  E: 'impact while driving',
  P: 'parking',
  I: 'impact while parked',
  M: 'started by hand',
  O: 'overspeed',
  A: 'harsh acceleration',
  T: 'sharp turn',
  B: 'harsh braking',
  R: 'geofence entered',
  X: 'geofence left',
  G: 'geofence passed',
};
/** Recordings that an event made, by letter. */
const eventLetters = new Set(['E', 'I', 'M', 'O', 'A', 'T', 'B', 'R', 'X', 'G', 'D', 'L', 'Y', 'F']);

export const typeWord = (typeCode: string | null): string | null =>
  typeCode === null ? null : (typeWords[typeCode] ?? `type ${typeCode}`);

/** An event's recording begins here. */
export interface EventStart {
  readonly ms: number;
  readonly word: string;
  readonly letter: string;
}

/** Recordings of the scene's own camera that an event made, each once, though both lenses have it. Pure. */
export function eventStarts(scene: ReviewScene): EventStart[] {
  const events = new Map<string, EventStart>();
  for (const channel of ownChannels(scene)) {
    for (const { typeCode, startMs, joinsPrevious } of channel.segments) {
      if (typeCode === null || !eventLetters.has(typeCode) || joinsPrevious) continue;
      const key = `${typeCode}${Math.round(startMs / 5000)}`;
      if (!events.has(key))
        events.set(key, { ms: startMs, word: typeWord(typeCode) ?? '', letter: typeCode });
    }
  }
  return [...events.values()].sort((a, b) => a.ms - b.ms);
}

const ownChannels = (scene: ReviewScene): readonly ReviewChannel[] =>
  scene.channels.filter((channel) => channel.psn === scene.channels[0]?.psn);

/**
 * What there is of each stream over the scene's time: one lane for each lens of each camera, then GPS and G of the
 * scene's own camera. What is null is not read yet or not there: its lanes are left out. Pure.
 */
export function coverageLanes(
  scene: ReviewScene,
  telemetry: SceneTelemetry | null,
  ownTrack: OwnTrack | null,
): CoverageLane[] {
  const cameras = new Set(scene.channels.map((channel) => channel.psn));
  const lanes = scene.channels.map((channel): CoverageLane => {
    const name = lensName(channel.direction, channel.directionCode);
    const camera = channel.cameraName ?? channel.psn ?? 'unknown';
    const onCard = scene.onCard.filter(
      (one) =>
        one.psn === channel.psn &&
        (one.direction === null || one.direction === 'unknown'
          ? one.directionCode === channel.directionCode
          : one.direction === channel.direction),
    );
    return {
      key: channel.channelId,
      label: cameras.size > 1 ? `${name} ${camera}` : name,
      spans: [...channel.segments.map(toSpan), ...onCard.map(toOnCard)].sort((a, b) => a.fromMs - b.fromMs),
    };
  });
  lanes.push(...lanesOnCardOnly(scene));
  if (ownTrack) {
    const { timesMs, latDeg, from } = ownTrack;
    const spans = stretchesOf(timesMs, latDeg, gapThresholdMs(timesMs), 1000);
    lanes.push({
      key: 'track',
      label: 'Track',
      spans: spans.map((span) => plain(span, 'present', `imported track, ${from}`)),
    });
  }
  if (!telemetry) return lanes;
  const { gps, gSensor, noFix } = telemetry;
  return [
    ...lanes,
    {
      key: 'gps',
      label: 'GPS',
      spans: [
        ...(gps ? stretchesOf(gps.timesMs, gps.latDeg, gapThresholdMs(gps.timesMs), 1000) : []).map((span) =>
          plain(span, 'present', 'positions'),
        ),
        ...noFix.map((span) => plain(span, 'no-fix', 'GPS without a fix')),
      ].sort((a, b) => a.fromMs - b.fromMs),
    },
    {
      key: 'g',
      label: 'G-sensor',
      spans: (gSensor
        ? stretchesOf(gSensor.timesMs, gSensor.axesG[0], sensorGapMs(gSensor.timesMs), 0)
        : []
      ).map((span) => plain(span, 'present', 'G samples')),
    },
  ];
}

const lensName = (direction: string | null, directionCode: string | null): string => {
  if (direction !== null && direction !== 'unknown') return direction[0]!.toUpperCase() + direction.slice(1);
  return directionCode === null ? 'Lens' : `Lens ${directionCode}`;
};
const plain = (span: SceneSpan, state: CoverageState, text: string): CoverageSpan => ({
  ...span,
  state,
  text,
  letter: null,
});

function toSpan(segment: ReviewSegment): CoverageSpan {
  const { startMs, endMs, picturesEndMs, typeCode, damage, video, fileName } = segment;
  const isDamaged = damage.length > 0 || video === null;
  const why = damage[0]?.message ?? 'no pictures in it';
  return {
    fromMs: startMs,
    toMs: picturesEndMs ?? endMs,
    state: isDamaged ? 'damaged' : 'present',
    text: [fileName, typeWord(typeCode), isDamaged ? `damaged: ${why}` : null]
      .filter((part) => part)
      .join(' · '),
    letter: typeCode !== null && typeCode !== 'N' ? typeCode : null,
  };
}

function toOnCard(one: ReviewScene['onCard'][number]): CoverageSpan {
  return {
    fromMs: one.startMs,
    toMs: one.endMs,
    state: 'on-card',
    text: `${one.filename} · on the card, not recalled`,
    letter: one.typeCode !== null && one.typeCode !== 'N' ? one.typeCode : null,
  };
}

/** Lenses of which nothing is here but the card has recordings. */
function lanesOnCardOnly(scene: ReviewScene): CoverageLane[] {
  const byLens = new Map<string, CoverageLane & { spans: CoverageSpan[] }>();
  for (const one of scene.onCard) {
    const isKnown = scene.channels.some(
      (channel) =>
        channel.psn === one.psn &&
        (one.direction === null || one.direction === 'unknown'
          ? one.directionCode === channel.directionCode
          : one.direction === channel.direction),
    );
    if (isKnown) continue;
    const key = `card|${one.psn}|${one.direction}|${one.directionCode}`;
    const lane = byLens.get(key) ?? { key, label: lensName(one.direction, one.directionCode), spans: [] };
    lane.spans.push(toOnCard(one));
    byLens.set(key, lane);
  }
  return [...byLens.values()];
}

/** Stretches with values and no gap between them; each ends `tailMs` after its last sample. Pure. */
export function stretchesOf(
  timesMs: Float64Array,
  values: Float64Array,
  gapMs: number,
  tailMs: number,
): SceneSpan[] {
  const spans: SceneSpan[] = [];
  let first = -1;
  let last = -1;
  for (let i = 0; i <= timesMs.length; i++) {
    const isEnd = i === timesMs.length;
    const isAbsent = !isEnd && Number.isNaN(values[i]!);
    if (first >= 0 && (isEnd || isAbsent || timesMs[i]! - timesMs[last]! > gapMs)) {
      const next = timesMs[i] ?? Infinity;
      spans.push({
        fromMs: timesMs[first]!,
        toMs: Math.min(timesMs[last]! + tailMs, Math.max(next, timesMs[last]!)),
      });
      first = -1;
    }
    if (isEnd || isAbsent) continue;
    if (first < 0) first = i;
    last = i;
  }
  return spans;
}

/** The span of a lane at a time; null where nothing is. Pure. */
export function spanAt(lane: CoverageLane, ms: number): CoverageSpan | null {
  const there = lane.spans.filter((span) => ms >= span.fromMs && ms < span.toMs);
  // What is here counts, though the card may hold the same time in another recording.
  return there.find(({ state }) => state !== 'on-card') ?? there[0] ?? null;
}
