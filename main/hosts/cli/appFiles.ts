import fs from 'node:fs';
import path from 'node:path';

/**
 * The folder that the application lies in (it holds package.json): found upwards, since this code runs from
 * the sources and, bundled, from dist/main.
 */
export function appFolder(): string {
  let folder = import.meta.dirname;
  for (;;) {
    if (fs.existsSync(path.join(folder, 'package.json'))) return folder;
    const parent = path.dirname(folder);
    if (parent === folder) throw new Error('package.json of Evidence Desk is not there');
    folder = parent;
  }
}

/** Version of the application, as package.json states it. */
export function appVersion(): string {
  const text = fs.readFileSync(path.join(appFolder(), 'package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version; // our own file
}

/** The sample export; null where it was not packed along. */
export function samplePath(): string | null {
  const file = path.join(appFolder(), 'assets', 'sample-export.zip');
  return fs.existsSync(file) ? file : null;
}
