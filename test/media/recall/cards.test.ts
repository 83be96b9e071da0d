import fs from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { createCustodyRepository } from '../../../main/cache/custodyRepository.ts';
import { aFleet, aRecallDesk, listCard, temporaryFolder } from './aRecallDesk.ts';

const { simulator, desk, end } = await aFleet({ scenario: 'large-card' });
afterAll(end);
const { control, story } = simulator;
const psn = story.collision.psn;
const custody = () => createCustodyRepository(desk.cache.db).list();

describe('a card with more than 10,000 recordings', () => {
  it('shows the first page while the rest loads, each recording once in the end', async () => {
    const pages: number[] = [];
    const stop = desk.client.on('cards.page', (page) => pages.push(page.recordings));
    const loading = listCard(desk, psn);
    const whole = await loading;
    stop();
    expect(pages.length).toBeGreaterThan(40);
    expect(pages).toEqual([...pages].sort((a, b) => a - b));
    expect(whole.recordings).toBeGreaterThan(10_000);
    const names = whole.rows.flatMap((row) => row.parts.map((part) => part.filename));
    expect(new Set(names).size).toBe(whole.recordings);
    expect(whole.rows.some((row) => row.parts.length === 2)).toBe(true);
    expect(whole.rows.some((row) => row.livesAboutMs !== null)).toBe(true);
  });

  it('is browsed and filtered offline as it was last listed', async () => {
    control.addFault({ effect: { kind: 'drop', bytes: 0 }, match: { surface: 'api' } });
    const stored = await desk.client.invoke('cards.listing', { psn, filters: { type: 'driving_impact' } });
    expect(stored.rows.length).toBeGreaterThan(0);
    expect(stored.rows.every((row) => row.type === 'driving_impact')).toBe(true);
    control.clearFaults();
    control.setDevice({ psn, offlineForSeconds: 60 });
    const fresh = await desk.client.invoke('cards.listing', { psn, isFresh: true });
    expect(fresh).toMatchObject({ isFromCard: false, problem: { code: 'device_offline' } });
    expect(fresh.recordings).toBeGreaterThan(10_000);
    expect(fresh.fetchedAtMs).not.toBeNull();
    control.setDevice({ psn, offlineForSeconds: 0 });
  });

  it('ends a walk when another listing of the card is asked for', async () => {
    const first = await desk.client.invoke('cards.listing', { psn, isFresh: true });
    expect(first.isLoading).toBe(true);
    const second = await desk.client.invoke('cards.listing', {
      psn,
      isFresh: true,
      filters: { type: 'driving_impact' },
    });
    await desk.client.invoke('cards.stopListing', { psn });
    const late = desk.events.filter(
      ({ name, payload }) => name === 'cards.page' && (payload as { listingId: string }).listingId === first.listingId && (payload as { isLast: boolean }).isLast,
    ); // prettier-ignore
    expect(late).toEqual([]);
    expect(second.rows.every((row) => row.type === 'driving_impact')).toBe(true);
    // A walk that was cut short takes nothing away from what is stored.
    expect((await desk.client.invoke('cards.listing', { psn })).recordings).toBeGreaterThan(10_000);
  });

  it('takes back thumbnails that are not wanted any more', async () => {
    const { rows } = await desk.client.invoke('cards.listing', { psn });
    const filenames = rows.slice(0, 30).map((row) => row.parts[0]!.filename);
    control.clearLog();
    const all = filenames.map((filename) =>
      desk.client.invoke('cards.metadata', { psn, filename }).then(
        () => 'here',
        (thrown: { code?: string }) => thrown.code,
      ),
    );
    await desk.client.invoke('cards.cancelMetadata', { psn, filenames: filenames.slice(5) });
    const outcomes = await Promise.all(all);
    expect(outcomes.slice(0, 5)).toEqual(['here', 'here', 'here', 'here', 'here']);
    expect(new Set(outcomes.slice(5))).toEqual(new Set(['canceled']));
    expect(desk.counters().deviceContacts[psn]).toMatchObject({ count: 5, overlaps: 0 });
  });
});

describe('what can’t be undone', () => {
  it('a recording is erased only after a second, typed confirmation, and custody says so', async () => {
    const { rows } = await desk.client.invoke('cards.listing', { psn });
    const filename = rows.at(-1)!.parts[0]!.filename;
    const reason = 'Private footage of a third party.';
    const input = { psn, filename, reason };
    const asked = await desk.client.invoke('cards.deleteRecording', input);
    if (asked.status !== 'needs_confirmation') throw new Error('It did not ask.');
    const { token } = asked;
    for (const typedFilename of [undefined, filename.slice(1)]) {
      const wrong = typedFilename === undefined ? { ...input, token } : { ...input, token, typedFilename };
      await expect(desk.client.invoke('cards.deleteRecording', wrong)).rejects.toMatchObject({
        code: 'invalid_input',
      });
    }
    const done = await desk.client.invoke('cards.deleteRecording', {
      ...input,
      token,
      typedFilename: filename,
    });
    expect(done.status).toBe('deleted');
    await expect(
      desk.client.invoke('cards.deleteRecording', { ...input, token, typedFilename: filename }),
    ).rejects.toMatchObject({ code: 'invalid_input' });
    const left = await desk.client.invoke('cards.listing', { psn });
    expect(left.rows.some((row) => row.parts.some((part) => part.filename === filename))).toBe(false);
    expect(custody().at(-1)).toMatchObject({ action: 'card.delete', detail: { reason } });
  });

  it('a confirmation is too old after two minutes', async () => {
    const { rows } = await desk.client.invoke('cards.listing', { psn });
    const filename = rows.at(-1)!.parts[0]!.filename;
    const input = { psn, filename, reason: 'r' };
    const asked = await desk.client.invoke('cards.deleteRecording', input);
    if (asked.status !== 'needs_confirmation') throw new Error('It did not ask.');
    await control.advance(121_000);
    await expect(
      desk.client.invoke('cards.deleteRecording', { ...input, token: asked.token, typedFilename: filename }),
    ).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it('a recording that is being recalled, or that a case waits for, is not erased', async () => {
    const { rows } = await desk.client.invoke('cards.listing', { psn });
    const filename = rows.at(-2)!.parts[0]!.filename;
    control.setDevice({ psn, busyForSeconds: 300 });
    const { recalls } = await desk.client.invoke('recalls.start', {
      items: [{ psn, filename, quality: 'sub' }],
      deadlineSeconds: 30,
      caseId: 'case_1',
    });
    const input = { psn, filename, reason: 'r' };
    await expect(desk.client.invoke('cards.deleteRecording', input)).rejects.toMatchObject({ code: 'busy' });
    expect((await desk.ended(recalls[0]!)).state.status).toBe('stopped');
    // The case still has not got it.
    await expect(desk.client.invoke('cards.deleteRecording', input)).rejects.toMatchObject({ code: 'busy' });
    expect(await desk.client.invoke('cards.wantedBy', { psn, filename })).toEqual({ caseIds: ['case_1'] });
    control.setDevice({ psn, busyForSeconds: 0 });
    await desk.client.invoke('recalls.retry', { recallId: recalls[0]!.recallId });
    expect((await desk.ended(recalls[0]!)).state.status).toBe('done');
    expect((await desk.client.invoke('cards.deleteRecording', input)).status).toBe('needs_confirmation');
  });

  it('a wedged camera is restarted only when it is confirmed', async () => {
    control.setDevice({ psn, isWedged: true });
    control.clearLog();
    expect((await desk.client.invoke('cards.reboot', { psn })).status).toBe('needs_confirmation');
    expect(desk.counters().deviceContacts).toEqual({});
    expect((await desk.client.invoke('cards.reboot', { psn, isConfirmed: true })).status).toBe('accepted');
    expect(custody().at(-1)).toMatchObject({ action: 'camera.reboot' });
  });

  it('what the key may not do is known once the service said so, until the cameras are asked for anew', async () => {
    const scopes = ['media:read', 'media:recall', 'usage:read', 'devices:read', 'groups:read'];
    const apiKey = control.createKey({ organisation: 'enterprise', label: 'reader', scopes });
    const folder = temporaryFolder();
    const reader = aRecallDesk(simulator, folder, { apiKey });
    await control.advance(120_000); // it was restarted above
    const rights = () => reader.client.invoke('cards.rights', {});
    expect(await rights()).toEqual({ missingScopes: [] });
    await listCard(reader, psn, { type: 'driving_impact' });
    await expect(
      reader.client.invoke('cards.reboot', { psn, isConfirmed: true, reason: 'stuck' }),
    ).rejects.toMatchObject({
      code: 'cloud_problem',
      details: { problem: { code: 'insufficient_scope', extensions: { requiredScope: 'devices:write' } } },
    });
    const { rows } = await reader.client.invoke('cards.listing', { psn });
    const filename = rows[0]!.parts[0]!.filename;
    const input = { psn, filename, reason: 'Private.' };
    const asked = await reader.client.invoke('cards.deleteRecording', input);
    if (asked.status !== 'needs_confirmation') throw new Error('It did not ask.');
    await expect(
      reader.client.invoke('cards.deleteRecording', {
        ...input,
        token: asked.token,
        typedFilename: filename,
      }),
    ).rejects.toMatchObject({ message: expect.stringContaining('media:write') as string });
    expect(await rights()).toEqual({ missingScopes: ['devices:write', 'media:write'] });
    await reader.client.invoke('cards.cameras', { isFresh: true });
    expect(await rights()).toEqual({ missingScopes: [] });
    await reader.close();
    expect(reader.bugs).toEqual([]);
    fs.rmSync(folder, { recursive: true, force: true });
  });

  it('an offset set by hand is in custody with its reason, and can be taken back', async () => {
    await desk.client.invoke('cards.setClock', { psn, offsetMinutes: 330, reason: 'compared with a clock' });
    const { rows, clock } = await desk.client.invoke('cards.listing', { psn });
    expect(clock.manual).toMatchObject({ offsetMinutes: 330, actor: 'Investigator' });
    expect(rows[0]).toMatchObject({ offsetMinutes: 330, timeSource: 'manual' });
    await desk.client.invoke('cards.setClock', { psn, offsetMinutes: null, reason: 'GPS agrees' });
    expect((await desk.client.invoke('cards.clock', { psn })).manual).toBeNull();
    expect(
      custody()
        .slice(-2)
        .map((entry) => [entry.action, entry.detail.reason]),
    ).toEqual([
      ['camera.clock', 'compared with a clock'],
      ['camera.clock', 'GPS agrees'],
    ]);
    expect(desk.bugs).toEqual([]);
  });
});
