export { ConfirmDialog } from './ConfirmDialog.tsx';
export { CopyButton, HashText } from './copy.tsx';
export { errorDataOf } from './errorData.ts';
export { describeError, ErrorDetails, Failure } from './Failure.tsx';
export {
  formatBytes,
  formatCount,
  formatCounted,
  formatDuration,
  formatPercent,
  groupHash,
  shortHash,
} from './format.ts';
export { createReader, loading, type Loadable } from './loadable.ts';
export { NameForm } from './NameForm.tsx';
export { notifyDone, notifyFailure, notifyInfo, notifyWarning, type MessageAction } from './notify.tsx';
export { saveFrom, saveText } from './saveText.ts';
export { parseSplitShares, SplitBar, useSplitShares, type SplitRules } from './splits.tsx';
export { EmptyState, Facts, Loading, Notice, ProgressLine, Section, Status, type Tone } from './states.tsx';
export {
  formatDate,
  formatInstant,
  fromInputText,
  isZone,
  machineZone,
  toInputText,
  zoneName,
  zoneOffsetMs,
} from './time.ts';
export { VirtualRows } from './VirtualRows.tsx';
export { Time, useZone, ZoneProvider, ZoneSwitch, type ZoneChoice, type ZoneMode } from './Zone.tsx';
