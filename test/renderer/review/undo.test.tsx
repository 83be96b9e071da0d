// @vitest-environment jsdom
import { afterEach, describe, expect, it } from 'vitest';
import type { UndoStep } from '../../../renderer/features/review/model.ts';
import { UndoButtons } from '../../../renderer/features/review/undo/UndoButtons.tsx';
import { createUndoStack } from '../../../renderer/features/review/undo/undoStack.ts';
import { useUndoKeys } from '../../../renderer/features/review/undo/useUndoKeys.ts';
import { AppError } from '../../../shared/errors.ts';
import { button, click, happen, pageText, press, render, unmountAll } from '../render.tsx';

afterEach(unmountAll);

/** A step that writes down what it is told to do. */
const step = (label: string, log: string[], patch: Partial<UndoStep> = {}): UndoStep => ({
  label,
  undo: async () => void log.push(`undo ${label}`),
  redo: async () => void log.push(`redo ${label}`),
  ...patch,
});

describe('the undo stack', () => {
  it('takes steps back in the order of doing, does them again, and names what is next', async () => {
    const log: string[] = [];
    const stack = createUndoStack();
    expect(stack.state.getState()).toEqual({ undo: null, redo: null, isBusy: false });
    stack.push(step('a', log));
    stack.push(step('b', log));
    await stack.undo();
    expect(stack.state.getState()).toEqual({ undo: 'a', redo: 'b', isBusy: false });
    await stack.undo();
    await stack.undo(); // nothing is left: nothing happens
    await stack.redo();
    expect(log).toEqual(['undo b', 'undo a', 'redo a']);
    expect(stack.state.getState()).toEqual({ undo: 'a', redo: 'b', isBusy: false });
    stack.push(step('c', log));
    expect(stack.state.getState()).toMatchObject({ undo: 'c', redo: null });
  });

  it('lets a second undo wait for the first', async () => {
    const log: string[] = [];
    const stack = createUndoStack();
    let finish = () => undefined as void;
    stack.push(step('a', log));
    stack.push(
      step('b', log, {
        undo: () =>
          new Promise((resolve) => {
            finish = () => {
              log.push('undo b');
              resolve();
            };
          }),
      }),
    );
    const both = Promise.all([stack.undo(), stack.undo()]);
    await Promise.resolve();
    expect(stack.state.getState().isBusy).toBe(true);
    expect(log).toEqual([]);
    finish();
    await both;
    expect(log).toEqual(['undo b', 'undo a']);
    expect(stack.state.getState()).toEqual({ undo: null, redo: 'a', isBusy: false });
  });

  it('keeps a step that could not be taken back, and says so', async () => {
    const log: string[] = [];
    const stack = createUndoStack();
    let isDown = true;
    stack.push(
      step('bookmark', log, {
        async undo() {
          if (isDown) throw new AppError('connection_lost', 'This window has lost its connection.');
          log.push('undone');
        },
      }),
    );
    await render(<UndoButtons review={{ undo: stack }} />);
    await click(button('Undo: bookmark'));
    expect(pageText()).toContain('Not undone: bookmark');
    expect(pageText()).toContain('This window has lost its connection.');
    isDown = false;
    await click(button('Undo: bookmark'));
    expect(log).toEqual(['undone']);
    expect(button('Nothing to undo').getAttribute('aria-disabled')).toBe('true');
    expect(button('Redo: bookmark').getAttribute('aria-disabled')).toBe('false');
  });

  it('undoes what was done before, when something new is done while a step is taken back', async () => {
    const log: string[] = [];
    const stack = createUndoStack();
    let finish = () => undefined as void;
    stack.push(step('a', log));
    stack.push(step('b', log, { undo: () => new Promise((resolve) => (finish = resolve)) }));
    const undoing = stack.undo();
    await Promise.resolve();
    stack.push(step('c', log));
    finish();
    await undoing;
    // “b” would come back on top of what was done without it.
    expect(stack.state.getState()).toMatchObject({ undo: 'c', redo: null });
    await stack.undo();
    await stack.undo();
    expect(log).toEqual(['undo c', 'undo a']);
  });
});

describe('the keys', () => {
  it('listens to Ctrl+Z and Ctrl+Shift+Z, but leaves fields their own undo', async () => {
    const log: string[] = [];
    const stack = createUndoStack();
    function Page() {
      useUndoKeys({ undo: stack });
      return <input aria-label="note" />;
    }
    // Twice on a page, as a screen and a panel may have it.
    const place = await render(
      <>
        <Page />
        <Page />
      </>,
    );
    await happen(() => {
      stack.push(step('a', log));
      stack.push(step('b', log));
    });
    await press(document.body, 'z', { ctrlKey: true, cancelable: true });
    expect(log).toEqual(['undo b']);
    await press(document.body, 'Z', { ctrlKey: true, shiftKey: true, cancelable: true });
    await press(document.body, 'z', { metaKey: true, cancelable: true });
    await press(document.body, 'y', { ctrlKey: true, cancelable: true });
    expect(log).toEqual(['undo b', 'redo b', 'undo b', 'redo b']);
    await press(place.querySelector('input')!, 'z', { ctrlKey: true, cancelable: true });
    await press(document.body, 'z', { cancelable: true });
    expect(log).toHaveLength(4);
  });
});
