import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createSeekTurns } from '../../../../renderer/features/review/player/seekTurns.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const front = {};
const option = {};

it('lets videos seek in turns: whoever waited goes before whoever has just been', () => {
  const turns = createSeekTurns();
  const retry = vi.fn(() => void turns.take(option, retry));
  expect(turns.take(front, () => {})).toBe(true);
  expect(turns.take(option, retry)).toBe(false);
  turns.done(front);
  expect(retry).toHaveBeenCalledOnce();
  expect(turns.take(front, () => {})).toBe(false);
});

it('waits neither for a seek that takes long nor for a video that is gone', () => {
  const turns = createSeekTurns();
  const retry = vi.fn();
  turns.take(front, () => {});
  turns.take(option, retry);
  vi.advanceTimersByTime(200);
  expect(retry).toHaveBeenCalledOnce();
  expect(turns.take(option, retry)).toBe(true);
  expect(turns.take(front, retry)).toBe(false);
  turns.done(front);
  turns.done(option);
  expect(retry).toHaveBeenCalledOnce();
});
