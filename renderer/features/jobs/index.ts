export { createJobStore, type JobsState, type JobStore } from './jobStore.ts';
export { addSample, rateOf, type Rate, type Samples } from './rate.ts';
