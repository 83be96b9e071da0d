import { useEffect } from 'react';
import type { Review } from '../model.ts';
import { actionsOf } from './actions.ts';
import { playerKeyOf } from './reviewKeys.ts';

/** Places that use keys for themselves: fields, lists, menus, sliders, whatever is open above the page. */
const ownKeys =
  'input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable=true], [role=menu], [role=listbox], ' +
  '[role=slider], [role=separator], [role=grid], [role=tree], [role=dialog], [role=tablist]';
/** Of these, the arrows alone: a switch of zones that was just used keeps Home, End and pages for the player. */
const ownArrows = 'input[type=radio], [role=radiogroup]';
/** What Space and Enter belong to when it has the focus. */
const pressed = 'button, a, summary, input, label, [role=button], [role=switch], [role=checkbox]';
/** Keys that such places move by; letters reach the player from anywhere that nothing is typed in. */
const moving = /^(Arrow|Page|Home$|End$| $)/;

/** Whether a key pressed there is the player's. Exported for tests. */
export function isForPlayer(event: Pick<KeyboardEvent, 'key' | 'target'>): boolean {
  const { target } = event;
  if (!(target instanceof Element)) return true;
  if (target.closest('[role=dialog], [role=menu], [role=listbox], textarea, select, [contenteditable=true]'))
    return false;
  if (target.matches('input:not([type=checkbox]):not([type=radio]):not([type=range])')) return false;
  if (event.key === ' ' && target.closest(pressed)) return false;
  if (/^Arrow/.test(event.key) && target.closest(ownArrows)) return false;
  return !(moving.test(event.key) && target.closest(ownKeys));
}

/**
 * Keys of the player (`reviewKeys.ts`) for the whole screen. Harmless where it is used twice: the first to hear a key keeps it. Keys typed into fields, menus and
 * dialogues are left alone, and so are those that another listener has taken (`preventDefault`).
 */
export function useReviewKeys(review: Review): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (!isForPlayer(event) || document.querySelector('[role=dialog][aria-modal=true]')) return;
      const key = playerKeyOf(event);
      if (!key) return;
      event.preventDefault();
      if (event.repeat && !key.repeats) return;
      key.run(actionsOf(review), event);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [review]);
}
