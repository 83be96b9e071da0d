import { AccountScreen, type AccountTab } from '../../features/account/index.ts';
import type { Stores } from '../stores.ts';
import { useDemo } from './useDemo.ts';

/** Accounts, exports and usage with what they need of the shell. */
export function AccountPlace({ stores, tab }: { stores: Stores; tab: AccountTab }) {
  const { accounts, exports, usage, dialogs, routes } = stores;
  const demo = useDemo(stores);
  return (
    <AccountScreen
      accounts={accounts}
      exports={exports}
      usage={usage}
      tab={tab}
      onTab={(next) => routes.go({ screen: 'account', tab: next })}
      demo={demo}
      onOpenReport={(sourceId) => dialogs.open({ kind: 'report', sourceId })}
    />
  );
}
