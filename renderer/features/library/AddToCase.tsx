import { Button, Menu, Modal, TextInput } from '@mantine/core';
import { IconFolderPlus, IconPlus } from '@tabler/icons-react';
import { useState, type FormEvent, type ReactNode } from 'react';
import { useStore } from 'zustand';
import type { CaseFile, ExhibitRef } from '../../../shared/contract/cases.ts';
import type { CaseId } from '../../../shared/ids.ts';
import { Failure, formatCounted, notifyDone, notifyFailure } from '../../ui/index.ts';
import type { CaseStore } from './caseStore.ts';

export interface AddToCase {
  /** Items of a menu that add to an existing case or ask for a new one. */
  readonly items: ReactNode;
  /** The dialogue for a new case; has to be rendered beside the menu. */
  readonly dialog: ReactNode;
}

/** What adds `refs` to a case: menu items and the dialogue for a new case. */
export function useAddToCase({
  cases: store,
  refs,
  what,
  openCase,
}: {
  cases: CaseStore;
  refs: () => readonly ExhibitRef[];
  /** What is added, for the message: "3 trips". */
  what: string;
  openCase: (caseId: CaseId) => void;
}): AddToCase {
  const { cases } = useStore(store);
  const [isNaming, setNaming] = useState(false);
  const [name, setName] = useState('');
  const [error, setError] = useState<unknown>(null);
  const tell = (file: CaseFile) =>
    notifyDone(
      `Added ${what} to “${file.name}”`,
      `${formatCounted(file.exhibits, 'exhibit')} in the case now.`,
      [{ label: 'Open case', run: () => openCase(file.caseId) }],
    );
  const add = (caseId: CaseId) => {
    store
      .add(caseId, refs())
      .then(tell, (thrown: unknown) => notifyFailure(`${what} could not be added`, thrown));
  };
  const create = (event: FormEvent) => {
    event.preventDefault();
    store.create(name.trim(), refs()).then((file) => {
      setNaming(false);
      setName('');
      setError(null);
      tell(file);
    }, setError);
  };
  const list = cases.status === 'ready' ? cases.value : [];
  return {
    items: (
      <>
        <Menu.Label>Add {what} to a case</Menu.Label>
        <Menu.Item leftSection={<IconPlus size={14} />} onClick={() => setNaming(true)}>
          New case…
        </Menu.Item>
        {list.slice(0, 12).map((one) => (
          <Menu.Item
            key={one.caseId}
            leftSection={<IconFolderPlus size={14} />}
            onClick={() => add(one.caseId)}
          >
            {one.name}
          </Menu.Item>
        ))}
        {cases.status === 'failed' && (
          <Menu.Item onClick={store.refresh}>The cases could not be read. Try again</Menu.Item>
        )}
      </>
    ),
    dialog: (
      <Modal opened={isNaming} onClose={() => setNaming(false)} title={`New case with ${what}`} size="sm">
        <form onSubmit={create}>
          <TextInput
            label="Name of the case"
            placeholder="Collision Van 12, 14 March"
            value={name}
            maxLength={200}
            data-autofocus
            onChange={(event) => setName(event.currentTarget.value)}
          />
          {error !== null && <Failure error={error} isInline />}
          <Button type="submit" mt="sm" disabled={name.trim() === ''}>
            Create and add
          </Button>
        </form>
      </Modal>
    ),
  };
}
