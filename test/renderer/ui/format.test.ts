import { describe, expect, it } from 'vitest';
import {
  formatBytes,
  formatCounted,
  formatDuration,
  formatPercent,
  groupHash,
  shortHash,
} from '../../../renderer/ui/format.ts';

describe('numbers as people read them', () => {
  it('gives sizes in decimal units and never rounds up into "1000 kB"', () => {
    expect(formatBytes(0)).toBe('0 bytes');
    expect(formatBytes(999)).toBe('999 bytes');
    expect(formatBytes(84_400)).toBe('84.4 kB');
    expect(formatBytes(999_600)).toBe('1.0 MB');
    expect(formatBytes(157_835)).toBe('158 kB');
    expect(formatBytes(4_100_000_000)).toBe('4.1 GB');
  });

  it('says one trip, many trips, and entries', () => {
    expect(formatCounted(1, 'trip')).toBe('1 trip');
    expect(formatCounted(1_689, 'trip')).toBe('1,689 trips');
    expect(formatCounted(0, 'entry', 'entries')).toBe('0 entries');
  });

  it('gives durations in the two units that matter', () => {
    expect(formatDuration(400)).toBe('0 s');
    expect(formatDuration(59_400)).toBe('59 s');
    expect(formatDuration(95_000)).toBe('1 min 35 s');
    expect(formatDuration(3_600_000)).toBe('1 h');
    expect(formatDuration(7_500_000)).toBe('2 h 5 min');
    expect(formatDuration(3 * 86_400_000)).toBe('3 d 0 h');
  });

  it('never says 100 % before the end', () => {
    expect(formatPercent(0.9999)).toBe('99 %');
    expect(formatPercent(1)).toBe('100 %');
    expect(formatPercent(7)).toBe('100 %');
  });

  it('shortens and groups hashes', () => {
    expect(shortHash('0123456789abcdef'.repeat(4))).toBe('0123456789…abcdef');
    expect(groupHash('0123456789')).toBe('0123 4567 89');
  });
});
