// @vitest-environment jsdom
import '../browserShims.ts';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createAccountStore } from '../../../renderer/features/account/index.ts';
import { createCardStore } from '../../../renderer/features/cameras/cardStore.ts';
import { DeleteDialog } from '../../../renderer/features/cameras/DeleteDialog.tsx';
import { createCaseChoice } from '../../../renderer/features/cameras/index.ts';
import { RecallDialog, type RecallItem } from '../../../renderer/features/cameras/RecallDialog.tsx';
import { RecallList } from '../../../renderer/features/cameras/RecallList.tsx';
import { createRecallStore } from '../../../renderer/features/cameras/recallStore.ts';
import type { Handlers } from '../../../shared/contract/index.ts';
import type { RecallPrice } from '../../../shared/contract/recalls.ts';
import type { RecallId } from '../../../shared/ids.ts';
import { createFakeHost } from '../fakeHost.ts';
import { button, click, field, happen, pageText, render, type, unmountAll } from '../render.tsx';
import { atMs, budget, listing, price, priceSum, problem, psn, recall, streamPrice } from './samples.ts';

afterEach(unmountAll);

const front: RecallItem = { psn, filename: '20260314_173210_EF.mp4', label: 'Impact, front' };
const option: RecallItem = { psn, filename: '20260314_173210_EO.mp4', label: 'Impact, option' };
const priceOf = (
  items: readonly { readonly filename: string }[],
  patch: Partial<Omit<RecallPrice, 'items'>> = {},
) =>
  price(
    items.map(({ filename }) => ({
      psn,
      filename,
      sub: streamPrice(),
      main: streamPrice({ quality: 'main', sizeBytes: 312_000_000, chargeBytes: 312_000_000 }),
    })),
    patch,
  );

async function open(items: readonly RecallItem[], handlers: Partial<Handlers>) {
  const host = createFakeHost({
    'accounts.list': () => [],
    'recalls.budget': () => budget(),
    'recalls.list': () => [],
    ...handlers,
  });
  const store = createRecallStore(host, createAccountStore(host));
  const onClose = vi.fn();
  const onStarted = vi.fn();
  await render(
    <RecallDialog
      items={items}
      camera="Van 12"
      store={store}
      cases={createCaseChoice(host.client)}
      lookedAt={0}
      onLook={() => undefined}
      onClose={onClose}
      onStarted={onStarted}
    />,
    { host },
  );
  const started = () => host.asked.filter(({ name }) => name === 'recalls.start').map(({ input }) => input);
  return { host, onClose, onStarted, started };
}
const isOff = (name: string | RegExp) => (button(name) as HTMLButtonElement).disabled;

describe('the recall dialogue', () => {
  it('shows both prices before anything is asked, and starts the one that is chosen', async () => {
    const { onClose, onStarted, started } = await open([front], {
      'recalls.price': ({ items }) => priceOf(items),
      'recalls.start': () => ({ recalls: [recall()] }),
    });
    expect(pageText()).toContain('4.00 GB left of 10.00 GB');
    expect(pageText()).toContain('resets in 18 days');
    expect(started()).toEqual([]);
    await click(button('Recall low · 7.6 MB'));
    expect(started()).toEqual([
      { items: [{ psn, filename: front.filename, quality: 'sub' }], deadlineSeconds: 86_400 },
    ]);
    expect(onStarted).toHaveBeenCalled();
    expect(onClose).toHaveBeenCalled();
  });

  it('asks a reason for red, and hands it on', async () => {
    const { started } = await open([front], {
      'recalls.price': ({ items }) =>
        priceOf(items, {
          main: priceSum({ chargeBytes: 312_000_000, level: 'red', shareOfMonth: 0.4 }),
        }),
      'recalls.start': () => ({ recalls: [recall({ quality: 'main' })] }),
    });
    expect(pageText()).toContain('Red: leaves little for the fleet');
    expect(isOff(/^Recall full/)).toBe(true);
    expect(isOff(/^Recall low/)).toBe(false);
    await type(field('Reason for a red price'), 'The claim is due tomorrow');
    expect(isOff(/^Recall full/)).toBe(false);
    await click(button(/^Recall full/));
    expect(started()[0]).toMatchObject({ reason: 'The claim is due tomorrow' });
  });

  it('refuses what is more than is left, with why', async () => {
    await open([front], {
      'recalls.price': ({ items }) =>
        priceOf(items, {
          main: priceSum({
            chargeBytes: 312_000_000,
            level: 'refused',
            refusal: 'It needs 298 MB; 10 MB are left until 1 April.',
            leftAfterBytes: 0,
          }),
        }),
    });
    expect(isOff(/^Recall full/)).toBe(true);
    expect(pageText()).toContain('It needs 298 MB; 10 MB are left until 1 April.');
    expect(pageText()).toContain('Refused: more than is left');
  });

  it('asks nothing for what is here, says copies still count, and marks estimates', async () => {
    const held = streamPrice({ heldSha256: 'a'.repeat(64), chargeBytes: 0, mobileBytes: 0 });
    const copied = streamPrice({
      quality: 'main',
      sizeFrom: 'estimate',
      sizeBytes: 150 * 2 ** 20,
      chargeBytes: 150 * 2 ** 20,
      isCopyLikely: true,
      mobileBytes: 0,
    });
    await open([front], {
      'recalls.price': () =>
        price([{ psn, filename: front.filename, sub: held, main: copied }], {
          sub: priceSum({ chargeBytes: 0, mobileBytes: 0, level: 'free', held: 1 }),
          main: priceSum({ chargeBytes: 150 * 2 ** 20, mobileBytes: 0, estimated: 1 }),
        }),
    });
    expect(pageText()).toContain('In the cache already: nothing is requested.');
    expect(() => button(/^Recall low/)).toThrow('0 buttons');
    expect(pageText()).toContain('no mobile data, still counts');
    expect(pageText()).toContain('about 150 MB');
    expect(pageText()).toContain('the service counts a flat 150 MB');
  });

  it('prices again what stays chosen of several clips, without asking the allowance anew', async () => {
    const { host } = await open([front, option], {
      'recalls.price': ({ items }) => priceOf(items),
    });
    const box = [...document.querySelectorAll<HTMLInputElement>('input[type="checkbox"]')][1];
    if (!box) throw new Error('no box');
    await click(box);
    const asked = host.asked.filter(({ name }) => name === 'recalls.price').map(({ input }) => input);
    expect(asked).toEqual([
      { items: [front, option].map(({ filename }) => ({ psn, filename })), isFresh: true },
      { items: [{ psn, filename: front.filename }], isFresh: false },
    ]);
  });

  it('stays open with the reason when the core refuses', async () => {
    const { AppError } = await import('../../../shared/errors.ts');
    const { onClose } = await open([front], {
      'recalls.price': ({ items }) => priceOf(items),
      'recalls.start': () => {
        throw new AppError('over_budget', 'That is more than is left.', { remedy: 'Take the small stream.' });
      },
    });
    await click(button(/^Recall low/));
    expect(pageText()).toContain('That is more than is left.');
    expect(pageText()).toContain('Take the small stream.');
    expect(onClose).not.toHaveBeenCalled();
  });
});

describe('the recall list', () => {
  async function list(handlers: Partial<Handlers>) {
    const host = createFakeHost({ 'accounts.list': () => [], 'recalls.budget': () => budget(), ...handlers });
    const store = createRecallStore(host, createAccountStore(host));
    await store.refresh();
    const reviewed: string[] = [];
    await render(
      <RecallList
        store={store}
        cameraName={() => 'Van 12'}
        mediaUrl={(path) => `/${path}`}
        onReview={(clipId) => reviewed.push(clipId)}
      />,
      { host },
    );
    return Object.assign(host, { reviewed });
  }

  it('explains what an abort reaches before it is sent', async () => {
    const starting = recall({ state: { status: 'starting' } });
    const host = await list({
      'recalls.list': () => [starting],
      'recalls.cancel': ({ isConfirmed }) =>
        isConfirmed
          ? { status: 'canceled', recall: recall({ state: { status: 'canceled', endedAtMs: atMs } }) }
          : { status: 'needs_confirmation', what: 'It stops whatever the camera sends.', recall: starting },
    });
    await click(button(/^Cancel 20260314/));
    expect(pageText()).toContain('It stops whatever the camera sends.');
    await click(button('Cancel the recall'));
    expect(pageText()).toContain('Canceled');
    expect(host.asked.filter(({ name }) => name === 'recalls.cancel').map(({ input }) => input)).toEqual([
      { recallId: 'rec_1', isConfirmed: false },
      { recallId: 'rec_1', isConfirmed: true },
    ]);
  });

  it('says why it waits, what going on costs, and plays what is here', async () => {
    const host = await list({
      'recalls.list': () => [
        recall({
          state: {
            status: 'needs_consent',
            chargeBytes: 8 * 2 ** 20,
            isCopyLikely: false,
            receivedBytes: 2 ** 20,
            what: 'The link ran out.',
          },
        }),
        recall({
          recallId: 'rec_2' as RecallId,
          state: {
            status: 'waiting',
            for: 'device_busy',
            untilMs: Date.now() + 60_000,
            problem: problem('device_busy'),
          },
        }),
        recall({
          recallId: 'rec_3' as RecallId,
          state: {
            status: 'done',
            sha256: 'b'.repeat(64),
            sizeBytes: 8 * 2 ** 20,
            endedAtMs: atMs,
            wasHeld: false,
          },
        }),
      ],
      'recalls.retry': () => recall({ state: { status: 'starting' } }),
    });
    expect(pageText()).toContain('the camera is busy with another transfer; tried again in');
    await click(button('Go on · 8.0 MB charged'));
    expect(host.asked.at(-1)).toEqual({
      name: 'recalls.retry',
      input: { recallId: 'rec_1', isCostAccepted: true },
    });
    await click(button(/^Play /));
    expect(document.querySelector('video')?.getAttribute('src')).toBe('/media/clip/clip_bbbbbbbbbbbbbbbb');
    await click(button(/^Review /));
    expect(host.reviewed).toEqual(['clip_bbbbbbbbbbbbbbbb']);
  });
});

describe('deleting from a card', () => {
  it('takes a reason, then the typed name, then happens once', async () => {
    const host = createFakeHost({
      'cards.listing': () => listing([]),
      'cards.deleteRecording': ({ token }) =>
        token === undefined
          ? { status: 'needs_confirmation', token: 't1', expiresAtMs: atMs, what: 'It would be gone.' }
          : { status: 'deleted', deletedAtMs: atMs },
    });
    const onClose = vi.fn();
    await render(
      <DeleteDialog filename={front.filename} store={createCardStore(host, psn)} onClose={onClose} />,
      { host },
    );
    expect(isOff('Continue…')).toBe(true);
    await type(field('Reason'), 'Court order');
    await click(button('Continue…'));
    expect(pageText()).toContain('It would be gone.');
    await type(field(`Type ${front.filename} to confirm`), 'something else');
    expect(isOff('Delete for ever')).toBe(true);
    await type(field(`Type ${front.filename} to confirm`), front.filename);
    await happen(() => button('Delete for ever').click());
    expect(host.asked.filter(({ name }) => name === 'cards.deleteRecording').at(-1)?.input).toEqual({
      psn,
      filename: front.filename,
      reason: 'Court order',
      token: 't1',
      typedFilename: front.filename,
    });
    expect(onClose).toHaveBeenCalled();
  });
});
