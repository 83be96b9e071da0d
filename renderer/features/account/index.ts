export { AccountScreen } from './AccountScreen.tsx';
export { activeAccount, createAccountStore, type AccountsState, type AccountStore } from './accountStore.ts';
export { accountTabs, type AccountTab } from './accountTabs.ts';
export type { DemoAct } from './AccountsTab.tsx';
export { DemoBadge } from './AccountTags.tsx';
export { createExportStore, type ExportsState, type ExportStore } from './exportStore.ts';
export { createUsageStore, type UsageState, type UsageStore } from './usageStore.ts';
