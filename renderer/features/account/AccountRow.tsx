import { ActionIcon, Button, Modal, Tooltip } from '@mantine/core';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import type { CloudAccount, ConnectionReport } from '../../../shared/contract/cloud.ts';
import { ConfirmDialog, Failure, notifyDone, notifyFailure, Time, NameForm } from '../../ui/index.ts';
import classes from './account.module.css';
import type { AccountStore } from './accountStore.ts';
import { AccountTags } from './AccountTags.tsx';
import { AsOf } from './AsOf.tsx';
import { ConnectionReportView } from './ConnectionReportView.tsx';

type Check =
  | { readonly status: 'none' }
  | { readonly status: 'checking' }
  | { readonly status: 'failed'; readonly error: unknown }
  | { readonly status: 'checked'; readonly report: ConnectionReport; readonly atMs: number };

/** One account with what can be done with it. */
export function AccountRow({
  account,
  isOverridden,
  store,
}: {
  account: CloudAccount;
  /** The environment's account is used whatever is chosen. */
  isOverridden: boolean;
  store: AccountStore;
}) {
  const [check, setCheck] = useState<Check>({ status: 'none' });
  const [dialog, setDialog] = useState<'none' | 'rename' | 'remove'>('none');
  const [isActivating, setActivating] = useState(false);
  const { accountId, label } = account;
  const run = async () => {
    setCheck({ status: 'checking' });
    try {
      const report = await store.check(accountId);
      setCheck({ status: 'checked', report, atMs: Date.now() });
    } catch (error) {
      setCheck({ status: 'failed', error });
    }
  };
  const activate = async () => {
    setActivating(true);
    try {
      await (account.isDemo ? store.startDemo() : store.activate(accountId));
    } catch (error) {
      notifyFailure(`“${label}” is not active`, error);
    } finally {
      setActivating(false);
    }
  };
  const removal = account.isDemo ? 'Leave demo' : 'Remove account';
  return (
    <article className={classes.row} role="listitem" data-active={account.isActive} aria-label={label}>
      <div className={classes.rowHead}>
        <div className={classes.rowTitle}>
          <strong>{label}</strong>
          <AccountTags account={account} />
        </div>
        <div className={classes.rowActions}>
          {!account.isActive && !isOverridden && (
            <Button variant="default" loading={isActivating} onClick={() => void activate()}>
              Use this account
            </Button>
          )}
          <Button variant="default" loading={check.status === 'checking'} onClick={() => void run()}>
            Test connection
          </Button>
          {!account.isFromEnvironment && (
            <>
              <Tooltip label="Rename">
                <ActionIcon aria-label={`Rename ${label}`} onClick={() => setDialog('rename')}>
                  <IconPencil size={16} />
                </ActionIcon>
              </Tooltip>
              {account.isDemo ? (
                <Button variant="default" onClick={() => setDialog('remove')}>
                  Leave demo…
                </Button>
              ) : (
                <Tooltip label="Remove">
                  <ActionIcon aria-label={`Remove ${label}`} onClick={() => setDialog('remove')}>
                    <IconTrash size={16} />
                  </ActionIcon>
                </Tooltip>
              )}
            </>
          )}
        </div>
      </div>
      <div className={classes.rowFacts}>
        <span>
          {account.isDemo ? (
            'Simulated on this computer, no network'
          ) : (
            <span className={classes.mono}>{account.baseUrl}</span>
          )}
        </span>
        <span>Tier: {account.tier ?? 'not known'}</span>
        {account.addedAtMs !== null && (
          <span>
            added <Time utcMs={account.addedAtMs} style="minute" />
          </span>
        )}
      </div>
      {check.status === 'failed' && <Failure error={check.error} isInline onRetry={() => void run()} />}
      {check.status === 'checked' && (
        <>
          <ConnectionReportView report={check.report} />
          <div className={classes.muted}>
            <AsOf atMs={check.atMs} prefix="Tested" />
          </div>
        </>
      )}
      <Modal
        opened={dialog === 'rename'}
        onClose={() => setDialog('none')}
        title="Rename the account"
        size="md"
      >
        {dialog === 'rename' && (
          <NameForm
            label="Name of the account"
            nameAtFirst={label}
            maxLength={100}
            confirmLabel="Rename"
            onConfirm={(next) => store.rename(accountId, next)}
            onClose={() => setDialog('none')}
          />
        )}
      </Modal>
      <ConfirmDialog
        isOpen={dialog === 'remove'}
        title={account.isDemo ? 'Leave the demo?' : 'Remove this account?'}
        confirmLabel={removal}
        onClose={() => setDialog('none')}
        onConfirm={async () => {
          await (account.isDemo ? store.stopDemo() : store.remove(accountId));
          notifyDone(
            account.isDemo ? 'Demo left' : 'Account removed',
            `“${label}” is gone from this computer.`,
          );
        }}
      >
        <p style={{ marginTop: 0 }}>
          {account.isDemo
            ? 'The simulated fleet stops; its list of exports and its usage go with it.'
            : `The key of “${label}”, its list of exports, and this app’s record of what it spent go from this computer. On the service nothing changes; the key stays valid there.`}
        </p>
        <p style={{ marginBottom: 0 }}>What was imported stays in the library, with its source and hash.</p>
      </ConfirmDialog>
    </article>
  );
}
