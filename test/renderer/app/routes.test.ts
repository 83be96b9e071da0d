import { describe, expect, it } from 'vitest';
import { parseRoute, toHash, type Route } from '../../../renderer/app/routes.ts';
import { requestOfClips } from '../../../renderer/app/reviewRoutes.ts';
import type { CaseId, ClipId, TripId } from '../../../shared/ids.ts';

describe('places in the window', () => {
  it('are read back from the address as they were written', () => {
    const routes: Route[] = [
      { screen: 'library' },
      { screen: 'cameras', psn: null, atMs: null },
      { screen: 'cameras', psn: 'FD1E26/00 1', atMs: null },
      { screen: 'cameras', psn: 'FD1E26000001', atMs: 1_773_505_929_733 },
      { screen: 'cases', caseId: null, tab: 'exhibits' },
      { screen: 'cases', caseId: 'case_12ab' as CaseId, tab: 'custody' },
      { screen: 'review', request: null, atMs: null },
      { screen: 'review', request: { kind: 'clip', clipId: 'clip_12ab' as ClipId }, atMs: null },
      { screen: 'review', request: { kind: 'clip', clipId: 'clip_12ab' as ClipId }, atMs: 1_773_505_929_733 },
      {
        screen: 'review',
        request: { kind: 'clips', clipIds: ['clip_1', 'clip_2'] as ClipId[] },
        atMs: -1.5,
      },
      { screen: 'review', request: { kind: 'trip', tripId: 'trip_9' as TripId }, atMs: null },
      { screen: 'review', request: { kind: 'trip', tripId: 'trip_9' as TripId, atMs: 12 }, atMs: null },
      { screen: 'review', request: { kind: 'case', caseId: 'case_1' as CaseId }, atMs: null },
      { screen: 'review', request: { kind: 'moment', psn: 'FD/ 1~', atMs: 5 }, atMs: null },
      { screen: 'review', request: { kind: 'moment', psn: '~', atMs: 5 }, atMs: null },
      { screen: 'review', request: { kind: 'moment', psn: null, atMs: 5 }, atMs: null },
      {
        screen: 'review',
        request: {
          kind: 'place',
          circle: { latDeg: -52.1, lngDeg: 0.00000001, radiusM: 50 },
          fromMs: 1,
          toMs: 2,
        },
        atMs: 2,
      },
      { screen: 'verify' },
      { screen: 'account', tab: 'accounts' },
      { screen: 'account', tab: 'usage' },
      { screen: 'settings' },
    ];
    for (const route of routes) expect(parseRoute(toHash(route))).toEqual(route);
  });

  it('lead to the Library when the address is unknown or broken', () => {
    expect(parseRoute('')).toEqual({ screen: 'library' });
    expect(parseRoute('#/nonsense/1')).toEqual({ screen: 'library' });
    expect(parseRoute('#/cases/%E0%A4%A/notes')).toEqual({ screen: 'cases', caseId: null, tab: 'notes' });
    expect(parseRoute('#/cameras/%E0%A4%A/17')).toEqual({ screen: 'cameras', psn: null, atMs: null });
    expect(parseRoute('#/cameras/FD1/soon')).toEqual({ screen: 'cameras', psn: 'FD1', atMs: null });
    expect(parseRoute('#/account/nonsense')).toEqual({ screen: 'account', tab: 'accounts' });
    const start = { screen: 'review', request: null, atMs: null };
    expect(parseRoute('#/review/nonsense/1')).toEqual(start);
    expect(parseRoute('#/review/clip/%20')).toEqual(start);
    expect(parseRoute('#/review/moment/%E0%A4%A/5')).toEqual(start);
    expect(parseRoute('#/review/moment/FD1/soon')).toEqual(start);
    expect(parseRoute('#/review/place/52,4/1/2')).toEqual(start);
    expect(parseRoute('#/review/place/95,4,10/1/2')).toEqual(start);
    expect(parseRoute('#/cases/case_1/nonsense')).toMatchObject({ tab: 'exhibits' });
  });

  it('lead from one clip to its neighbours too, from several to exactly these', () => {
    const ids = ['clip_1', 'clip_2'] as ClipId[];
    expect(requestOfClips([])).toBeNull();
    expect(requestOfClips(ids.slice(0, 1))).toEqual({ kind: 'clip', clipId: 'clip_1' });
    expect(requestOfClips(ids)).toEqual({ kind: 'clips', clipIds: ids });
  });
});
