import type { ClockChange } from './clockChange.ts';

/** A change that is prepared in the editor and not yet set. */
export interface Draft {
  readonly change: ClockChange;
  /** What the reason field begins with; empty where only the user can know why. */
  readonly reason: string;
}
