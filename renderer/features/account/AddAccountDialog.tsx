import { Button, Group, Modal, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ConnectionReport } from '../../../shared/contract/cloud.ts';
import { Failure, notifyDone } from '../../ui/index.ts';
import type { AccountStore } from './accountStore.ts';
import { ConnectionReportView } from './ConnectionReportView.tsx';

type Trial =
  | { readonly status: 'none' }
  | { readonly status: 'testing' }
  | { readonly status: 'failed'; readonly error: unknown }
  | { readonly status: 'tested'; readonly report: ConnectionReport };

/**
 * Address and key of an account. They are tried first, and only what works can be saved; the key lives in this
 * dialogue alone and goes with it.
 */
export function AddAccountDialog({
  isOpen,
  store,
  onClose,
}: {
  isOpen: boolean;
  store: AccountStore;
  onClose: () => void;
}) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Add an account" size={680}>
      {isOpen && <AddAccountForm store={store} onClose={onClose} />}
    </Modal>
  );
}

function AddAccountForm({ store, onClose }: { store: AccountStore; onClose: () => void }) {
  const [baseUrl, setBaseUrl] = useState('');
  const [apiKey, setApiKey] = useState('');
  const [label, setLabel] = useState('');
  const [trial, setTrial] = useState<Trial>({ status: 'none' });
  const [saving, setSaving] = useState<{ isBusy: boolean; error: unknown }>({ isBusy: false, error: null });
  const isFilled = baseUrl.trim() !== '' && apiKey.trim() !== '';
  const isProven = trial.status === 'tested' && trial.report.isWorking;
  const isBusy = trial.status === 'testing' || saving.isBusy;

  /** What was tried is no longer what is typed. */
  const edited = () => {
    setTrial({ status: 'none' });
    setSaving({ isBusy: false, error: null });
  };
  const test = async () => {
    setSaving({ isBusy: false, error: null });
    setTrial({ status: 'testing' });
    try {
      setTrial({ status: 'tested', report: await store.test(baseUrl.trim(), apiKey.trim()) });
    } catch (error) {
      setTrial({ status: 'failed', error });
    }
  };
  const save = async () => {
    setSaving({ isBusy: true, error: null });
    try {
      const account = await store.add({
        label: label.trim() || hostOf(baseUrl),
        baseUrl: baseUrl.trim(),
        apiKey: apiKey.trim(),
      });
      setApiKey('');
      onClose();
      notifyDone('Account saved', `“${account.label}” is the active account now.`);
    } catch (error) {
      setSaving({ isBusy: false, error });
    }
  };
  return (
    <form
      autoComplete="off"
      onSubmit={(event) => {
        event.preventDefault();
        if (isFilled && !isBusy) void (isProven ? save() : test());
      }}
    >
      <Stack gap="sm">
        <TextInput
          label="Base address"
          description="As your provider states it, without /v1."
          placeholder="https://api.example.com"
          value={baseUrl}
          maxLength={500}
          disabled={isBusy}
          spellCheck={false}
          data-autofocus
          onChange={(event) => {
            setBaseUrl(event.currentTarget.value);
            edited();
          }}
        />
        <PasswordInput
          label="API key"
          description="Kept in this computer’s secret store. It is not shown again, here or anywhere."
          value={apiKey}
          maxLength={4000}
          disabled={isBusy}
          autoComplete="new-password"
          spellCheck={false}
          visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the key while typing' }}
          onChange={(event) => {
            setApiKey(event.currentTarget.value);
            edited();
          }}
        />
        <TextInput
          label="Name"
          description="How the account is called here. Empty: the host of the address."
          placeholder="For example: Jansen Transport"
          value={label}
          maxLength={100}
          disabled={saving.isBusy}
          onChange={(event) => setLabel(event.currentTarget.value)}
        />
        <div aria-live="polite">
          {trial.status === 'failed' && <Failure error={trial.error} isInline />}
          {trial.status === 'tested' && <ConnectionReportView report={trial.report} />}
          {saving.error !== null && <Failure error={saving.error} meaning="Nothing was stored." isInline />}
        </div>
        <Group justify="space-between" gap="xs">
          <span style={{ color: 'var(--desk-muted)', fontSize: '0.75rem' }}>
            {isProven ? 'Nothing is stored yet.' : 'Nothing is stored until the connection works.'}
          </span>
          <Group gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            {isProven && (
              <Button variant="default" disabled={isBusy} onClick={() => void test()}>
                Test again
              </Button>
            )}
            <Button type="submit" disabled={!isFilled} loading={isBusy}>
              {isProven ? 'Save account' : 'Test connection'}
            </Button>
          </Group>
        </Group>
      </Stack>
    </form>
  );
}

/** A name for an account whose user gave it none. */
function hostOf(baseUrl: string): string {
  const text = baseUrl.trim();
  try {
    return new URL(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`).host;
  } catch {
    return text.slice(0, 100);
  }
}
