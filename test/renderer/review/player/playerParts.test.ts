// @vitest-environment jsdom
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { toAllowedRate } from '../../../../renderer/features/review/player/masterClock.ts';
import { stepOf } from '../../../../renderer/features/review/player/frameBoard.ts';
import { keyName, playerKeyOf, playerKeys } from '../../../../renderer/features/review/player/reviewKeys.ts';
import { createStepMeter } from '../../../../renderer/features/review/player/shownStep.ts';
import {
  mostZoom,
  panned,
  plainPicture,
  zoomed,
} from '../../../../renderer/features/review/player/pictureLook.ts';
import { isForPlayer } from '../../../../renderer/features/review/player/useReviewKeys.ts';
import type { PlayerActions } from '../../../../renderer/features/review/player/actions.ts';
import type { ShownFrame } from '../../../../renderer/features/review/model.ts';
import type { ClipId } from '../../../../shared/ids.ts';

describe('keys of the player', () => {
  it('are each taken once, whatever the keyboard writes', () => {
    const names = playerKeys.flatMap(({ keys }) => keys);
    expect(new Set(names).size).toBe(names.length);
    expect(keyName({ key: 'b', shiftKey: false })).toBe('B');
    expect(keyName({ key: 'L', shiftKey: true })).toBe('Shift+L');
    expect(keyName({ key: '/', shiftKey: true })).toBe('/');
    expect(keyName({ key: ' ', shiftKey: false })).toBe('Space');
    expect(playerKeyOf({ key: 'q', shiftKey: false })).toBe(null);
  });

  it('do what they say', () => {
    const stepFrame = vi.fn(() => Promise.resolve());
    const jumpBy = vi.fn();
    const actions = { stepFrame, jumpBy } as unknown as PlayerActions; // only these are reached here
    playerKeyOf({ key: 'ArrowRight', shiftKey: false })!.run(actions, { repeat: true });
    playerKeyOf({ key: ',', shiftKey: false })!.run(actions, { repeat: false });
    playerKeyOf({ key: 'ArrowLeft', shiftKey: true })!.run(actions, { repeat: false });
    expect(stepFrame.mock.calls).toEqual([
      [1, true],
      [-1, false],
    ]);
    expect(jumpBy).toHaveBeenCalledWith(-1000);
  });

  it('are left to fields, dialogues, menus, sliders and buttons', () => {
    document.body.innerHTML = `<p id="p"></p><input id="text"><input type="checkbox" id="box"><button id="button"></button>
      <div role="dialog"><span id="inDialog"></span></div><div role="slider" id="slider"></div><div role="radiogroup"><input type="radio" id="radio"></div><textarea id="area"></textarea>`;
    const isFor = (id: string, key: string) => isForPlayer({ key, target: document.getElementById(id) });
    expect([isFor('p', ' '), isFor('p', 'b'), isFor('p', 'ArrowLeft')]).toEqual([true, true, true]);
    expect([isFor('text', 'b'), isFor('area', 'b'), isFor('inDialog', 'b')]).toEqual([false, false, false]);
    expect([isFor('button', ' '), isFor('button', 'b'), isFor('box', ' ')]).toEqual([false, true, false]);
    expect([isFor('radio', 'ArrowLeft'), isFor('radio', 'Home'), isFor('radio', 'b')]).toEqual([
      false,
      true,
      true,
    ]);
    expect([isFor('slider', 'ArrowLeft'), isFor('slider', 'b')]).toEqual([false, true]);
  });
});

describe('zoom and pan', () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  it('never show room beside the picture, and keep the point under the pointer', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.double({ min: 0.3, max: 3, noNaN: true }), share, share), { maxLength: 12 }), share, share, (acts, byX, byY) => {
        let look = plainPicture;
        for (const [factor, x, y] of acts) look = panned(zoomed(look, factor, x, y), byX - 0.5, byY - 0.5);
        const half = 0.5 / look.zoom;
        expect(look.zoom).toBeGreaterThanOrEqual(1);
        expect(look.zoom).toBeLessThanOrEqual(mostZoom);
        for (const center of [look.centerX, look.centerY]) {
          expect(center).toBeGreaterThanOrEqual(half - 1e-9);
          expect(center).toBeLessThanOrEqual(1 - half + 1e-9);
        }
      }),
    ); // prettier-ignore
    const look = zoomed(plainPicture, 2, 0.75, 0.25);
    // The picture's point at three quarters stands where it stood.
    expect(look.centerX + (0.75 - 0.5) / look.zoom).toBeCloseTo(0.75);
    expect(zoomed(look, 0.01, 0.1, 0.9)).toEqual(plainPicture);
  });
});

describe('the step between pictures', () => {
  const frame = (channelId: string, sceneMs: number): ShownFrame => ({
    channelId,
    clipId: 'clip' as ClipId,
    clipS: 0,
    sceneMs,
    frameIndex: null,
  });
  it('is from the first to the last picture, and none with one', () => {
    expect(stepOf(new Map([['a', frame('a', 100)]]))).toBe(null);
    expect(stepOf(new Map([['a', frame('a', 100)], ['b', frame('b', 133)], ['c', frame('c', 90)]]))).toBe(43); // prettier-ignore
  });

  it('is written as the largest of a short while, then as the last', () => {
    const meter = createStepMeter();
    expect(meter.take(4, 0)).toBe('4 ms');
    expect(meter.take(10_000, 100)).toBe(null);
    expect(meter.take(33.4, 200)).toBe(null);
    expect(meter.take(33.4, 420)).toBe('10.0 s');
    expect(meter.take(33.4, 850)).toBe('33 ms');
    expect(meter.take(null, 860)).toBe('');
  });
});

describe('rates', () => {
  it('stay between a tenth and eight in either direction', () => {
    expect([0.01, 100, -3, -0.01, 0, Number.NaN].map(toAllowedRate)).toEqual([0.1, 8, -3, -0.1, 1, 1]);
  });
});
