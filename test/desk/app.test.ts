import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { contentSecurityPolicy } from '../../main/desk/serving.ts';
import { tileOrigin } from '../../main/desk/settings.ts';
import { writePmtiles } from '../e2e/pmtiles.ts';
import { aDesk, anUpload, aPlace, type Place } from './aDesk.ts';

let place: Place;
let desk: Awaited<ReturnType<typeof aDesk>>;
beforeEach(async () => {
  place = aPlace();
  desk = await aDesk(place);
});
afterEach(async () => {
  await desk.close();
  expect(desk.bugs).toEqual([]);
  place.remove();
});

async function reopen(): Promise<void> {
  await desk.close();
  desk = await aDesk(place);
}

describe('what the app says about itself', () => {
  it('names version, folder, abilities and how secrets are kept', async () => {
    expect(await desk.client.invoke('app.info', {})).toMatchObject({
      version: '1.2.3',
      dataFolder: place.dataFolder,
      abilities: { host: 'test', secretStore: 'encrypted-file' },
      sealFingerprint: null,
      sealPublicKeyPem: null,
      hasSample: false,
      versions: { node: process.versions.node },
    });
  });

  it('counts every byte of the data folder', async () => {
    const before = (await desk.client.invoke('app.info', {})).cacheSizeBytes;
    fs.mkdirSync(path.join(place.dataFolder, 'blobs', 'ab'));
    fs.writeFileSync(path.join(place.dataFolder, 'blobs', 'ab', 'x'), Buffer.alloc(12_345));
    const after = (await desk.client.invoke('app.info', {})).cacheSizeBytes;
    expect(after - before).toBe(12_345);
  });
});

describe('settings', () => {
  it('begin with no network, no name, the system’s look', async () => {
    expect(await desk.client.invoke('settings.get', {})).toEqual({
      theme: 'system',
      localZone: null,
      onlineTileUrl: null,
      onlineTileAttribution: null,
      actorName: null,
      organization: null,
    });
  });

  it('change one by one, survive a restart, and are told to every front end', async () => {
    const heard: unknown[] = [];
    desk.client.on('settings.changed', (settings) => heard.push(settings));
    await desk.client.invoke('settings.set', { theme: 'dark' });
    const changed = await desk.client.invoke('settings.set', {
      actorName: '  Ada Vries ',
      localZone: 'Europe/Amsterdam',
    });
    expect(changed).toMatchObject({ theme: 'dark', actorName: 'Ada Vries', localZone: 'Europe/Amsterdam' });
    expect(heard).toHaveLength(2);
    await reopen();
    expect(await desk.client.invoke('settings.get', {})).toEqual(changed);
    expect((await desk.client.invoke('settings.set', { actorName: '' })).actorName).toBeNull();
  });

  it('put the investigator’s name into custody', async () => {
    await desk.client.invoke('settings.set', { actorName: 'Ada Vries' });
    await desk.client.invoke('cases.create', { name: 'Case 7' });
    expect((await desk.client.invoke('custody.list', {})).entries).toMatchObject([{ actor: 'Ada Vries' }]);
  });

  it.each([
    'javascript:alert(1)//{z}{x}{y}',
    'file:///tiles/{z}/{x}/{y}.png',
    'https://tiles.example/{z}/{x}.png',
    'https://tiles.example/',
    'https://user:secret@tiles.example/{z}/{x}/{y}.png',
    'https://{s}.tiles.example/{z}/{x}/{y}.png',
    "https://tiles.example; script-src 'unsafe-inline'/{z}/{x}/{y}",
    'https:///{z}/{x}/{y}',
    '//tiles.example/{z}/{x}/{y}',
  ])('refuse the tile address %s', async (onlineTileUrl) => {
    await expect(desk.client.invoke('settings.set', { onlineTileUrl })).rejects.toMatchObject({
      code: 'invalid_input',
    });
    expect((await desk.client.invoke('settings.get', {})).onlineTileUrl).toBeNull();
  });

  it.each([
    ['https://tiles.example/{z}/{x}/{y}.png?key=1', 'https://tiles.example'],
    ['http://localhost:8080/{z}/{x}/{y}', 'http://localhost:8080'],
  ])(
    'take the tile address %s, whose origin is the one thing added to the policy',
    async (onlineTileUrl, origin) => {
      const settings = await desk.client.invoke('settings.set', { onlineTileUrl });
      expect(tileOrigin(settings)).toBe(origin);
      expect(contentSecurityPolicy(tileOrigin(settings))).toContain(`img-src 'self' blob: data: ${origin};`);
      expect((await desk.client.invoke('settings.set', { onlineTileUrl: null })).onlineTileUrl).toBeNull();
    },
  );

  it('refuse a zone that does not exist, and settings that nobody knows', async () => {
    await expect(desk.client.invoke('settings.set', { localZone: 'Europe/Atlantis' })).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('Europe/Atlantis'),
    });
    const unknown = await desk.dispatch('settings.set', { colour: 'red' });
    expect(unknown).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
  });
});

/** A small PMTiles archive with `extra` bytes after it. */
function pmtiles(
  options: { extra?: number; compression?: 'none' | 'gzip'; hasLeaves?: boolean } = {},
): Buffer {
  const { extra = 0, compression = 'gzip', hasLeaves = false } = options;
  const earth = {
    kind: 'polygon',
    at: [
      [4, 51],
      [6, 51],
      [6, 53],
      [4, 53],
    ],
    properties: { kind: 'earth' },
  } as const;
  const bytes = writePmtiles({
    layers: { earth: [earth] },
    bounds: [5, 52, 5.2, 52.2],
    maxZoom: 6,
    compression,
    hasLeaves,
  });
  return Buffer.concat([bytes, Buffer.alloc(extra)]);
}
function changed(bytes: Buffer, at: number, value: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[at] = value;
  return copy;
}
/** The directory begins after the header. */
const directoryAt = 127;

describe('the basemap that the user picks', () => {
  it('is kept over a restart and served by its hash, until it is cleared', async () => {
    expect(await desk.client.invoke('basemap.get', {})).toBeNull();
    const uploadId = await anUpload(place, 'region.pmtiles', pmtiles());
    const basemap = await desk.client.invoke('basemap.set', { uploadId });
    expect(basemap).toMatchObject({ fileName: 'region.pmtiles', sizeBytes: pmtiles().length });
    await reopen();
    expect(await desk.client.invoke('basemap.get', {})).toEqual(basemap);
    const file = desk.mediaFile(basemap.mediaPath);
    expect(fs.readFileSync(file!.path)).toEqual(pmtiles());

    await desk.client.invoke('basemap.clear', {});
    expect(await desk.client.invoke('basemap.get', {})).toBeNull();
    expect(desk.mediaFile(basemap.mediaPath)).toBeNull();
    expect(fs.existsSync(file!.path)).toBe(false);
  });

  it('may have its directory in parts, as large archives do', async () => {
    const content = pmtiles({ hasLeaves: true });
    const uploadId = await anUpload(place, 'large.pmtiles', content);
    const basemap = await desk.client.invoke('basemap.set', { uploadId });
    expect(basemap.sizeBytes).toBe(content.length);
  });

  it('takes the place of the one before, whose room is given back', async () => {
    const set = async (content: Buffer) =>
      desk.client.invoke('basemap.set', { uploadId: await anUpload(place, 'x.pmtiles', content) });
    const first = desk.mediaFile((await set(pmtiles())).mediaPath)!;
    const same = await set(pmtiles());
    expect(desk.mediaFile(same.mediaPath)).toEqual(first);
    await set(pmtiles({ extra: 200 }));
    expect(fs.existsSync(first.path)).toBe(false);
  });

  it.each([
    ['something else', Buffer.from('PNG, not tiles'), 'unsupported_format'],
    ['version 2', changed(pmtiles(), 7, 2), 'unsupported_format'],
    ['tiles of pictures', changed(pmtiles(), 99, 2), 'unsupported_format'],
    ['tiles in brotli', changed(pmtiles(), 98, 3), 'unsupported_format'],
    ['half a download', pmtiles().subarray(0, -100), 'archive_damaged'],
    [
      'a packed directory with one byte changed',
      changed(pmtiles(), directoryAt + 14, 255),
      'archive_damaged',
    ],
    [
      'a plain directory with one byte changed',
      changed(pmtiles({ compression: 'none' }), directoryAt, 255),
      'archive_damaged',
    ],
    ['a directory of no tiles', changed(pmtiles({ compression: 'none' }), directoryAt, 0), 'archive_damaged'],
    ['less than a header', pmtiles().subarray(0, 100), 'archive_damaged'],
  ])('is refused when it is %s; the one before stays', async (_name, content, code) => {
    const good = await desk.client.invoke('basemap.set', {
      uploadId: await anUpload(place, 'good.pmtiles', pmtiles()),
    });
    const uploadId = await anUpload(place, 'bad.pmtiles', content);
    await expect(desk.client.invoke('basemap.set', { uploadId })).rejects.toMatchObject({ code });
    expect(await desk.client.invoke('basemap.get', {})).toEqual(good);
    expect(fs.readdirSync(path.join(place.dataFolder, 'partial', 'uploads'))).toEqual([]);
  });
});
