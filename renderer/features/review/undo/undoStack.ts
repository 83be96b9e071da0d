import { createStore } from 'zustand/vanilla';
import { notifyFailure } from '../../../ui/index.ts';
import type { UndoStack, UndoStep } from '../model.ts';

/** Steps kept: more than anybody takes back, and an end to what is held in memory. */
const deepest = 200;

/**
 * What can be taken back in an open scene. One step at a time (a second Ctrl+Z waits for the first); a step that
 * fails is shown and stays where it was, to be tried again. `undo` and `redo` never reject.
 */
export function createUndoStack(): UndoStack {
  const state = createStore<{ undo: string | null; redo: string | null; isBusy: boolean }>(() => ({
    undo: null,
    redo: null,
    isBusy: false,
  }));
  const done: UndoStep[] = [];
  const undone: UndoStep[] = [];
  let waiting = 0;
  let last: Promise<void> = Promise.resolve();
  /** Counts pushes: what is done anew while a step is taken back ends the line of redoing. */
  let pushes = 0;

  const tell = () =>
    state.setState({
      undo: done.at(-1)?.label ?? null,
      redo: undone.at(-1)?.label ?? null,
      isBusy: waiting > 0,
    });

  function queue(act: () => Promise<void>): Promise<void> {
    waiting += 1;
    tell();
    last = last.then(act).finally(() => {
      waiting -= 1;
      tell();
    });
    return last;
  }
  const remove = (steps: UndoStep[], step: UndoStep) => {
    const index = steps.lastIndexOf(step);
    if (index >= 0) steps.splice(index, 1);
  };

  return {
    state,
    push(step) {
      pushes += 1;
      done.push(step);
      if (done.length > deepest) done.shift();
      undone.length = 0;
      tell();
    },
    undo: () =>
      queue(async () => {
        const step = done.at(-1);
        if (!step) return;
        const before = pushes;
        try {
          await step.undo();
        } catch (thrown) {
          return notifyFailure(`Not undone: ${step.label}`, thrown);
        }
        remove(done, step);
        if (pushes === before) undone.push(step);
      }),
    redo: () =>
      queue(async () => {
        const step = undone.at(-1);
        if (!step) return;
        const depth = done.length;
        try {
          await step.redo();
        } catch (thrown) {
          return notifyFailure(`Not done again: ${step.label}`, thrown);
        }
        remove(undone, step);
        // Below what was done in the meantime, so that the order of taking back is the order of doing.
        done.splice(Math.min(depth, done.length), 0, step);
      }),
  };
}
