import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { safeName, uniqueNames } from '../../main/evidence/safeName.ts';

const any = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string(),
  fc.constantFrom(
    '..',
    '.',
    '',
    'CON',
    'con.txt',
    'NUL.',
    'a/../b',
    'C:\\x',
    '-rf',
    ' ',
    '...',
    'COM1.zip',
    'é',
  ),
);

describe('a portable file name', () => {
  it('is one that every system takes, whatever was given', () => {
    fc.assert(
      fc.property(any, (given) => {
        const name = safeName(given, 'file');
        expect(name).toMatch(/^[A-Za-z0-9_()][A-Za-z0-9 ._()+=-]*$/);
        expect(name).not.toMatch(/[ .]$|\.\./);
        expect(name.length).toBeLessThanOrEqual(81);
        expect(name).not.toMatch(/^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i);
      }),
      { numRuns: 2000 },
    );
  });

  it('leaves ordinary names as they are', () => {
    for (const name of ['export.zip', 'camera-Van 7-P1.csv', 'gps_2026-03-02 (1).gpx']) {
      expect(safeName(name, 'file')).toBe(name);
    }
    expect(safeName('Müller.zip', 'file')).toBe('Muller.zip');
    expect(safeName('Ключ', 'file')).toBe('file');
    expect(safeName('日本.mp4', 'file')).toBe('file.mp4');
  });

  it('is never that of another file, and the same in any order', () => {
    const files = fc.array(fc.tuple(any, fc.stringMatching(/^[0-9a-f]{64}$/)), { maxLength: 8 });
    fc.assert(
      fc.property(files, (given) => {
        const distinct = [...new Map(given.map(([name, sha256]) => [sha256, { name, sha256 }])).values()];
        const names = uniqueNames(distinct);
        expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(distinct.length);
        expect(uniqueNames([...distinct].reverse())).toEqual([...names].reverse());
      }),
      { numRuns: 500 },
    );
    const twins = ['a', 'b'].map((digit) => ({
      name: digit === 'a' ? 'X.zip' : 'x.ZIP',
      sha256: digit.repeat(64),
    }));
    expect(uniqueNames(twins)).toEqual(['X-aaaaaaaa.zip', 'x-bbbbbbbb.ZIP']);
  });

  it('numbers files of one name and one content', () => {
    const sha256 = 'a'.repeat(64);
    const named = (...names: string[]) => uniqueNames(names.map((name) => ({ name, sha256 })));
    expect(named('x.png', 'x.png')).toEqual(['x-aaaaaaaa.png', 'x-aaaaaaaa-2.png']);
    const clash = named('x.png', 'X.png', 'x-aaaaaaaa-2.png', '2-x.png', 'x.png');
    expect(new Set(clash.map((name) => name.toLowerCase())).size).toBe(5);
  });
});
