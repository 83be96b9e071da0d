import { useEffect } from 'react';
import type { Review } from '../model.ts';

/** Fields have an undo of their own, for what is typed. */
function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target instanceof HTMLTextAreaElement) return true;
  return (
    target instanceof HTMLInputElement && !['checkbox', 'radio', 'range', 'button'].includes(target.type)
  );
}

/**
 * Ctrl+Z (Cmd+Z) takes the last step back, Ctrl+Shift+Z and Ctrl+Y do it again. Harmless where it is used twice on a
 * page: the first to hear a key keeps it.
 */
export function useUndoKeys(review: Pick<Review, 'undo'>): void {
  const { undo } = review;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || !(event.ctrlKey || event.metaKey) || event.altKey) return;
      const key = event.key.toLowerCase();
      const isRedo = (key === 'z' && event.shiftKey) || (key === 'y' && !event.shiftKey);
      if (!isRedo && key !== 'z') return;
      // A dialogue asks about something of its own; what lies behind it must not change unseen.
      if (isTyping(event.target) || document.querySelector('[role="dialog"][aria-modal="true"]')) return;
      event.preventDefault();
      void (isRedo ? undo.redo() : undo.undo());
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [undo]);
}
