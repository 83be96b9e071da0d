import { CamerasScreen, type CameraLinks } from '../../features/cameras/index.ts';
import { toHash, type Route } from '../routes.ts';
import type { Stores } from '../stores.ts';
import { useDemo } from './useDemo.ts';

/** Cameras and their cards with what they need of the shell. */
export function CamerasPlace({
  stores,
  route,
}: {
  stores: Stores;
  route: Extract<Route, { screen: 'cameras' }>;
}) {
  const { accounts, cameras, cards, recalls, caseChoice, routes, host } = stores;
  const demo = useDemo(stores, 'cameras');
  const links: CameraLinks = {
    hrefOf: (psn) => toHash({ screen: 'cameras', psn, atMs: null }),
    openAccounts: () => routes.go({ screen: 'account', tab: 'accounts' }),
    mediaUrl: host.mediaUrl,
    demo,
    cases: {
      store: caseChoice,
      open: (caseId) => routes.go({ screen: 'cases', caseId, tab: 'exhibits' }),
    },
    review: (clipId) => routes.go({ screen: 'review', request: { kind: 'clip', clipId }, atMs: null }),
  };
  return (
    <CamerasScreen
      accounts={accounts}
      cameras={cameras}
      cards={cards}
      recalls={recalls}
      psn={route.psn}
      atMs={route.atMs}
      links={links}
    />
  );
}
