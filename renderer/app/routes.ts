import { createStore } from 'zustand/vanilla';
import type { CaseId } from '../../shared/ids.ts';
import { accountTabs, type AccountTab } from '../features/account/index.ts';
import { caseTabs, type CaseTab } from '../features/cases/index.ts';
import { parseReview, reviewHash, type ReviewAddress } from './reviewRoutes.ts';

/** Where the window is. Kept in the address's hash, so that a reload comes back to the same place. */
export type Route =
  | { readonly screen: 'library' }
  /** `atMs`: a moment whose recordings are to be found on the card, UTC ms. */
  | { readonly screen: 'cameras'; readonly psn: string | null; readonly atMs: number | null }
  /** Without a request: the start page, where a scene is chosen. */
  | ({ readonly screen: 'review' } & ReviewAddress)
  | { readonly screen: 'cases'; readonly caseId: CaseId | null; readonly tab: CaseTab }
  | { readonly screen: 'verify' }
  | { readonly screen: 'account'; readonly tab: AccountTab }
  | { readonly screen: 'settings' };
export type Screen = Route['screen'];

/** Reads `#/cases/<id>/<tab>`; what it does not know leads to the Library. */
export function parseRoute(hash: string): Route {
  const [screen, first, second, ...others] = hash.replace(/^#?\/?/, '').split('/');
  switch (screen) {
    case 'review':
      return { screen, ...parseReview([first ?? '', ...(second === undefined ? [] : [second]), ...others]) };
    case 'cases':
      return {
        screen,
        caseId: first && /^[\w.-]+$/.test(first) ? (first as CaseId) : null, // whether it exists, the core says
        tab: caseTabs.find((tab) => tab === second) ?? 'exhibits',
      };
    case 'cameras': {
      const psn = first ? decoded(first) : null;
      return { screen, psn, atMs: psn !== null && /^-?\d{1,15}$/.test(second ?? '') ? Number(second) : null };
    }
    case 'account':
      return { screen, tab: accountTabs.find((tab) => tab === first) ?? 'accounts' };
    case 'verify':
    case 'settings':
      return { screen };
    default:
      return { screen: 'library' };
  }
}

function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null; // not ours: `%` without its digits
  }
}

/** The hash that `parseRoute` reads back as this route. */
export function toHash(route: Route): string {
  if (route.screen === 'cameras') {
    if (route.psn === null) return '#/cameras';
    const card = `#/cameras/${encodeURIComponent(route.psn)}`;
    return route.atMs === null ? card : `${card}/${route.atMs}`;
  }
  if (route.screen === 'review') return reviewHash(route);
  if (route.screen === 'account') return `#/account/${route.tab}`;
  if (route.screen !== 'cases' || route.caseId === null) return `#/${route.screen}`;
  return `#/cases/${route.caseId}/${route.tab}`;
}

export interface RouteState {
  readonly route: Route;
}

/** Follows the address bar of `host`; `go` changes it, so that Back and Forward work. */
export function createRouteStore(host: Window) {
  const store = createStore<RouteState>(() => ({ route: parseRoute(host.location.hash) }));
  host.addEventListener('hashchange', () => store.setState({ route: parseRoute(host.location.hash) }));
  return {
    store,
    go(route: Route): void {
      const hash = toHash(route);
      if (host.location.hash !== hash) host.location.hash = hash;
    },
  };
}
export type RouteStore = ReturnType<typeof createRouteStore>;
