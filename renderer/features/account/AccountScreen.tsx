import { Button, Tabs } from '@mantine/core';
import { IconCloud } from '@tabler/icons-react';
import { useEffect, type ReactNode } from 'react';
import { useStore } from 'zustand';
import type { SourceId } from '../../../shared/ids.ts';
import { EmptyState, Failure, Loading, ZoneSwitch } from '../../ui/index.ts';
import classes from './account.module.css';
import { AccountsTab, DemoButton, type DemoAct } from './AccountsTab.tsx';
import { activeAccount, type AccountStore } from './accountStore.ts';
import { accountTabs, type AccountTab } from './accountTabs.ts';
import { ExportsTab } from './ExportsTab.tsx';
import type { ExportStore } from './exportStore.ts';
import { UsageTab } from './UsageTab.tsx';
import type { UsageStore } from './usageStore.ts';

const tabNames: Record<AccountTab, string> = {
  accounts: 'Accounts',
  exports: 'GPS exports',
  usage: 'Usage',
};

/** The Fleet Dashcam Cloud: accounts, GPS exports, usage. */
export function AccountScreen({
  accounts,
  exports,
  usage,
  tab,
  onTab,
  demo,
  onOpenReport,
}: {
  accounts: AccountStore;
  exports: ExportStore;
  usage: UsageStore;
  tab: AccountTab;
  onTab: (tab: AccountTab) => void;
  demo: DemoAct;
  onOpenReport: (sourceId: SourceId) => void;
}) {
  const state = useStore(accounts.store);
  const active = activeAccount(state);
  useEffect(() => void accounts.refresh(), [accounts]);
  const withAccount = (content: ReactNode) => {
    if (state.list.status === 'loading') return <Loading label="Reading the accounts" />;
    if (state.list.status === 'failed') {
      return <Failure error={state.list.error} onRetry={() => void accounts.refresh()} />;
    }
    if (active !== null) return content;
    return (
      <EmptyState
        icon={IconCloud}
        title="No account is active"
        actions={
          <>
            <Button onClick={() => onTab('accounts')}>Go to Accounts</Button>
            <DemoButton demo={demo} />
          </>
        }
      >
        GPS exports and usage belong to an account of the Fleet Dashcam Cloud. The demo fleet is a simulation
        on this computer: no account, no network.
      </EmptyState>
    );
  };
  return (
    <div className={classes.screen}>
      <Tabs
        value={tab}
        onChange={(value) => onTab(accountTabs.find((one) => one === value) ?? 'accounts')}
        className={classes.tabs}
        keepMounted={false}
      >
        <div className={classes.tabBar}>
          <Tabs.List>
            {accountTabs.map((one) => (
              <Tabs.Tab key={one} value={one}>
                {tabNames[one]}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          <div className={classes.tabEnd}>
            {active !== null && (
              <span className={classes.activeName} title={active.label}>
                Active: {active.label}
              </span>
            )}
            <ZoneSwitch />
          </div>
        </div>
        <Tabs.Panel value="accounts" className={classes.panel}>
          <AccountsTab store={accounts} demo={demo} />
        </Tabs.Panel>
        <Tabs.Panel value="exports" className={classes.panel}>
          {withAccount(
            <ExportsTab key={active?.accountId} store={exports} usage={usage} onOpenReport={onOpenReport} />,
          )}
        </Tabs.Panel>
        <Tabs.Panel value="usage" className={classes.panel}>
          {withAccount(<UsageTab key={active?.accountId} store={usage} exports={exports} />)}
        </Tabs.Panel>
      </Tabs>
    </div>
  );
}
