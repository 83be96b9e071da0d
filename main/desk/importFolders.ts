import fs from 'node:fs';
import path from 'node:path';

/** What an import can read, by its ending; other files of a folder are none of its business. */
const readable = /\.(mp4|mov|zip|csv|gpx|kml)$/i;
/** A card holds some ten thousand recordings. */
const mostFiles = 100_000;
const deepest = 32;

/**
 * Puts the readable files inside folders in the folders' place, sorted by name, whatever their depth. Links are
 * not followed, hidden files (a Mac's `._x.mp4`) and folders that can't be read are passed over. What is no
 * folder, and a folder with nothing to read in it, stays as it is: whoever copies it says what is wrong with it.
 */
export function expandFolders(paths: readonly string[]): readonly string[] {
  return paths.flatMap((one) => {
    const files = isFolder(one) ? filesIn(one) : [];
    return files.length > 0 ? files : [one];
  });
}

function isFolder(place: string): boolean {
  return fs.statSync(place, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function filesIn(folder: string): string[] {
  const files: string[] = [];
  const waiting: { place: string; depth: number }[] = [{ place: folder, depth: 0 }];
  for (let next = waiting.shift(); next && files.length < mostFiles; next = waiting.shift()) {
    for (const entry of entriesOf(next.place)) {
      if (entry.name.startsWith('.')) continue;
      const place = path.join(next.place, entry.name);
      if (entry.isDirectory() && next.depth < deepest) waiting.push({ place, depth: next.depth + 1 });
      else if (entry.isFile() && readable.test(entry.name) && files.length < mostFiles) files.push(place);
    }
  }
  return files.sort();
}

function entriesOf(place: string): fs.Dirent[] {
  try {
    return fs.readdirSync(place, { withFileTypes: true });
  } catch {
    return [];
  }
}
