import type { CaseFile, CaseSummary } from '../../../../shared/contract/cases.ts';
import type { DeskClient } from '../../../../shared/contract/client.ts';
import { toExhibitRef, type ExhibitRef } from '../../../../shared/contract/exhibitRef.ts';
import { toRfc3339 } from '../../../../shared/time.ts';
import { UsageError, type Arguments } from '../arguments.ts';
import { exitCodes, type RunCommand } from '../command.ts';
import { findCase } from '../findCase.ts';
import { withDesk } from '../openCliDesk.ts';
import { printable, table } from '../output.ts';

const actions = ['create', 'list', 'add', 'note'] as const;
type Action = (typeof actions)[number];
const kinds = ['trip', 'clip', 'source', 'derived'] as const;

/** `case create|list|add|note`. */
export const runCaseCommand: RunCommand = async (context) => {
  const { args, output } = context;
  const action = actions.find((one) => one === args.positionals[0]);
  if (action === undefined) {
    throw new UsageError(
      args.positionals[0] === undefined
        ? 'What to do with cases is missing.'
        : `Cases know no "${args.positionals[0]}".`,
    );
  }
  const { name, text } = checkWords(action, args);
  if (action === 'list') {
    const cases = (await withDesk(context, (desk) => desk.client.invoke('cases.list', {}))).map(toSummary);
    output.result({ cases }, () =>
      table(
        ['CASE', 'NAME', 'CREATED (UTC)', 'EXHIBITS', 'NOTES', 'PACKAGES'],
        cases.map((c) => [c.caseId, c.name, c.createdAt, c.exhibitCount, c.noteCount, c.packageCount]),
      ),
    );
    return exitCodes.done;
  }
  const file = await withDesk(context, (desk) => change(desk.client, action, name, text, args));
  output.result({ case: toDocument(file) }, () => caseText(file));
  return exitCodes.done;
};

/** The words after the action, checked before the data folder is opened. */
function checkWords(action: Action, args: Arguments): { name: string; text: string } {
  const [, name, text, ...more] = args.positionals;
  const wanted = { create: 1, list: 0, add: 1, note: 2 }[action];
  const given = args.positionals.length - 1;
  if (given < wanted) throw new UsageError(`${given === 0 ? 'NAME' : 'TEXT'} is missing.`);
  if (given > wanted) throw new UsageError(`${JSON.stringify(more.at(-1) ?? text ?? name)} is too much.`);
  if (wanted > 0 && name!.trim() === '') throw new UsageError('NAME is empty.');
  if (wanted > 1 && text!.trim() === '') throw new UsageError('TEXT is empty.');
  const hasRefs = refsOf(args).length > 0;
  const options = '--trip ID, --clip ID, --source ID or --derived ID';
  if (action === 'add' && !hasRefs) throw new UsageError(`Say what to add: ${options}.`);
  if (action !== 'add' && hasRefs) throw new UsageError(`${options} go with "case add".`);
  return { name: name ?? '', text: text ?? '' };
}

async function change(
  client: DeskClient,
  action: Exclude<Action, 'list'>,
  name: string,
  text: string,
  args: Arguments,
): Promise<CaseFile> {
  if (action === 'create') return client.invoke('cases.create', { name });
  const caseId = await findCase(client, name);
  if (action === 'note') return client.invoke('cases.addNote', { caseId, text });
  return client.invoke('cases.add', { caseId, refs: refsOf(args) });
}

/** What the options name, in the order of the kinds. */
function refsOf(args: Arguments): ExhibitRef[] {
  return kinds.flatMap((kind) => args.list(`--${kind}`).map((id) => toExhibitRef(kind, id)));
}

function toSummary(summary: CaseSummary) {
  return {
    caseId: summary.caseId,
    name: summary.name,
    createdAt: toRfc3339(summary.createdAtMs),
    from: toRfc3339(summary.range.fromMs),
    to: toRfc3339(summary.range.toMs),
    exhibitCount: summary.exhibits,
    noteCount: summary.notes,
    packageCount: summary.packages,
  };
}

function toDocument(file: CaseFile) {
  return {
    ...toSummary(file),
    exhibits: file.exhibitList.map((exhibit) => ({
      exhibitId: exhibit.exhibitId,
      ...exhibit.ref,
      title: exhibit.title,
      sha256: exhibit.sha256,
      addedAt: toRfc3339(exhibit.addedAtMs),
    })),
    notes: file.noteList.map((note) => ({
      noteId: note.noteId,
      text: note.text,
      writtenAt: toRfc3339(note.writtenAtMs),
      editedAt: toRfc3339(note.editedAtMs),
    })),
  };
}

function caseText(file: CaseFile): string {
  const lines = [
    `${file.name} (${file.caseId}), ${file.exhibits} exhibits, ${file.notes} notes`,
    ...file.exhibitList.map((exhibit) => `  ${exhibit.ref.kind}: ${exhibit.title}`),
    ...file.noteList.map((note) => `  note: ${note.text}`),
  ];
  return `${lines.map(printable).join('\n')}\n`;
}
