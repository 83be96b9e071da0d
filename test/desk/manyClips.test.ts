import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { aDesk, aPlace, type Place } from './aDesk.ts';

const fileCount = 300;
const clip = fs.readFileSync(path.join(import.meta.dirname, '../e2e/fixtures/h265.mp4'));

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

/** A card's folder as a person copies it: one clip a minute, each of its own bytes by a box that players skip. */
function aCardFolder(): string {
  const folder = path.join(place.root, 'DCIM');
  fs.mkdirSync(folder);
  for (let i = 0; i < fileCount; i++) {
    const free = Buffer.alloc(16);
    free.writeUInt32BE(16, 0);
    free.write('free', 4, 'latin1');
    free.writeUInt32BE(i, 8);
    const stamp = new Date(Date.UTC(2026, 2, 1) + i * 60_000).toISOString().replaceAll(/[-:]/g, '');
    fs.writeFileSync(
      path.join(folder, `${stamp.slice(0, 15).replace('T', '_')}_NF.mp4`),
      Buffer.concat([clip, free]),
    );
  }
  return folder;
}

it('a card’s folder of hundreds of clips: progress, nothing of it after a cancel, and each clip once however often', async () => {
  const folder = aCardFolder();
  const cancel = new AbortController();
  const canceled = desk.importFiles([folder], {
    signal: cancel.signal,
    onProgress({ done }) {
      if (done > 0) cancel.abort();
    },
  });
  await expect(canceled).rejects.toMatchObject({ code: 'canceled' });
  expect(await desk.client.invoke('sources.list', {})).toEqual([]);
  expect(fs.readdirSync(path.join(place.dataFolder, 'partial')).filter((name) => name.startsWith('staging'))).toEqual([]); // prettier-ignore
  expect(fs.readdirSync(folder)).toHaveLength(fileCount);

  const stages = new Map<string, number[]>();
  const { sources } = await desk.importFiles([folder], {
    onProgress({ stage, done }) {
      stages.set(stage, [...(stages.get(stage) ?? []), done]);
    },
  });
  expect(sources.map((source) => source.status)).toEqual(Array.from({ length: fileCount }, () => 'imported'));
  // It moves, and never back. How often it is told depends on the machine's speed.
  expect(Math.max(...[...stages.values()].map((steps) => steps.length))).toBeGreaterThan(1);
  for (const steps of stages.values()) expect(steps).toEqual([...steps].sort((a, b) => a - b));
  expect(await desk.client.invoke('clips.list', {})).toHaveLength(fileCount);

  const again = await desk.importFiles([folder]);
  expect(new Set(again.sources.map((source) => source.status))).toEqual(new Set(['duplicate']));
  expect(await desk.client.invoke('sources.list', {})).toHaveLength(fileCount);
});
