import { ActionIcon, Button, Group, Tooltip } from '@mantine/core';
import {
  IconFileImport,
  IconFileReport,
  IconFileZip,
  IconFolderOpen,
  IconPlayerPlay,
  IconPlus,
  IconRoute,
  IconScissors,
  IconVideo,
  IconX,
} from '@tabler/icons-react';
import { useEffect, useState } from 'react';
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
import { useClient, useHost } from '../../app/client/index.ts';
import { AddExhibitsDialog } from './AddExhibitsDialog.tsx';
import type { CaseLinks } from './CaseView.tsx';
import type { CaseStore } from './caseStore.ts';
import { refKey } from './candidates.ts';
import classes from './cases.module.css';
import { readExhibitFacts, type ExhibitFacts } from './exhibitFacts.ts';
import { RangeSection } from './RangeSection.tsx';

/** What the case holds, and the time range that matters. */
export function ExhibitsTab({ store, file, links }: { store: CaseStore; file: CaseFile; links: CaseLinks }) {
  const [isAdding, setAdding] = useState(false);
  const facts = useExhibitFacts(file);
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
        Add exhibits…
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
            Add trips, clips or whole source files of the library, select trips in the Library and choose “Add
            to case”, or drop export files and clips here to import them straight into this case.
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
              estimatedHeight={48}
              keyOf={(index) => exhibits[index]?.exhibitId ?? index}
              render={(index) => {
                const exhibit = exhibits[index];
                return exhibit ? (
                  <ExhibitRow
                    exhibit={exhibit}
                    facts={facts.get(refKey(exhibit.ref))}
                    links={links}
                    onRemove={() => void remove(exhibit)}
                  />
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

/** Read again whenever the case changes; while they come, and where they can't be read, rows show their titles. */
function useExhibitFacts(file: CaseFile): ReadonlyMap<string, ExhibitFacts> {
  const client = useClient();
  const [facts, setFacts] = useState<ReadonlyMap<string, ExhibitFacts>>(new Map());
  useEffect(() => {
    let isCurrent = true;
    readExhibitFacts(client, file).then(
      (read) => isCurrent && setFacts(read),
      (thrown: unknown) =>
        isCurrent && notifyFailure('Sizes and pictures of exhibits can’t be shown', thrown),
    );
    return () => {
      isCurrent = false;
    };
  }, [client, file]);
  return facts;
}

const kindIcons = {
  trip: { Icon: IconRoute, label: 'Trip' },
  source: { Icon: IconFileZip, label: 'Source file' },
  clip: { Icon: IconVideo, label: 'Clip' },
  derived: { Icon: IconScissors, label: 'Still or trim' },
} as const;

function ExhibitRow({
  exhibit,
  facts,
  links,
  onRemove,
}: {
  exhibit: Exhibit;
  facts: ExhibitFacts | undefined;
  links: CaseLinks;
  onRemove: () => void;
}) {
  const { mediaUrl } = useHost();
  const { ref } = exhibit;
  const { Icon, label } = kindIcons[ref.kind];
  return (
    <div className={classes.exhibit}>
      {facts?.picture ? (
        <img className={classes.thumb} src={mediaUrl(facts.picture)} alt={`Picture of ${exhibit.title}`} />
      ) : (
        <Icon size={16} role="img" aria-label={label} />
      )}
      <span className={classes.exhibitTitle} title={exhibit.title}>
        {exhibit.title}
        {facts && (
          <span className={classes.exhibitFacts} title={facts.text}>
            {facts.text}
          </span>
        )}
      </span>
      {exhibit.sha256 === '' ? <span>unknown</span> : <HashText hash={exhibit.sha256} />}
      <span className={classes.muted}>
        <Time utcMs={exhibit.addedAtMs} />
      </span>
      <span className={classes.exhibitActions}>
        {facts && (
          <Tooltip label="Open in Review">
            <ActionIcon
              aria-label={`Review ${exhibit.title}`}
              onClick={() => links.reviewClip(facts.moment.clipId, facts.moment.atMs)}
            >
              <IconPlayerPlay size={16} />
            </ActionIcon>
          </Tooltip>
        )}
        {ref.kind === 'source' && (
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
