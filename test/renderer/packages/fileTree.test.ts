import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sizeText, toTree, visibleRows, type TreeNode } from '../../../renderer/features/packages/index.ts';

const file = (path: string, sizeBytes: number | null = 10) => ({ path, sizeBytes, why: 'because' });

describe('the tree of a package', () => {
  it('gathers files into folders, folders first, with sums', () => {
    const tree = toTree([
      file('bagit.txt'),
      file('data/tracks/b.csv'),
      file('data/tracks/a.csv', 5),
      file('data/x.json'),
    ]);
    expect(tree.map((node) => node.name)).toEqual(['data', 'bagit.txt']);
    expect(tree[0]).toMatchObject({ files: 3, sizeBytes: 25, isSizeKnown: true });
    expect(tree[0]?.children?.map((node) => node.path)).toEqual(['data/tracks', 'data/x.json']);
  });

  it('says "or more" where something is only made by sealing', () => {
    const [folder] = toTree([file('data/a', 84_400), file('data/b', null)]);
    expect(folder && sizeText(folder)).toBe('84.4 kB or more');
    expect(sizeText({ sizeBytes: 0, isSizeKnown: false })).toBe('made while sealing');
  });

  it('shows what is inside only of opened folders', () => {
    const tree = toTree([file('a/b/c.txt')]);
    expect(visibleRows(tree, new Set()).map((row) => row.node.path)).toEqual(['a']);
    expect(visibleRows(tree, new Set(['a', 'a/b'])).map((row) => [row.node.path, row.depth])).toEqual([
      ['a', 0],
      ['a/b', 1],
      ['a/b/c.txt', 2],
    ]);
  });

  it('never loses a file, whatever the paths', () => {
    const name = fc.stringMatching(/^[a-z_]{1,6}$/);
    const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => `${names.join('/')}.f`);
    const leaves = (nodes: readonly TreeNode[]): string[] =>
      nodes.flatMap((node) => (node.children ? leaves(node.children) : [node.path]));
    fc.assert(
      fc.property(fc.uniqueArray(path), (paths) => {
        expect(leaves(toTree(paths.map((one) => file(one)))).sort()).toEqual([...paths].sort());
      }),
    );
  });
});
