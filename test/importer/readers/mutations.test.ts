import { describe, expect, it } from 'vitest';
import { SeededRandom } from '../corpus/random.ts';
import { mutated, oddFile, plainFiles } from '../corpus/oddFiles.ts';
import { formats, readAs } from './formats.ts';

// collect() lets everything but a ReaderRefusal through: any other throw fails the test.
describe.each(formats)('2,000 damaged %s files', (format) => {
  it('are read or refused, every row accounted for, alike on both paths and in any pieces', () => {
    const random = new SeededRandom(format.length + format.charCodeAt(0));
    let refused = 0;
    for (let run = 0; run < 2000; run++) {
      const source = run % 3 === 0 ? plainFiles[format].subarray(0, 6000) : oddFile(format, run);
      const bytes = mutated(source, random);
      const general = readAs(format, bytes, [Math.max(1, bytes.length)], false);
      const quick = readAs(format, bytes, [1 + random.below(2000)]);
      // Of a refused file nothing is kept; how far it was read does not matter.
      if (general.refusal) expect(quick.refusal, `run ${run}`).toEqual(general.refusal);
      else expect(JSON.stringify(quick), `run ${run}`).toBe(JSON.stringify(general));
      const skipped = general.skipped.reduce((sum, reason) => sum + reason.count, 0);
      expect(general.rows).toBe(general.points + skipped);
      expect(general.tracks.reduce((sum, track) => sum + track.points.length, 0)).toBe(general.points);
      expect(general.tracks.every((track) => track.points.length > 0)).toBe(true);
      if (general.refusal) refused++;
    }
    expect(refused).toBeGreaterThan(0);
    expect(refused).toBeLessThan(2000);
  });
});
