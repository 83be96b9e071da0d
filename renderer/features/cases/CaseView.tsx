import { ActionIcon, Button, Tabs, Tooltip } from '@mantine/core';
import { IconPencil, IconPlayerPlay, IconTrash } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import type { CaseFile } from '../../../shared/contract/cases.ts';
import type { CaseId, ClipId, SourceId } from '../../../shared/ids.ts';
import { ConfirmDialog, formatCounted, notifyDone, ZoneSwitch } from '../../ui/index.ts';
import type { CaseStore } from './caseStore.ts';
import { caseTabs, type CaseTab } from './caseTabs.ts';
import classes from './cases.module.css';
import { CustodyTab } from './CustodyTab.tsx';
import { ExhibitsTab } from './ExhibitsTab.tsx';
import { NameDialog } from './NameDialog.tsx';
import { NotesTab } from './NotesTab.tsx';

/** What a case leads to that is not its own. */
export interface CaseLinks {
  readonly openSourceReport: (sourceId: SourceId) => void;
  readonly openLibrary: () => void;
  /** Opens a clip in Review; with `atMs` (UTC) at that moment. */
  readonly reviewClip: (clipId: ClipId, atMs: number | null) => void;
  readonly importInto: (caseId: CaseId) => void;
  /** Its clips and trips on one clock. */
  readonly review: (caseId: CaseId) => void;
  /** The Package tab, drawn by its own feature. */
  readonly packageTab: (file: CaseFile) => ReactNode;
}

const tabNames: Record<CaseTab, string> = {
  exhibits: 'Exhibits',
  notes: 'Notes',
  custody: 'Custody',
  package: 'Package',
};

/** One case: name, and its tabs. */
export function CaseView({
  store,
  file,
  tab,
  onTab,
  onRemoved,
  links,
}: {
  store: CaseStore;
  file: CaseFile;
  tab: CaseTab;
  onTab: (tab: CaseTab) => void;
  onRemoved: () => void;
  links: CaseLinks;
}) {
  const [dialog, setDialog] = useState<'none' | 'rename' | 'remove'>('none');
  const counts: Partial<Record<CaseTab, number>> = {
    exhibits: file.exhibitList.length,
    notes: file.noteList.length,
    package: file.packages,
  };
  return (
    <>
      <div className={classes.caseHead}>
        <h2 title={file.name}>{file.name}</h2>
        <Tooltip label="Rename">
          <ActionIcon aria-label="Rename the case" onClick={() => setDialog('rename')}>
            <IconPencil size={16} />
          </ActionIcon>
        </Tooltip>
        <Tooltip label="Remove">
          <ActionIcon aria-label="Remove the case" onClick={() => setDialog('remove')}>
            <IconTrash size={16} />
          </ActionIcon>
        </Tooltip>
        <div className={classes.caseHeadEnd}>
          <Button
            variant="default"
            leftSection={<IconPlayerPlay size={14} />}
            onClick={() => links.review(file.caseId)}
          >
            Review
          </Button>
          <ZoneSwitch />
        </div>
      </div>
      <Tabs
        value={tab}
        onChange={(value) => onTab(caseTabs.find((one) => one === value) ?? 'exhibits')}
        className={classes.tabs}
        keepMounted={false}
      >
        <Tabs.List className={classes.tabList}>
          {caseTabs.map((one) => (
            <Tabs.Tab key={one} value={one}>
              {tabNames[one]}
              {(counts[one] ?? 0) > 0 && <span className={classes.tabCount}>{counts[one]}</span>}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="exhibits" className={classes.panel}>
          <ExhibitsTab store={store} file={file} links={links} />
        </Tabs.Panel>
        <Tabs.Panel value="notes" className={classes.panel}>
          <NotesTab store={store} file={file} />
        </Tabs.Panel>
        <Tabs.Panel value="custody" className={classes.panel}>
          <CustodyTab file={file} />
        </Tabs.Panel>
        <Tabs.Panel value="package" className={classes.panel}>
          {links.packageTab(file)}
        </Tabs.Panel>
      </Tabs>
      <NameDialog
        isOpen={dialog === 'rename'}
        title="Rename the case"
        label="Name of the case"
        nameAtFirst={file.name}
        confirmLabel="Rename"
        onClose={() => setDialog('none')}
        onConfirm={async (name) => {
          await store.rename(file.caseId, name);
        }}
      />
      <ConfirmDialog
        isOpen={dialog === 'remove'}
        title="Remove this case?"
        confirmLabel="Remove case"
        onClose={() => setDialog('none')}
        onConfirm={async () => {
          await store.remove(file.caseId);
          onRemoved();
          notifyDone('Case removed', `“${file.name}” is gone; its custody entries stay in the log.`);
        }}
      >
        <p style={{ marginTop: 0 }}>
          “{file.name}” with its {formatCounted(file.notes, 'note')} and its list of{' '}
          {formatCounted(file.exhibits, 'exhibit')} will be removed. This can’t be undone.
        </p>
        <p style={{ marginBottom: 0 }}>
          What stays: the trips and source files in the library, packages sealed so far, and every custody
          entry including this removal.
        </p>
      </ConfirmDialog>
    </>
  );
}
