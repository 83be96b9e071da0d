import type { CustodyEntry } from '../../../shared/contract/cases.ts';
import { shortHash } from '../../ui/index.ts';

type Detail = CustodyEntry['detail'];

function text(detail: Detail, name: string): string | null {
  const value = detail[name];
  return typeof value === 'string' && value !== '' ? value : null;
}
const quoted = (value: string | null) => (value === null ? '' : ` “${value}”`);

/** What the sentences borrow from the screen: names of what entries speak of, and times in the zone shown. */
export interface SentenceContext {
  /** Undefined for what is not in the case (any more): its id is shown. */
  titleOf(id: string): string | undefined;
  timeOf(iso: string): string;
}

const sentences: Readonly<Record<string, (entry: CustodyEntry, context: SentenceContext) => string>> = {
  'source.import': ({ detail }) => `Imported source file${quoted(text(detail, 'fileName'))}`,
  'source.remove': ({ detail }) => `Removed source file${quoted(text(detail, 'fileName'))} from the library`,
  'camera.assign': ({ detail }) => {
    const psn = text(detail, 'psn');
    return psn === null
      ? 'Took back the camera assigned to tracks of a source'
      : `Assigned tracks of an unknown camera to camera ${psn}`;
  },
  'trip.view': ({ subject }, context) => `Looked at ${named(subject, context)} for the first time`,
  'clip.view': ({ subject }, context) => `Looked at ${named(subject, context)} for the first time`,
  'case.create': ({ detail }) => `Created the case${quoted(text(detail, 'name'))}`,
  'case.rename': ({ detail }) =>
    `Renamed the case from${quoted(text(detail, 'from'))} to${quoted(text(detail, 'to'))}`,
  'case.range': ({ detail }, context) => {
    const end = (iso: string | null) => (iso === null ? 'no limit' : context.timeOf(iso));
    return `Set the time range: from ${end(text(detail, 'from'))} to ${end(text(detail, 'to'))}`;
  },
  'case.remove': ({ detail }) => `Removed the case${quoted(text(detail, 'name'))}`,
  'exhibit.add': ({ subject }, context) => `Added ${named(subject, context)} as an exhibit`,
  'exhibit.remove': ({ subject }, context) => `Removed ${named(subject, context)} from the exhibits`,
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

function named(subject: CustodyEntry['subject'], context: SentenceContext): string {
  const kind = subject.kind === 'source' ? 'source file' : subject.kind;
  const title = context.titleOf(subject.id);
  return title === undefined ? `${kind} ${subject.id}` : `${kind} “${title}”`;
}

/** One custody entry as a sentence; an action that this version does not know is shown as itself. */
export function custodySentence(entry: CustodyEntry, context: SentenceContext): string {
  const make = Object.hasOwn(sentences, entry.action) ? sentences[entry.action] : undefined;
  return make ? make(entry, context) : `${entry.action}: ${entry.subject.kind} ${entry.subject.id}`;
}
