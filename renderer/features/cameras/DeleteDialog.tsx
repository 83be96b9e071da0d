import { Button, Group, Modal, Stack, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Deletion } from '../../../shared/contract/cards.ts';
import { Failure, Notice, notifyDone } from '../../ui/index.ts';
import type { CardStore } from './cardStore.ts';

/** Erases a recording on the card: first the reason, then its name typed out. */
export function DeleteDialog({
  filename,
  store,
  onClose,
}: {
  /** Null: closed. */
  filename: string | null;
  store: CardStore;
  onClose: () => void;
}) {
  return (
    <Modal opened={filename !== null} onClose={onClose} title="Delete from the card?" size="md">
      {filename !== null && <DeleteForm key={filename} filename={filename} store={store} onClose={onClose} />}
    </Modal>
  );
}

function DeleteForm({
  filename,
  store,
  onClose,
}: {
  filename: string;
  store: CardStore;
  onClose: () => void;
}) {
  const [reason, setReason] = useState('');
  const [typed, setTyped] = useState('');
  const [asked, setAsked] = useState<Extract<Deletion, { status: 'needs_confirmation' }> | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const run = async () => {
    setBusy(true);
    setError(null);
    try {
      const answer = await store.deleteRecording({
        filename,
        reason: reason.trim(),
        ...(asked === null ? {} : { token: asked.token, typedFilename: typed.trim() }),
      });
      if (answer.status === 'deleted') {
        notifyDone('Deleted from the card', filename);
        onClose();
      } else {
        setAsked(answer);
      }
    } catch (thrown) {
      setError(thrown);
      setAsked(null); // a token is good for one try
    } finally {
      setBusy(false);
    }
  };
  return (
    <Stack gap="sm">
      <Notice tone="warn">
        {asked?.what ??
          `${filename} would be erased on the SD card, for ever, in both resolutions. It can’t be undone.`}{' '}
        It stands in the chain of custody.
      </Notice>
      <Textarea
        label="Reason"
        required
        autosize
        minRows={2}
        maxLength={2000}
        value={reason}
        disabled={asked !== null}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      {asked !== null && (
        <TextInput
          label={`Type ${filename} to confirm`}
          data-autofocus
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      )}
      {error !== null && <Failure error={error} isInline />}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button
          color="red.8"
          loading={isBusy}
          disabled={reason.trim() === '' || (asked !== null && typed.trim() !== filename)}
          onClick={() => void run()}
        >
          {asked === null ? 'Continue…' : 'Delete for ever'}
        </Button>
      </Group>
    </Stack>
  );
}
