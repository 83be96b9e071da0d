export { CasesScreen } from './CasesScreen.tsx';
export { createCaseStore, type CasesState, type CaseStore } from './caseStore.ts';
export { caseTabs, type CaseTab } from './caseTabs.ts';
export type { CaseLinks } from './CaseView.tsx';
export { custodySentence, type SentenceContext } from './custodySentence.ts';
export { readExtent, spanOf } from './extent.ts';
