import { afterAll, expect, it } from 'vitest';
import { aFleet, listCard } from './aRecallDesk.ts';

const { simulator, desk, end } = await aFleet({ nominalSizes: { main: 900_000, sub: 90_000 } });
afterAll(end);
const { control } = simulator;
const psn = simulator.story.collision.psn;
const hourMs = 3_600_000;

/** As if the user had taken the clip out of the library: asking for it again is no misconduct. */
function forget(filename: string): void {
  const { db } = desk.cache;
  db.prepare('DELETE FROM clip WHERE main_name = ?').run(filename);
  db.prepare('DELETE FROM source WHERE file_name = ?').run(filename);
  db.prepare('UPDATE recall SET sha256 = NULL WHERE filename = ?').run(filename);
  control.forgetDownloads(
    filename,
    'a clip is taken out of the library, to be served from the server’s copy',
  );
}
const priceOf = async (filename: string) => {
  const price = await desk.client.invoke('recalls.price', { items: [{ psn, filename }], isFresh: true });
  return price.items[0]!.main;
};
const used = (): number => control.state('enterprise')['transferUsedBytes'] as number;

it('says truly when the server has a copy: no mobile data then, and it counts all the same', async () => {
  const { rows } = await listCard(desk, psn, { type: 'driving_impact' });
  const { filename } = rows[0]!.parts[0]!;
  expect(await priceOf(filename)).toMatchObject({ isCopyLikely: false });
  const first = await desk.recall(psn, filename, 'main');
  expect(first.state.status).toBe('done');
  expect(await priceOf(filename)).toMatchObject({ heldSha256: expect.any(String) as string, chargeBytes: 0 });

  forget(filename);
  const copied = await priceOf(filename);
  expect(copied).toMatchObject({ isCopyLikely: true, mobileBytes: 0, chargeBytes: first.sizeBytes });
  expect(copied.copyUntilMs).toBeLessThanOrEqual(control.now() + 24 * hourMs);
  // A camera that would need days for an upload: what comes within the hour can only be the copy.
  control.setDevice({ psn, uploadBytesPerSecond: 1 });
  const before = used();
  const beganMs = control.now();
  expect((await desk.recall(psn, filename, 'main')).state.status).toBe('done');
  expect(control.now() - beganMs).toBeLessThan(hourMs);
  expect(used() - before).toBe(first.sizeBytes);

  control.setDevice({ psn, uploadBytesPerSecond: 10_000_000 });
  await control.advance(25 * hourMs);
  forget(filename);
  expect(await priceOf(filename)).toMatchObject({ isCopyLikely: false, mobileBytes: first.sizeBytes });
  // A copy's speed is none of the camera's: what is expected is what its own upload took.
  const expected = (await priceOf(filename)).expectedSeconds;
  expect(expected).toBeGreaterThan(0);
  expect(expected).toBeLessThan(60);
  expect(desk.bugs).toEqual([]);
});
