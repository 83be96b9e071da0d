import { Modal } from '@mantine/core';
import { NameForm } from '../../ui/index.ts';

/** Asks for the name of a case. */
export function NameDialog({
  isOpen,
  title,
  ...form
}: {
  isOpen: boolean;
  title: string;
  label: string;
  nameAtFirst: string;
  confirmLabel: string;
  onClose: () => void;
  /** Rejects with AppError: the dialogue stays open and shows it. */
  onConfirm: (name: string) => Promise<void>;
}) {
  return (
    <Modal opened={isOpen} onClose={form.onClose} title={title} size="md">
      {isOpen && (
        <NameForm {...form} placeholder="For example: Van 12, Keizersgracht, 14 March" maxLength={200} />
      )}
    </Modal>
  );
}
