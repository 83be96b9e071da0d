import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useId, useState } from 'react';
import type { EntryReport, ReasonCount } from '../../../shared/contract/imports.ts';
import type { Camera } from '../../../shared/contract/sources.ts';
import { formatCount, formatCounted, Status, type Tone } from '../../ui/index.ts';
import { AssignCamera, type Assign } from './AssignCamera.tsx';
import classes from './imports.module.css';

const states: Record<EntryReport['status'], { tone: Tone; text: string }> = {
  imported: { tone: 'ok', text: 'Read' },
  partial: { tone: 'warn', text: 'Read in part' },
  skipped: { tone: 'quiet', text: 'Left out' },
  failed: { tone: 'bad', text: 'Could not be read' },
};

/** One file of an archive: how it fared, and on opening the reasons. */
export function EntryRow({
  entry,
  isOpenAtFirst,
  cameras,
  onAssign,
}: {
  entry: EntryReport;
  isOpenAtFirst: boolean;
  cameras: readonly Camera[];
  /** Null where tracks of an unknown camera are assigned for the whole source, or there are none. */
  onAssign: Assign | null;
}) {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const id = useId();
  const state = states[entry.status];
  const isUnknown = entry.psns.length === 0 && entry.trips > 0;
  const isClip = entry.format === 'mp4';
  const facts = [
    entry.format === null ? 'not a track file' : entry.format.toUpperCase(),
    isUnknown ? 'unknown camera' : cameraText(entry.psns),
    // A clip is kept as one file: it has no rows.
    ...(isClip
      ? []
      : [
          formatCounted(entry.trips, 'trip'),
          `${formatCounted(entry.points, 'point')} of ${formatCounted(entry.rows, 'row')}`,
        ]),
  ].filter((text) => text !== '');
  const isPlain = entry.skipped.length === 0 && entry.flagged.length === 0 && entry.error === null;
  return (
    <div className={classes.entry}>
      <button
        type="button"
        className={classes.entryHead}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        {isOpen ? <IconChevronDown size={14} aria-hidden /> : <IconChevronRight size={14} aria-hidden />}
        <span className={classes.entryName}>{entry.name}</span>
        <Status tone={state.tone}>{state.text}</Status>
        <span className={classes.entryFacts}>{facts.join(' · ')}</span>
      </button>
      {isOpen && (
        <div className={classes.entryBody} id={id}>
          {entry.error && <div>{entry.error}</div>}
          {entry.psns.length > 3 && <div>Cameras: {entry.psns.join(', ')}</div>}
          <Reasons title="Skipped" reasons={entry.skipped} />
          <Reasons title="Kept, but worth knowing" reasons={entry.flagged} />
          {isPlain && (
            <div className={classes.muted}>
              {isClip ? 'Kept whole' : 'Every row was kept'}; nothing to remark.
            </div>
          )}
          {isUnknown && onAssign && (
            <AssignCamera cameras={cameras} unknownTrips={null} entryName={entry.name} onAssign={onAssign} />
          )}
        </div>
      )}
    </div>
  );
}

function cameraText(psns: readonly string[]): string {
  if (psns.length === 0) return '';
  return psns.length > 3 ? formatCounted(psns.length, 'camera') : `camera ${psns.join(', ')}`;
}

function Reasons({ title, reasons }: { title: string; reasons: readonly ReasonCount[] }) {
  if (reasons.length === 0) return null;
  return (
    <table className={classes.reasons}>
      <caption>{title}</caption>
      <thead>
        <tr>
          <th scope="col">Reason</th>
          <th scope="col">First at</th>
          <th scope="col">Count</th>
        </tr>
      </thead>
      <tbody>
        {reasons.map((reason) => (
          <tr key={reason.reason}>
            <td>{reason.reason}</td>
            <td>{reason.where}</td>
            <td>{formatCount(reason.count)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
