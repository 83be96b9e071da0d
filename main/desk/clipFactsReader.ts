import type { ClipFactsReader } from '../importer/clipStaging.ts';
import { createClipReader } from '../media/telemetry/clipReader.ts';

/** What imports read clips with: one thread for all the clips of a job. */
export function createClipFactsReader(): ClipFactsReader & { close(): Promise<void> } {
  const reader = createClipReader();
  return {
    readFacts: async ({ path, fileName, signal }) =>
      (await reader.read(path, { fileName, signal, wantsColumns: false })).facts,
    close: () => reader.close(),
  };
}
