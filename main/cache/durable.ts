import fs from 'node:fs';
import path from 'node:path';

/**
 * Makes a folder for this user alone, with those above it that are missing. Not mkdirSync's `recursive`: that
 * turns in a circle for ever where a system says ENOENT to a folder whose parent is there (/proc, automounts).
 */
export function makeFolder(folder: string): void {
  if (fs.statSync(folder, { throwIfNoEntry: false })?.isFile()) {
    // As mkdirSync says it: a file has the name.
    throw Object.assign(new Error(`EEXIST: a file lies at ${folder}`), { code: 'EEXIST', path: folder });
  }
  const missing: string[] = [];
  for (let at = folder; !fs.existsSync(at) && at !== path.dirname(at); at = path.dirname(at))
    missing.push(at);
  for (const one of missing.reverse()) {
    try {
      fs.mkdirSync(one, { mode: 0o700 });
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code !== 'EEXIST') throw thrown; // made by another meanwhile
    }
  }
}

/** Makes a rename or a new name in `folder` survive a power loss. Windows has no such call and needs none. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const descriptor = fs.openSync(folder, 'r');
  try {
    fs.fsyncSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
}

/** Makes the bytes of a file survive a power loss. */
export function syncFile(file: string): void {
  const descriptor = fs.openSync(file, 'r+');
  try {
    fs.fsyncSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
}
