import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Failure } from '../../ui/index.ts';

/** Asks for an account's name. */
export function RenameAccountForm({
  labelAtFirst,
  onRename,
  onClose,
}: {
  labelAtFirst: string;
  /** Rejects with AppError: the form stays and shows it. */
  onRename: (label: string) => Promise<unknown>;
  onClose: () => void;
}) {
  const [label, setLabel] = useState(labelAtFirst);
  const [state, setState] = useState<{ isBusy: boolean; error: unknown }>({ isBusy: false, error: null });
  const rename = async () => {
    setState({ isBusy: true, error: null });
    try {
      await onRename(label.trim());
      onClose();
    } catch (error) {
      setState({ isBusy: false, error });
    }
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void rename();
      }}
    >
      <Stack gap="sm">
        <TextInput
          label="Name of the account"
          value={label}
          maxLength={100}
          data-autofocus
          onChange={(event) => setLabel(event.currentTarget.value)}
        />
        {state.error !== null && <Failure error={state.error} isInline />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" disabled={label.trim() === ''} loading={state.isBusy}>
            Rename
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
