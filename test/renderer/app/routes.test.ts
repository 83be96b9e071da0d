import { describe, expect, it } from 'vitest';
import { parseRoute, toHash, type Route } from '../../../renderer/app/routes.ts';
import type { CaseId } from '../../../shared/ids.ts';

describe('places in the window', () => {
  it('are read back from the address as they were written', () => {
    const routes: Route[] = [
      { screen: 'library' },
      { screen: 'cameras', psn: null, atMs: null },
      { screen: 'cameras', psn: 'FD1E26/00 1', atMs: null },
      { screen: 'cameras', psn: 'FD1E26000001', atMs: 1_773_505_929_733 },
      { screen: 'cases', caseId: null, tab: 'exhibits' },
      { screen: 'cases', caseId: 'case_12ab' as CaseId, tab: 'custody' },
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
    expect(parseRoute('#/cases/case_1/nonsense')).toMatchObject({ tab: 'exhibits' });
  });
});
