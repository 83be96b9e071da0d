import { afterAll, describe, expect, it } from 'vitest';
import { createCustodyRepository } from '../../../main/cache/custodyRepository.ts';
import { aFleet, listCard } from './aRecallDesk.ts';

const { simulator, desk, end } = await aFleet();
afterAll(end);
const { psn, frontFilename, optionFilename, impactAt } = simulator.story.collision;

describe('from a camera to a clip in the cache', () => {
  it('says of each camera what stands in the way before it is tried', async () => {
    const { cameras } = await desk.client.invoke('cards.cameras', {});
    const reasonOf = (wanted: string) =>
      cameras.find(({ device }) => device.psn === wanted)?.obstacle?.reason ?? null;
    expect(reasonOf(psn)).toBeNull();
    expect(reasonOf(simulator.story.wifiPsn)).toBe('wifi_only');
    expect(reasonOf(simulator.story.overLimitPsn)).toBe('over_seat_limit');
    expect(reasonOf(simulator.story.offlinePsn)).toBe('offline');
    simulator.control.clearLog();
    for (const ruledOut of [simulator.story.wifiPsn, simulator.story.overLimitPsn])
      expect((await desk.client.invoke('cards.listing', { psn: ruledOut, isFresh: true })).rows).toEqual([]);
    expect(desk.counters().deviceContacts).toEqual({});
  });

  it('remembers what only asking tells: an unsupported model, a missing card', async () => {
    for (const [who, reason] of [
      [simulator.story.unsupportedPsn, 'unsupported_model'],
      [simulator.story.noCardPsn, 'no_card'],
    ] as const) {
      const listing = await desk.client.invoke('cards.listing', { psn: who, isFresh: true });
      expect(listing.obstacle?.reason).toBe(reason);
      const { cameras } = await desk.client.invoke('cards.cameras', {});
      expect(cameras.find(({ device }) => device.psn === who)?.obstacle).toMatchObject({
        reason,
        source: 'learnt',
      });
    }
  });

  it('lists groups and filters cameras by them', async () => {
    const { groups } = await desk.client.invoke('groups.list', {});
    expect(groups.map((group) => group.groupId)).toEqual(['grp_north', 'grp_south', 'grp_empty']);
    const north = await desk.client.invoke('cards.cameras', { groupId: 'grp_north' });
    const all = await desk.client.invoke('cards.cameras', {});
    expect(north.cameras.length).toBeGreaterThan(0);
    expect(north.cameras.length).toBeLessThan(all.cameras.length);
    expect((await desk.client.invoke('cards.cameras', { groupId: 'grp_empty' })).cameras).toEqual([]);
  });

  it('lists the card with front and option as one row', async () => {
    const first = await desk.client.invoke('cards.listing', { psn, isFresh: true });
    expect(first.rows.length).toBeGreaterThan(0);
    const whole = await listCard(desk, psn);
    expect(whole.isFromCard).toBe(false);
    expect(whole.recordings).toBe(first.total);
    const row = whole.rows.find((one) => one.parts.some((part) => part.filename === frontFilename));
    expect(row?.parts.map((part) => part.filename)).toEqual([frontFilename, optionFilename]);
    expect(row?.type).toBe('driving_impact');
  });

  it('derives the true time from the clips’ GPS and finds the collision by it', async () => {
    const before = await desk.client.invoke('cards.findMoment', { psn, utcMs: Date.parse(impactAt) });
    expect(before.lack).toBe('clock_unknown');
    const clock = await desk.client.invoke('cards.clock', { psn, shouldLearn: true });
    const measured = clock.segments.filter((segment) => segment.source === 'gps');
    // Event clips of a month are on the card, and daylight saving time began on 8 March.
    expect(measured.map((segment) => segment.offsetMinutes)).toEqual([-360, -300]);
    for (const segment of measured) expect(segment.uncertaintyMs).toBeLessThanOrEqual(5000);
    expect(Date.parse(measured[0]!.toLocal!)).toBeLessThan(Date.parse('2026-03-08T02:00:00'));
    expect(Date.parse(measured[1]!.fromLocal!)).toBeGreaterThanOrEqual(Date.parse('2026-03-08T03:00:00'));
    const found = await desk.client.invoke('cards.findMoment', { psn, utcMs: Date.parse(impactAt) });
    expect(found.matches[0]).toMatchObject({ fit: 'covers', row: { type: 'driving_impact' } });
    expect(found.matches[0]?.row.parts[0]?.filename).toBe(frontFilename);
  });

  it('gives thumbnail, GPS and G samples of a recording, once', async () => {
    const first = await desk.client.invoke('cards.metadata', { psn, filename: frontFilename });
    expect([...first.thumbnail!.subarray(0, 3)]).toEqual([0xff, 0xd8, 0xff]);
    expect(first.gps?.tMs.length).toBeGreaterThan(10);
    expect(Math.max(...first.gSensor!.longitudinalG.map(Math.abs))).toBeGreaterThan(3);
    simulator.control.clearLog();
    const second = await desk.client.invoke('cards.metadata', { psn, filename: frontFilename });
    expect(second).toEqual(first);
    expect(desk.counters().deviceContacts).toEqual({});
  });

  it('recalls front and option in sub and the front in main; a clip that is held is never asked for again', async () => {
    simulator.control.clearLog();
    const ended = await Promise.all([
      desk.recall(psn, frontFilename, 'sub'),
      desk.recall(psn, optionFilename, 'sub'),
      desk.recall(psn, frontFilename, 'main'),
    ]);
    for (const recall of ended) {
      expect(recall.state).toMatchObject({ status: 'done', wasHeld: false, sizeBytes: recall.sizeBytes });
      if (recall.state.status === 'done') expect(desk.cache.blobs.has(recall.state.sha256)).toBe(true);
    }
    const again = await desk.recall(psn, frontFilename, 'main');
    expect(again.state).toMatchObject({ status: 'done', wasHeld: true });
    expect(again.chargedBytes).toBe(0);
    const counters = desk.counters();
    expect(Object.values(counters.recalls)).toEqual([1, 1, 1]);
    expect(counters.deviceContacts[psn]?.overlaps).toBe(0);
    expect(counters.linkRequestsWithKey).toBe(0);
    const price = await desk.client.invoke('recalls.price', { items: [{ psn, filename: frontFilename }] });
    expect(price.items[0]?.main).toMatchObject({ chargeBytes: 0, mobileBytes: 0 });
    expect(price.main.level).toBe('free');
  });

  it('leaves a chain of custody from the order to the arrival', () => {
    const custody = createCustodyRepository(desk.cache.db);
    const actions = custody.list().map((entry) => entry.action);
    expect(actions.filter((action) => action === 'clip.order')).toHaveLength(3);
    expect(actions.filter((action) => action === 'clip.request')).toHaveLength(3);
    expect(actions.filter((action) => action === 'clip.receive')).toHaveLength(3);
    expect(desk.bugs).toEqual([]);
  });
});
