export const accountTabs = ['accounts', 'exports', 'usage'] as const;
/** The parts of the Account screen, in the order of its tabs. */
export type AccountTab = (typeof accountTabs)[number];
