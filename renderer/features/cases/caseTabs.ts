export const caseTabs = ['exhibits', 'notes', 'custody', 'package'] as const;
/** The parts of a case, in the order of its tabs. */
export type CaseTab = (typeof caseTabs)[number];
