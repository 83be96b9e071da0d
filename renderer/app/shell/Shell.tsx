import { IconPlugConnectedX } from '@tabler/icons-react';
import { useCallback, useEffect, useRef } from 'react';
import { useStore } from 'zustand';
import type { CaseId } from '../../../shared/ids.ts';
import { activeAccount, DemoBadge } from '../../features/account/index.ts';
import { ImportButton, pickFiles, pickFolder, type PickedFiles } from '../../features/imports/index.ts';
import { formatCounted, notifyFailure, notifyInfo } from '../../ui/index.ts';
import { useConnection } from '../client/index.ts';
import { announceEnd, announceRecall } from '../jobLinks.ts';
import { toHash, type Route, type Screen } from '../routes.ts';
import type { Stores } from '../stores.ts';
import { Dialogs } from './Dialogs.tsx';
import { DropOverlay } from './DropOverlay.tsx';
import { dropTargetOf } from './dropTarget.ts';
import { ErrorBoundary } from './ErrorBoundary.tsx';
import { Rail, railItems } from './Rail.tsx';
import { ScreenOf } from './ScreenOf.tsx';
import classes from './shell.module.css';
import { Tray } from './Tray.tsx';
import { useFileDrop } from './useFileDrop.ts';
import { useShortcuts } from './useShortcuts.ts';

const firstRouteOf: Record<Screen, Route> = {
  library: { screen: 'library' },
  cameras: { screen: 'cameras', psn: null, atMs: null },
  review: { screen: 'review', request: null, atMs: null },
  cases: { screen: 'cases', caseId: null, tab: 'exhibits' },
  verify: { screen: 'verify' },
  account: { screen: 'account', tab: 'accounts' },
  settings: { screen: 'settings' },
};

/** Time for the first screen's own questions. */
const accountsAfterMs = 250;

/** Starts imports from wherever they are asked for. */
function useImporting({ imports }: Stores) {
  const take = useCallback(
    (picked: PickedFiles, caseId: CaseId | null) => {
      if (picked.leftOut > 0) {
        notifyInfo(
          `${formatCounted(picked.leftOut, 'file')} of the folder left out`,
          'Only zip, csv, gpx and kml files are imported from folders.',
        );
      } else if (picked.files.length === 0) {
        notifyInfo('Nothing to import', 'There was no file in what you chose.');
      }
      void imports.importFiles(picked.files, caseId);
    },
    [imports],
  );
  const pick = useCallback(() => void pickFiles().then((files) => imports.importFiles(files)), [imports]);
  return { take, pick };
}

/** Rail, top bar, the screen of the route, and what works on every screen: shortcuts, drops, job tray. */
export function Shell({ stores }: { stores: Stores }) {
  const { routes, dialogs } = stores;
  const { route } = useStore(routes.store);
  const caseName = useStore(stores.cases.store, ({ open }) =>
    open?.file.status === 'ready' ? open.file.value.name : null,
  );
  const connection = useConnection();
  const main = useRef<HTMLElement>(null);
  const importing = useImporting(stores);
  const label = railItems.find((item) => item.screen === route.screen)?.label ?? '';

  useEffect(() => {
    document.title = `${label} – Evidence Desk`;
  }, [label]);
  // The demo badge needs the accounts, nothing on screen waits for them: the core loads its way to the cloud first.
  useEffect(() => {
    const timer = setTimeout(() => {
      void stores.accounts.refresh().then(() => {
        // Recalls go on over restarts: the tray shows them without anyone going to the cameras.
        if (activeAccount(stores.accounts.store.getState()) !== null) void stores.recalls.refresh();
      });
    }, accountsAfterMs);
    return () => clearTimeout(timer);
  }, [stores]);
  useEffect(() => stores.jobs.onEnded((job) => announceEnd(stores, job)), [stores]);
  useEffect(() => stores.recalls.onEnded((recall) => announceRecall(stores, recall)), [stores]);

  const openScene = useStore(stores.review.store, (held) => held.request);
  /** Review is come back to as it was left; from there, the start page. */
  const routeOf = useCallback(
    (screen: Screen): Route =>
      screen === 'review' && route.screen !== 'review'
        ? { screen, request: openScene, atMs: null }
        : firstRouteOf[screen],
    [route.screen, openScene],
  );
  const go = useCallback(
    (screen: Screen) => {
      routes.go(routeOf(screen));
      main.current?.focus();
    },
    [routes, routeOf],
  );
  useShortcuts(go, importing.pick);
  const target = dropTargetOf(route, caseName);
  const isOver = useFileDrop(
    (picked) => {
      const [first] = picked.files;
      if (target.kind === 'import') importing.take(picked, target.caseId);
      else if (first) void stores.verify.verifyFile(first);
    },
    (thrown) => notifyFailure('The dropped files could not be read', thrown),
  );

  return (
    <div className={classes.frame}>
      <Rail screen={route.screen} hrefOf={(screen) => toHash(routeOf(screen))} />
      <header className={classes.bar}>
        <h1>{label}</h1>
        <div className={classes.barEnd}>
          <DemoBadge store={stores.accounts} href={toHash(firstRouteOf.account)} />
          <Tray stores={stores} />
          <ImportButton
            onFiles={importing.pick}
            onFolder={() => void pickFolder().then((picked) => importing.take(picked, null))}
            onIntoCase={() =>
              dialogs.open({ kind: 'import', caseId: route.screen === 'cases' ? route.caseId : null })
            }
          />
        </div>
      </header>
      <main className={classes.screen} ref={main} tabIndex={-1} aria-label={label}>
        {connection === 'lost' && (
          <div className={classes.banner} role="alert">
            <IconPlugConnectedX size={18} aria-hidden />
            <span>
              <strong>Connection to Evidence Desk lost.</strong> This window tries again by itself. If
              Evidence Desk was closed, start it again and use the window that it opens.
            </span>
          </div>
        )}
        <div className={classes.screenBody}>
          <ErrorBoundary place={toHash(route)}>
            <ScreenOf stores={stores} route={route} onImport={importing.pick} />
          </ErrorBoundary>
        </div>
      </main>
      <Dialogs stores={stores} />
      {isOver && <DropOverlay title={target.title} text={target.text} />}
    </div>
  );
}
