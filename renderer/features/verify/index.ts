export { VerifyReportView } from './VerifyReportView.tsx';
export { VerifyScreen } from './VerifyScreen.tsx';
export { createVerifyStore, type Verification, type VerifyStore } from './verifyStore.ts';
