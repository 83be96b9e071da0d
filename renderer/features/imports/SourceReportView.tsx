import { Button, Group, Switch } from '@mantine/core';
import { IconDownload, IconPlayerPlay, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import type { EntryReport } from '../../../shared/contract/imports.ts';
import type { SourceKind } from '../../../shared/contract/sources.ts';
import type { ClipId } from '../../../shared/ids.ts';
import {
  ConfirmDialog,
  Facts,
  formatBytes,
  formatCount,
  formatCounted,
  HashText,
  saveFrom,
  Section,
  Time,
} from '../../ui/index.ts';
import { clipIdOf } from '../cameras/heldClip.ts';
import { AssignCamera, AssignedCameras, type Assign } from './AssignCamera.tsx';
import { EntryRow } from './EntryRow.tsx';
import classes from './imports.module.css';
import { hasRemarks, totalsOf } from './reportTotals.ts';
import type { SourceReportView as View } from './reportStore.ts';

const kindNames: Record<SourceKind, string> = {
  'export-zip': 'GPS export (zip)',
  csv: 'CSV file',
  gpx: 'GPX file',
  kml: 'KML file',
  clip: 'Dashcam clip (MP4)',
};
/** Entries shown at first; an archive may hold thousands. */
const pageSize = 100;

/** What came in, what was skipped and why, where it first happened; and the sum that shows nothing was lost. */
export function SourceReportView({
  view,
  originalUrl,
  onAssign,
  onRemove,
  onReview,
}: {
  view: View;
  /** Where the original file, bit for bit, can be had. */
  originalUrl: string;
  onAssign: Assign;
  /** Takes the source out of the library; rejects with AppError. */
  onRemove: () => Promise<void>;
  /** Opens the clip that the source is. */
  onReview: (clipIds: readonly ClipId[]) => void;
}) {
  const { report, cameras, assigned } = view;
  const [onlyRemarks, setOnlyRemarks] = useState(false);
  const [isRemoving, setRemoving] = useState(false);
  const [shown, setShown] = useState(pageSize);
  const totals = totalsOf(report.entries);
  const isClip = report.kind === 'clip';
  const remarks = report.entries.filter(hasRemarks);
  const entries = onlyRemarks ? remarks : report.entries;
  return (
    <div className={classes.reportHead}>
      <Facts
        rows={[
          [
            'File',
            <Group key="file" gap="xs">
              {report.fileName}
              <Button
                variant="default"
                size="compact-xs"
                leftSection={<IconDownload size={13} />}
                onClick={() => saveFrom(originalUrl)}
              >
                Save a copy of the original
              </Button>
              {isClip && (
                <Button
                  size="compact-xs"
                  leftSection={<IconPlayerPlay size={13} />}
                  onClick={() => onReview([clipIdOf(report.sha256)])}
                >
                  Review
                </Button>
              )}
            </Group>,
          ],
          ['Kind', `${kindNames[report.kind]}, ${formatBytes(report.sizeBytes)}`],
          ['SHA-256', <HashText key="hash" hash={report.sha256} form="groups" />],
          ['Imported', <Time key="at" utcMs={report.importedAtMs} />],
          [
            'Covers',
            report.fromMs === null && report.toMs === null ? (
              isClip ? (
                'Not known in UTC: nothing in the clip tells'
              ) : (
                'No times in this file: shapes only'
              )
            ) : (
              <span key="range">
                <Time utcMs={report.fromMs} /> to <Time utcMs={report.toMs} />
              </span>
            ),
          ],
          ...(isClip ? [] : [['Trips', formatCount(report.trips)] as const]),
        ]}
      />
      {!isClip && (
        <div className={classes.balance} role="group" aria-label="Rows met are rows kept plus rows skipped">
          <div className={classes.balanceCell}>
            <b>{formatCount(totals.rows)}</b>
            <span>rows or points met</span>
          </div>
          <div className={classes.balanceSign}>=</div>
          <div className={classes.balanceCell}>
            <b>{formatCount(totals.points)}</b>
            <span>points kept</span>
          </div>
          <div className={classes.balanceSign}>+</div>
          <div className={classes.balanceCell}>
            <b>{formatCount(totals.skipped)}</b>
            <span>skipped, each with its reason below</span>
          </div>
          <div className={classes.balanceCell}>
            <b>{formatCount(totals.flagged)}</b>
            <span>of the kept flagged as worth knowing</span>
          </div>
        </div>
      )}
      {report.unknownCameraTrips > 0 && (
        <AssignCamera cameras={cameras} unknownTrips={report.unknownCameraTrips} onAssign={onAssign} />
      )}
      {assigned.length > 0 && <AssignedCameras assigned={assigned} onAssign={onAssign} />}
      <Section
        title={`Files inside (${formatCount(report.entries.length)})`}
        isFlush
        actions={
          remarks.length > 0 && remarks.length < report.entries.length ? (
            <Switch
              label={`Only with remarks (${formatCount(remarks.length)})`}
              checked={onlyRemarks}
              onChange={(event) => setOnlyRemarks(event.currentTarget.checked)}
            />
          ) : undefined
        }
      >
        {entries.slice(0, shown).map((entry: EntryReport, index) => (
          <EntryRow
            key={`${index} ${entry.name}`}
            entry={entry}
            isOpenAtFirst={entries.length <= 3 || (hasRemarks(entry) && remarks.length <= 3)}
            cameras={cameras}
            onAssign={report.unknownCameraTrips > 0 && report.entries.length > 1 ? onAssign : null}
          />
        ))}
        {entries.length > shown && (
          <Button variant="subtle" fullWidth onClick={() => setShown(shown + pageSize)}>
            Show {formatCount(Math.min(pageSize, entries.length - shown))} more of{' '}
            {formatCount(entries.length - shown)}
          </Button>
        )}
      </Section>
      <div className={classes.reportFoot}>
        <span className={classes.muted}>Read by Evidence Desk, reader version {report.readerVersion}</span>
        <Button variant="default" leftSection={<IconTrash size={14} />} onClick={() => setRemoving(true)}>
          Remove from the library…
        </Button>
      </div>
      <ConfirmDialog
        isOpen={isRemoving}
        title="Remove this source from the library?"
        confirmLabel="Remove source"
        onClose={() => setRemoving(false)}
        onConfirm={onRemove}
      >
        “{report.fileName}” and its {formatCounted(report.trips, 'trip')} leave the library. The file itself
        on your computer is not touched, packages sealed so far stay as they are, and the custody log keeps
        that it was here. A source that a case holds can’t be removed.
      </ConfirmDialog>
    </div>
  );
}
