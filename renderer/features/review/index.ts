export type { ReviewLinks } from './links.ts';
export { createReviewHolder, type HeldReview, type ReviewHolder } from './reviewHolder.ts';
export { ReviewScreen, type ReviewScreenProps } from './ReviewScreen.tsx';
export { openReview, type OpenReviewOptions } from './reviewStore.ts';
export { createStartStore, type StartStore } from './startStore.ts';
