import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SourceId } from '../../shared/ids.ts';
import { aCsv, aDesk, aFile, aPlace, type Place } from './aDesk.ts';

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

/** Imports one file and gives its source. */
async function imported(name: string, content: string): Promise<SourceId> {
  const outcome = await desk.importFiles([aFile(place, name, content)]);
  const sourceId = outcome.sources[0]?.sourceId;
  if (!sourceId) throw new Error(`${name} was not imported: ${JSON.stringify(outcome)}`);
  return sourceId;
}
const custody = async () => (await desk.client.invoke('custody.list', {})).entries;
const blobs = () =>
  fs
    .readdirSync(path.join(place.dataFolder, 'blobs'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile());

describe('sources', () => {
  it('shows the report of an import for as long as the source is there', async () => {
    const sourceId = await imported('a.csv', aCsv() + 'PSN1,Van 1,no time,1,2,3,4,5\r\n');
    const report = await desk.client.invoke('sources.report', { sourceId });
    expect(report).toMatchObject({ fileName: 'a.csv', trips: 1, skippedRows: 1 });
    expect(report.entries[0]?.skipped[0]).toMatchObject({ count: 1, where: expect.stringContaining('7') });
  });

  it('goes with its trips and its file, and leaves its trace in custody', async () => {
    const sourceId = await imported('a.csv', aCsv());
    const stays = await imported('b.csv', aCsv({ psn: 'B' }));
    const heard: unknown[] = [];
    desk.client.on('library.changed', (payload) => heard.push(payload));
    await desk.client.invoke('sources.remove', { sourceId });
    expect((await desk.client.invoke('sources.list', {})).map((source) => source.sourceId)).toEqual([stays]);
    expect(await desk.client.invoke('trips.list', {})).toHaveLength(1);
    expect(blobs()).toHaveLength(1);
    expect(heard).toEqual([{ reason: 'remove' }]);
    expect((await custody()).at(-1)).toMatchObject({
      action: 'source.remove',
      subject: { kind: 'source', id: sourceId, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
      detail: { fileName: 'a.csv', trips: 1, points: 5 },
    });
    expect((await desk.client.invoke('custody.list', {})).isChainWhole).toBe(true);
  });

  it('can come in again after it was removed', async () => {
    const sourceId = await imported('a.csv', aCsv());
    await desk.client.invoke('sources.remove', { sourceId });
    expect(await imported('a.csv', aCsv())).toBe(sourceId);
  });

  it.each(['source', 'trip'] as const)(
    'stays while a case holds the %s, and says which case',
    async (kind) => {
      const sourceId = await imported('a.csv', aCsv());
      const [trip] = await desk.client.invoke('trips.list', {});
      const { caseId } = await desk.client.invoke('cases.create', { name: 'Case 7' });
      const ref = kind === 'source' ? { kind, sourceId } : { kind, tripId: trip!.tripId };
      await desk.client.invoke('cases.add', { caseId, refs: [ref] });
      await expect(desk.client.invoke('sources.remove', { sourceId })).rejects.toMatchObject({
        code: 'busy',
        message: expect.stringContaining('"Case 7"'),
      });
      expect(await desk.client.invoke('trips.list', {})).toHaveLength(1);
      expect((await custody()).map((entry) => entry.action)).not.toContain('source.remove');
      await desk.client.invoke('cases.remove', { caseId });
      await desk.client.invoke('sources.remove', { sourceId });
    },
  );

  it('answers clearly when it is gone already', async () => {
    const sourceId = 'src_gone' as SourceId;
    for (const name of ['sources.remove', 'sources.report'] as const) {
      await expect(desk.client.invoke(name, { sourceId })).rejects.toMatchObject({ code: 'not_found' });
    }
  });
});

describe('cameras of tracks that name none', () => {
  it('can be said, and taken back, each with its custody entry', async () => {
    const sourceId = await imported('unknown.csv', aCsv({ psn: '' }));
    expect(await desk.client.invoke('cameras.list', {})).toMatchObject([{ psn: null, trips: 1 }]);
    const heard: unknown[] = [];
    desk.client.on('library.changed', (payload) => heard.push(payload));

    expect(await desk.client.invoke('cameras.assign', { sourceId, psn: 'PSN9', name: 'Van 9' })).toEqual({
      trips: 1,
    });
    expect(await desk.client.invoke('trips.list', {})).toMatchObject([
      { psn: 'PSN9', cameraName: 'Van 9', isPsnAssigned: true },
    ]);
    expect(await desk.client.invoke('sources.list', {})).toMatchObject([{ unknownCameraTrips: 0 }]);
    expect((await custody()).at(-1)).toMatchObject({
      action: 'camera.assign',
      detail: { psn: 'PSN9', name: 'Van 9', entryName: null, trips: 1 },
    });

    await desk.client.invoke('cameras.assign', { sourceId, psn: null });
    expect(await desk.client.invoke('trips.list', {})).toMatchObject([{ psn: null, isPsnAssigned: false }]);
    expect(heard).toEqual([{ reason: 'assign' }, { reason: 'assign' }]);
  });

  it('leaves tracks alone whose source says whose they are', async () => {
    const sourceId = await imported('known.csv', aCsv({ psn: 'PSN1' }));
    const before = await custody();
    expect(await desk.client.invoke('cameras.assign', { sourceId, psn: 'OTHER' })).toEqual({ trips: 0 });
    expect(await desk.client.invoke('trips.list', {})).toMatchObject([{ psn: 'PSN1', isPsnAssigned: false }]);
    expect(await custody()).toEqual(before);
  });

  it('is refused for an entry that the source does not have', async () => {
    const sourceId = await imported('unknown.csv', aCsv({ psn: '' }));
    await expect(
      desk.client.invoke('cameras.assign', { sourceId, entryName: 'other.csv', psn: 'X' }),
    ).rejects.toMatchObject({ code: 'not_found' });
  });
});
