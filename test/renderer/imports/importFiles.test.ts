import { describe, expect, it } from 'vitest';
import { carriesFiles, pickFromFolder, readDrop } from '../../../renderer/features/imports/index.ts';

const file = (name: string) => new File(['x'], name);

/** A dropped file or folder as Chromium gives it; folders answer at most two entries at a time. */
function dropped(name: string, children: readonly unknown[] | null): FileSystemEntry {
  if (children === null) {
    const entry = {
      isDirectory: false,
      isFile: true,
      name,
      file: (done: (given: File) => void) => done(file(name)),
    };
    return entry as unknown as FileSystemEntry; // the part that is used
  }
  return {
    isDirectory: true,
    isFile: false,
    name,
    createReader: () => {
      const left = [...children];
      return { readEntries: (done: (given: unknown[]) => void) => done(left.splice(0, 2)) };
    },
  } as unknown as FileSystemEntry; // as above
}
const transferOf = (entries: readonly FileSystemEntry[]): DataTransfer =>
  ({
    types: ['Files'],
    items: entries.map((entry) => ({
      kind: 'file',
      webkitGetAsEntry: () => entry,
      getAsFile: () => (entry.isDirectory ? null : file(entry.name)),
    })),
  }) as unknown as DataTransfer; // as above

describe('what is dropped or chosen', () => {
  it('takes folders to their depths, in as many reads as it needs, and says what was left out', async () => {
    const folder = dropped('week 11', [
      dropped('a.zip', null),
      dropped('b.CSV', null),
      dropped('inner', [dropped('c.gpx', null), dropped('readme.txt', null)]),
      dropped('.DS_Store', null),
      dropped('d.kml', null),
    ]);
    const picked = await readDrop(transferOf([folder]));
    expect(picked.files.map((one) => one.name)).toEqual(['a.zip', 'b.CSV', 'c.gpx', 'd.kml']);
    expect(picked.leftOut).toBe(1);
  });

  it('keeps a single file of any kind: the importer explains it', async () => {
    const picked = await readDrop(transferOf([dropped('letter.pdf', null)]));
    expect(picked.files.map((one) => one.name)).toEqual(['letter.pdf']);
    expect(picked.leftOut).toBe(0);
  });

  it('leaves other files of a chosen folder out, hidden ones without a word', () => {
    const picked = pickFromFolder([file('a.zip'), file('notes.docx'), file('Thumbs.db'), file('.hidden')]);
    expect(picked).toMatchObject({ leftOut: 1 });
    expect(picked.files).toHaveLength(1);
  });

  it('does not take a dragged text for files', () => {
    expect(carriesFiles({ types: ['text/plain'] } as unknown as DataTransfer)).toBe(false);
    expect(carriesFiles({ types: ['Files'] } as unknown as DataTransfer)).toBe(true);
    expect(carriesFiles(null)).toBe(false);
  });
});
