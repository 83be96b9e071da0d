/** The vendor's `free` box: whatever the independent writer wrote is read back. */
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { readClipHere } from '../../../main/media/telemetry/clipReading.ts';
import { box, clip, ClipFolder, motionRecord, rmc, u64, vendorFree } from './clipWriter.ts';

const files = new ClipFolder();
afterAll(() => files.remove());
const read = (bytes: Buffer, name: string) => readClipHere(files.write(bytes, name));

it('free box: gps lines and 3gf records, in any zone', () => {
  const aFix = fc.record({
    latDeg: fc.integer({ min: -8_999_999, max: 8_999_999 }).map((value) => value / 100_000),
    lngDeg: fc.integer({ min: -17_999_999, max: 17_999_999 }).map((value) => value / 100_000),
    knots: fc.integer({ min: 0, max: 200_000 }).map((value) => value / 1000),
    headingDeg: fc.integer({ min: 0, max: 35_999 }).map((value) => value / 100),
  });
  const aLine = fc.record({ fix: fc.option(aFix), lagMs: fc.integer({ min: 0, max: 900 }) });
  const aRecord = fc.tuple(
    fc.integer({ min: 0, max: 0x7fff_ffff }),
    ...Array.from({ length: 3 }, () => fc.integer({ min: -32_768, max: 32_767 })),
  );
  fc.assert(
    fc.property(
      fc.array(aLine, { maxLength: 30 }),
      fc.array(aRecord, { maxLength: 30 }),
      fc.constantFrom('\n', '\n\n', '\r\n', ''),
      fc.integer({ min: Date.UTC(2012, 0, 1), max: Date.UTC(2060, 0, 1) }),
      fc.integer({ min: -48, max: 56 }),
      (lines, records, separator, startMs, quarters) => {
        const offsetMs = quarters * 900_000;
        const at = (i: number): number => startMs + i * 1000;
        const text = lines.map(
          ({ fix: place, lagMs }, i) => `[${at(i) + offsetMs + lagMs}]${rmc(at(i), place)}`,
        );
        const free = vendorFree(
          box('sttm', u64(startMs + offsetMs)),
          box('gps ', text.join(separator), Buffer.alloc(4)),
          box(
            '3gf ',
            ...records.map(([ms, a, b, c]) => motionRecord(ms!, a!, b!, c!)),
            Buffer.alloc(15, 0xff),
          ),
        );
        const { facts, gps, gSensor } = read(clip(free), 'property.mp4');
        expect(facts.skipped).toEqual([]);
        // 0/0 is what a receiver writes that knows nothing.
        expect([...gps!.utcMs]).toEqual(lines.map((_, i) => at(i)));
        lines.forEach(({ fix: place }, i) => {
          if (!place) return expect(gps!.latDeg[i]).toBeNaN();
          expect(gps!.latDeg[i]).toBeCloseTo(place.latDeg, 6);
          expect(gps!.lngDeg[i]).toBeCloseTo(place.lngDeg, 6);
          expect(gps!.speedKmh[i]).toBeCloseTo(place.knots * 1.852, 9);
          expect(gps!.headingDeg[i]).toBeCloseTo(place.headingDeg, 9);
        });
        expect([...gSensor!.clipMs]).toEqual(records.map(([ms]) => ms));
        for (const axis of [0, 1, 2] as const)
          expect([...gSensor!.axesG[axis]]).toEqual(records.map((record) => record[axis + 1]! / 128));
        const isFixed = lines.some(({ fix: place }) => place !== null);
        expect(facts.clock.utcOffsetMin).toBe(isFixed ? quarters * 15 : null);
        expect(facts.clock.startUtcMs).toBe(isFixed ? startMs : null);
      },
    ),
    { numRuns: 150, seed: 7 },
  );
});
