import { ActionIcon, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy, IconX } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { groupHash, shortHash } from './format.ts';
import classes from './ui.module.css';

type CopyState = 'idle' | 'copied' | 'failed';
const labels = { copied: 'Copied', failed: 'Could not copy. Select the text and copy it.' } as const;

/** Copies `text`; says whether it worked. `what` completes "Copy …" for screen readers and the tooltip. */
export function CopyButton({ text, what }: { text: string; what: string }) {
  const [state, setState] = useState<CopyState>('idle');
  useEffect(() => {
    if (state === 'idle') return;
    const timer = setTimeout(() => setState('idle'), 1800);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setState('copied'),
      () => setState('failed'),
    );
  const label = state === 'idle' ? `Copy ${what}` : labels[state];
  return (
    <Tooltip label={label}>
      <ActionIcon size={22} aria-label={label} onClick={() => void copy()}>
        {state === 'idle' && <IconCopy size={14} />}
        {state === 'copied' && <IconCheck size={14} />}
        {state === 'failed' && <IconX size={14} />}
      </ActionIcon>
    </Tooltip>
  );
}

/** A hash that can be copied whole: shortened in lists, in groups of four where it is to be compared by eye. */
export function HashText({
  hash,
  what = 'SHA-256',
  form = 'short',
}: {
  hash: string;
  what?: string;
  form?: 'short' | 'groups';
}) {
  return (
    <span className={classes.hash}>
      <code className={form === 'groups' ? classes.hashGroups : classes.hashShort} title={hash}>
        {form === 'groups' ? groupHash(hash) : shortHash(hash)}
      </code>
      <CopyButton text={hash} what={what} />
    </span>
  );
}
