import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Job } from '../../../../shared/contract/jobs.ts';
import type { Mark } from '../../../../shared/contract/marks.ts';
import { AppError } from '../../../../shared/errors.ts';
import type { JobId } from '../../../../shared/ids.ts';
import { onReconnected, type Host } from '../../../app/client/index.ts';
import {
  loading,
  machineZone,
  notifyDone,
  notifyFailure,
  notifyInfo,
  notifyWarning,
} from '../../../ui/index.ts';
import type {
  MarkState,
  MarkStore,
  MasterClock,
  PictureSource,
  ReviewState,
  TrimPart,
  UndoStack,
} from '../model.ts';
import { anchorAt, channelName, clockOfClip } from './anchors.ts';
import { placeNow, pushMade } from './markEdits.ts';
import { readDerived, readInCase, readMarks } from './readMarks.ts';
import { drawStamp, stampPieces, stampSeparator } from './stamp.ts';
import { chosenSpan, planTrim } from './trimPlan.ts';

/** What the marks need of the scene that they are made in; a `Review` being put together has all of it. */
export interface MarkDeps {
  readonly host: Host;
  readonly clock: MasterClock;
  readonly store: StoreApi<ReviewState>;
  readonly undo: UndoStack;
  /** The panes' pictures; null while the player is not on screen. */
  readonly pictures: () => PictureSource | null;
  /** IANA zone of "local" for stamps where the vehicle's is unknown; the computer's unless given. */
  readonly localZone?: () => string;
  /** Draws the stamped copy; the browser's canvas unless given. */
  readonly drawStamp?: typeof drawStamp;
}

/** Whether the list of marks is on screen (MarksPanel.tsx). */
const isListShown = () => document.querySelector('[data-marks-list]') !== null;

/**
 * Bookmarks, ranges, stills and trims of the open scene, kept the same as the core's whoever changes them. The acts
 * never reject: what fails is said in a message, and nothing half done stays. Each can be undone.
 */
export function createMarkStore(deps: MarkDeps): MarkStore & { close(): void } {
  const { host, undo } = deps;
  const { client } = host;
  const store = createStore<MarkState>(() => ({ marks: [], derived: [], error: null, trimQuestion: null }));
  let isClosed = false;
  let latest = 0;

  async function refresh(): Promise<void> {
    const mine = ++latest;
    const { scene, caseId } = deps.store.getState();
    try {
      const [marks, derived, inCase] = await Promise.all([
        readMarks(host, scene),
        readDerived(host, scene),
        readInCase(host, caseId),
      ]);
      if (mine !== latest || isClosed || scene !== deps.store.getState().scene) return;
      store.setState({ marks, derived, inCase, error: null });
    } catch (error) {
      if (mine === latest && !isClosed) store.setState({ error });
    }
  }

  /** Runs an act of the user's; a failure becomes a message. */
  async function attempt(title: string, act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (thrown) {
      notifyFailure(title, thrown);
    }
  }

  async function addMark(
    mark: Omit<Mark, 'markId' | 'caseId' | 'title' | 'note' | 'tags' | 'actor' | 'madeAtMs' | 'editedAtMs'>,
  ) {
    const { caseId } = deps.store.getState();
    const { markId } = await client.invoke('marks.add', { caseId, ...mark, title: '', note: '', tags: [] });
    undo.push({
      label: mark.kind,
      undo: async () => void (await client.invoke('marks.remove', { markId })),
      redo: async () => void (await client.invoke('marks.restore', { markId })),
    });
    await refresh();
  }

  async function keepStill(channelId: string, withStamp: boolean): Promise<void> {
    const { scene, caseId } = deps.store.getState();
    const captured = await deps.pictures()?.capture(channelId);
    if (!captured) {
      throw new AppError('invalid_input', 'This camera shows no picture at this moment.', {
        remedy: 'Go to a moment at which it has one, wait until it is on screen, and try again.',
      });
    }
    const { frame, png } = captured;
    const keep = async (picture: Blob, stamp: string | null) => {
      const uploadId = await host.upload(new File([picture], 'still.png', { type: 'image/png' }));
      const { clipId, clipS: frameS } = frame;
      return client.invoke('derived.still', { clipId, frameS, uploadId, caseId, stamp });
    };
    // The same frame gives the same file: what was kept before is not this step's to take away.
    const before = new Set(store.getState().derived.map(({ derivedId }) => derivedId));
    const made = [await keep(png, null)];
    let failure: unknown = null;
    if (withStamp) {
      try {
        const pieces = stampPieces(scene, frame, deps.localZone?.() ?? machineZone());
        const stamped = await (deps.drawStamp ?? drawStamp)(png, pieces);
        made.push(await keep(stamped, pieces.join(stampSeparator).slice(0, 500)));
      } catch (thrown) {
        failure = thrown;
      }
    }
    const added = made.filter(({ derivedId }) => !before.has(derivedId));
    const [first] = added;
    if (first) {
      const label = first.kind === 'still' ? 'still' : 'stamped still';
      pushMade({ host, undo }, added.length > 1 ? 'still with its stamped copy' : label, added);
    }
    await refresh();
    // In the list it is seen to come, and a message would lie on top of it.
    if (failure === null && first && !isListShown()) notifyDone('Still kept', first.fileName);
    if (failure === null && !first)
      notifyInfo('Kept before', `${made[0]?.fileName} is among the marks already.`);
    if (failure !== null) notifyFailure('The still was kept, but not its stamped copy', failure);
  }

  // Trims end as jobs; the end of one may be told before the reply that names it.
  const trims = new Map<JobId, { readonly label: string; readonly before: ReadonlySet<string> }>();
  const ended = new Map<JobId, Job>();
  let asking = 0;
  function onJob(job: Job): void {
    if (job.kind !== 'trim' || job.state.status === 'running') return;
    const begun = trims.get(job.jobId);
    if (!begun) {
      if (asking > 0) ended.set(job.jobId, job);
      return;
    }
    trims.delete(job.jobId);
    if (job.state.status !== 'done' || job.state.result.kind !== 'trim') return; // the tray says how it ended
    const { result } = job.state;
    // The same cut gives the same file (see keepStill).
    if (!begun.before.has(result.derivedId)) pushMade({ host, undo }, begun.label, [result]);
    void refresh();
  }

  async function cut(parts: readonly TrimPart[]): Promise<void> {
    const { caseId } = deps.store.getState();
    const before = new Set<string>(store.getState().derived.map(({ derivedId }) => derivedId));
    asking += 1;
    for (const { clipId, fileName, askedS, actual } of parts) {
      if (!actual) continue;
      try {
        const { from: fromS, to: toS } = askedS;
        const { jobId } = await client.invoke('derived.trim', { clipId, fromS, toS, caseId });
        trims.set(jobId, { label: `trim of ${fileName}`, before });
        const early = ended.get(jobId);
        ended.delete(jobId);
        if (early) onJob(early);
      } catch (thrown) {
        notifyFailure(`${fileName} was not cut`, thrown);
      }
    }
    asking -= 1;
    if (asking === 0) ended.clear();
  }

  const unsubscribe = [
    client.on('marks.changed', () => void refresh()),
    client.on('cases.changed', () => void refresh()),
    client.on('jobs.changed', onJob),
    onReconnected(host.connection, () => void refresh()),
    deps.store.subscribe((now, before) => {
      if (now.scene !== before.scene || now.caseId !== before.caseId) void refresh();
    }),
  ];
  void refresh();

  return {
    getState: store.getState,
    getInitialState: store.getInitialState,
    subscribe: store.subscribe,
    bookmark: () =>
      attempt('No bookmark was made', async () => {
        const { ms, anchor, uncertaintyMs } = placeNow(deps);
        await addMark({ kind: 'bookmark', fromMs: ms, toMs: null, from: anchor, to: null, uncertaintyMs });
      }),
    keepRange: () =>
      attempt('No range was kept', async () => {
        const state = deps.store.getState();
        const span = chosenSpan(state);
        if (!span) return needsRange('A range needs both');
        const from = anchorAt(state, span.fromMs);
        const to = anchorAt(state, span.toMs);
        const isUtc = state.scene.timebase === 'utc';
        await addMark({
          kind: 'range',
          fromMs: isUtc ? span.fromMs : null,
          toMs: isUtc ? span.toMs : null,
          from,
          to,
          uncertaintyMs: from ? (clockOfClip(state.scene, from.clipId)?.uncertaintyMs ?? null) : null,
        });
      }),
    still: (channelId, { withStamp }) => attempt('No still was made', () => keepStill(channelId, withStamp)),
    trim: (channelId) =>
      attempt('No trim was made', async () => {
        const state = deps.store.getState();
        const channel = state.scene.channels.find((one) => one.channelId === channelId);
        const span = chosenSpan(state);
        if (!span || !channel) return needsRange('A trim needs both');
        const wishes = planTrim(state, channelId, span);
        if (wishes.length === 0) {
          notifyWarning('Nothing to cut', `${channelName(channel)} has no pictures between in and out.`);
          return;
        }
        const close = () => store.setState({ trimQuestion: null });
        const question = { channelName: channelName(channel), ...span, cancel: close };
        const ask = (parts: NonNullable<MarkState['trimQuestion']>['parts']) => ({
          ...question,
          parts,
          async confirm() {
            if (parts.status !== 'ready') return;
            close();
            await cut(parts.value);
          },
        });
        const first = ask(loading);
        store.setState({ trimQuestion: first });
        const answered = await previews(host, wishes);
        // Closed, or asked anew, while the core was looking.
        if (store.getState().trimQuestion !== first) return;
        store.setState({ trimQuestion: ask(answered) });
      }),
    close() {
      isClosed = true;
      for (const end of unsubscribe) end();
    },
  };
}

async function previews(
  host: Host,
  wishes: ReturnType<typeof planTrim>,
): Promise<NonNullable<MarkState['trimQuestion']>['parts']> {
  try {
    const value = await Promise.all(
      wishes.map(async (wish) => {
        const { clipId, askedS } = wish;
        const asked = { clipId, fromS: askedS.from, toS: askedS.to };
        return { ...wish, actual: await host.client.invoke('derived.trimPreview', asked) };
      }),
    );
    return { status: 'ready', value };
  } catch (error) {
    return { status: 'failed', error };
  }
}

function needsRange(what: string): void {
  notifyInfo(`${what} an in and an out point`, 'Set them with I and O at two moments, in before out.');
}
