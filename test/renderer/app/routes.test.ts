import { describe, expect, it } from 'vitest';
import { parseRoute, toHash, type Route } from '../../../renderer/app/routes.ts';
import type { CaseId } from '../../../shared/ids.ts';

describe('places in the window', () => {
  it('are read back from the address as they were written', () => {
    const routes: Route[] = [
      { screen: 'library' },
      { screen: 'cases', caseId: null, tab: 'exhibits' },
      { screen: 'cases', caseId: 'case_12ab' as CaseId, tab: 'custody' },
      { screen: 'verify' },
      { screen: 'settings' },
    ];
    for (const route of routes) expect(parseRoute(toHash(route))).toEqual(route);
  });

  it('lead to the Library when the address is unknown or broken', () => {
    expect(parseRoute('')).toEqual({ screen: 'library' });
    expect(parseRoute('#/nonsense/1')).toEqual({ screen: 'library' });
    expect(parseRoute('#/cases/%E0%A4%A/notes')).toEqual({ screen: 'cases', caseId: null, tab: 'notes' });
    expect(parseRoute('#/cases/case_1/nonsense')).toMatchObject({ tab: 'exhibits' });
  });
});
