import { Button, Menu } from '@mantine/core';
import { IconFolderPlus } from '@tabler/icons-react';
import type { CaseId } from '../../../shared/ids.ts';
import type { CaseStore } from '../library/caseStore.ts';
import { useAddToCase } from '../library/AddToCase.tsx';
import { sourceIdOf } from './heldClip.ts';

/** What puts a held clip into a case: the list of cases and the way to one of them. */
export interface CaseAccess {
  readonly store: CaseStore;
  readonly open: (caseId: CaseId) => void;
}

/** Adds a clip that is here to a case, old or new. */
export function AddClipToCase({
  sha256,
  fileName,
  cases,
}: {
  sha256: string;
  fileName: string;
  cases: CaseAccess;
}) {
  const { items, dialog } = useAddToCase({
    cases: cases.store,
    refs: () => [{ kind: 'source', sourceId: sourceIdOf(sha256) }],
    what: fileName,
    openCase: cases.open,
  });
  return (
    <>
      <Menu position="bottom-start">
        <Menu.Target>
          <Button
            variant="default"
            size="compact-xs"
            leftSection={<IconFolderPlus size={13} />}
            aria-label={`Add ${fileName} to a case`}
          >
            Add to case
          </Button>
        </Menu.Target>
        <Menu.Dropdown>{items}</Menu.Dropdown>
      </Menu>
      {dialog}
    </>
  );
}
