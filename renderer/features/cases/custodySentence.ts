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
  'mark.add': ({ detail }) => `Made a ${markName(detail)}`,
  'mark.edit': ({ detail }) => `Edited a ${markName(detail)}`,
  'mark.remove': ({ detail }) => `Took a ${markName(detail)} away`,
  'mark.restore': ({ detail }) => `Brought a ${markName(detail)} back`,
  'derive.still': ({ detail }) =>
    `Took a still${text(detail, 'kind') === 'stamped-still' ? ' with a text burned in' : ''}${quoted(text(detail, 'fileName'))}`,
  'derive.trim': ({ detail }) => `Cut a trim without loss${quoted(text(detail, 'fileName'))}`,
  'derived.remove': ({ detail }) => `Took${quoted(text(detail, 'fileName'))} away; its file is kept`,
  'derived.restore': ({ detail }) => `Brought${quoted(text(detail, 'fileName'))} back`,
  'clock.set': ({ detail }) =>
    `Set the clock of${quoted(text(detail, 'source'))} by hand${reasonText(detail)}`,
  'clock.reset': ({ detail }) =>
    `Took back what was set of the clock of${quoted(text(detail, 'source'))}${reasonText(detail)}`,
  'clip.matched': ({ detail }) =>
    `Knew the camera${quoted(text(detail, 'psn'))} of the clip${quoted(text(detail, 'fileName'))}: its card alone lists the name${detail.sizeAgrees === true ? ', with the same length' : ''}`,
  'clip.order': ({ subject, detail }) =>
    `Ordered the recall of ${recordingName(subject)}${reasonText(detail)}`,
  'clip.request': ({ subject }) => `The camera accepted the recall of ${recordingName(subject)}`,
  'clip.receive': ({ subject }) =>
    `Received ${recordingName(subject)}${subject.sha256 === null ? '' : `, SHA-256 ${shortHash(subject.sha256)}`}`,
  'clip.cancel': ({ subject }) => `Canceled the recall of ${recordingName(subject)}`,
  'card.delete': ({ subject, detail }) =>
    `Deleted ${recordingName(subject)} from the camera’s card${reasonText(detail)}`,
  'camera.clock': ({ subject, detail }) =>
    `${detail.offsetMinutes === null ? 'Took back' : 'Set'} the clock offset of camera ${subject.id}${reasonText(detail)}`,
  'camera.reboot': ({ subject, detail }) => `Restarted camera ${subject.id}${reasonText(detail)}`,
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

const reasonText = (detail: Detail): string => {
  const reason = text(detail, 'reason');
  return reason === null ? '' : `, because: ${reason}`;
};

const markName = (detail: Detail): string => (detail.kind === 'range' ? 'range' : 'bookmark');

/** `<camera>/<file>/<quality>` as people say it. */
function recordingName({ id }: CustodyEntry['subject']): string {
  const [psn, file, quality] = id.split('/');
  if (psn === undefined || file === undefined) return id;
  const words = quality === 'sub' ? ' (low resolution)' : quality === 'main' ? ' (full resolution)' : '';
  return `${file}${words} of camera ${psn}`;
}

function named(subject: CustodyEntry['subject'], context: SentenceContext): string {
  const kinds: Readonly<Record<string, string>> = { source: 'source file', derived: 'still or trim' };
  const kind = kinds[subject.kind] ?? subject.kind;
  const title = context.titleOf(subject.id);
  return title === undefined ? `${kind} ${subject.id}` : `${kind} “${title}”`;
}

/** One custody entry as a sentence; an action that this version does not know is shown as itself. */
export function custodySentence(entry: CustodyEntry, context: SentenceContext): string {
  const make = Object.hasOwn(sentences, entry.action) ? sentences[entry.action] : undefined;
  return make ? make(entry, context) : `${entry.action}: ${entry.subject.kind} ${entry.subject.id}`;
}
