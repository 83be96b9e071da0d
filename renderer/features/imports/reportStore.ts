import { createStore } from 'zustand/vanilla';
import type { DeskClient } from '../../../shared/contract/client.ts';
import type { Camera, SourceReport } from '../../../shared/contract/sources.ts';
import type { Trip } from '../../../shared/contract/trips.ts';
import type { SourceId } from '../../../shared/ids.ts';
import { createReader, loading, type Loadable } from '../../ui/index.ts';

export interface SourceReportView {
  readonly report: SourceReport;
  /** Known cameras, for naming the tracks of an unknown one. */
  readonly cameras: readonly Camera[];
  /** Cameras that were assigned by hand, with how many trips of this source each got. */
  readonly assigned: readonly {
    readonly psn: string;
    readonly name: string | null;
    readonly trips: number;
  }[];
}

/** An import report, kept up to date while it is open. */
export function createReportStore(client: DeskClient, sourceId: SourceId) {
  const store = createStore<{ view: Loadable<SourceReportView> }>(() => ({ view: loading }));
  const reader = createReader<SourceReportView>((view) => store.setState({ view }));

  const refresh = () =>
    reader(async () => {
      const [report, cameras, trips] = await Promise.all([
        client.invoke('sources.report', { sourceId }),
        client.invoke('cameras.list', {}),
        client.invoke('trips.list', { sourceId }),
      ]);
      return { report, cameras, assigned: assignedOf(trips) };
    });

  return {
    store,
    refresh,
    /** Reads, and reads again whenever the library changes, until the returned function is called. */
    open(): () => void {
      void refresh();
      return client.on('library.changed', () => void refresh());
    },
    /** Says whose tracks the unknown ones are; null takes it back. Resolves with the number of trips it concerned. */
    async assign(psn: string | null, name: string, entryName?: string): Promise<number> {
      const { trips } = await client.invoke('cameras.assign', {
        sourceId,
        psn,
        ...(name === '' ? {} : { name }),
        ...(entryName === undefined ? {} : { entryName }),
      });
      await refresh();
      return trips;
    },
    /** Takes the source and its trips out of the library. Rejects with AppError (`busy` while a case holds it). */
    async remove(): Promise<void> {
      await client.invoke('sources.remove', { sourceId });
    },
  };
}
export type ReportStore = ReturnType<typeof createReportStore>;

function assignedOf(trips: readonly Trip[]): SourceReportView['assigned'] {
  const byPsn = new Map<string, { psn: string; name: string | null; trips: number }>();
  for (const trip of trips) {
    if (!trip.isPsnAssigned || trip.psn === null) continue;
    const known = byPsn.get(trip.psn);
    if (known) known.trips += 1;
    else byPsn.set(trip.psn, { psn: trip.psn, name: trip.cameraName, trips: 1 });
  }
  return [...byPsn.values()];
}
