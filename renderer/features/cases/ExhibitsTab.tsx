import { ActionIcon, Button, Group, Tooltip } from '@mantine/core';
import {
  IconFileImport,
  IconFileReport,
  IconFileZip,
  IconFolderOpen,
  IconPlus,
  IconRoute,
  IconX,
} from '@tabler/icons-react';
import { useState } from 'react';
import type { CaseFile, Exhibit } from '../../../shared/contract/cases.ts';
import {
  EmptyState,
  HashText,
  notifyDone,
  notifyFailure,
  Section,
  Time,
  VirtualRows,
} from '../../ui/index.ts';
import { AddExhibitsDialog } from './AddExhibitsDialog.tsx';
import type { CaseLinks } from './CaseView.tsx';
import type { CaseStore } from './caseStore.ts';
import classes from './cases.module.css';
import { RangeSection } from './RangeSection.tsx';

/** What the case holds, and the time range that matters. */
export function ExhibitsTab({ store, file, links }: { store: CaseStore; file: CaseFile; links: CaseLinks }) {
  const [isAdding, setAdding] = useState(false);
  const remove = async (exhibit: Exhibit) => {
    try {
      await store.removeExhibit(file.caseId, exhibit.exhibitId);
      notifyDone('Exhibit removed', `${exhibit.title} stays in the library.`, [
        {
          label: 'Undo',
          run: () =>
            void store
              .add(file.caseId, [exhibit.ref])
              .catch((thrown: unknown) => notifyFailure('The exhibit was not added again', thrown)),
        },
      ]);
    } catch (thrown) {
      notifyFailure('The exhibit was not removed', thrown);
    }
  };
  const actions = (
    <Group gap="xs">
      <Button variant="default" leftSection={<IconPlus size={14} />} onClick={() => setAdding(true)}>
        Add trips or sources…
      </Button>
      <Button
        variant="default"
        leftSection={<IconFileImport size={14} />}
        onClick={() => links.importInto(file.caseId)}
      >
        Import into this case…
      </Button>
    </Group>
  );
  const { exhibitList: exhibits } = file;
  return (
    <div className={classes.stack}>
      <RangeSection store={store} file={file} />
      <Section title="Exhibits" isFlush actions={actions}>
        {exhibits.length === 0 ? (
          <EmptyState
            icon={IconFolderOpen}
            title="Nothing in this case yet"
            actions={
              <Button variant="default" onClick={links.openLibrary}>
                Select trips in the Library
              </Button>
            }
          >
            Add trips or whole source files of the library, select trips in the Library and choose “Add to
            case”, or drop export files here to import them straight into this case.
          </EmptyState>
        ) : (
          <>
            <div className={`${classes.exhibit} ${classes.exhibitHead}`} aria-hidden>
              <span />
              <span>Exhibit</span>
              <span>SHA-256 of its file</span>
              <span>Added</span>
              <span />
            </div>
            <VirtualRows
              className={classes.exhibits}
              label="Exhibits"
              count={exhibits.length}
              estimatedHeight={37}
              keyOf={(index) => exhibits[index]?.exhibitId ?? index}
              render={(index) => {
                const exhibit = exhibits[index];
                return exhibit ? (
                  <ExhibitRow exhibit={exhibit} links={links} onRemove={() => void remove(exhibit)} />
                ) : null;
              }}
            />
          </>
        )}
      </Section>
      <AddExhibitsDialog isOpen={isAdding} store={store} file={file} onClose={() => setAdding(false)} />
    </div>
  );
}

function ExhibitRow({
  exhibit,
  links,
  onRemove,
}: {
  exhibit: Exhibit;
  links: CaseLinks;
  onRemove: () => void;
}) {
  const { ref } = exhibit;
  const isSource = ref.kind === 'source';
  return (
    <div className={classes.exhibit}>
      {isSource ? (
        <IconFileZip size={16} role="img" aria-label="Source file" />
      ) : (
        <IconRoute size={16} role="img" aria-label="Trip" />
      )}
      <span className={classes.exhibitTitle} title={exhibit.title}>
        {exhibit.title}
      </span>
      {exhibit.sha256 === '' ? <span>unknown</span> : <HashText hash={exhibit.sha256} />}
      <span className={classes.muted}>
        <Time utcMs={exhibit.addedAtMs} />
      </span>
      <span className={classes.exhibitActions}>
        {isSource && (
          <Tooltip label="Import report">
            <ActionIcon
              aria-label={`Import report of ${exhibit.title}`}
              onClick={() => links.openSourceReport(ref.sourceId)}
            >
              <IconFileReport size={16} />
            </ActionIcon>
          </Tooltip>
        )}
        <Tooltip label="Remove from the case; it stays in the library">
          <ActionIcon aria-label={`Remove ${exhibit.title} from the case`} onClick={onRemove}>
            <IconX size={16} />
          </ActionIcon>
        </Tooltip>
      </span>
    </div>
  );
}
