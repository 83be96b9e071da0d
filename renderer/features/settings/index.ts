export { SettingsScreen } from './SettingsScreen.tsx';
export { createSettingsStore, type SettingsState, type SettingsStore } from './settingsStore.ts';
