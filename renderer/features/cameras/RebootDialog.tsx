import { Button, Group, Modal, Stack, Textarea } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Failure, notifyDone } from '../../ui/index.ts';
import type { CardStore } from './cardStore.ts';

/** Restarts a camera that is stuck: says what that does, asks for a reason, and is never done by itself. */
export function RebootDialog({
  isOpen,
  camera,
  store,
  onClose,
}: {
  isOpen: boolean;
  camera: string;
  store: CardStore;
  onClose: () => void;
}) {
  const [what, setWhat] = useState<string | null>(null);
  const [reason, setReason] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  useEffect(() => {
    if (!isOpen) return;
    // Without a confirmation nothing is sent: the core only says what a restart does.
    store.reboot().then(
      (answer) => setWhat(answer.status === 'needs_confirmation' ? answer.what : null),
      (thrown: unknown) => setError(thrown),
    );
  }, [isOpen, store]);
  const close = () => {
    setError(null);
    setReason('');
    onClose();
  };
  const run = async () => {
    setBusy(true);
    setError(null);
    try {
      await store.reboot(reason.trim());
      notifyDone('Restart accepted', `${camera} is offline for a short while.`);
      close();
    } catch (thrown) {
      setError(thrown);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Modal opened={isOpen} onClose={close} title={`Restart ${camera}?`} size="md">
      <Stack gap="sm">
        <div>
          {what ??
            'The camera starts anew: the transfer that is under way on it is dropped, whoever asked for it, and it is offline for a short while.'}
        </div>
        <div>Worth it when the camera has been busy for many minutes and nothing comes.</div>
        <Textarea
          label="Reason"
          description="Kept in the chain of custody with your name."
          required
          autosize
          minRows={2}
          maxLength={2000}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        {error !== null && <Failure error={error} isInline />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button color="red.8" loading={isBusy} disabled={reason.trim() === ''} onClick={() => void run()}>
            Restart the camera
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
