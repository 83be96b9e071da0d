import { serveImport } from './importServing.ts';

/** Entry of an import thread that reads exports only: see runImportInWorker. */
await serveImport();
