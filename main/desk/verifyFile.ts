/**
 * Checking a package without a desk: no data folder is opened or made, nothing is recorded. For hosts that may
 * import main/desk only.
 */
export { verifyPackage } from '../evidence/verifier.ts';
