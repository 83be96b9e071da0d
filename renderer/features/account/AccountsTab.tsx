import { Button } from '@mantine/core';
import { IconCloud, IconFlask, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useStore } from 'zustand';
import { EmptyState, Failure, Loading, Notice, Section } from '../../ui/index.ts';
import classes from './account.module.css';
import { AccountRow } from './AccountRow.tsx';
import type { AccountStore } from './accountStore.ts';
import { AddAccountDialog } from './AddAccountDialog.tsx';

/** Accounts of the Fleet Dashcam Cloud: which there are, which is active, what each key may do. */
export function AccountsTab({ store, demo }: { store: AccountStore; demo: DemoAct }) {
  const { list } = useStore(store.store);
  const [isAdding, setAdding] = useState(false);
  const add = (
    <Button leftSection={<IconPlus size={15} />} onClick={() => setAdding(true)}>
      Add account…
    </Button>
  );
  const dialog = <AddAccountDialog isOpen={isAdding} store={store} onClose={() => setAdding(false)} />;
  if (list.status === 'loading') return <Loading label="Reading the accounts" />;
  if (list.status === 'failed') return <Failure error={list.error} onRetry={() => void store.refresh()} />;
  const accounts = list.value;
  const isOverridden = accounts.some((account) => account.isFromEnvironment);
  const tryDemo = !accounts.some((account) => account.isDemo && account.isActive) && !isOverridden && (
    <DemoButton demo={demo} />
  );
  if (accounts.length === 0) {
    return (
      <>
        <EmptyState
          icon={IconCloud}
          title="No account yet"
          actions={
            <>
              {add}
              {tryDemo}
            </>
          }
        >
          With an account of the Fleet Dashcam Cloud you order GPS exports from here and see what is left of
          the month. Without one everything else works: imports, cases, packages. The demo fleet is a
          simulation on this computer: no account, no network.
        </EmptyState>
        {dialog}
      </>
    );
  }
  return (
    <div className={classes.page}>
      {isOverridden && (
        <Notice>
          FLEET_DASHCAM_BASE_URL and FLEET_DASHCAM_API_KEY are set: their account is used, whichever is chosen
          here. Start Evidence Desk without them to use the others.
        </Notice>
      )}
      <Section
        title="Accounts"
        note="One is active: exports and usage are its own. Keys stay in this computer’s secret store and are never shown."
        actions={
          <div className={classes.rowActions}>
            {tryDemo}
            {add}
          </div>
        }
        isFlush
      >
        <div className={classes.rows} role="list" aria-label="Accounts">
          {accounts.map((account) => (
            <AccountRow key={account.accountId} account={account} isOverridden={isOverridden} store={store} />
          ))}
        </div>
      </Section>
      {dialog}
    </div>
  );
}

/** Starts the demo fleet; `isStarting` while it does. */
export interface DemoAct {
  readonly isStarting: boolean;
  start(): void;
}

/** Offers the simulated fleet. */
export function DemoButton({ demo }: { demo: DemoAct }) {
  return (
    <Button
      variant="default"
      leftSection={<IconFlask size={15} />}
      loading={demo.isStarting}
      onClick={demo.start}
    >
      Try the demo fleet
    </Button>
  );
}
