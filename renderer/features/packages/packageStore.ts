import { createStore } from 'zustand/vanilla';
import type { PackagePreview, SealedPackage } from '../../../shared/contract/packages.ts';
import type { CaseId, JobId, PackageId } from '../../../shared/ids.ts';
import type { Host } from '../../app/client/index.ts';
import { createReader, loading, type Loadable } from '../../ui/index.ts';
import type { JobStore } from '../jobs/index.ts';

export type Originals = 'whole' | 'none';

export interface PackageState {
  readonly originals: Originals;
  readonly preview: Loadable<PackagePreview>;
  readonly sealed: Loadable<readonly SealedPackage[]>;
  /** The seal under way or just ended; its error stands here until the next. */
  readonly seal:
    | { readonly status: 'idle' }
    | { readonly status: 'starting' }
    | { readonly status: 'running'; readonly jobId: JobId }
    | { readonly status: 'failed'; readonly error: unknown };
}

/** What a case's package would hold, sealing it, and the packages sealed so far. */
export function createPackageStore(host: Host, jobs: JobStore, caseId: CaseId) {
  const { client } = host;
  const store = createStore<PackageState>(() => ({
    originals: 'whole',
    preview: loading,
    sealed: loading,
    seal: { status: 'idle' },
  }));
  const readPreview = createReader<PackagePreview>((preview) => store.setState({ preview }));
  const readSealed = createReader<readonly SealedPackage[]>((sealed) => store.setState({ sealed }));

  const refreshPreview = () =>
    readPreview(() => client.invoke('packages.preview', { caseId, originals: store.getState().originals }));
  const refreshSealed = () => readSealed(() => client.invoke('packages.list', { caseId }));

  async function follow(jobId: JobId): Promise<void> {
    store.setState({ seal: { status: 'running', jobId } });
    const { state } = await jobs.ended(jobId);
    store.setState({
      seal: state.status === 'failed' ? { status: 'failed', error: state.error } : { status: 'idle' },
    });
    await Promise.all([refreshSealed(), refreshPreview()]);
  }

  return {
    store,
    refreshPreview,
    refreshSealed,
    /** Reads, and reads again with every change, until the returned function is called. */
    open(): () => void {
      void refreshPreview();
      void refreshSealed();
      const ends = [
        client.on('cases.changed', () => {
          void refreshPreview();
          void refreshSealed();
        }),
        client.on('settings.changed', () => void refreshPreview()),
        // Marks go in with their words, and clocks decide which clips touch the range.
        client.on('marks.changed', () => void refreshPreview()),
        client.on('review.clockChanged', () => void refreshPreview()),
      ];
      return () => ends.forEach((end) => end());
    },
    setOriginals(originals: Originals): void {
      store.setState({ originals });
      void refreshPreview();
    },
    /** Seals the case with the options shown. What fails is in the state. */
    async seal(): Promise<void> {
      store.setState({ seal: { status: 'starting' } });
      try {
        const { originals } = store.getState();
        const { jobId } = await client.invoke('packages.seal', { caseId, originals });
        await follow(jobId);
      } catch (error) {
        store.setState({ seal: { status: 'failed', error } });
      }
    },
    cancelSeal(jobId: JobId): Promise<unknown> {
      return jobs.cancel(jobId);
    },
    reveal(packageId: PackageId): Promise<unknown> {
      return client.invoke('packages.reveal', { packageId });
    },
  };
}
export type PackageStore = ReturnType<typeof createPackageStore>;

/** One store for each case as long as the window lives: a seal under way is shown again on coming back to it. */
export function createPackageStores(host: Host, jobs: JobStore) {
  const stores = new Map<CaseId, PackageStore>();
  return (caseId: CaseId): PackageStore => {
    const known = stores.get(caseId);
    if (known) return known;
    const made = createPackageStore(host, jobs, caseId);
    stores.set(caseId, made);
    return made;
  };
}
