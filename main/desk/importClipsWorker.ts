import { serveImport } from '../importer/importServing.ts';
import { createClipFactsReader } from './clipFactsReader.ts';

/** Entry of the desk's import thread, which reads clips too: see runImportInWorker. */
const clips = createClipFactsReader();
try {
  await serveImport(clips);
} finally {
  await clips.close();
}
