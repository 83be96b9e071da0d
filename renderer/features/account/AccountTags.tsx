import { IconFlask } from '@tabler/icons-react';
import { Tooltip } from '@mantine/core';
import { useStore } from 'zustand';
import type { CloudAccount } from '../../../shared/contract/cloud.ts';
import { Status } from '../../ui/index.ts';
import classes from './account.module.css';
import { activeAccount, type AccountStore } from './accountStore.ts';

/** What kind of account it is, in words. */
export function AccountTags({ account }: { account: CloudAccount }) {
  return (
    <>
      {account.isActive && <Status tone="ok">Active</Status>}
      {account.isDemo && (
        <span className={classes.tag} data-kind="demo">
          Demo
        </span>
      )}
      {account.isFromEnvironment && <span className={classes.tag}>From the environment</span>}
    </>
  );
}

/** In the top bar while the demo account is active: nothing on screen must be taken for a real fleet. */
export function DemoBadge({ store, href }: { store: AccountStore; href: string }) {
  const account = useStore(store.store, activeAccount);
  if (!account?.isDemo) return null;
  return (
    <Tooltip label="The active account is the simulated fleet on this computer; nothing of it is real">
      <a className={classes.badge} href={href} aria-label="Demo: the active account is the simulated fleet">
        <IconFlask size={14} aria-hidden />
        Demo
      </a>
    </Tooltip>
  );
}
