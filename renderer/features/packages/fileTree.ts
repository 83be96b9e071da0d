import { formatBytes } from '../../ui/index.ts';

/** A folder or file of a package, for showing. */
export interface TreeNode {
  readonly name: string;
  /** Whole path inside the package. */
  readonly path: string;
  /** Sum of what is known of the sizes inside. */
  readonly sizeBytes: number;
  /** False while some of it is only made by sealing. */
  readonly isSizeKnown: boolean;
  /** Files inside; 1 for a file. */
  readonly files: number;
  readonly why: string | null;
  /** Null for a file. */
  readonly children: readonly TreeNode[] | null;
}

interface PreviewFile {
  readonly path: string;
  readonly sizeBytes: number | null;
  readonly why: string;
}

interface Folder {
  readonly folders: Map<string, Folder>;
  readonly files: PreviewFile[];
}
const emptyFolder = (): Folder => ({ folders: new Map(), files: [] });

/** Paths with slashes as a tree: folders first, both in the order of their names. */
export function toTree(files: readonly PreviewFile[]): readonly TreeNode[] {
  const root = emptyFolder();
  for (const file of files) {
    let at = root;
    for (const name of file.path.split('/').slice(0, -1)) {
      const next = at.folders.get(name) ?? emptyFolder();
      at.folders.set(name, next);
      at = next;
    }
    at.files.push(file);
  }
  return nodesOf(root, '');
}

const byName = (a: { name: string }, b: { name: string }) =>
  a.name.localeCompare(b.name, 'en', { numeric: true });

function nodesOf(folder: Folder, prefix: string): TreeNode[] {
  const folders = [...folder.folders].map(([name, inner]): TreeNode => {
    const children = nodesOf(inner, `${prefix}${name}/`);
    return {
      name,
      path: `${prefix}${name}`,
      sizeBytes: children.reduce((sum, child) => sum + child.sizeBytes, 0),
      isSizeKnown: children.every((child) => child.isSizeKnown),
      files: children.reduce((sum, child) => sum + child.files, 0),
      why: null,
      children,
    };
  });
  const files = folder.files.map((file): TreeNode => ({
    name: file.path.slice(prefix.length),
    path: file.path,
    sizeBytes: file.sizeBytes ?? 0,
    isSizeKnown: file.sizeBytes !== null,
    files: 1,
    why: file.why,
    children: null,
  }));
  return [...folders.sort(byName), ...files.sort(byName)];
}

/** A node at its depth, as lists draw it. */
export interface TreeRow {
  readonly node: TreeNode;
  readonly depth: number;
}

/** The rows in sight: what is inside a folder only where its path is in `opened`. */
export function visibleRows(nodes: readonly TreeNode[], opened: ReadonlySet<string>, depth = 0): TreeRow[] {
  return nodes.flatMap((node) => [
    { node, depth },
    ...(node.children && opened.has(node.path) ? visibleRows(node.children, opened, depth + 1) : []),
  ]);
}

/** "84 kB", "84 kB or more", or that it is not known before sealing. */
export function sizeText(node: Pick<TreeNode, 'sizeBytes' | 'isSizeKnown'>): string {
  if (node.isSizeKnown) return formatBytes(node.sizeBytes);
  return node.sizeBytes === 0 ? 'made while sealing' : `${formatBytes(node.sizeBytes)} or more`;
}
