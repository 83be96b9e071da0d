/**
 * Looking into a clip without a desk: no data folder is opened or made, nothing is recorded. For hosts that may
 * import main/desk only.
 */
export { readClip } from '../media/telemetry/clipReader.ts';
