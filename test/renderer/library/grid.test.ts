import fc from 'fast-check';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { decodeLabels, type LabelRows } from '../../../renderer/features/map/basemapData.ts';
import {
  cellText,
  gridOf,
  latText,
  lngText,
  signposts,
  signText,
} from '../../../renderer/features/map/grid.ts';

describe('the grid of the map without streets', () => {
  it('has round lines inside the view, neither crowded nor empty, at every zoom', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -70, max: 70, noNaN: true }),
        fc.double({ min: -200, max: 200, noNaN: true }),
        fc.integer({ min: 10, max: 20 }),
        (lat, lng, zoom) => {
          const widthPx = 700;
          const heightPx = 500;
          const lngSpan = (widthPx / (256 * 2 ** zoom)) * 360;
          const latSpan = ((lngSpan * heightPx) / widthPx) * Math.cos((lat * Math.PI) / 180);
          const bounds = [lng, lat, lng + lngSpan, lat + latSpan] as const;
          const grid = gridOf(bounds, widthPx, heightPx, 120);
          for (const line of grid.lngDeg)
            expect(line >= lng - 1e-9 && line <= lng + lngSpan + 1e-9).toBe(true);
          expect(grid.lngDeg.length).toBeLessThanOrEqual(6);
          expect(grid.latDeg.length).toBeLessThanOrEqual(5);
          expect(grid.latDeg.length + grid.lngDeg.length).toBeGreaterThan(0);
        },
      ),
    );
  });
  it('names its lines with the digits that tell them apart, on their side of the world', () => {
    expect(latText(52.09, 0.01)).toBe('52.09° N');
    expect(latText(-0.5, 0.5)).toBe('0.5° S');
    expect(latText(0, 1)).toBe('0°');
    expect(lngText(181.5, 0.5)).toBe('178.5° W');
    expect(lngText(5.1234, 0.0002)).toBe('5.1234° E');
    expect(lngText(180, 10)).toBe('180°');
  });
  it('says what a cell measures there', () => {
    expect(cellText(0.005, 52.09)).toBe('342 × 556 m');
    expect(cellText(0.05, 0)).toBe('5.6 × 5.6 km');
  });
});

describe('signs to places out of view', () => {
  const file = path.resolve(import.meta.dirname, '../../../assets/basemap/labels.json');
  const labels = decodeLabels(JSON.parse(fs.readFileSync(file, 'utf8')) as LabelRows);
  it('point to the nearest ones, each in a direction of its own', () => {
    const south = signposts(labels, [5.11, 52.05, 5.13, 52.06], 3);
    expect(signText(south[0]!)).toMatch(/^Utrecht [34] km$/);
    expect(Math.abs(south[0]!.angle)).toBeLessThan(0.3); // northwards
    expect(south.length).toBe(3);
    for (let i = 1; i < south.length; i++) {
      expect(south[i]!.distanceM).toBeGreaterThanOrEqual(south[i - 1]!.distanceM);
    }
  });
  it('leave out what is in view, and what is too far to help', () => {
    const around = signposts(labels, [5.0, 52.0, 5.3, 52.2], 9);
    expect(around.map(({ name }) => name)).not.toContain('Utrecht');
    expect(signposts(labels, [-140, -40, -139.9, -39.9], 3)).toEqual([]);
  });
  it('look over the 180th meridian', () => {
    const place = { kind: 'place', name: 'Here', x: (-179.9 + 180) / 360, y: 0.5, rank: 0 } as const;
    const [sign] = signposts([place], [179.7, -0.1, 179.9, 0.1], 1);
    expect(sign!.angle).toBeCloseTo(Math.PI / 2);
    expect(signText(sign!)).toBe('Here 33 km');
  });
});
