import { describe, expect, it } from 'vitest';
import { normalizeBaseUrl } from '../../main/cloud/baseUrl.ts';
import { operations, toPath } from '../../main/cloud/operations.ts';

describe('the base address', () => {
  it.each([
    ['https://api.example.com', 'https://api.example.com'],
    [' https://api.example.com/ ', 'https://api.example.com'],
    ['https://api.example.com/v1', 'https://api.example.com'],
    ['https://api.example.com/v1/v1/', 'https://api.example.com'],
    ['https://api.example.com/fleet/v1', 'https://api.example.com/fleet'],
    ['api.example.com', 'https://api.example.com'],
    ['http://127.0.0.1:8080/v1', 'http://127.0.0.1:8080'],
  ])('%s is used as %s', (typed, used) => expect(normalizeBaseUrl(typed)).toBe(used));

  it.each([
    '',
    'http://api.example.com',
    'ftp://x',
    'https://user:pw@x.example',
    'https://x.example?a=1',
    'https://',
    'not an address',
  ])('refuses %j and says why', (typed) =>
    expect(() => normalizeBaseUrl(typed)).toThrow(/base address can't be used/i),
  );
});

describe('paths of operations', () => {
  it('encodes path parameters and leaves out what is absent', () => {
    expect(
      toPath('sdFiles.playback', {
        psn: 'P/1 ü',
        filename: '20260102_030405_NF.mp4',
        quality: 'sub',
        from: undefined,
      }),
    ).toBe('/v1/devices/P%2F1%20%C3%BC/sd-files/20260102_030405_NF.mp4/video?quality=sub');
    expect(toPath('sdFiles.metadata', { psn: 'P1', filename: 'a.mp4', include: ['thumbnail', 'gps'] })).toBe(
      '/v1/devices/P1/sd-files/a.mp4/metadata?include=thumbnail%2Cgps',
    );
  });
  it('refuses a missing parameter and one that would climb out of its place', () => {
    expect(() => toPath('devices.get', {})).toThrow('needs "psn"');
    expect(() => toPath('devices.get', { psn: '..' })).toThrow('psn');
  });
  it('names each route once', () => {
    const routes = Object.values(operations).map((o) => `${o.method} ${o.path}`);
    expect(new Set(routes).size).toBe(routes.length);
  });
});
