import type { PlayerActions } from './actions.ts';

/** A key of the player: what is pressed, what it is called in the help, what it does. */
export interface PlayerKey {
  readonly keys: readonly string[];
  readonly group: 'Play' | 'Go' | 'Mark';
  readonly words: string;
  run(actions: PlayerActions, event: Pick<KeyboardEvent, 'repeat'>): void;
  /** Held down, it runs again and again. */
  readonly repeats?: boolean;
}

/** `Shift+` stands before names of keys; letters and signs are as they are typed, without regard to case. */
export const playerKeys: readonly PlayerKey[] = [
  { keys: ['Space'], group: 'Play', words: 'Play or pause', run: (act) => act.togglePlay() },
  { keys: ['J'], group: 'Play', words: 'Play backwards; again: faster', run: (act) => act.shuttle(-1) },
  { keys: ['K'], group: 'Play', words: 'Stop, back to 1x', run: (act) => act.stop() },
  { keys: ['L'], group: 'Play', words: 'Play; again: faster', run: (act) => act.shuttle(1) },
  { keys: ['Shift+ArrowDown'], group: 'Play', words: 'Slower', run: (act) => act.changeSpeed(-1) },
  { keys: ['Shift+ArrowUp'], group: 'Play', words: 'Faster', run: (act) => act.changeSpeed(1) },
  { keys: ['/', 'Shift+L'], group: 'Play', words: 'Loop between in and out', run: (act) => act.toggleLoop() },
  { keys: ['ArrowLeft', ','], group: 'Go', words: 'One frame back', repeats: true, run: (act, { repeat }) => void act.stepFrame(-1, repeat) },
  { keys: ['ArrowRight', '.'], group: 'Go', words: 'One frame forward', repeats: true, run: (act, { repeat }) => void act.stepFrame(1, repeat) },
  { keys: ['Shift+ArrowLeft'], group: 'Go', words: '1 s back', repeats: true, run: (act) => act.jumpBy(-1000) },
  { keys: ['Shift+ArrowRight'], group: 'Go', words: '1 s forward', repeats: true, run: (act) => act.jumpBy(1000) },
  { keys: ['PageUp'], group: 'Go', words: '10 s back', repeats: true, run: (act) => act.jumpBy(-10_000) },
  { keys: ['PageDown'], group: 'Go', words: '10 s forward', repeats: true, run: (act) => act.jumpBy(10_000) },
  { keys: ['Home'], group: 'Go', words: 'Start of the scene', run: (act) => act.toStart() },
  { keys: ['End'], group: 'Go', words: 'End of the scene', run: (act) => act.toEnd() },
  { keys: ['G'], group: 'Go', words: 'Peak of the G-sensor', run: (act) => act.toPeakG() },
  { keys: ['['], group: 'Go', words: 'Mark or event before', run: (act) => act.toMark(-1) },
  { keys: [']'], group: 'Go', words: 'Mark or event after', run: (act) => act.toMark(1) },
  { keys: ['Shift+N'], group: 'Go', words: 'Gap before', run: (act) => act.toGap(-1) },
  { keys: ['N'], group: 'Go', words: 'Next gap', run: (act) => act.toGap(1) },
  { keys: ['B'], group: 'Mark', words: 'Bookmark', run: (act) => act.bookmark() },
  { keys: ['I'], group: 'Mark', words: 'In point', run: (act) => act.setIn() },
  { keys: ['O'], group: 'Mark', words: 'Out point', run: (act) => act.setOut() },
  { keys: ['S'], group: 'Mark', words: 'Still of the leading view', run: (act) => act.still() },
]; // prettier-ignore

/** What a key event is called in `playerKeys`. */
export function keyName({ key, shiftKey }: Pick<KeyboardEvent, 'key' | 'shiftKey'>): string {
  if (key === ' ') return 'Space';
  const isNamed = key.length > 1;
  const isLetter = /^[a-z]$/i.test(key);
  // A sign's Shift is part of how it is typed on this keyboard, not of its meaning.
  return `${shiftKey && (isNamed || isLetter) ? 'Shift+' : ''}${isLetter ? key.toUpperCase() : key}`;
}

const byName = new Map(playerKeys.flatMap((one) => one.keys.map((name) => [name, one] as const)));

export const playerKeyOf = (event: Pick<KeyboardEvent, 'key' | 'shiftKey'>): PlayerKey | null =>
  byName.get(keyName(event)) ?? null;
