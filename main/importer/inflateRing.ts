/** Memory that the inflating thread fills and the reading one empties, piece after piece, without a copy for the reader. */
export interface InflateRing {
  readonly control: SharedArrayBuffer;
  readonly pieces: SharedArrayBuffer;
}

/** Places of the control words. */
export const controls = {
  /** Pieces written since the entry began. */
  produced: 0,
  /** Pieces given back since then. */
  consumed: 1,
  /** Set by the reader: it wants no more of this entry. */
  stop: 2,
  /** 1 once the entry has ended, well or not; the message that says how is on its way. */
  ended: 3,
  /** What the reader waits on, and whether it does. */
  news: 4,
  readerWaits: 5,
  /** What the writer waits on, and whether it does. */
  room: 6,
  writerWaits: 7,
  /** From here on two words for each slot: length, and position in the file in units of 1 KB. */
  slots: 8,
} as const;

export const ringSlots = 8;
/** Room for one inflated piece and the line that the piece before it began. */
export const slotBytes = 128 * 1024;

/** Wakes whoever waits on `place`. Costs a system call, so each side says when it waits. */
export function wake(control: Int32Array, place: number): void {
  Atomics.add(control, place, 1);
  Atomics.notify(control, place);
}
