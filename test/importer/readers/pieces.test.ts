import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { oddFile, plainFiles } from '../corpus/oddFiles.ts';
import { formats, readAs } from './formats.ts';

/** Compared as text: thousands of deep comparisons take minutes. */
const same = (result: unknown): string => JSON.stringify(result);

describe.each(formats)('a %s file', (format) => {
  const samples = [plainFiles[format], ...[1, 2, 3].map((seed) => oddFile(format, seed, 12))];

  it('reads the same in pieces of 1 to 64 bytes', () => {
    for (const sample of samples) {
      const whole = readAs(format, sample);
      for (let size = 1; size <= 64; size++) expect(same(readAs(format, sample, [size]))).toBe(same(whole));
    }
  });
  it('reads the same cut in two at every byte', () => {
    for (const sample of samples.slice(0, 3)) {
      const whole = readAs(format, sample);
      for (let at = 1; at < sample.length; at++) {
        expect(same(readAs(format, sample, [at, sample.length - at]))).toBe(same(whole));
      }
    }
  });
  it('reads the same in pieces of any sizes, empty ones too, and by the general path alone', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 100_000 }),
        fc.array(fc.integer({ min: 1, max: 3000 }), { minLength: 1, maxLength: 5 }),
        (seed, sizes) => {
          const sample = oddFile(format, seed);
          const general = readAs(format, sample, [sample.length], false);
          expect(readAs(format, sample)).toEqual(general);
          expect(readAs(format, sample, sizes)).toEqual(general);
        },
      ),
      { numRuns: 150 },
    );
  });
  it('cut short anywhere is refused, or its rows are accounted for', () => {
    for (const sample of samples.slice(0, 3)) {
      const whole = readAs(format, sample);
      const end = sample.toString('latin1').trimEnd().length;
      for (let at = 0; at < end; at++) {
        const cut = readAs(format, sample.subarray(0, at), [at]);
        expect(cut.rows).toBe(cut.points + cut.skipped.reduce((sum, reason) => sum + reason.count, 0));
        if (format !== 'csv') {
          expect(cut.refusal).not.toBeNull();
          expect(cut.refusal!.where).toMatch(/^(line|byte) \d+$/);
        } else expect(cut.rows).toBeLessThanOrEqual(whole.rows + 1);
      }
    }
  });
});
