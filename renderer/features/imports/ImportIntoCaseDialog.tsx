import { Button, Group, Modal, Select, Stack } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { CaseSummary } from '../../../shared/contract/cases.ts';
import type { CaseId } from '../../../shared/ids.ts';
import { useClient } from '../../app/client/index.ts';
import { Failure, formatBytes, loading, type Loadable } from '../../ui/index.ts';
import classes from './imports.module.css';
import { pickFiles, pickFolder } from './pickFiles.ts';

const noCase = '';

/** Chooses files and the case that the new sources join. */
export function ImportIntoCaseDialog({
  isOpen,
  caseId: caseAtFirst,
  onClose,
  onImport,
}: {
  isOpen: boolean;
  caseId: CaseId | null;
  onClose: () => void;
  onImport: (files: readonly File[], caseId: CaseId | null) => void;
}) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Import files into a case" size="lg">
      {isOpen && <Content caseAtFirst={caseAtFirst} onClose={onClose} onImport={onImport} />}
    </Modal>
  );
}

function Content({
  caseAtFirst,
  onClose,
  onImport,
}: {
  caseAtFirst: CaseId | null;
  onClose: () => void;
  onImport: (files: readonly File[], caseId: CaseId | null) => void;
}) {
  const client = useClient();
  const [cases, setCases] = useState<Loadable<readonly CaseSummary[]>>(loading);
  const [caseId, setCaseId] = useState<string>(caseAtFirst ?? noCase);
  const [files, setFiles] = useState<readonly File[]>([]);
  useEffect(() => {
    let isCurrent = true;
    client.invoke('cases.list', {}).then(
      (value) => isCurrent && setCases({ status: 'ready', value }),
      (error: unknown) => isCurrent && setCases({ status: 'failed', error }),
    );
    return () => {
      isCurrent = false;
    };
  }, [client]);
  const list = cases.status === 'ready' ? cases.value : [];
  const start = () => {
    onImport(files, list.find((one) => one.caseId === caseId)?.caseId ?? null);
    onClose();
  };
  return (
    <Stack gap="sm">
      {cases.status === 'failed' && <Failure error={cases.error} isInline />}
      <Select
        label="Case"
        description={
          cases.status === 'ready' && list.length === 0
            ? 'There is no case yet. Create one under Cases; the import works without.'
            : 'The files become sources in the library and exhibits of this case.'
        }
        value={caseId}
        onChange={(value) => setCaseId(value ?? noCase)}
        disabled={cases.status !== 'ready'}
        data={[
          { value: noCase, label: 'No case, library only' },
          ...list.map((one) => ({ value: one.caseId, label: one.name })),
        ]}
        searchable
        allowDeselect={false}
      />
      <Group gap="xs">
        <Button
          variant="default"
          onClick={() => void pickFiles().then((picked) => setFiles([...files, ...picked]))}
        >
          Choose files…
        </Button>
        <Button
          variant="default"
          onClick={() => void pickFolder().then((picked) => setFiles([...files, ...picked.files]))}
        >
          Choose a folder…
        </Button>
      </Group>
      {files.length > 0 && (
        <div className={classes.chosen}>
          {files.map((file, index) => (
            <div key={index} className={classes.chosenRow}>
              <span>{file.name}</span>
              <span className={classes.muted}>{formatBytes(file.size)}</span>
            </div>
          ))}
        </div>
      )}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button disabled={files.length === 0} onClick={start}>
          {files.length < 2 ? 'Import' : `Import ${files.length} files`}
        </Button>
      </Group>
    </Stack>
  );
}
