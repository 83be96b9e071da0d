import { createHash, randomUUID } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { Handlers } from '../../shared/contract/index.ts';
import type { Mark, MarkAnchor } from '../../shared/contract/marks.ts';
import { AppError } from '../../shared/errors.ts';
import type { CaseId, MarkId } from '../../shared/ids.ts';
import { toRfc3339 } from '../../shared/time.ts';
import { createCaseRepository } from '../cache/caseRepository.ts';
import { createClipRepository } from '../cache/clipRepository.ts';
import { createCustodyRepository, type CustodyAction } from '../cache/custodyRepository.ts';
import { transact } from '../cache/database.ts';
import { createMarkRepository } from '../cache/markRepository.ts';
import type { DeskDeps } from './deps.ts';

type MarkHandlers = Pick<
  Handlers,
  'marks.list' | 'marks.add' | 'marks.edit' | 'marks.remove' | 'marks.restore'
>;

/**
 * Bookmarks and ranges. Every change is one transaction with its custody entry, which names the mark, the hash of
 * what it says and the clips that it lies on, never its words.
 */
export function createMarkHandlers(deps: Pick<DeskDeps, 'cache' | 'now' | 'actor' | 'emit'>): MarkHandlers {
  const { db } = deps.cache;
  const marks = createMarkRepository(db);
  const cases = createCaseRepository(db);
  const clips = createClipRepository(db);
  const custody = createCustodyRepository(db, deps.now);

  const found = (markId: MarkId, isRemoved: boolean): Mark => {
    const stored = marks.find(markId);
    if (stored && (isRemoved || !stored.isRemoved)) return stored.mark;
    throw new AppError('not_found', 'There is no such mark any more.', {
      remedy: 'It was taken away, or its case was. Undo brings back what was taken away in this session.',
      details: { markId },
    });
  };
  const checkCase = (caseId: CaseId | null): void => {
    if (caseId !== null && !cases.find(caseId))
      throw new AppError('not_found', 'There is no such case any more.', { details: { caseId } });
  };
  const checkAnchors = (...anchors: readonly (MarkAnchor | null | undefined)[]): void => {
    for (const anchor of anchors) if (anchor) clips.get(anchor.clipId); // says that it is not there
  };
  const record = (
    action: CustodyAction,
    mark: Mark,
    detail: Readonly<Record<string, unknown>> = {},
  ): void => {
    const ids = new Set([mark.from, mark.to].flatMap((anchor) => (anchor ? [anchor.clipId] : [])));
    custody.append({
      actor: deps.actor(),
      action,
      subject: { kind: 'mark', id: mark.markId, sha256: hashOf(mark) },
      detail: {
        kind: mark.kind,
        caseId: mark.caseId,
        from: toRfc3339(mark.fromMs),
        to: toRfc3339(mark.toMs),
        // A clip may have left the library since; its id begins with its hash.
        clips: [...ids].map((clipId) => ({ clipId, sha256: clips.find(clipId)?.sha256 ?? null })),
        ...detail,
      },
      ...(mark.caseId === null ? {} : { caseId: mark.caseId }),
    });
  };
  const tell = (...caseIds: readonly (CaseId | null)[]): void => {
    for (const caseId of new Set(caseIds)) deps.emit('marks.changed', { caseId });
  };

  return {
    'marks.list': (filter) => marks.list(filter),

    'marks.add'(input) {
      const mark: Mark = {
        ...input,
        markId: `mark_${randomUUID().replaceAll('-', '').slice(0, 16)}` as MarkId, // the brand has no runtime form
        tags: tidyTags(input.tags),
        actor: deps.actor(),
        madeAtMs: deps.now(),
        editedAtMs: null,
      };
      checkSpan(mark);
      transact(db, () => {
        checkCase(mark.caseId);
        checkAnchors(mark.from, mark.to);
        marks.insert(mark);
        record('mark.add', mark);
      });
      tell(mark.caseId);
      return mark;
    },

    'marks.edit'({ markId, ...changes }) {
      let before: Mark | null = null;
      const after = transact(db, () => {
        before = found(markId, false);
        const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
        const mark: Mark = { ...before, ...given };
        const edited: Mark = { ...mark, tags: tidyTags(mark.tags), editedAtMs: deps.now() };
        if (hashOf(edited) === hashOf(before)) return before;
        checkSpan(edited);
        checkCase(edited.caseId);
        checkAnchors(changes.from, changes.to);
        marks.update(edited);
        record('mark.edit', edited, {
          sha256Before: hashOf(before),
          ...(before.caseId === edited.caseId ? {} : { caseIdBefore: before.caseId }),
        });
        return edited;
      });
      if (after !== before) tell(before!.caseId, after.caseId); // the transaction set it
      return after;
    },

    'marks.remove'({ markId }) {
      const mark = transact(db, () => {
        const one = found(markId, false);
        marks.setRemoved(markId, deps.now());
        record('mark.remove', one);
        return one;
      });
      tell(mark.caseId);
      return null;
    },

    'marks.restore'({ markId }) {
      const { mark, isBack } = transact(db, () => {
        const one = found(markId, true);
        if (!marks.find(markId)!.isRemoved) return { mark: one, isBack: false }; // `found` saw it
        marks.setRemoved(markId, null);
        record('mark.restore', one);
        return { mark: one, isBack: true };
      });
      if (isBack) tell(mark.caseId);
      return mark;
    },
  };
}

/** SHA-256 over what a mark says (who and when aside) in RFC 8785 JSON: custody can show that words were changed. */
function hashOf(mark: Mark): string {
  const { caseId, kind, fromMs, toMs, uncertaintyMs, from, to, title, note, tags } = mark;
  const said = { caseId, kind, fromMs, toMs, uncertaintyMs, from, to, title, note, tags };
  const text = canonicalize(wellFormed(said))!; // an object is JSON
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

/** A lone surrogate has no canonical JSON; the words themselves stay as they were given. */
function wellFormed(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_, one: unknown) =>
    typeof one === 'string' ? one.toWellFormed() : one,
  );
}

/** Each once, as first written; letter case makes no difference. */
function tidyTags(tags: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  return tags.filter((tag) => {
    const key = tag.normalize('NFKC').toLowerCase();
    return !seen.has(key) && seen.add(key);
  });
}

/** Throws AppError invalid_input for a mark that lies nowhere, or a range that is none. */
function checkSpan({ kind, fromMs, toMs, from, to }: Mark): void {
  for (const ms of [fromMs, toMs]) {
    if (ms !== null && toRfc3339(ms) === null)
      throw new AppError('invalid_input', 'The mark reaches beyond the calendar.');
  }
  if (fromMs === null && from === null) {
    throw new AppError('invalid_input', 'A mark needs a time or a place on a clip; this one has neither.', {
      remedy: 'Show the moment in the player, then mark it.',
    });
  }
  if (kind === 'bookmark') {
    if (toMs === null && to === null) return;
    throw new AppError('invalid_input', 'A bookmark is one moment and has no end.', {
      remedy: 'Make a range of it.',
    });
  }
  if (toMs === null && to === null) {
    throw new AppError('invalid_input', 'The range has no end.', { remedy: 'Set its out point.' });
  }
  const endsBefore =
    (fromMs !== null && toMs !== null && toMs < fromMs) ||
    (from !== null && to !== null && from.clipId === to.clipId && to.clipS < from.clipS);
  if (endsBefore) {
    throw new AppError('invalid_input', 'The range ends before it begins.', {
      remedy: 'Choose an out point later than the in point.',
    });
  }
}
