import { Button, Group, Modal, Stack } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { Failure } from './Failure.tsx';

/**
 * Asks before something that can't be taken back. Stays open, with the error, when the act fails. `confirmLabel`
 * names the act ("Remove case"), never "OK".
 */
export function ConfirmDialog({
  isOpen,
  title,
  children,
  confirmLabel,
  keepLabel = 'Cancel',
  onConfirm,
  onClose,
}: {
  isOpen: boolean;
  title: string;
  children: ReactNode;
  confirmLabel: string;
  /** Of the way out; named where "Cancel" could be taken for the act. */
  keepLabel?: string;
  onConfirm: () => Promise<void>;
  onClose: () => void;
}) {
  const [state, setState] = useState<{ isBusy: boolean; error: unknown }>({ isBusy: false, error: null });
  const close = () => {
    setState({ isBusy: false, error: null });
    onClose();
  };
  const confirm = async () => {
    setState({ isBusy: true, error: null });
    try {
      await onConfirm();
      close();
    } catch (error) {
      setState({ isBusy: false, error });
    }
  };
  return (
    <Modal opened={isOpen} onClose={close} title={title} size="md">
      <Stack gap="sm">
        <div>{children}</div>
        {state.error !== null && <Failure error={state.error} isInline />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close} data-autofocus>
            {keepLabel}
          </Button>
          <Button color="red.8" loading={state.isBusy} onClick={() => void confirm()}>
            {confirmLabel}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
