import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Failure } from './Failure.tsx';

export interface NameFormProps {
  readonly label: string;
  readonly placeholder?: string;
  readonly nameAtFirst: string;
  readonly maxLength: number;
  readonly confirmLabel: string;
  readonly onClose: () => void;
  /** Gets the name without spaces around it. Rejects with AppError: the form stays and shows it. */
  readonly onConfirm: (name: string) => Promise<unknown>;
}

/** Asks for a name, inside a dialogue. */
export function NameForm({
  label,
  placeholder,
  nameAtFirst,
  maxLength,
  confirmLabel,
  onClose,
  onConfirm,
}: NameFormProps) {
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
          placeholder={placeholder}
          value={name}
          maxLength={maxLength}
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
