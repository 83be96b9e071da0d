import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Failure } from '../../ui/index.ts';

interface NameDialogProps {
  readonly isOpen: boolean;
  readonly title: string;
  readonly label: string;
  readonly nameAtFirst: string;
  readonly confirmLabel: string;
  readonly onClose: () => void;
  /** Rejects with AppError: the dialogue stays open and shows it. */
  readonly onConfirm: (name: string) => Promise<void>;
}

/** Asks for a name. */
export function NameDialog(props: NameDialogProps) {
  return (
    <Modal opened={props.isOpen} onClose={props.onClose} title={props.title} size="md">
      {props.isOpen && <NameForm {...props} />}
    </Modal>
  );
}

function NameForm({ label, nameAtFirst, confirmLabel, onClose, onConfirm }: NameDialogProps) {
  const [name, setName] = useState(nameAtFirst);
  const [state, setState] = useState<{ isBusy: boolean; error: unknown }>({ isBusy: false, error: null });
  const confirm = async () => {
    setState({ isBusy: true, error: null });
    try {
      await onConfirm(name.trim());
      onClose();
    } catch (error) {
      setState({ isBusy: false, error });
    }
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void confirm();
      }}
    >
      <Stack gap="sm">
        <TextInput
          label={label}
          placeholder="For example: Van 12, Keizersgracht, 14 March"
          value={name}
          maxLength={200}
          data-autofocus
          onChange={(event) => setName(event.currentTarget.value)}
        />
        {state.error !== null && <Failure error={state.error} isInline />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" disabled={name.trim() === ''} loading={state.isBusy}>
            {confirmLabel}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
