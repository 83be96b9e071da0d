import { IconChevronDown, IconChevronRight, IconFile, IconFolder } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import type { PackagePreview } from '../../../shared/contract/packages.ts';
import { formatCounted, VirtualRows } from '../../ui/index.ts';
import { sizeText, toTree, visibleRows, type TreeNode } from './fileTree.ts';
import classes from './packages.module.css';

/** Folders of this many things or fewer stand open at first. */
const openUpTo = 12;

function openAtFirst(nodes: readonly TreeNode[], into: Set<string> = new Set()): ReadonlySet<string> {
  for (const node of nodes) {
    if (node.children && node.children.length <= openUpTo) {
      into.add(node.path);
      openAtFirst(node.children, into);
    }
  }
  return into;
}

/** What will be inside, by folder, with sizes and why it is there. */
export function PackageTree({ preview }: { preview: PackagePreview }) {
  const nodes = useMemo(() => toTree(preview.files), [preview]);
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const opened = useMemo(() => {
    const set = new Set(openAtFirst(nodes));
    for (const path of toggled) if (!set.delete(path)) set.add(path);
    return set;
  }, [nodes, toggled]);
  const rows = visibleRows(nodes, opened);
  const toggle = (path: string) => {
    const next = new Set(toggled);
    if (!next.delete(path)) next.add(path);
    setToggled(next);
  };
  return (
    <VirtualRows
      className={classes.tree}
      label="Files of the package"
      count={rows.length}
      estimatedHeight={26}
      keyOf={(index) => rows[index]?.node.path ?? index}
      render={(index) => {
        const row = rows[index];
        if (!row) return null;
        const { node, depth } = row;
        const size = sizeText(node);
        if (!node.children) {
          return (
            <div className={classes.treeRow} style={{ paddingLeft: 30 + depth * 18 }}>
              <IconFile size={14} aria-hidden />
              <span className={classes.treeName} title={node.path}>
                {node.name}
              </span>
              <span className={classes.treeWhy} title={node.why ?? ''}>
                {node.why}
              </span>
              <span className={classes.treeSize}>{size}</span>
            </div>
          );
        }
        const isOpen = opened.has(node.path);
        return (
          <button
            type="button"
            className={classes.treeRow}
            style={{ paddingLeft: 12 + depth * 18 }}
            aria-expanded={isOpen}
            onClick={() => toggle(node.path)}
          >
            {isOpen ? <IconChevronDown size={14} aria-hidden /> : <IconChevronRight size={14} aria-hidden />}
            <IconFolder size={14} aria-hidden />
            <span className={classes.treeName}>{node.name}/</span>
            <span className={classes.treeWhy}>{formatCounted(node.files, 'file')}</span>
            <span className={classes.treeSize}>{size}</span>
          </button>
        );
      }}
    />
  );
}
