import { useStore } from 'zustand';
import { CasesScreen, type CaseLinks } from '../../features/cases/index.ts';
import { PackageTab } from '../../features/packages/index.ts';
import type { Route } from '../routes.ts';
import type { Stores } from '../stores.ts';

/** Cases with what they need of the shell. */
export function CasesPlace({
  stores,
  route,
}: {
  stores: Stores;
  route: Extract<Route, { screen: 'cases' }>;
}) {
  const { dialogs, routes } = stores;
  const { info } = useStore(stores.settings.store);
  const links: CaseLinks = {
    openSourceReport: (sourceId) => dialogs.open({ kind: 'report', sourceId }),
    openLibrary: () => routes.go({ screen: 'library' }),
    review: (caseId) => routes.go({ screen: 'review', request: { kind: 'case', caseId }, atMs: null }),
    reviewClip: (clipId, atMs) => routes.go({ screen: 'review', request: { kind: 'clip', clipId }, atMs }),
    importInto: (caseId) => dialogs.open({ kind: 'import', caseId }),
    packageTab: (file) => (
      <PackageTab
        file={file}
        store={stores.packageOf(file.caseId)}
        jobs={stores.jobs}
        canReveal={info?.abilities.canRevealInFolder ?? false}
        onVerify={(sealed) => {
          void stores.verify.verifySealed(sealed.packageId, sealed.fileName);
          routes.go({ screen: 'verify' });
        }}
      />
    ),
  };
  return (
    <CasesScreen
      store={stores.cases}
      caseId={route.caseId}
      tab={route.tab}
      onOpen={(caseId, tab) => routes.go({ screen: 'cases', caseId, tab })}
      links={links}
    />
  );
}
