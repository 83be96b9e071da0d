import { createHash, randomUUID } from 'node:crypto';
import type { CaseFile } from '../../shared/contract/cases.ts';
import { refIdOf, type ExhibitRef } from '../../shared/contract/exhibitRef.ts';
import type { Handlers } from '../../shared/contract/index.ts';
import { AppError } from '../../shared/errors.ts';
import type { CaseId, ExhibitId, NoteId } from '../../shared/ids.ts';
import { createCaseRepository } from '../cache/caseRepository.ts';
import { createCustodyRepository, type CustodyDraft } from '../cache/custodyRepository.ts';
import { transact } from '../cache/database.ts';
import type { DeskDeps } from './deps.ts';

type CaseHandlers = Pick<
  Handlers,
  | 'cases.list'
  | 'cases.get'
  | 'cases.create'
  | 'cases.rename'
  | 'cases.add'
  | 'cases.removeExhibit'
  | 'cases.setRange'
  | 'cases.addNote'
  | 'cases.editNote'
  | 'cases.removeNote'
  | 'cases.remove'
  | 'custody.list'
>;

/** One page of the custody log when no limit is asked for. */
const custodyPage = 1000;

/** Cases: every change is one transaction together with its custody entry. */
export function createCaseHandlers(deps: Pick<DeskDeps, 'cache' | 'now' | 'actor' | 'emit'>): CaseHandlers {
  const { db } = deps.cache;
  const cases = createCaseRepository(db);
  const custody = createCustodyRepository(db, deps.now);

  const found = (caseId: CaseId): CaseFile => {
    const file = cases.find(caseId);
    if (!file) throw new AppError('not_found', 'There is no such case any more.', { details: { caseId } });
    return file;
  };
  const record = (
    caseId: CaseId,
    action: CustodyDraft['action'],
    entry: Partial<CustodyDraft> = {},
  ): void => {
    custody.append({
      actor: deps.actor(),
      action,
      subject: entry.subject ?? { kind: 'case', id: caseId, sha256: null },
      detail: entry.detail ?? {},
      caseId,
    });
  };
  const refuseTakenName = (name: string, except?: CaseId): void => {
    const taken = cases.idOfName(name);
    if (taken === undefined || taken === except) return;
    throw new AppError('already_exists', `There is a case named "${name}" already.`, {
      remedy: 'Choose another name (letter case makes no difference), or open the existing case.',
      details: { caseId: taken },
    });
  };
  /** Runs a change of a case; front ends hear of it only once it is kept. */
  const change = (caseId: CaseId, work: (before: CaseFile) => void): CaseFile => {
    const after = transact(db, () => {
      work(found(caseId));
      return found(caseId);
    });
    deps.emit('cases.changed', { caseId });
    return after;
  };

  return {
    'cases.list': () => cases.list(),
    'cases.get': ({ caseId }) => found(caseId),

    'cases.create': ({ name }) => {
      const caseId = newId<CaseId>('case');
      transact(db, () => {
        refuseTakenName(name);
        cases.create(caseId, name, deps.now());
        record(caseId, 'case.create', { detail: { name } });
      });
      deps.emit('cases.changed', { caseId });
      return found(caseId);
    },

    'cases.rename': ({ caseId, name }) =>
      change(caseId, (before) => {
        if (before.name === name) return;
        refuseTakenName(name, caseId);
        cases.rename(caseId, name);
        record(caseId, 'case.rename', { detail: { from: before.name, to: name } });
      }),

    'cases.add': ({ caseId, refs }) =>
      change(caseId, () => {
        for (const given of refs) {
          const ref = cases.named(given);
          const sha256 = cases.sha256Of(ref);
          if (sha256 === undefined) throw missingExhibit(ref);
          const exhibitId = newId<ExhibitId>('exhibit');
          if (!cases.addExhibit(caseId, exhibitId, ref, deps.now())) continue;
          record(caseId, 'exhibit.add', { subject: subjectOf(ref, sha256), detail: { caseId, exhibitId } });
        }
      }),

    'cases.removeExhibit': ({ caseId, exhibitId }) =>
      change(caseId, (before) => {
        const exhibit = before.exhibitList.find((one) => one.exhibitId === exhibitId);
        if (!exhibit) throw new AppError('not_found', 'The case does not hold this exhibit any more.');
        cases.removeExhibit(caseId, exhibitId);
        record(caseId, 'exhibit.remove', {
          subject: subjectOf(exhibit.ref, exhibit.sha256),
          detail: { caseId, exhibitId },
        });
      }),

    'cases.setRange': ({ caseId, fromMs, toMs }) =>
      change(caseId, (before) => {
        for (const ms of [fromMs, toMs]) {
          if (ms !== null && Number.isNaN(new Date(ms).getTime())) {
            throw new AppError('invalid_input', 'The range reaches beyond the calendar.');
          }
        }
        if (fromMs !== null && toMs !== null && fromMs >= toMs) {
          throw new AppError('invalid_input', 'The range ends before it begins.', {
            remedy: 'Choose an end later than the start.',
          });
        }
        const isSame = before.range.fromMs === fromMs && before.range.toMs === toMs;
        if (isSame) return;
        cases.setRange(caseId, { fromMs, toMs });
        record(caseId, 'case.range', { detail: { from: toTime(fromMs), to: toTime(toMs) } });
      }),

    'cases.addNote': ({ caseId, text }) =>
      change(caseId, () => {
        const noteId = newId<NoteId>('note');
        cases.addNote(caseId, noteId, text, deps.now());
        record(caseId, 'note.add', { subject: noteSubject(noteId, text), detail: { caseId } });
      }),

    'cases.editNote': ({ caseId, noteId, text }) =>
      change(caseId, (before) => {
        const old = noteOf(before, noteId);
        if (old.text === text) return;
        cases.editNote(caseId, noteId, text, deps.now());
        record(caseId, 'note.edit', {
          subject: noteSubject(noteId, text),
          detail: { caseId, sha256Before: sha256(old.text) },
        });
      }),

    'cases.removeNote': ({ caseId, noteId }) =>
      change(caseId, (before) => {
        const old = noteOf(before, noteId);
        cases.removeNote(caseId, noteId);
        record(caseId, 'note.remove', { subject: noteSubject(noteId, old.text), detail: { caseId } });
      }),

    'cases.remove': ({ caseId }) => {
      transact(db, () => {
        const before = found(caseId);
        cases.remove(caseId);
        record(caseId, 'case.remove', {
          detail: { name: before.name, exhibits: before.exhibits, notes: before.notes },
        });
      });
      deps.emit('cases.changed', { caseId: null });
      return null;
    },

    'custody.list': ({ caseId, afterSeq, limit }) => ({
      entries: custody.list({
        ...(caseId === undefined ? {} : { caseId }),
        afterSeq: afterSeq ?? 0,
        limit: limit ?? custodyPage,
      }),
      total: custody.count(caseId),
      isChainWhole: custody.verifyChain().isWhole,
    }),
  };
}

function newId<Id extends string>(prefix: string): Id {
  return `${prefix}_${randomUUID().replaceAll('-', '').slice(0, 16)}` as Id; // the brand has no runtime form
}

function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

function subjectOf(ref: ExhibitRef, hash: string): CustodyDraft['subject'] {
  return { kind: ref.kind, id: refIdOf(ref), sha256: hash };
}

function noteSubject(noteId: NoteId, text: string): CustodyDraft['subject'] {
  return { kind: 'note', id: noteId, sha256: sha256(text) };
}

function noteOf(file: CaseFile, noteId: NoteId) {
  const note = file.noteList.find((one) => one.noteId === noteId);
  if (!note) throw new AppError('not_found', 'The case does not hold this note any more.');
  return note;
}

function missingExhibit(ref: ExhibitRef): AppError {
  const what = ref.kind === 'derived' ? 'still or trim' : ref.kind;
  return new AppError('not_found', `There is no ${what} ${refIdOf(ref)} in the library.`, {
    remedy:
      ref.kind === 'derived'
        ? 'It was taken away, or never made. Make it again from its clip.'
        : 'Import its file again, then add it.',
  });
}

function toTime(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
