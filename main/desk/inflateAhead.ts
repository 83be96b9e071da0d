import { statSync } from 'node:fs';
import { startInflatingAhead } from '../importer/inflateThread.ts';

/** Archives from this size on take longer to read than the thread to start. */
const worthwhileBytes = 1024 * 1024;

/**
 * For a host that is about to import these files in its own thread: starts the thread that inflates them while the
 * rest of the program is still being loaded.
 */
export function inflateAhead(files: readonly string[]): void {
  const isLarge = (file: string): boolean => {
    try {
      return statSync(file).size >= worthwhileBytes;
    } catch {
      return false; // the import itself says what is wrong with it
    }
  };
  if (files.some((file) => /\.zip$/i.test(file) && isLarge(file))) startInflatingAhead();
}
