import type { SceneRequest } from '../../../shared/contract/review.ts';

/** Whether two requests open the same scene. Pure. */
export function sameRequest(a: SceneRequest, b: SceneRequest): boolean {
  return keyOfRequest(a) === keyOfRequest(b);
}

/** A text that is the same for the same request, whatever the order of its fields. Pure. */
export function keyOfRequest(request: SceneRequest): string {
  switch (request.kind) {
    case 'clip':
      return `clip ${request.clipId}`;
    case 'trip':
      return `trip ${request.tripId} ${request.atMs ?? ''}`;
    case 'case':
      return `case ${request.caseId}`;
    case 'moment':
      return `moment ${JSON.stringify(request.psn)} ${request.atMs}`;
    case 'place': {
      const { latDeg, lngDeg, radiusM } = request.circle;
      return `place ${latDeg} ${lngDeg} ${radiusM} ${request.fromMs} ${request.toMs}`;
    }
    case 'clips':
      return `clips ${request.clipIds.join(' ')}`;
  }
}
