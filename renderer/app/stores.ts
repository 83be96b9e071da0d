import { createAccountStore, createExportStore, createUsageStore } from '../features/account/index.ts';
import {
  createCameraStore,
  createCardOpener,
  createCaseChoice,
  createRecallStore,
} from '../features/cameras/index.ts';
import { createCaseStore } from '../features/cases/index.ts';
import { createImportStore } from '../features/imports/index.ts';
import { createJobStore } from '../features/jobs/index.ts';
import { createPackageStores } from '../features/packages/index.ts';
import { createReviewHolder, createStartStore } from '../features/review/index.ts';
import { createSettingsStore } from '../features/settings/index.ts';
import { createVerifyStore } from '../features/verify/index.ts';
import type { Host } from './client/index.ts';
import { createDialogStore } from './dialogs.ts';
import { createRouteStore } from './routes.ts';

/** What lives as long as the window. */
export function createStores(host: Host) {
  const jobs = createJobStore(host);
  const settings = createSettingsStore(host);
  const accounts = createAccountStore(host);
  const cards = createCardOpener(host);
  accounts.onActiveChanged(() => cards.forget());
  // The first seal makes the key whose fingerprint Settings and Verify show.
  jobs.onEnded((job) => job.kind === 'seal' && void settings.refresh());
  return {
    host,
    jobs,
    routes: createRouteStore(window),
    dialogs: createDialogStore(),
    settings,
    imports: createImportStore(host),
    cases: createCaseStore(host),
    packageOf: createPackageStores(host, jobs),
    verify: createVerifyStore(host, jobs),
    accounts,
    exports: createExportStore(host, accounts),
    usage: createUsageStore(host, accounts),
    cameras: createCameraStore(host, accounts),
    cards,
    caseChoice: createCaseChoice(host.client),
    recalls: createRecallStore(host, accounts),
    review: createReviewHolder(host),
    reviewStart: createStartStore(host.client),
  };
}
export type Stores = ReturnType<typeof createStores>;
