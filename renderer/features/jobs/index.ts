export { createJobStore, type JobsState, type JobStore } from './jobStore.ts';
export { JobTray, type JobOpening } from './JobTray.tsx';
export { addSample, rateOf, type Rate, type Samples } from './rate.ts';
export { endSummary, importCounts, importSummary, progressText, rateText, shareOf } from './summary.ts';
