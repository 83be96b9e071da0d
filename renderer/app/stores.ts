import { createImportStore } from '../features/imports/index.ts';
import { createJobStore } from '../features/jobs/index.ts';
import { createSettingsStore } from '../features/settings/index.ts';
import type { Host } from './client/index.ts';
import { createRouteStore } from './routes.ts';

/** What lives as long as the window. */
export function createStores(host: Host) {
  return {
    host,
    routes: createRouteStore(window),
    settings: createSettingsStore(host),
    jobs: createJobStore(host),
    imports: createImportStore(host),
  };
}
export type Stores = ReturnType<typeof createStores>;
