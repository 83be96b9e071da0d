import { migration0001 } from './0001-first.sql.ts';
import { migration0002 } from './0002-cloud.sql.ts';
import { migration0003 } from './0003-cards.sql.ts';
import { migration0004 } from './0004-clips.sql.ts';
import { migration0005 } from './0005-review.sql.ts';

/** Migration n takes a cache from version n - 1 to n. Append-only: a released one is never edited. */
export const migrations: readonly string[] = [
  migration0001,
  migration0002,
  migration0003,
  migration0004,
  migration0005,
];
