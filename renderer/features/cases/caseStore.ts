import { createStore } from 'zustand/vanilla';
import type { CaseFile, CaseSummary, ExhibitRef } from '../../../shared/contract/cases.ts';
import type { CaseId, ExhibitId, NoteId } from '../../../shared/ids.ts';
import type { TimeRange } from '../../../shared/track.ts';
import { onReconnected, type Host } from '../../app/client/index.ts';
import { createReader, loading, type Loadable } from '../../ui/index.ts';

export interface CasesState {
  readonly list: Loadable<readonly CaseSummary[]>;
  /** The case that is open; null when none is chosen. */
  readonly open: { readonly caseId: CaseId; readonly file: Loadable<CaseFile> } | null;
}

/** The list of cases and the one that is open, kept the same as the core's whoever changes them. */
export function createCaseStore(host: Host) {
  const { client } = host;
  const store = createStore<CasesState>(() => ({ list: loading, open: null }));
  const readList = createReader<readonly CaseSummary[]>((list) => store.setState({ list }));
  const readFile = createReader<CaseFile>((file) => {
    const { open } = store.getState();
    if (open) store.setState({ open: { ...open, file } });
  });

  const refreshList = () => readList(() => client.invoke('cases.list', {}));
  async function refreshOpen(): Promise<void> {
    const { open } = store.getState();
    if (open) await readFile(() => client.invoke('cases.get', { caseId: open.caseId }));
  }
  /** A change's reply is the case as it is now: shown at once, without waiting for the event. */
  async function change(act: Promise<CaseFile>): Promise<CaseFile> {
    const file = await act;
    if (store.getState().open?.caseId === file.caseId) await readFile(() => Promise.resolve(file));
    return file;
  }

  client.on('cases.changed', ({ caseId }) => {
    void refreshList();
    const { open } = store.getState();
    if (open && (caseId === null || caseId === open.caseId)) void refreshOpen();
  });
  onReconnected(host.connection, () => {
    void refreshList();
    void refreshOpen();
  });
  void refreshList();

  return {
    store,
    refreshList,
    refreshOpen,
    /** Opens a case, or none. */
    async open(caseId: CaseId | null): Promise<void> {
      if (store.getState().open?.caseId === (caseId ?? undefined)) return;
      store.setState({ open: caseId === null ? null : { caseId, file: loading } });
      await refreshOpen();
    },
    async create(name: string): Promise<CaseFile> {
      const file = await client.invoke('cases.create', { name });
      await refreshList();
      return file;
    },
    rename: (caseId: CaseId, name: string) => change(client.invoke('cases.rename', { caseId, name })),
    async remove(caseId: CaseId): Promise<void> {
      await client.invoke('cases.remove', { caseId });
      if (store.getState().open?.caseId === caseId) store.setState({ open: null });
      await refreshList();
    },
    add: (caseId: CaseId, refs: readonly ExhibitRef[]) =>
      change(client.invoke('cases.add', { caseId, refs: [...refs] })),
    removeExhibit: (caseId: CaseId, exhibitId: ExhibitId) =>
      change(client.invoke('cases.removeExhibit', { caseId, exhibitId })),
    setRange: (caseId: CaseId, range: TimeRange) =>
      change(client.invoke('cases.setRange', { caseId, ...range })),
    addNote: (caseId: CaseId, text: string) => change(client.invoke('cases.addNote', { caseId, text })),
    editNote: (caseId: CaseId, noteId: NoteId, text: string) =>
      change(client.invoke('cases.editNote', { caseId, noteId, text })),
    removeNote: (caseId: CaseId, noteId: NoteId) =>
      change(client.invoke('cases.removeNote', { caseId, noteId })),
  };
}
export type CaseStore = ReturnType<typeof createCaseStore>;
