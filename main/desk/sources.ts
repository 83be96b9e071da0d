import type { Handlers } from '../../shared/contract/index.ts';
import type { Source } from '../../shared/contract/sources.ts';
import { AppError } from '../../shared/errors.ts';
import type { SourceId } from '../../shared/ids.ts';
import { createCustodyRepository } from '../cache/custodyRepository.ts';
import { transact } from '../cache/database.ts';
import { createDerivedRepository } from '../cache/derivedRepository.ts';
import { createLibraryRepository } from '../cache/libraryRepository.ts';
import { createSourceRepository } from '../cache/sourceRepository.ts';
import { createTripRepository } from '../cache/tripRepository.ts';
import type { DeskDeps } from './deps.ts';

type SourceHandlers = Pick<
  Handlers,
  'sources.list' | 'sources.report' | 'sources.remove' | 'cameras.list' | 'cameras.assign'
>;

/** Sources and cameras. A change is one transaction together with its custody entry. */
export function createSourceHandlers(
  deps: Pick<DeskDeps, 'cache' | 'now' | 'actor' | 'emit'>,
): SourceHandlers {
  const { cache } = deps;
  const sources = createSourceRepository(cache.db);
  const library = createLibraryRepository(cache.db);
  const trips = createTripRepository(cache.db);
  const derivedFiles = createDerivedRepository(cache.db);
  const custody = createCustodyRepository(cache.db, deps.now);

  function found(sourceId: SourceId): Source {
    const source = sources.get(sourceId);
    if (!source) throw missing(sourceId);
    return source;
  }
  const subjectOf = (source: Source) => ({ kind: 'source', id: source.sourceId, sha256: source.sha256 });

  return {
    'sources.list': () => sources.list(),
    'sources.report'({ sourceId }) {
      const report = sources.report(sourceId);
      if (!report) throw missing(sourceId);
      return report;
    },

    'sources.remove'({ sourceId }) {
      const removed = transact(cache.db, () => {
        const source = found(sourceId);
        refuseWhileHeld(source, library.casesHolding(sourceId));
        const { fileName, sizeBytes, trips: tripCount, points } = source;
        // Stills and trims of its clip go with it: they say what they were made from.
        const made = derivedFiles.ofSource(sourceId);
        custody.append({
          actor: deps.actor(),
          action: 'source.remove',
          subject: subjectOf(source),
          detail: { fileName, sizeBytes, trips: tripCount, points, derived: made.length },
        });
        sources.remove(sourceId);
        return [source.sha256, ...made];
      });
      // Only now: a crash in between leaves a file too many, never a source without its file.
      for (const sha256 of removed) if (!derivedFiles.isBlobUsed(sha256)) cache.blobs.remove(sha256);
      deps.emit('library.changed', { reason: 'remove' });
      return null;
    },

    'cameras.list': () => trips.cameras(),

    'cameras.assign'({ sourceId, entryName, psn, name }) {
      const changed = transact(cache.db, () => {
        const source = found(sourceId);
        const ordinals = entryName === undefined ? [null] : library.entryOrdinals(sourceId, entryName);
        if (ordinals.length === 0) {
          throw new AppError('not_found', `${source.fileName} has no entry ${JSON.stringify(entryName)}.`);
        }
        const camera = { psn, name: name === undefined || name === '' ? null : name };
        const count = ordinals.reduce<number>(
          (sum, ordinal) => sum + library.assignCamera(sourceId, ordinal, camera),
          0,
        );
        if (count === 0) return 0; // every trip of it says itself whose it is: nothing happened
        custody.append({
          actor: deps.actor(),
          action: 'camera.assign',
          subject: subjectOf(source),
          detail: { entryName: entryName ?? null, ...camera, trips: count },
        });
        return count;
      });
      if (changed > 0) deps.emit('library.changed', { reason: 'assign' });
      return { trips: changed };
    },
  };
}

function missing(sourceId: SourceId): AppError {
  return new AppError('not_found', 'There is no such source in the library (any more).', {
    remedy: 'Look at the list of sources again.',
    details: { sourceId },
  });
}

function refuseWhileHeld(source: Source, cases: readonly string[]): void {
  if (cases.length === 0) return;
  const names = cases.slice(0, 3).map((name) => `"${name}"`);
  if (cases.length > names.length) names.push(`${cases.length - names.length} more`);
  throw new AppError('busy', `${source.fileName} is held by the case ${names.join(', ')}.`, {
    remedy: 'Take it and its trips out of every case first.',
    details: { cases },
  });
}
