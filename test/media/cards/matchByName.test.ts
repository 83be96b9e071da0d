import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ClipId } from '../../../shared/ids.ts';
import type { ListedNamesake } from '../../../main/cache/cardRepository.ts';
import { matchByName } from '../../../main/media/cards/matchByName.ts';

const namesake = fc.record({
  clipId: fc.constantFrom('clip_a', 'clip_b', 'clip_c').map((id) => id as ClipId), // the brand has no runtime form
  psn: fc.constantFrom('P1', 'P2'),
  listedBytes: fc.constantFrom(null, 0, 10, 20),
  seenAtMs: fc.integer({ min: 0, max: 100 }),
});

it('never matches a clip whose name is on two cards, nor one of another length than every listing', () => {
  fc.assert(
    fc.property(fc.array(namesake), (rows) => {
      const listed = rows.map((row): ListedNamesake => ({
        ...row,
        sha256: row.clipId,
        fileName: 'name.mp4',
        mainName: 'name.mp4',
        sizeBytes: 10,
      }));
      const found = matchByName(listed);
      expect(new Set(found.map((one) => one.clipId)).size).toBe(found.length);
      for (const clipId of new Set(listed.map((one) => one.clipId))) {
        const own = listed.filter((one) => one.clipId === clipId);
        const sizes = own.flatMap(({ listedBytes }) => (listedBytes ? [listedBytes] : []));
        const isOne = new Set(own.map((one) => one.psn)).size === 1;
        const fits = sizes.length === 0 || sizes.includes(10);
        const match = found.find((one) => one.clipId === clipId);
        expect(match !== undefined).toBe(isOne && fits);
        if (match) expect(match.sizeAgrees).toBe(sizes.length > 0 ? true : null);
      }
    }),
  );
});
