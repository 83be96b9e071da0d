import { Button } from '@mantine/core';
import { IconCloud } from '@tabler/icons-react';
import { useEffect, type ReactNode } from 'react';
import { useStore } from 'zustand';
import type { ClipId } from '../../../shared/ids.ts';
import { EmptyState, Failure, Loading } from '../../ui/index.ts';
import { activeAccount, type AccountStore, type DemoAct } from '../account/index.ts';
import type { CaseAccess } from './AddClipToCase.tsx';
import { CameraList } from './CameraList.tsx';
import type { CameraStore } from './cameraStore.ts';
import { CardScreen } from './CardScreen.tsx';
import type { CardOpener } from './cardStore.ts';
import type { RecallStore } from './recallStore.ts';

/** What the screen needs of the shell. */
export interface CameraLinks {
  readonly hrefOf: (psn: string | null) => string;
  readonly openAccounts: () => void;
  readonly mediaUrl: (mediaPath: string) => string;
  readonly demo: DemoAct;
  readonly cases: CaseAccess;
  /** Opens a clip that is here beside its other lens, charts and map. */
  readonly review: (clipId: ClipId) => void;
}

/** The account's cameras, and the card of the one that `psn` names; `atMs` is a moment to be found on it. */
export function CamerasScreen({
  accounts,
  cameras,
  cards,
  recalls,
  psn,
  atMs,
  links,
}: {
  accounts: AccountStore;
  cameras: CameraStore;
  cards: CardOpener;
  recalls: RecallStore;
  psn: string | null;
  atMs: number | null;
  links: CameraLinks;
}) {
  const state = useStore(accounts.store);
  const active = activeAccount(state);
  const accountId = active?.accountId ?? null;
  useEffect(() => void accounts.refresh(), [accounts]);
  useEffect(() => links.cases.store.attach(), [links.cases.store]);
  useEffect(() => {
    if (accountId === null) return;
    void cameras.open();
    void recalls.refresh();
    void recalls.readBudget(false);
  }, [accountId, cameras, recalls]);

  if (state.list.status === 'loading') return <Loading label="Reading the accounts" />;
  if (state.list.status === 'failed') {
    return <Failure error={state.list.error} onRetry={() => void accounts.refresh()} />;
  }
  if (accountId === null) return <NoAccount links={links} />;
  if (psn !== null) {
    return (
      <CardScreen
        key={`${accountId}/${psn}`}
        store={cards.of(psn)}
        cameras={cameras}
        recalls={recalls}
        atMs={atMs}
        links={links}
      />
    );
  }
  return <CameraList store={cameras} recalls={recalls} links={links} />;
}

function NoAccount({ links }: { links: CameraLinks }): ReactNode {
  return (
    <EmptyState
      icon={IconCloud}
      title="No account is active"
      actions={
        <>
          <Button onClick={links.openAccounts}>Add an account…</Button>
          <Button variant="default" loading={links.demo.isStarting} onClick={links.demo.start}>
            Try the demo fleet
          </Button>
        </>
      }
    >
      Cameras and their SD cards are reached through an account of the Fleet Dashcam Cloud. The demo fleet is
      a simulation on this computer: no account, no network, and nothing is charged to anyone.
    </EmptyState>
  );
}
