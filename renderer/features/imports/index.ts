export { clipOfImport } from './clipOfImport.ts';
export { EmptyLibrary } from './EmptyLibrary.tsx';
export { ImportButton } from './ImportButton.tsx';
export { carriesFiles, importAccept, pickFromFolder, readDrop, type PickedFiles } from './importFiles.ts';
export { ImportIntoCaseDialog } from './ImportIntoCaseDialog.tsx';
export { ImportResults } from './ImportResults.tsx';
export {
  createImportStore,
  type Batch,
  type FileTransfer,
  type ImportsState,
  type ImportStore,
} from './importStore.ts';
export { ImportsUnderway } from './ImportsUnderway.tsx';
export { pickFiles, pickFolder } from './pickFiles.ts';
export { createReportStore, type ReportStore } from './reportStore.ts';
export { hasRemarks, totalsOf, type ReportTotals } from './reportTotals.ts';
export { SourceReportDrawer } from './SourceReportDrawer.tsx';
export { TransferList } from './TransferList.tsx';
