import { IconPlugConnectedX } from '@tabler/icons-react';
import { useCallback, useEffect, useRef } from 'react';
import { useStore } from 'zustand';
import type { CaseId } from '../../../shared/ids.ts';
import { ImportButton, pickFiles, pickFolder, type PickedFiles } from '../../features/imports/index.ts';
import { formatCounted, notifyFailure, notifyInfo } from '../../ui/index.ts';
import { useConnection } from '../client/index.ts';
import { toHash, type Route, type Screen } from '../routes.ts';
import type { Stores } from '../stores.ts';
import { DropOverlay } from './DropOverlay.tsx';
import { ErrorBoundary } from './ErrorBoundary.tsx';
import { LibraryPlace } from './LibraryPlace.tsx';
import { Rail, railItems } from './Rail.tsx';
import classes from './shell.module.css';
import { useFileDrop } from './useFileDrop.ts';
import { useShortcuts } from './useShortcuts.ts';

const firstRouteOf: Record<Screen, Route> = {
  library: { screen: 'library' },
  cases: { screen: 'cases', caseId: null, tab: 'exhibits' },
  verify: { screen: 'verify' },
  settings: { screen: 'settings' },
};

/** Rail, top bar, the screen of the route, and what works on every screen: shortcuts, drops, job tray. */
export function Shell({ stores }: { stores: Stores }) {
  const { routes, imports } = stores;
  const { route } = useStore(routes.store);
  const connection = useConnection();
  const main = useRef<HTMLElement>(null);
  const label = railItems.find((item) => item.screen === route.screen)?.label ?? '';

  useEffect(() => {
    document.title = `${label} – Evidence Desk`;
  }, [label]);

  const takePicked = useCallback(
    (picked: PickedFiles, caseId: CaseId | null) => {
      if (picked.leftOut > 0) {
        notifyInfo(
          `${formatCounted(picked.leftOut, 'file')} left out`,
          'Only zip, csv, gpx and kml files of a folder are imported.',
        );
      }
      void imports.importFiles(picked.files, caseId);
    },
    [imports],
  );
  const importNow = useCallback(
    (files?: readonly File[]) => {
      if (files) void imports.importFiles(files);
      else void pickFiles().then((picked) => imports.importFiles(picked));
    },
    [imports],
  );
  const go = useCallback(
    (screen: Screen) => {
      routes.go(firstRouteOf[screen]);
      main.current?.focus();
    },
    [routes],
  );
  useShortcuts(go, importNow);
  const isOver = useFileDrop(
    (picked) => takePicked(picked, null),
    (thrown) => notifyFailure('The dropped files could not be read', thrown),
  );

  return (
    <div className={classes.frame}>
      <Rail screen={route.screen} hrefOf={(screen) => toHash(firstRouteOf[screen])} />
      <header className={classes.bar}>
        <h1>{label}</h1>
        <div className={classes.barEnd}>
          <ImportButton
            onFiles={() => importNow()}
            onFolder={() => void pickFolder().then((picked) => takePicked(picked, null))}
            onIntoCase={() => importNow()}
          />
        </div>
      </header>
      <main className={classes.screen} ref={main} tabIndex={-1} aria-label={label}>
        {connection === 'lost' && (
          <div className={classes.banner} role="alert">
            <IconPlugConnectedX size={18} aria-hidden />
            <span>
              <strong>Connection to Evidence Desk lost.</strong> What is on screen may be out of date. Check
              that Evidence Desk is still running; this window reconnects by itself.
            </span>
          </div>
        )}
        <div className={classes.screenBody}>
          <ErrorBoundary place={toHash(route)}>
            {route.screen === 'library' && <LibraryPlace stores={stores} onImport={importNow} />}
          </ErrorBoundary>
        </div>
      </main>
      {isOver && (
        <DropOverlay title="Drop to import" text="Export zips, CSV, GPX and KML files, or folders of them." />
      )}
    </div>
  );
}
