import type { CaseId } from '../../../shared/ids.ts';
import type { Route } from '../routes.ts';

/** What letting go of files does on the screen that is open. */
export type DropTarget =
  | { readonly kind: 'import'; readonly caseId: CaseId | null; readonly title: string; readonly text: string }
  | { readonly kind: 'verify'; readonly title: string; readonly text: string };

/** `caseName` is that of the open case, null where none is open. */
export function dropTargetOf(route: Route, caseName: string | null): DropTarget {
  if (route.screen === 'verify') {
    return {
      kind: 'verify',
      title: 'Drop to verify this package',
      text: 'One sealed package (zip). It is only read.',
    };
  }
  const text = 'Export zips, CSV, GPX and KML files, or folders of them.';
  if (route.screen === 'cases' && route.caseId !== null && caseName !== null) {
    return {
      kind: 'import',
      caseId: route.caseId,
      title: `Drop to import into the case “${caseName}”`,
      text,
    };
  }
  return { kind: 'import', caseId: null, title: 'Drop to import', text };
}
