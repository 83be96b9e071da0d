export { EmptyLibrary } from './EmptyLibrary.tsx';
export { ImportButton } from './ImportButton.tsx';
export { carriesFiles, importAccept, pickFromFolder, readDrop, type PickedFiles } from './importFiles.ts';
export {
  createImportStore,
  type Batch,
  type FileTransfer,
  type ImportsState,
  type ImportStore,
} from './importStore.ts';
export { pickFiles, pickFolder } from './pickFiles.ts';
