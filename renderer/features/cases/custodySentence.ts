import type { CustodyEntry } from '../../../shared/contract/cases.ts';
import { shortHash } from '../../ui/index.ts';

type Detail = CustodyEntry['detail'];

function text(detail: Detail, name: string): string | null {
  const value = detail[name];
  return typeof value === 'string' && value !== '' ? value : null;
}
const quoted = (value: string | null) => (value === null ? '' : ` “${value}”`);
const time = (value: string | null) => (value === null ? 'no limit' : value);

const sentences: Readonly<Record<string, (entry: CustodyEntry) => string>> = {
  'source.import': ({ detail }) => `Imported source file${quoted(text(detail, 'fileName'))}`,
  'source.remove': ({ detail }) => `Removed source file${quoted(text(detail, 'fileName'))} from the library`,
  'camera.assign': ({ detail }) => {
    const psn = text(detail, 'psn');
    return psn === null
      ? 'Took back the camera assigned to tracks of a source'
      : `Assigned tracks of an unknown camera to camera ${psn}`;
  },
  'trip.view': ({ subject }) => `Looked at trip ${subject.id} for the first time`,
  'case.create': ({ detail }) => `Created the case${quoted(text(detail, 'name'))}`,
  'case.rename': ({ detail }) =>
    `Renamed the case from${quoted(text(detail, 'from'))} to${quoted(text(detail, 'to'))}`,
  'case.range': ({ detail }) =>
    `Set the time range: from ${time(text(detail, 'from'))} to ${time(text(detail, 'to'))}`,
  'case.remove': ({ detail }) => `Removed the case${quoted(text(detail, 'name'))}`,
  'exhibit.add': ({ subject }) => `Added ${exhibit(subject)} as an exhibit`,
  'exhibit.remove': ({ subject }) => `Removed ${exhibit(subject)} from the exhibits`,
  'note.add': () => 'Wrote a note',
  'note.edit': () => 'Edited a note',
  'note.remove': () => 'Removed a note',
  'package.seal': ({ detail, subject }) =>
    `Sealed package${quoted(text(detail, 'fileName'))}${subject.sha256 === null ? '' : `, SHA-256 ${shortHash(subject.sha256)}`}`,
  'package.verify': ({ detail }) =>
    `Verified package${quoted(text(detail, 'fileName'))}: ${
      detail.ok === true
        ? 'unchanged since sealed'
        : detail.ok === false
          ? 'not as it was sealed'
          : 'see details'
    }`,
};

function exhibit(subject: CustodyEntry['subject']): string {
  const kind = subject.kind === 'source' ? 'source file' : subject.kind;
  return `${kind} ${subject.id}`;
}

/** One custody entry as a sentence; an action that this version does not know is shown as itself. */
export function custodySentence(entry: CustodyEntry): string {
  const make = Object.hasOwn(sentences, entry.action) ? sentences[entry.action] : undefined;
  return make ? make(entry) : `${entry.action}: ${entry.subject.kind} ${entry.subject.id}`;
}
