import { useStore } from 'zustand';
import { SettingsScreen } from '../../features/settings/index.ts';
import { VerifyScreen } from '../../features/verify/index.ts';
import type { Route } from '../routes.ts';
import type { Stores } from '../stores.ts';
import { AccountPlace } from './AccountPlace.tsx';
import { CamerasPlace } from './CamerasPlace.tsx';
import { CasesPlace } from './CasesPlace.tsx';
import { LibraryPlace } from './LibraryPlace.tsx';
import { ReviewPlace } from './ReviewPlace.tsx';

/** The screen that a route stands for. */
export function ScreenOf({
  stores,
  route,
  onImport,
}: {
  stores: Stores;
  route: Route;
  onImport: () => void;
}) {
  const { info } = useStore(stores.settings.store);
  switch (route.screen) {
    case 'library':
      return <LibraryPlace stores={stores} onImport={onImport} />;
    case 'cameras':
      return <CamerasPlace stores={stores} route={route} />;
    case 'review':
      return <ReviewPlace stores={stores} route={route} onImport={onImport} />;
    case 'cases':
      return <CasesPlace stores={stores} route={route} />;
    case 'verify':
      return (
        <VerifyScreen
          store={stores.verify}
          jobs={stores.jobs}
          ownFingerprint={info?.sealFingerprint ?? null}
        />
      );
    case 'account':
      return <AccountPlace stores={stores} tab={route.tab} />;
    case 'settings':
      return <SettingsScreen store={stores.settings} />;
  }
}
