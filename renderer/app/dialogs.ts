import { createStore } from 'zustand/vanilla';
import type { ImportOutcome } from '../../shared/contract/imports.ts';
import type { CaseId, SourceId } from '../../shared/ids.ts';

/** What lies over the screen, whichever screen it is. */
export type Dialog =
  | { readonly kind: 'none' }
  | { readonly kind: 'report'; readonly sourceId: SourceId }
  | { readonly kind: 'results'; readonly outcome: ImportOutcome }
  | { readonly kind: 'import'; readonly caseId: CaseId | null };

/** One dialogue at a time. */
export function createDialogStore() {
  const store = createStore<{ dialog: Dialog }>(() => ({ dialog: { kind: 'none' } }));
  return {
    store,
    open: (dialog: Dialog) => store.setState({ dialog }),
    close: () => store.setState({ dialog: { kind: 'none' } }),
  };
}
