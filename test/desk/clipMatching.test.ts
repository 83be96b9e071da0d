import { afterEach, beforeEach, expect, it } from 'vitest';
import type { AccountId, SourceId } from '../../shared/ids.ts';
import type { Desk } from '../../main/desk/desk.ts';
import { createClipRepository } from '../../main/cache/clipRepository.ts';
import { createSourceRepository } from '../../main/cache/sourceRepository.ts';
import { createCardRepository } from '../../main/cache/cardRepository.ts';
import { openCacheConnection } from '../../main/cache/openCache.ts';
import { aFleet, listCard } from '../media/recall/aRecallDesk.ts';
import { box, clip, u64, vendorFree } from '../media/telemetry/clipWriter.ts';
import { aDesk, aFile, aPlace, type Place } from './aDesk.ts';

let place: Place;
let desk: Desk & { bugs: unknown[] };
beforeEach(async () => {
  place = aPlace();
  desk = await aDesk(place);
});
afterEach(async () => {
  expect(desk.bugs).toEqual([]);
  await desk.close();
  place.remove();
});

const account = 'acc_test' as AccountId; // the brand has no runtime form
const bytesOf = (tag: number): Buffer =>
  clip(vendorFree(box('sttm', u64(Date.UTC(2026, 2, 14, 17, 32, tag)))));

/** What a listing left in the cache. */
function listed(
  psn: string,
  ...recordings: { filename: string; mainSizeBytes?: number; subSizeBytes?: number }[]
) {
  const connection = openCacheConnection(place.dataFolder, 'write');
  createCardRepository(connection.db).keepRecordings(account, psn, recordings, Date.UTC(2026, 2, 15));
  connection.close();
}
async function imported(...names: string[]): Promise<Record<string, string | null>> {
  await desk.importFiles(names.map((name, i) => aFile(place, name, bytesOf(i))));
  const clips = await desk.client.invoke('clips.list', {});
  return Object.fromEntries(clips.map((one) => [one.fileName, one.psn]));
}
const matches = async () =>
  (await desk.client.invoke('custody.list', {})).entries.filter(({ action }) => action === 'clip.matched');

it('looks again when a card was listed', async () => {
  const fleet = await aFleet();
  try {
    const { psn } = fleet.simulator.story.collision;
    const { rows } = await listCard(fleet.desk, psn);
    const { filename, main } = rows[0]!.parts[0]!;
    const { db } = fleet.desk.cache;
    const sha256 = 'ab'.repeat(32);
    const sourceId = 'src_ab' as SourceId; // the brand has no runtime form
    createSourceRepository(db).insert({
      sourceId,
      sha256,
      sizeBytes: main.sizeBytes!,
      fileName: filename,
      kind: 'clip',
      importedAtMs: 1,
      readerVersion: '1',
      trips: 0,
      points: 0,
      skippedRows: 0,
      fromMs: null,
      toMs: null,
      entries: [],
    });
    const clip = {
      sourceId,
      sha256,
      origin: 'import',
      psn: null,
      quality: 'main',
      mainName: filename,
    } as const;
    createClipRepository(db).insert({ ...clip, facts: null });
    await listCard(fleet.desk, psn);
    expect(createClipRepository(db).list({})).toMatchObject([{ fileName: filename, psn, origin: 'import' }]);
    expect(fleet.desk.events.map(({ name }) => name)).toContain('cards.changed');
    expect(fleet.desk.bugs).toEqual([]);
  } finally {
    await fleet.end();
  }
});

it('knows the camera of a clip copied by hand when one card alone lists its name', async () => {
  const size = bytesOf(0).length;
  listed(
    'P1',
    { filename: '20260314_173210_EF.mp4', mainSizeBytes: size },
    { filename: '20260314_173300_NF.mp4' },
  );
  const psns = await imported('20260314_173210_EF.mp4', '20260314_173300_NF.mp4', '20260314_173400_NF.mp4');
  expect(psns).toEqual({
    '20260314_173210_EF.mp4': 'P1',
    '20260314_173300_NF.mp4': 'P1',
    '20260314_173400_NF.mp4': null,
  });
  const entries = await matches();
  expect(entries).toMatchObject([
    { subject: { kind: 'clip' }, detail: { psn: 'P1' } },
    { subject: { kind: 'clip' }, detail: { psn: 'P1' } },
  ]);
  expect(entries.map(({ detail }) => [detail.fileName, detail.sizeAgrees, detail.listedAt])).toEqual(
    expect.arrayContaining([
      ['20260314_173210_EF.mp4', true, '2026-03-15T00:00:00.000Z'],
      ['20260314_173300_NF.mp4', null, '2026-03-15T00:00:00.000Z'],
    ]),
  );
});

it('leaves a name that stands on two cards, and a file of another length than listed, without a camera', async () => {
  listed(
    'P1',
    { filename: '20260314_173210_EF.mp4' },
    { filename: '20260314_173300_NF.mp4', mainSizeBytes: 5 },
  );
  listed('P2', { filename: '20260314_173210_EF.mp4', mainSizeBytes: bytesOf(0).length });
  expect(await imported('20260314_173210_EF.mp4', '20260314_173300_NF.mp4')).toEqual({
    '20260314_173210_EF.mp4': null,
    '20260314_173300_NF.mp4': null,
  });
  expect(await matches()).toEqual([]);
});

it('compares a sub stream with the sub stream’s length', async () => {
  listed('P1', {
    filename: '20260314_173210_EF.mp4',
    mainSizeBytes: 5_000_000,
    subSizeBytes: bytesOf(0).length,
  });
  expect(await imported('20260314_173210_EFS.mp4')).toEqual({ '20260314_173210_EFS.mp4': 'P1' });
});
