import { Button, Modal, Stack } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import type { ImportedSource, ImportOutcome } from '../../../shared/contract/imports.ts';
import type { ClipId, SourceId } from '../../../shared/ids.ts';
import { useClient } from '../../app/client/index.ts';
import { Failure, formatBytes, formatCounted, HashText, Status, Time } from '../../ui/index.ts';
import { clipOfImport } from './clipOfImport.ts';
import classes from './imports.module.css';

/** What became of each file of an import, with the way to its report or the remedy. */
export function ImportResults({
  outcome,
  onClose,
  onOpenReport,
  onReview,
}: {
  /** Null closes the dialogue. */
  outcome: ImportOutcome | null;
  onClose: () => void;
  onOpenReport: (sourceId: SourceId) => void;
  /** Opens clips that came in. */
  onReview: (clipIds: readonly ClipId[]) => void;
}) {
  const clips = outcome?.sources.flatMap(clipOfImport) ?? [];
  return (
    <Modal opened={outcome !== null} onClose={onClose} title="Import results" size={720}>
      {outcome && (
        <Stack gap="sm">
          {clips.length > 1 && (
            <Button
              variant="default"
              leftSection={<IconPlayerPlay size={14} />}
              onClick={() => onReview(clips)}
            >
              Review the {formatCounted(clips.length, 'clip')} together
            </Button>
          )}
          <div className={classes.results}>
            {outcome.sources.map((source, index) => (
              <Result key={index} source={source} onOpenReport={onOpenReport} onReview={onReview} />
            ))}
          </div>
        </Stack>
      )}
    </Modal>
  );
}

function Result({
  source,
  onOpenReport,
  onReview,
}: {
  source: ImportedSource;
  onOpenReport: (sourceId: SourceId) => void;
  onReview: (clipIds: readonly ClipId[]) => void;
}) {
  const [clipId] = clipOfImport(source);
  const reportOf = source.sourceId ?? source.duplicateOf;
  return (
    <div className={classes.result}>
      <span className={classes.resultName}>{source.fileName}</span>
      <span className={classes.resultActs}>
        {clipId !== undefined && (
          <Button
            size="compact-xs"
            aria-label={`Review ${source.fileName}`}
            onClick={() => onReview([clipId])}
          >
            Review
          </Button>
        )}
        {reportOf && (
          <Button variant="default" size="compact-xs" onClick={() => onOpenReport(reportOf)}>
            Import report
          </Button>
        )}
      </span>
      <div className={classes.resultText}>
        <ResultState source={source} />
      </div>
      {source.sha256 && (
        <div className={classes.resultText}>
          {source.sizeBytes !== null && <>{formatBytes(source.sizeBytes)} · </>}
          SHA-256 <HashText hash={source.sha256} />
        </div>
      )}
      {source.error && (
        <div className={classes.resultText}>
          <Failure error={source.error} isInline meaning="Nothing of this file was kept." />
        </div>
      )}
    </div>
  );
}

function ResultState({ source }: { source: ImportedSource }) {
  switch (source.status) {
    case 'imported':
      return (
        <Status tone={source.entries.some((entry) => entry.status !== 'imported') ? 'warn' : 'ok'}>
          {clipOfImport(source).length > 0
            ? 'Imported: a clip, kept whole'
            : `Imported: ${formatCounted(source.trips, 'trip')}, ${formatCounted(source.points, 'point')}`}
        </Status>
      );
    case 'duplicate':
      return (
        <Status tone="quiet">
          Imported before{source.duplicateOf && <ImportedOn sourceId={source.duplicateOf} />}; nothing was
          changed
        </Status>
      );
    case 'failed':
      return <Status tone="bad">Not imported</Status>;
  }
}

/** " on 14 Mar 2026, 17:02:11 CET" as soon as the library has said so. */
function ImportedOn({ sourceId }: { sourceId: SourceId }) {
  const importedAtMs = useImportedAt(sourceId);
  return importedAtMs === null ? null : (
    <>
      {' on '}
      <Time utcMs={importedAtMs} />
    </>
  );
}

function useImportedAt(sourceId: SourceId): number | null {
  const client = useClient();
  const [importedAtMs, setImportedAtMs] = useState<number | null>(null);
  useEffect(() => {
    let isCurrent = true;
    client.invoke('sources.list', {}).then(
      (sources) => {
        const source = sources.find((one) => one.sourceId === sourceId);
        if (isCurrent && source) setImportedAtMs(source.importedAtMs);
      },
      () => undefined, // The date is an extra: without it the sentence still holds.
    );
    return () => {
      isCurrent = false;
    };
  }, [client, sourceId]);
  return importedAtMs;
}
