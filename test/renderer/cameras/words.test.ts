import { describe, expect, it } from 'vitest';
import { clockSummary } from '../../../renderer/features/cameras/ClockDialog.tsx';
import { filterCameras } from '../../../renderer/features/cameras/cameraStore.ts';
import {
  browseWords,
  seatText,
  seenText,
  vehicleText,
} from '../../../renderer/features/cameras/cameraWords.ts';
import { gpsFacts, peakOf } from '../../../renderer/features/cameras/lookFacts.ts';
import { momentText } from '../../../renderer/features/cameras/MomentFinder.tsx';
import {
  buttonText,
  bytesOf,
  countdownText,
  shareText,
  stateWords,
  transferFacts,
} from '../../../renderer/features/cameras/recallWords.ts';
import {
  directionName,
  offsetText,
  parseOffset,
  streamBytes,
  transferText,
  typeName,
  uncertaintyText,
} from '../../../renderer/features/cameras/words.ts';
import { atMs, camera, clock, metadata, part, priceSum, problem, recall, row } from './samples.ts';

describe('recordings in words', () => {
  it('keeps the letter of a type that nobody explained, and a type newer than this version', () => {
    expect(typeName('driving_impact', 'E')).toBe('Impact');
    expect(typeName('unknown', 'Z')).toBe('Unknown (Z)');
    expect(typeName(null, null)).toBe('Unknown');
    expect(typeName('rollover', 'V')).toBe('rollover (V)');
    expect(directionName(null, 'R')).toBe('camera R');
  });

  it('counts bytes as the service does', () => {
    expect(transferText(0)).toBe('0 bytes');
    expect(transferText(1)).toBe('1 byte');
    expect(transferText(8 * 2 ** 20)).toBe('8.0 MB');
    expect(transferText(312 * 2 ** 20)).toBe('312 MB');
    expect(transferText(18 * 2 ** 30)).toBe('18.00 GB');
  });

  it('does not take a size that is not stated for none', () => {
    const unstated = part('aF.mp4', { main: { sizeBytes: null, heldSha256: null } });
    expect(streamBytes([unstated], 'main')).toBeNull();
    expect(streamBytes([unstated, part('bO.mp4')], 'main')).toBe(312_000_000);
    expect(streamBytes([part('cF.mp4', { sub: null })], 'sub')).toBeNull();
  });

  it('says how sure a time is, and reads offsets back that people type', () => {
    expect(uncertaintyText(1)).toBe('± 1 s');
    expect(uncertaintyText(90_000)).toBe('± 90 s');
    expect(uncertaintyText(480_000)).toBe('± 8 min');
    for (const minutes of [0, 60, -210, 345, 840, -720])
      expect(parseOffset(offsetText(minutes))).toBe(minutes);
    for (const text of ['', '+15', '-12:30', '1:75', 'CET', '1.5']) expect(parseOffset(text)).toBeNull();
    expect(clockSummary(clock())).toBe('not known');
    const segment = { fromLocal: null, toLocal: null, offsetMinutes: 60, uncertaintyMs: 2000, clips: 5 };
    expect(clockSummary(clock({ segments: [{ ...segment, source: 'gps' }] }))).toBe(
      'UTC+1 from the clips’ GPS, ± 2 s',
    );
  });

  it('tells why a moment was not found', () => {
    const report = { psn: 'x', utcMs: atMs, clock: clock(), listedAtMs: atMs, matches: [] };
    expect(momentText({ ...report, lack: 'clock_unknown' })).toContain('clock is not known');
    expect(momentText({ ...report, lack: 'never_listed' })).toContain('never listed');
    const matches = [
      { row: row(), fit: 'covers' as const },
      { row: row('2026-03-14T17:33:10'), fit: 'near' as const },
    ];
    expect(momentText({ ...report, matches, lack: null })).toBe(
      '1 recording chosen, in which the moment lies; 1 beside it, within the clock’s uncertainty.',
    );
  });
});

describe('cameras in words', () => {
  it('leaves open what the service did not say', () => {
    const bare = { psn: 'P1' };
    expect(vehicleText(bare)).toBeNull();
    expect(seatText(bare)).toBe('no seat');
    expect(seenText(bare, atMs)).toBe('last contact not stated');
    const vehicle = { plate: 'AB 1', maker: 'Ford', model: 'Transit', year: 2019, tag: 'x' };
    expect(vehicleText({ psn: 'P1', vehicle })).toBe('Ford Transit 2019 · AB 1');
    expect(seatText({ psn: 'P1', cameraPosition: 12, entitlement: 'over_limit' })).toBe(
      'seat 12, over the seat limit',
    );
  });

  it('tells what may pass from what will not', () => {
    const obstacle = { what: 'x', todo: 'y', source: 'list', learntAtMs: null } as const;
    expect(browseWords(null)).toEqual({ tone: 'ok', text: 'can be browsed' });
    expect(browseWords({ ...obstacle, reason: 'wifi_only', isPassing: false })).toEqual({
      tone: 'bad',
      text: 'cannot: Wi-Fi only',
    });
    expect(browseWords({ ...obstacle, reason: 'busy', isPassing: true }).text).toBe('not now: busy');
  });

  it('finds by any words of name, serial, plate and vehicle', () => {
    const all = [
      camera({ name: 'Van 12', vehicle: { plate: 'AB 123', maker: 'Ford' } }),
      camera({ psn: 'FD9', name: null, vehicle: null }),
    ];
    expect(filterCameras(all, 'ford van')).toHaveLength(1);
    expect(filterCameras(all, 'fd9')).toEqual([all[1]]);
    expect(filterCameras(all, 'ford fd9')).toEqual([]);
    expect(filterCameras(all, '  ')).toBe(all);
  });
});

describe('recalls in words', () => {
  it('counts down to the next try', () => {
    const waiting = recall({
      state: {
        status: 'waiting',
        for: 'device_busy',
        untilMs: atMs + 4_200,
        problem: problem('device_busy'),
      },
    });
    expect(stateWords(waiting, atMs).text).toBe(
      'Waits: the camera is busy with another transfer; tried again in 5 s',
    );
    expect(countdownText(atMs, atMs + 1)).toBe('now');
  });

  it('takes a server that does not say how far it is for no error', () => {
    const transferring = {
      status: 'transferring',
      receivedBytes: 0,
      serverBytes: null,
      totalBytes: 1000,
      startedAtMs: atMs,
      problem: null,
    } as const;
    expect(bytesOf(recall({ state: transferring }))).toEqual({ stage: 'download', done: 0, total: 1000 });
    const uploading = recall({ state: { ...transferring, serverBytes: 400 } });
    expect(transferFacts(uploading)).toBe('400 bytes of 1.0 kB on the media server');
    const unknown = recall({ state: { ...transferring, receivedBytes: 5, totalBytes: null } });
    expect(transferFacts(unknown)).toBe('5 bytes');
    expect(bytesOf(recall())).toBeNull();
  });

  it('prices the buttons', () => {
    expect(buttonText('sub', priceSum({ chargeBytes: 8 * 2 ** 20 }))).toBe('Recall low · 8.0 MB');
    expect(buttonText('main', priceSum({ chargeBytes: 0 }))).toBe('Recall full · nothing charged');
    expect([shareText(null), shareText(0), shareText(0.0001), shareText(0.031), shareText(0.5)]).toEqual([
      'share not known',
      '0 %',
      '< 0.1 %',
      '3.1 %',
      '50 %',
    ]);
  });
});

describe('what a look at a recording tells', () => {
  it('skips samples without a value instead of counting them as zero', () => {
    const found = metadata('a.mp4', {
      gps: {
        tMs: new Float64Array([1, 2]),
        latDeg: new Float64Array([Number.NaN, 52.1]),
        lngDeg: new Float64Array([Number.NaN, 4.3]),
        speedKmh: new Float32Array([Number.NaN, 61]),
        headingDeg: new Float32Array([0, 0]),
      },
      gSensor: {
        offsetMs: new Float64Array([0, 100, 200]),
        verticalG: new Float32Array([1, Number.NaN, 3]),
        lateralG: new Float32Array([0, 9, 0]),
        longitudinalG: new Float32Array([0, 0, 4]),
      },
    });
    expect(gpsFacts(found)).toEqual({
      samples: 2,
      firstUtcMs: 1,
      place: { latDeg: 52.1, lngDeg: 4.3 },
      maxSpeedKmh: 61,
    });
    expect(peakOf(found)).toEqual({ g: 5, offsetMs: 200 });
    expect(gpsFacts(metadata('b.mp4'))).toBeNull();
    expect(peakOf(metadata('b.mp4'))).toBeNull();
  });
});
