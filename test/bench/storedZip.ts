import fs from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import yazl from 'yazl';

/**
 * An export whose entries are stored, not compressed: as large as its content, like the clips that will make up
 * most of a package. The CSV goes in `copies` times under names of different cameras.
 */
export async function makeStoredZip(folder: string, csvFile: string, copies: number): Promise<string> {
  const zip = new yazl.ZipFile();
  for (let copy = 0; copy < copies; copy++) {
    zip.addFile(csvFile, `camera-Van ${copy + 1}-BENCH${copy + 1}.csv`, { compress: false });
  }
  zip.end();
  const file = path.join(folder, 'stored-export.zip');
  await pipeline(zip.outputStream, fs.createWriteStream(file));
  return file;
}
