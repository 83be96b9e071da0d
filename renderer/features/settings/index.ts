export { createSettingsStore, type SettingsState, type SettingsStore } from './settingsStore.ts';
