/** Novatek, GoPro and CAMM: whatever the independent writer wrote is read back. */
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { readClipHere } from '../../../main/media/telemetry/clipReading.ts';
import { ClipFolder, u16, u32 } from './clipWriter.ts';
import { cammPacket, f32le, f64le, gpmfItem, gpmfNest, gpsSeconds, i16, i32, i32le, novatekBlock, novatekClip, trackClip } from './telemetryWriter.ts'; // prettier-ignore

const files = new ClipFolder();
afterAll(() => files.remove());
const read = (bytes: Buffer, name = 'property.mp4') => readClipHere(files.write(bytes, name));
const runs = { numRuns: 120, seed: 20_260_314 };
const gravity = 9.80665;
/** Whole seconds, after the last leap second. */
const aStart = fc
  .integer({ min: Date.UTC(2018, 0, 1) / 1000, max: Date.UTC(2090, 0, 1) / 1000 })
  .map((seconds) => seconds * 1000);
const aCount16 = fc.integer({ min: -32_768, max: 32_767 });

/** Whole degrees, minutes of arc to a ten-thousandth, and the side. */
const anAngle = (mostDeg: number) =>
  fc.record({
    degrees: fc.integer({ min: 0, max: mostDeg - 1 }),
    minutes: fc
      .oneof(fc.integer({ min: 1, max: 599_999 }), fc.constant(599_999))
      .map((value) => value / 10_000),
    isNegative: fc.boolean(),
  });
const signed = ({
  degrees,
  minutes,
  isNegative,
}: {
  degrees: number;
  minutes: number;
  isNegative: boolean;
}) => (isNegative ? -1 : 1) * (degrees + minutes / 60);

it.each(['A', 'B'] as const)('Novatek, layout %s', (layout) => {
  const aBlock = fc.record({
    lat: anAngle(90),
    lng: anAngle(180),
    knots: fc.float({ min: 0, max: 900, noNaN: true }),
    course: fc.float({ min: 0, max: Math.fround(359.9), noNaN: true }),
    counts: fc.tuple(aCount16, aCount16, aCount16),
    hasFix: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(aBlock, { minLength: 1, maxLength: 20 }), aStart, (blocks, startMs) => {
      const bytes = novatekClip(
        blocks.map(({ lat, lng, hasFix, ...rest }, i) =>
          novatekBlock({
            at: startMs + i * 1000,
            layout,
            lat: lat.degrees * 100 + lat.minutes,
            lng: lng.degrees * 100 + lng.minutes,
            signature: hasFix ? `A${lat.isNegative ? 'S' : 'N'}${lng.isNegative ? 'W' : 'E'}\0` : 'VNE\0',
            ...rest,
          }),
        ),
      );
      const { facts, gps, gSensor } = read(bytes);
      const fixed = blocks.flatMap((block, i) => (block.hasFix ? [{ ...block, i }] : []));
      expect(facts.skipped).toEqual([]);
      expect(facts.telemetryFormat).toBe('novatek');
      expect([...gps!.utcMs]).toEqual(fixed.map(({ i }) => startMs + i * 1000));
      expect([...gps!.clipMs]).toEqual(fixed.map(({ i }) => i * 1000));
      fixed.forEach(({ lat, lng, knots, course }, row) => {
        // A 32-bit float holds DDDMM.mmmm to a five-hundredth of a minute.
        expect(Math.abs(gps!.latDeg[row]! - signed(lat))).toBeLessThan(2e-5);
        expect(Math.abs(gps!.lngDeg[row]! - signed(lng))).toBeLessThan(4e-5);
        expect(gps!.speedKmh[row]).toBeCloseTo(knots * 1.852, 9);
        expect(gps!.headingDeg[row]).toBe(course);
      });
      const motion = blocks.flatMap(({ counts }, i) => (layout === 'B' && counts.some((count) => count !== 0) ? [{ counts, i }] : [])); // prettier-ignore
      expect([...(gSensor?.clipMs ?? [])]).toEqual(motion.map(({ i }) => i * 1000));
      for (const axis of [0, 1, 2] as const)
        expect([...(gSensor?.axesG[axis] ?? [])]).toEqual(motion.map(({ counts }) => counts[axis] / 256));
    }),
    runs,
  );
});

it('GoPro: GPS5 and ACCL, whatever the scales, with foreign streams between them', () => {
  const aScale = fc.integer({ min: 1, max: 30_000 });
  const aPayload = fc.record({
    rows: fc.array(fc.tuple(fc.integer({ min: 1, max: 89 }), fc.integer({ min: -179, max: 179 }), fc.integer({ min: -500, max: 9000 }), fc.integer({ min: 0, max: 90 })), { maxLength: 18 }), // prettier-ignore
    motion: fc.array(fc.tuple(aCount16, aCount16, aCount16), { maxLength: 40 }),
    hasLock: fc.boolean(),
    foreign: fc.uint8Array({ maxLength: 30 }),
  });
  fc.assert(
    fc.property(
      fc.array(aPayload, { minLength: 1, maxLength: 6 }),
      fc.tuple(aScale, aScale, aScale, aScale),
      aScale,
      aStart,
      (payloads, scales, motionScale, startMs) => {
        const samples = payloads.map(({ rows, motion, hasLock, foreign }, second) => {
          const stamp = new Date(startMs + second * 1000)
            .toISOString()
            .replaceAll(/[-:TZ]/g, '')
            .slice(2);
          const values = rows.flatMap((row) => [...row.map((value, n) => i32(value * scales[n]!)), i32(0)]);
          return gpmfNest(
            'DEVC',
            gpmfItem('DVNM', 'c', 1, 5, Buffer.from('Model')),
            gpmfNest('STRM', gpmfItem('JUNK', 'B', 1, foreign.length, Buffer.from(foreign))),
            gpmfNest(
              'STRM',
              gpmfItem('GPSF', 'L', 4, 1, u32(hasLock ? 3 : 0)),
              gpmfItem('GPSU', 'U', 16, 1, Buffer.from(stamp)),
              gpmfItem('SCAL', 'l', 4, 5, Buffer.concat([...scales, 1].map(i32))),
              gpmfItem('GPS5', 'l', 20, rows.length, Buffer.concat(values)),
            ),
            gpmfNest(
              'STRM',
              gpmfItem('SCAL', 's', 2, 1, i16(motionScale)),
              gpmfItem('ACCL', 's', 6, motion.length, Buffer.concat(motion.flat().map(i16))),
            ),
          );
        });
        const { facts, gps, gSensor } = read(trackClip('gpmd', samples));
        expect(facts.skipped).toEqual([]);
        const all = payloads.flatMap(({ rows, hasLock }, second) =>
          rows.map((row, i) => ({ row, hasLock, ms: second * 1000 + (i * 1000) / rows.length })),
        );
        expect([...(gps?.clipMs ?? [])]).toEqual(all.map(({ ms }) => ms));
        all.forEach(({ row, hasLock, ms }, i) => {
          expect(gps!.utcMs[i]).toBeCloseTo(startMs + ms, 3);
          if (!hasLock) {
            expect(gps!.latDeg[i]).toBeNaN();
            return;
          }
          expect([gps!.latDeg[i], gps!.lngDeg[i], gps!.altitudeM[i]]).toEqual(row.slice(0, 3));
          expect(gps!.speedKmh[i]).toBeCloseTo(row[3] * 3.6, 9);
        });
        const motion = payloads.flatMap((payload) => payload.motion);
        expect(gSensor?.clipMs.length ?? 0).toBe(motion.length);
        motion.forEach((counts, i) =>
          counts.forEach((count, axis) =>
            expect(gSensor!.axesG[axis as 0 | 1 | 2][i]).toBeCloseTo(count / motionScale / gravity, 9),
          ),
        );
      },
    ),
    runs,
  );
});

it('GoPro: GPS9 with a date and a fix of its own for each row', () => {
  const aRow = fc.record({
    place: fc.tuple(fc.integer({ min: 1, max: 899_999_999 }), fc.integer({ min: -1_799_999_999, max: 1_799_999_999 })), // prettier-ignore
    altitude: fc.integer({ min: -500_000, max: 9_000_000 }),
    speed: fc.integer({ min: 0, max: 90_000 }),
    atMs: fc.integer({ min: 0, max: 86_399_999 }),
    days: fc.integer({ min: 6600, max: 30_000 }),
    fix: fc.constantFrom(0, 2, 3),
  });
  const scale = Buffer.concat([10_000_000, 10_000_000, 1000, 1000, 100, 1, 1000, 100, 1].map(i32));
  fc.assert(
    fc.property(fc.array(aRow, { minLength: 1, maxLength: 20 }), (rows) => {
      const values = rows.flatMap(({ place, altitude, speed, atMs, days, fix }) => [
        ...[...place, altitude, speed, 0, days, atMs].map(i32),
        u16(150),
        u16(fix),
      ]);
      const payload = gpmfNest('DEVC', gpmfNest('STRM', gpmfItem('TYPE', 'c', 1, 9, Buffer.from('lllllllSS')), gpmfItem('SCAL', 'l', 4, 9, scale), gpmfItem('GPS9', '?', 32, rows.length, Buffer.concat(values)))); // prettier-ignore
      const { facts, gps } = read(trackClip('gpmd', [payload]));
      expect(facts.skipped).toEqual([]);
      rows.forEach(({ place, altitude, speed, atMs, days, fix }, i) => {
        expect(gps!.utcMs[i]).toBe(Date.UTC(2000, 0, 1) + days * 86_400_000 + atMs);
        if (fix === 0) {
          expect(gps!.latDeg[i]).toBeNaN();
          return;
        }
        expect([gps!.latDeg[i], gps!.lngDeg[i], gps!.altitudeM[i]]).toEqual([place[0] / 1e7, place[1] / 1e7, altitude / 1000]); // prettier-ignore
        expect(gps!.speedKmh[i]).toBeCloseTo((speed / 1000) * 3.6, 9);
      });
    }),
    runs,
  );
});

it('CAMM: packets of all eight types in any order', () => {
  const aDegree = (most: number) =>
    fc.double({ min: -most, max: most, noNaN: true }).filter((value) => Math.abs(value) > 1e-9);
  const aFloat = fc.float({ min: -90, max: 90, noNaN: true });
  const aPacket = fc.oneof(
    fc.record({ type: fc.constantFrom(0, 1, 2, 4, 7) }),
    fc.record({ type: fc.constant(3 as const), force: fc.tuple(aFloat, aFloat, aFloat) }),
    fc.record({ type: fc.constant(5 as const), lat: aDegree(90), lng: aDegree(180), altitude: aFloat }),
    fc.record({ type: fc.constant(6 as const), lat: aDegree(90), lng: aDegree(180), altitude: aFloat, east: aFloat, north: aFloat, fix: fc.constantFrom(0, 2, 3) }), // prettier-ignore
  );
  /** Payload bytes by type: the whole packet (formats.md section 2) without its head of 4. */
  const sizes = [12, 8, 12, 12, 12, 24, 56, 12];
  fc.assert(
    fc.property(fc.array(aPacket, { minLength: 1, maxLength: 25 }), aStart, (packets, startMs) => {
      const samples = packets.map((packet, i) => {
        if ('force' in packet) return cammPacket(3, ...packet.force.map(f32le));
        if ('east' in packet)
          return cammPacket(6, f64le(gpsSeconds(startMs + i * 1000)), i32le(packet.fix), f64le(packet.lat), f64le(packet.lng), ...[packet.altitude, 1, 1, packet.east, packet.north, 0, 1].map(f32le)); // prettier-ignore
        if ('lat' in packet)
          return cammPacket(5, f64le(packet.lat), f64le(packet.lng), f64le(packet.altitude));
        return cammPacket(packet.type, Buffer.alloc(sizes[packet.type]!, 0x3f));
      });
      const { facts, gps, gSensor } = read(trackClip('camm', samples));
      expect(facts.skipped).toEqual([]);
      const placed = packets.flatMap((packet, i) => ('lat' in packet ? [{ packet, i }] : []));
      const motion = packets.flatMap((packet, i) => ('force' in packet ? [{ force: packet.force, i }] : []));
      expect([...(gps?.clipMs ?? [])]).toEqual(placed.map(({ i }) => i * 1000));
      expect([...(gSensor?.clipMs ?? [])]).toEqual(motion.map(({ i }) => i * 1000));
      motion.forEach(({ force }, row) =>
        force.forEach((value, axis) =>
          expect(gSensor!.axesG[axis as 0 | 1 | 2][row]).toBeCloseTo(value / gravity, 9),
        ),
      );
      placed.forEach(({ packet, i }, row) => {
        if (!('east' in packet)) expect(gps!.utcMs[row]).toBeNaN();
        else expect(gps!.utcMs[row]).toBeCloseTo(startMs + i * 1000, 3);
        if ('fix' in packet && packet.fix === 0) {
          expect(gps!.latDeg[row]).toBeNaN();
          return;
        }
        expect([gps!.latDeg[row], gps!.lngDeg[row], gps!.altitudeM[row]]).toEqual([packet.lat, packet.lng, packet.altitude]); // prettier-ignore
        if ('east' in packet)
          expect(gps!.speedKmh[row]).toBeCloseTo(Math.hypot(packet.east, packet.north) * 3.6, 6);
      });
    }),
    runs,
  );
});
