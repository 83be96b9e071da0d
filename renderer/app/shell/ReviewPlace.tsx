import { useMemo } from 'react';
import { useStore } from 'zustand';
import { ReviewScreen, type ReviewLinks } from '../../features/review/index.ts';
import { toHash, type Route } from '../routes.ts';
import type { Stores } from '../stores.ts';

/** Review with what it needs of the shell. */
export function ReviewPlace({
  stores,
  route,
  onImport,
}: {
  stores: Stores;
  route: Extract<Route, { screen: 'review' }>;
  onImport: () => void;
}) {
  const { routes, review, reviewStart, caseChoice } = stores;
  const { settings, needsReload } = useStore(stores.settings.store);
  const { onlineTileUrl, onlineTileAttribution } = settings;
  const links = useMemo(
    (): ReviewLinks => ({
      hrefOf: (request, atMs) => toHash({ screen: 'review', request, atMs }),
      go: (request, atMs) => routes.go({ screen: 'review', request, atMs }),
      openCard: (psn, atMs) => routes.go({ screen: 'cameras', psn, atMs }),
      openCameras: () => routes.go({ screen: 'cameras', psn: null, atMs: null }),
      openCase: (caseId) => routes.go({ screen: 'cases', caseId, tab: 'exhibits' }),
      importFiles: onImport,
      // Tiles that the page's security policy would refuse are not asked for: see SettingsState.needsReload.
      settings: { onlineTileUrl: needsReload ? null : onlineTileUrl, onlineTileAttribution },
    }),
    [routes, onImport, needsReload, onlineTileUrl, onlineTileAttribution],
  );
  // The route is read anew with every change of the address: the same scene stays the same object.
  const key = toHash(route);
  // eslint-disable-next-line react-hooks/exhaustive-deps -- see the line above
  const { request, atMs } = useMemo(() => route, [key]);
  return (
    <ReviewScreen
      holder={review}
      start={reviewStart}
      cases={caseChoice}
      request={request}
      atMs={atMs}
      links={links}
    />
  );
}
