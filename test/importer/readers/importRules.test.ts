import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { flagReasons, refusals, skipReasons } from '../../../main/importer/reasons.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const page = fs.readFileSync(path.join(root, 'docs/import-rules.md'), 'utf8');
const tests = fs
  .readdirSync(import.meta.dirname)
  .map((name) => fs.readFileSync(path.join(import.meta.dirname, name), 'utf8'))
  .join('\n');
/** The reasons of one table of the page. */
const listed = (title: string): string[] => {
  const section = page.split(/^## /m).find((part) => part.startsWith(title))!;
  return [...section.matchAll(/^\| (.+?) +\| [^|]+ \|/gm)]
    .map((match) => match[1]!.trim())
    .filter((text) => text !== 'reason' && !text.startsWith('---'));
};
// Prettier escapes what Markdown might read otherwise.
const plain = (texts: readonly string[]): string[] => texts.map((text) => text.replaceAll('\\', '')).sort();

// Reached only with 200 million comparisons, or 4 million times: too long for a test of every commit.
const withoutTest = new Set(['noDuplicateSearch', 'tooManyTimes']);

describe('docs/import-rules.md', () => {
  it.each([
    ['Skipped', skipReasons],
    ['Kept', flagReasons],
    ['The file', refusals],
  ])('lists every reason that readers give, and no others: %s', (title, reasons) => {
    expect(plain(listed(title))).toEqual(plain(Object.values(reasons)));
  });
  it('has a test for every reason', () => {
    const all = { skipReasons, flagReasons, refusals };
    const missing = Object.entries(all).flatMap(([group, reasons]) =>
      Object.keys(reasons)
        .filter((key) => !withoutTest.has(key) && !tests.includes(`${group}.${key}`))
        .map((key) => `${group}.${key}`),
    );
    expect(missing).toEqual([]);
  });
});
