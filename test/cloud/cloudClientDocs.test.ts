import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { operations, type OperationName } from '../../main/cloud/operations.ts';
import { operationCases } from './operationCases.ts';

const root = path.join(import.meta.dirname, '..');
const page = readFileSync(path.join(root, '../docs/cloud-client.md'), 'utf8');
const cellsOf = (line: string): string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
/** The rows of the table under a heading. */
function rowsUnder(heading: string): string[][] {
  const part = page.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  return part
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2)
    .map(cellsOf);
}

const sections = [
  ...['2.1', '2.2', '2.3', '2.4', '2.5', '2.6', '2.7', '2.8', '2.9', '2.10', '2.11', '2.12'],
  ...['3.1', '3.2', '3.3', '3.4', '4.1', '4.2', '4.3', '4.4', '4.5', '4.6', '4.7'],
  ...['5.1', '5.3', '5.4', '5.5', '5.6', '6.3', '7', '8.1', '8.2', '8.3', '8.4', '8.5'],
];

describe('the table of sections', () => {
  it('names tests that exist', () => {
    const rows = rowsUnder('By section');
    const missing = rows.filter(([, , proof = '']) => {
      const [, file = '', name = ''] = /^`([\w./]+)`: (.*)$/.exec(proof) ?? [];
      if (name === '' || !existsSync(path.join(root, file))) return true;
      return !readFileSync(path.join(root, file), 'utf8').includes(`'${name}'`);
    });
    expect(missing).toEqual([]);
    expect(rows.length).toBeGreaterThan(50);
  });

  it('has a row for every section that a client can keep or break', () => {
    const covered = new Set(rowsUnder('By section').map(([section = '']) => section.split(' ')[0]));
    expect(sections.filter((section) => !covered.has(section))).toEqual([]);
  });
});

describe('the table of operations', () => {
  it('is the list of operations with the codes that are tested', () => {
    const expected = (Object.keys(operations) as OperationName[]).map((name) => {
      const { method, path: route, section, pagination, hasSideEffects } = operations[name];
      const codes = [...new Set(operationCases[name].refusals.map((refusal) => refusal.code))].sort();
      return [
        `\`${name}\``,
        `${method} ${route}`,
        section,
        pagination ?? '',
        hasSideEffects === true ? 'no' : 'yes',
        codes.map((code) => `\`${code}\``).join(' '),
      ];
    });
    expect(rowsUnder('Operations')).toEqual(expected);
  });
});
