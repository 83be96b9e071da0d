import type { ImportOutcome } from '../../shared/contract/imports.ts';
import type { Recall } from '../../shared/contract/recalls.ts';
import type { Job } from '../../shared/contract/jobs.ts';
import { AppError } from '../../shared/errors.ts';
import type { DerivedId } from '../../shared/ids.ts';
import { clipIdOf, isActiveRecall } from '../features/cameras/index.ts';
import { clipOfImport } from '../features/imports/index.ts';
import { importSummary, type JobOpening } from '../features/jobs/index.ts';
import { notifyDone, notifyFailure, notifyInfo, notifyWarning, type MessageAction } from '../ui/index.ts';
import { requestOfClips } from './reviewRoutes.ts';
import type { Stores } from './stores.ts';

/** A single file that came in, or was in before, has one report: straight to it. Several have the list. */
function importOpening(stores: Stores, outcome: ImportOutcome): MessageAction {
  const [only] = outcome.sources;
  const sourceId = outcome.sources.length === 1 ? (only?.sourceId ?? only?.duplicateOf ?? null) : null;
  if (sourceId !== null) {
    return { label: 'Import report', run: () => stores.dialogs.open({ kind: 'report', sourceId }) };
  }
  return { label: 'Results', run: () => stores.dialogs.open({ kind: 'results', outcome }) };
}

/** Where an ended job leads to; null where there is nothing more to see. */
export function jobOpening(stores: Stores, job: Job): ReturnType<JobOpening> {
  if (job.state.status !== 'done') return null;
  const { result } = job.state;
  switch (result.kind) {
    case 'import':
      return importOpening(stores, result.outcome);
    case 'seal': {
      const { caseId } = result.sealed;
      return {
        label: 'Show package',
        run: () => stores.routes.go({ screen: 'cases', caseId, tab: 'package' }),
      };
    }
    case 'verify':
      return {
        label: 'Report',
        run: () => {
          stores.verify.showJob(job);
          stores.routes.go({ screen: 'verify' });
        },
      };
    case 'trim': {
      const { derivedId } = result;
      return { label: 'Show in Review', run: () => void showTrim(stores, derivedId) };
    }
  }
}

/** Opens the clip that a trim was cut from, where the trim begins. */
async function showTrim(stores: Stores, derivedId: DerivedId): Promise<void> {
  try {
    const list = await stores.host.client.invoke('derived.list', {});
    const found = list.find((one) => one.derivedId === derivedId);
    if (!found) throw new AppError('not_found', 'The trim was taken away since.');
    const { clipId, recipe } = found;
    stores.routes.go({
      screen: 'review',
      request: { kind: 'clip', clipId },
      atMs: recipe.startUtcMs === null ? null : Math.round(recipe.startUtcMs),
    });
  } catch (thrown) {
    notifyFailure('The trim could not be shown', thrown);
  }
}

/** The way to the only clip of an import; null where there is none, or several. */
function clipOpening(stores: Stores, outcome: ImportOutcome): MessageAction | null {
  const clips = outcome.sources.flatMap(clipOfImport);
  const [first] = clips;
  if (first === undefined) return null;
  return {
    label: clips.length === 1 ? 'Review the clip' : `Review the ${clips.length} clips`,
    run: () => stores.routes.go({ screen: 'review', request: requestOfClips(clips), atMs: null }),
  };
}
function announceImport(stores: Stores, job: Job, outcome: ImportOutcome): void {
  const review = clipOpening(stores, outcome);
  const actions = [...(review ? [review] : []), importOpening(stores, outcome)];
  const { route } = stores.routes.store.getState();
  const hasTracks = outcome.sources.some(
    (source) => source.status === 'imported' && clipOfImport(source).length === 0,
  );
  if (hasTracks && route.screen !== 'library') {
    actions.push({ label: 'Show in Library', run: () => stores.routes.go({ screen: 'library' }) });
  }
  const { tone, text } = importSummary(outcome);
  const [only] = outcome.sources;
  if (outcome.sources.length === 1 && only?.status === 'duplicate') {
    notifyInfo('Already imported', `${only.fileName} is in the library; nothing was changed.`, actions);
  } else if (outcome.sources.length === 1 && only?.error) {
    notifyFailure(`${only.fileName} was not imported`, only.error, actions);
  } else if (tone === 'bad') {
    notifyWarning('Import ended with problems', `${job.title}: ${text}.`, actions);
  } else if (tone === 'warn') {
    notifyWarning('Import finished', `${job.title}: ${text}.`, actions);
  } else {
    notifyDone('Import finished', `${job.title}: ${text}.`, actions);
  }
}

/** Says how a recall ended. A clip that was here before, and a cancellation, were seen when they were asked for. */
export function announceRecall(stores: Stores, recall: Recall): void {
  const { state, filename, psn } = recall;
  const show = {
    label: 'Show card',
    run: () => stores.routes.go({ screen: 'cameras', psn, atMs: null }),
  };
  const { route } = stores.routes.store.getState();
  const actions = route.screen === 'cameras' && route.psn === psn ? [] : [show];
  const { recalls } = stores.recalls.store.getState();
  const isLast = !recalls.some((other) => other.psn === psn && isActiveRecall(other));
  // On the camera's own screen they are seen to come; elsewhere the last of them is the news.
  if (state.status === 'done' && !state.wasHeld) {
    if (isLast && actions.length > 0) {
      const clipId = clipIdOf(state.sha256);
      const review = {
        label: 'Review',
        run: () => stores.routes.go({ screen: 'review', request: { kind: 'clip', clipId }, atMs: null }),
      };
      notifyDone('Clips recalled', `All that was asked of ${psn} is here.`, [review, ...actions]);
    }
  } else if (state.status === 'stopped') notifyFailure(`${filename} was not recalled`, state.error, actions);
}

/** Says how a job ended, unless the screen that shows it is in sight. */
export function announceEnd(stores: Stores, job: Job): void {
  const { route } = stores.routes.store.getState();
  if (job.state.status === 'failed') {
    const isShown =
      (job.kind === 'verify' && route.screen === 'verify') ||
      (job.kind === 'seal' && route.screen === 'cases' && route.tab === 'package');
    if (!isShown) notifyFailure(`${job.title}: not finished`, job.state.error);
    return;
  }
  if (job.state.status !== 'done') return;
  const { result } = job.state;
  const opening = jobOpening(stores, job);
  const actions = opening ? [opening] : [];
  if (result.kind === 'import') {
    announceImport(stores, job, result.outcome);
  } else if (result.kind === 'seal') {
    const isShown =
      route.screen === 'cases' && route.tab === 'package' && route.caseId === result.sealed.caseId;
    if (!isShown) notifyDone('Package sealed', result.sealed.fileName, actions);
  } else if (result.kind === 'trim') {
    // In Review it is among the marks already, and what stands still must not lie over the pictures.
    const isSeen = route.screen === 'review';
    notifyDone('Trim made', `${job.title}: cut without loss.`, isSeen ? [] : actions);
  } else if (route.screen !== 'verify') {
    if (result.report.ok) notifyDone('Package verified', `${job.title}: unchanged since sealed.`, actions);
    else notifyWarning('Package is not as it was sealed', job.title, actions);
  }
}
