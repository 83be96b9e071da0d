/** Seeded pseudo-random numbers: the same words always give the same sequence, on every machine. */
export interface Random {
  /** A number in [0, 1). */
  next(): number;
  /** An integer in [low, high], both included. */
  integer(low: number, high: number): number;
  between(low: number, high: number): number;
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
  hex(length: number): string;
}

/** FNV-1a over UTF-16 code units, 32 bits. */
export function hash32(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash ^= text.charCodeAt(index);
    hash = Math.imul(hash, 0x01000193);
  }
  return hash >>> 0;
}

export function createRandom(...words: readonly (string | number)[]): Random {
  let state = hash32(words.join('\u0001'));
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const integer = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1));
  return {
    next,
    integer,
    between: (low, high) => low + next() * (high - low),
    chance: (probability) => next() < probability,
    pick: (items) => {
      const item = items[integer(0, items.length - 1)];
      if (item === undefined) throw new Error('nothing to pick from');
      return item;
    },
    hex: (length) => {
      let text = '';
      while (text.length < length) text += Math.floor(next() * 16).toString(16);
      return text;
    },
  };
}
