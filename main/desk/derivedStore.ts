import { randomUUID } from 'node:crypto';
import type { Derived } from '../../shared/contract/derived.ts';
import { AppError } from '../../shared/errors.ts';
import type { CaseId, DerivedId, ExhibitId } from '../../shared/ids.ts';
import { toRfc3339 } from '../../shared/time.ts';
import { createCaseRepository } from '../cache/caseRepository.ts';
import { createClipRepository } from '../cache/clipRepository.ts';
import { createCustodyRepository, type CustodyAction } from '../cache/custodyRepository.ts';
import { toCacheError, transact } from '../cache/database.ts';
import { createDerivedRepository } from '../cache/derivedRepository.ts';
import type { DeskDeps } from './deps.ts';

/** A file that is finished and lies in the partial folder. */
export interface FinishedFile {
  readonly path: string;
  readonly derived: Omit<Derived, 'derivedId' | 'actor' | 'madeAtMs'>;
}

/**
 * Keeps derived files: blob, row, custody entry and exhibit in one transaction, so that nothing half-made is left;
 * takes them away and brings them back.
 */
export function createDerivedStore(deps: Pick<DeskDeps, 'cache' | 'now' | 'actor' | 'emit'>) {
  const { db, blobs, folder } = deps.cache;
  const derivedFiles = createDerivedRepository(db);
  const cases = createCaseRepository(db);
  const clips = createClipRepository(db);
  const custody = createCustodyRepository(db, deps.now);

  const newId = (prefix: string): string => `${prefix}_${randomUUID().replaceAll('-', '').slice(0, 16)}`;
  const found = (derivedId: DerivedId) => {
    const stored = derivedFiles.find(derivedId);
    if (stored) return stored;
    throw new AppError('not_found', 'There is no such still or trim any more.', {
      remedy: 'Its clip was removed from the library, or it was never made.',
      details: { derivedId },
    });
  };
  const checkCase = (caseId: CaseId | null): void => {
    if (caseId !== null && !cases.find(caseId))
      throw new AppError('not_found', 'There is no such case any more.', { details: { caseId } });
  };
  const record = (action: CustodyAction, derived: Derived, detail: Record<string, unknown> = {}): void => {
    const { derivedId, sha256, caseId, recipe } = derived;
    custody.append({
      actor: deps.actor(),
      action,
      subject: { kind: 'derived', id: derivedId, sha256 },
      detail: {
        kind: derived.kind,
        fileName: derived.fileName,
        caseId,
        clipId: derived.clipId,
        sourceSha256: recipe.source.sha256,
        ...detail,
      },
      ...(caseId === null ? {} : { caseId }),
    });
  };
  const recordExhibit = (
    action: 'exhibit.add' | 'exhibit.remove',
    { derivedId, sha256 }: Derived,
    caseId: CaseId,
    exhibitId: string,
  ): void => {
    const subject = { kind: 'derived', id: derivedId, sha256 };
    custody.append({ actor: deps.actor(), action, subject, detail: { caseId, exhibitId }, caseId });
  };
  /** False where it is one already, or belongs to no case. */
  const addExhibit = (derived: Derived): boolean => {
    if (derived.caseId === null) return false;
    const exhibitId = newId('exhibit') as ExhibitId; // the brand has no runtime form
    const ref = { kind: 'derived', derivedId: derived.derivedId } as const;
    const isAdded = cases.addExhibit(derived.caseId, exhibitId, ref, deps.now());
    if (isAdded) recordExhibit('exhibit.add', derived, derived.caseId, exhibitId);
    return isAdded;
  };
  const tell = (caseId: CaseId | null): void => {
    deps.emit('marks.changed', { caseId });
    if (caseId !== null) deps.emit('cases.changed', { caseId });
  };

  return {
    list: derivedFiles.list,
    checkCase,

    /**
     * Adopts the file. The same bytes made again of the same moment of a clip for the same case are the file that is
     * there, and an exhibit again. Bytes alone don't tell: two frames of a parked car are one picture, and a clock that
     * was set since makes another time; the file's name says both. The file at `path` is gone afterwards or the
     * caller's to remove.
     */
    keep({ path, derived }: FinishedFile): Derived {
      let isAdopted = false;
      let isChange = true;
      try {
        const kept = transact(db, () => {
          checkCase(derived.caseId);
          clips.get(derived.clipId); // says that it left the library meanwhile
          const { clipId, caseId, kind, sha256, fileName } = derived;
          const same = derivedFiles
            .list({ clipId })
            .find(
              (one) =>
                one.caseId === caseId &&
                one.kind === kind &&
                one.sha256 === sha256 &&
                one.fileName === fileName,
            );
          if (same) {
            isChange = addExhibit(same);
            return same;
          }
          isAdopted = blobs.adopt(path, sha256);
          const made: Derived = {
            ...derived,
            derivedId: newId('derived') as DerivedId, // the brand has no runtime form
            actor: deps.actor(),
            madeAtMs: deps.now(),
          };
          derivedFiles.insert(made);
          const { requestedS, actualS, startUtcMs, endUtcMs } = made.recipe;
          record(kind === 'trim' ? 'derive.trim' : 'derive.still', made, {
            requestedS,
            actualS,
            from: toRfc3339(startUtcMs),
            to: toRfc3339(endUtcMs),
          });
          addExhibit(made);
          return made;
        });
        if (isAdopted) blobs.settle(kept.sha256);
        if (isChange) tell(kept.caseId);
        return kept;
      } catch (thrown) {
        // Where even this fails the blob stays marked, and the next start takes it back.
        if (isAdopted) {
          transact(db, () => {
            if (!derivedFiles.isBlobUsed(derived.sha256)) blobs.remove(derived.sha256);
          });
        }
        throw toCacheError(thrown, folder);
      }
    },

    /** Out of the lists and out of its case; the file stays for undo. Throws AppError not_found, busy. */
    remove(derivedId: DerivedId): void {
      const { caseId } = transact(db, () => {
        const { derived, isRemoved } = found(derivedId);
        if (isRemoved)
          throw new AppError('not_found', 'It was taken away already.', { details: { derivedId } });
        const holders = derivedFiles.holders(derivedId);
        const others = holders.filter((one) => one.caseId !== derived.caseId);
        if (others.length > 0) {
          const names = others.map(({ name }) => `"${name}"`).join(', ');
          throw new AppError('busy', `${derived.fileName} is held by the case ${names}.`, {
            remedy: 'Take it out of that case first.',
            details: { cases: others.map(({ name }) => name) },
          });
        }
        const own = holders.find((one) => one.caseId === derived.caseId);
        if (own) {
          cases.removeExhibit(own.caseId, own.exhibitId as ExhibitId); // the repository names it
          recordExhibit('exhibit.remove', derived, own.caseId, own.exhibitId);
        } else derivedFiles.setCase(derivedId, null); // it was taken out before: it does not come back as an exhibit
        derivedFiles.setRemoved(derivedId, deps.now());
        record('derived.remove', derived);
        return derived;
      });
      tell(caseId);
    },

    /** Brings it back, into its case too where that is still there. Throws AppError not_found, blob_missing. */
    restore(derivedId: DerivedId): Derived {
      const { derived, isBack } = transact(db, () => {
        const stored = found(derivedId);
        if (!stored.isRemoved) return { derived: stored.derived, isBack: false };
        if (!blobs.has(stored.derived.sha256)) {
          throw new AppError(
            'blob_missing',
            `The file ${stored.derived.fileName} is not in the cache any more.`,
            {
              remedy: 'Make it again from its clip.',
              details: { derivedId },
            },
          );
        }
        derivedFiles.setRemoved(derivedId, null);
        record('derived.restore', stored.derived);
        addExhibit(stored.derived);
        return { derived: stored.derived, isBack: true };
      });
      if (isBack) tell(derived.caseId);
      return derived;
    },
  };
}
