import path from 'node:path';

/** Where things lie in the data folder (docs/architecture.md, "The data folder"). */
export const cacheFileOf = (folder: string): string => path.join(folder, 'cache.sqlite');
export const blobFolderOf = (folder: string): string => path.join(folder, 'blobs');
/** All that a crash may leave behind lies under `partial/`; it is emptied at the next start, but for `recalls`. */
export const partialFolderOf = (folder: string): string => path.join(folder, 'partial');
export const uploadFolderOf = (folder: string): string => path.join(folder, 'partial', 'uploads');
/** One empty file for each blob whose source is not committed yet: lets the start take back an unfinished import. */
export const adoptingFolderOf = (folder: string): string => path.join(folder, 'partial', 'adopting');
export const backupFolderOf = (folder: string): string => path.join(folder, 'backup');
/** Parts of clips on their way from cameras, over restarts. */
export const recallFolderOf = (folder: string): string => path.join(folder, 'partial', 'recalls');
