import type { ClipId } from '../../../../shared/ids.ts';
import { createVideoSlot, type SlotListener, type VideoSlot } from './videoSlot.ts';

/** The two videos of a pane: one on screen, the other with what comes next, so that joins don't flash. */
export interface PaneSlots {
  readonly all: readonly VideoSlot[];
  /** On screen; null: none. */
  readonly active: VideoSlot | null;
  /** The slot that holds a clip; loads it into the one that is not on screen where neither does. */
  slotFor(clipId: ClipId): VideoSlot;
  putOnScreen(slot: VideoSlot | null): void;
  setSound(isOn: boolean): void;
  pauseAll(): void;
  close(): void;
}

export function createPaneSlots(
  place: HTMLElement,
  addressOf: (clipId: ClipId) => string,
  listener: SlotListener,
  isSoundOn: boolean,
): PaneSlots {
  const all = [
    createVideoSlot(place.ownerDocument, listener),
    createVideoSlot(place.ownerDocument, listener),
  ] as const;
  let active: VideoSlot | null = null;
  let hasSound = isSoundOn;
  function mark(): void {
    for (const slot of all) {
      slot.video.dataset.onScreen = String(slot === active);
      slot.video.muted = !(hasSound && slot === active);
    }
  }
  mark();
  place.append(...all.map(({ video }) => video));
  return {
    all,
    get active() {
      return active;
    },
    slotFor(clipId) {
      const found = all.find((slot) => slot.clipId === clipId);
      if (found) return found;
      const spare = all[0] === active ? all[1] : all[0];
      spare.load(clipId, addressOf(clipId));
      return spare;
    },
    putOnScreen(slot) {
      if (slot === active) return;
      active?.pause();
      active = slot;
      mark();
    },
    setSound(isOn) {
      hasSound = isOn;
      mark();
    },
    pauseAll() {
      for (const slot of all) slot.pause();
    },
    close() {
      active = null;
      for (const slot of all) {
        slot.unload();
        slot.video.remove();
      }
    },
  };
}
