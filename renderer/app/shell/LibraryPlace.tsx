import { useStore } from 'zustand';
import { EmptyLibrary } from '../../features/imports/index.ts';
import { notifyFailure } from '../../ui/index.ts';
import type { Stores } from '../stores.ts';

export interface LibraryPlaceProps {
  readonly stores: Stores;
  readonly onImport: (files?: readonly File[]) => void;
}

/** The Library with what it needs of the shell. */
export function LibraryPlace({ stores, onImport }: LibraryPlaceProps) {
  const { info } = useStore(stores.settings.store);
  const sample = () =>
    void stores.imports.importSample().catch((thrown: unknown) => {
      notifyFailure('The sample was not imported', thrown);
    });
  return <EmptyLibrary onImport={() => onImport()} onSample={info?.hasSample ? sample : null} />;
}
