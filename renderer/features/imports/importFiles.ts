/** What the importer reads; anything else in a dropped folder is left out, and that is said. */
const importable = /\.(zip|csv|gpx|kml|mp4|mov)$/i;
export const importAccept = '.zip,.csv,.gpx,.kml,.mp4,.mov';

/** Files to import, and how many of a dropped or chosen folder are none. */
export interface PickedFiles {
  readonly files: readonly File[];
  readonly leftOut: number;
}

/** Hidden files of file managers are neither imported nor counted. */
const isHidden = (name: string) => name.startsWith('.') || name === 'Thumbs.db' || name === 'desktop.ini';

/** From a folder's content: keeps what can be imported. A file chosen by itself is always kept and explained later. */
export function pickFromFolder(files: readonly File[]): PickedFiles {
  const shown = files.filter((file) => !isHidden(file.name));
  const kept = shown.filter((file) => importable.test(file.name));
  return { files: kept, leftOut: shown.length - kept.length };
}

/** True when a drag carries files of the computer (not a text or link of the window itself). */
export function carriesFiles(transfer: DataTransfer | null): boolean {
  return transfer !== null && Array.from(transfer.types).includes('Files');
}

/**
 * Everything that was dropped, folders to their depths. Must be called inside the drop event: the browser empties
 * the transfer afterwards.
 */
export async function readDrop(transfer: DataTransfer): Promise<PickedFiles> {
  const entries = Array.from(transfer.items)
    .filter((item) => item.kind === 'file')
    .map((item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() }));
  const alone: File[] = [];
  const inFolders: File[] = [];
  for (const { entry, file } of entries) {
    if (entry?.isDirectory) await collect(entry as FileSystemDirectoryEntry, inFolders);
    else if (file) alone.push(file);
  }
  const fromFolders = pickFromFolder(inFolders);
  return { files: [...alone, ...fromFolders.files], leftOut: fromFolders.leftOut };
}

async function collect(folder: FileSystemDirectoryEntry, into: File[]): Promise<void> {
  const reader = folder.createReader();
  for (;;) {
    // One call gives at most 100 entries; an empty answer is the end.
    const entries = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (entries.length === 0) return;
    for (const entry of entries) {
      if (entry.isDirectory) await collect(entry as FileSystemDirectoryEntry, into);
      else
        into.push(
          await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject)),
        );
    }
  }
}
