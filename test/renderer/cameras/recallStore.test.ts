import { describe, expect, it, vi } from 'vitest';
import { createAccountStore } from '../../../renderer/features/account/index.ts';
import { createCameraStore } from '../../../renderer/features/cameras/cameraStore.ts';
import { createRecallStore } from '../../../renderer/features/cameras/recallStore.ts';
import type { Recall } from '../../../shared/contract/recalls.ts';
import type { Handlers } from '../../../shared/contract/index.ts';
import type { AccountId, RecallId } from '../../../shared/ids.ts';
import { createFakeHost } from '../fakeHost.ts';
import { account, atMs, budget, camera, psn, recall } from './samples.ts';

const done = {
  status: 'done',
  sha256: 'a'.repeat(64),
  sizeBytes: 8,
  endedAtMs: atMs,
  wasHeld: false,
} as const;
const filename = '20260314_173210_EF.mp4';
const rest = async () => {
  for (let turn = 0; turn < 12; turn += 1) await Promise.resolve();
};

function open(handlers: Partial<Handlers>, nowMs: () => number = () => atMs) {
  const host = createFakeHost({
    'accounts.list': () => [account()],
    'recalls.list': () => [],
    'recalls.budget': () => budget(),
    ...handlers,
  });
  const accounts = createAccountStore(host);
  return { host, accounts, recalls: createRecallStore(host, accounts, nowMs) };
}

describe('the recall queue', () => {
  it('believes the event that overtook the older answer', async () => {
    let answer: (value: { recalls: readonly Recall[] }) => void = () => undefined;
    const { host, recalls } = open({
      'recalls.start': () => new Promise<{ recalls: readonly Recall[] }>((resolve) => (answer = resolve)),
    });
    const beginning = recalls.begin([{ psn, filename }], 'sub', {});
    await rest();
    host.emit('recalls.changed', recall({ state: done }));
    answer({ recalls: [recall({ state: { status: 'queued' } })] });
    await beginning;
    expect(recalls.store.getState().recalls.map(({ state }) => state.status)).toEqual(['done']);
  });

  it('tells each end once, not what had ended before this window looked, and again after a retry', async () => {
    const before = recall({ recallId: 'rec_0' as RecallId, state: done });
    const { host, recalls } = open({ 'recalls.list': () => [before] });
    const ended = vi.fn();
    recalls.onEnded(ended);
    await recalls.refresh();
    host.emit('recalls.changed', before);
    expect(ended).not.toHaveBeenCalled();
    host.emit('recalls.changed', recall({ state: done }));
    host.emit('recalls.changed', recall({ state: done }));
    expect(ended).toHaveBeenCalledTimes(1);
    host.emit('recalls.changed', recall({ state: { status: 'starting' } }));
    host.emit('recalls.changed', recall({ state: done }));
    expect(ended).toHaveBeenCalledTimes(2);
  });

  it('says how fast bytes come and how long it takes, and starts anew when they come from elsewhere', () => {
    let nowMs = atMs;
    const { host, recalls } = open({}, () => nowMs);
    const at = (receivedBytes: number, serverBytes: number | null) =>
      host.emit(
        'recalls.changed',
        recall({
          state: {
            status: 'transferring',
            receivedBytes,
            serverBytes,
            totalBytes: 10_000,
            startedAtMs: atMs,
            problem: null,
          },
        }),
      );
    const rate = () => recalls.store.getState().rates.get('rec_1' as RecallId);
    at(0, 1000);
    nowMs += 1000;
    at(0, 3000);
    expect(rate()).toMatchObject({ perSecond: 2000, leftMs: 3500 });
    at(100, 4000);
    expect(rate()).toMatchObject({ perSecond: null });
    host.emit('recalls.changed', recall({ state: done }));
    expect(rate()).toBeUndefined();
  });

  it('asks before it aborts what the camera sends, and leaves out what was dismissed', async () => {
    const asked = recall({ state: { status: 'starting' } });
    const { host, recalls } = open({
      'recalls.list': () => [asked],
      'recalls.cancel': ({ isConfirmed }) =>
        isConfirmed
          ? { status: 'canceled', recall: recall({ state: { status: 'canceled', endedAtMs: atMs } }) }
          : { status: 'needs_confirmation', what: 'Stops whatever it sends.', recall: asked },
      'recalls.dismiss': () => null,
    });
    await recalls.refresh();
    expect(await recalls.cancel(asked.recallId, false)).toMatchObject({ status: 'needs_confirmation' });
    expect(recalls.store.getState().recalls[0]?.state.status).toBe('starting');
    await recalls.cancel(asked.recallId, true);
    expect(recalls.store.getState().recalls[0]?.state.status).toBe('canceled');
    await recalls.dismiss(asked.recallId);
    expect(recalls.store.getState().recalls).toEqual([]);
    host.emit('recalls.dismissed', { recallId: asked.recallId });
  });

  it('sends what is asked for and nothing more', async () => {
    const { host, recalls } = open({ 'recalls.start': () => ({ recalls: [] }) });
    const item = { psn, filename, label: 'for people' };
    await recalls.begin([item], 'main', { deadlineSeconds: 900, reason: 'needed' });
    expect(host.asked).toContainEqual({
      name: 'recalls.start',
      input: { items: [{ psn, filename, quality: 'main' }], deadlineSeconds: 900, reason: 'needed' },
    });
  });
});

describe('the cameras', () => {
  it('come from this machine first, from the service when never fetched, and go with their account', async () => {
    let fetchedAtMs: number | null = null;
    const { host, accounts } = open({
      'cards.cameras': ({ isFresh }) => {
        if (isFresh) fetchedAtMs = atMs;
        return { cameras: fetchedAtMs === null ? [] : [camera()], fetchedAtMs, problem: null };
      },
      'groups.list': () => ({
        groups: [{ groupId: 'grp_1', name: 'North', raw: {} }],
        fetchedAtMs,
        problem: null,
      }),
    });
    await accounts.refresh();
    const cameras = createCameraStore(host, accounts);
    await cameras.open();
    expect(cameras.find(psn)?.device.name).toBe('Van 12');
    expect(cameras.store.getState().groups).toHaveLength(1);
    const inputs = () => host.asked.filter(({ name }) => name === 'cards.cameras').map(({ input }) => input);
    expect(inputs()).toEqual([{ isFresh: false }, { isFresh: true }]);
    await cameras.setGroup('grp_1');
    expect(inputs().at(-1)).toEqual({ isFresh: false, groupId: 'grp_1' });
  });

  it('of one account never stay under another', async () => {
    let active = account();
    const host = createFakeHost({
      'accounts.list': () => [active],
      'cards.cameras': () => ({ cameras: [], fetchedAtMs: atMs, problem: null }),
      'groups.list': () => ({ groups: [], fetchedAtMs: atMs, problem: null }),
    });
    const accounts = createAccountStore(host);
    await accounts.refresh();
    const cameras = createCameraStore(host, accounts);
    await cameras.open();
    cameras.setText('van');
    active = account({ accountId: 'acc_2' as AccountId });
    await accounts.refresh();
    expect(cameras.store.getState().text).toBe('');
    expect(cameras.store.getState().listing.value).toBeNull();
  });
});
