import { afterAll, expect, it } from 'vitest';
import { createClipUseCases } from '../../../main/desk/clips.ts';
import { createReviewLibrary } from '../../../main/media/review/library.ts';
import { openScene } from '../../../main/media/review/scene.ts';
import { onCardOf } from '../../../main/media/review/sceneSurroundings.ts';
import { aFleet, listCard } from '../recall/aRecallDesk.ts';

const { simulator, desk, end } = await aFleet();
afterAll(end);

it('shows recalled clips of a simulated fleet from their arrival on, and what else their card holds', async () => {
  const { psn, frontFilename: frontName, optionFilename: optionName } = simulator.story.collision;
  await listCard(desk, psn);
  await desk.client.invoke('cards.clock', { psn, shouldLearn: true });
  for (const name of [frontName, optionName])
    expect((await desk.recall(psn, name, 'sub')).state.status).toBe('done');
  const library = createReviewLibrary(desk);
  const clips = desk.cache.db.prepare<[], { clip_id: string }>('SELECT clip_id FROM clip').all();
  expect(clips).toHaveLength(2);

  // Nobody has read them yet: their names, and what the service told of one, say where they belong.
  await desk.client.invoke('cards.metadata', { psn, filename: frontName });
  const [front] = library.clips.list({ mainName: frontName });
  const unread = openScene(library, { kind: 'clip', clipId: front!.clipId });
  expect(unread.timebase).toBe('utc');
  expect(unread.clocks.map((one) => one.origin)).toContain('metadata-gps');
  expect(unread.channels.map((one) => one.direction)).toEqual(['front', 'option']);
  expect(unread.channels[0]!.segments[0]!.damage).toMatchObject([
    { message: 'The file has not been read yet.' },
  ]);

  const useCases = createClipUseCases({
    cache: desk.cache,
    now: () => simulator.control.now(),
    actor: () => 'Investigator',
    emit: () => undefined,
  });
  await useCases.readUnread();
  await useCases.close();
  const read = openScene(library, { kind: 'clip', clipId: front!.clipId });
  const clock = read.clocks.find((one) => one.subject.kind === 'clip')!;
  expect(clock.origin).toBe('clip-gps');
  expect(read.channels.map((one) => [one.direction, one.segments[0]!.hasMetadata])).toEqual([
    ['front', true],
    ['option', false],
  ]);
  // The two ways agree within what they state.
  const before = unread.clocks.find((one) => one.subject.kind === 'clip')!;
  expect(Math.abs(clock.startUtcMs! - before.startUtcMs!)).toBeLessThanOrEqual(
    clock.uncertaintyMs! + before.uncertaintyMs!,
  );

  // A minute to either side: the recordings of the card around them, with their times, and not the two that are here.
  const atMs = clock.startUtcMs!;
  const { onCard } = onCardOf(library, [psn], { fromMs: atMs - 60_000, toMs: atMs + 60_000 });
  expect(onCard.length).toBeGreaterThan(0);
  for (const one of onCard) {
    expect([frontName, optionName]).not.toContain(one.filename);
    expect(one.startMs).toBeLessThan(atMs + 60_000);
    expect(one.endMs).toBeGreaterThan(atMs - 60_000);
  }
  expect(desk.bugs).toEqual([]);
});
