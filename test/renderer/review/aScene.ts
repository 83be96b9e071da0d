import type { Handlers } from '../../../shared/contract/index.ts';
import type { ReviewMoment } from '../../../shared/contract/review.ts';
import type { ClipId } from '../../../shared/ids.ts';
import { scene, startMs } from './aReview.ts';

/** What a core answers to a window that opens the sample scene, where the test says nothing else. */
export function sceneHandlers(patch: Partial<Handlers> = {}): Partial<Handlers> {
  return {
    'review.scene': () => scene(),
    'review.moments': () => [],
    'cameras.list': () => [],
    'cases.list': () => [],
    'marks.list': () => [],
    'derived.list': () => [],
    'clips.telemetry': () => ({ gps: null, gSensor: null }),
    'clips.frames': () => null,
    'tracks.lines': () => ({
      level: 20,
      tripIds: [],
      offsets: new Uint32Array(1),
      latDeg: new Float64Array(0),
      lngDeg: new Float64Array(0),
      timesMs: new Float64Array(0),
      speedKmh: new Float32Array(0),
      headingDeg: new Float32Array(0),
      isGap: new Uint8Array(0),
    }),
    'basemap.get': () => null,
    ...patch,
  };
}

export const moment = (patch: Partial<ReviewMoment> = {}): ReviewMoment => ({
  startMs,
  endMs: startMs + 60_000,
  clipId: 'clip_front' as ClipId,
  psn: 'P07',
  cameraName: 'Van 07',
  fileName: '20260314_173200_EF.mp4',
  directions: ['front', 'option'],
  ...patch,
});
