import { useRef, useState, type KeyboardEvent, type PointerEvent, type RefObject } from 'react';
import classes from './ui.module.css';

/** A border between panes: the share of the frame's width or height that lies on its `grows` side. */
export interface SplitRule {
  readonly name: string;
  /** Where the pane lies that the share measures. */
  readonly pane: 'left' | 'right' | 'below';
  readonly initial: number;
  readonly least: number;
  readonly most: number;
}
export type SplitRules<Key extends string> = Readonly<Record<Key, SplitRule>>;
export type SplitShares<Key extends string> = Readonly<Record<Key, number>>;

const arrowOf = { left: 'ArrowRight', right: 'ArrowLeft', below: 'ArrowUp' } as const;
const backOf = { left: 'ArrowLeft', right: 'ArrowRight', below: 'ArrowDown' } as const;

/** Shares that leave every pane usable; what is not a sensible number takes its initial value. Pure. */
export function parseSplitShares<Key extends string>(
  rules: SplitRules<Key>,
  text: string | null,
): SplitShares<Key> {
  let read: Partial<Record<Key, unknown>> | null = null;
  try {
    read = JSON.parse(text ?? '') as Partial<Record<Key, unknown>> | null; // checked field by field
  } catch {
    // not ours: as if nothing had been dragged
  }
  const shares = Object.entries<SplitRule>(rules).map(([key, { initial, least, most }]) => {
    const value = read?.[key as Key];
    const isNumber = typeof value === 'number' && Number.isFinite(value);
    return [key, isNumber ? Math.max(least, Math.min(most, value)) : initial] as const;
  });
  return Object.fromEntries(shares) as Record<Key, number>; // one for each rule, made right above
}

/** Shares that the user dragged, kept in this window's storage under `storageKey`. */
export function useSplitShares<Key extends string>(rules: SplitRules<Key>, storageKey: string) {
  const frame = useRef<HTMLDivElement>(null);
  const [stored, setStored] = useState(() => localStorage.getItem(storageKey));
  const shares = parseSplitShares(rules, stored);
  const change = (which: Key, share: number) => {
    const kept = JSON.stringify(parseSplitShares(rules, JSON.stringify({ ...shares, [which]: share })));
    setStored(kept);
    localStorage.setItem(storageKey, kept);
  };
  return {
    frame,
    shares,
    isDragged: stored !== null,
    barOf: (which: Key) => ({
      frame,
      rule: rules[which],
      share: shares[which],
      onShare: (share: number) => change(which, share),
    }),
  };
}

/** A border that is dragged, moved with the arrow keys, and put back with a double click. */
export function SplitBar({
  frame,
  rule,
  share,
  onShare,
}: {
  frame: RefObject<HTMLDivElement | null>;
  rule: SplitRule;
  share: number;
  onShare: (share: number) => void;
}) {
  const drag = (event: PointerEvent<HTMLDivElement>) => {
    const box = frame.current?.getBoundingClientRect();
    if (!box || !event.currentTarget.hasPointerCapture(event.pointerId)) return;
    if (rule.pane === 'left') onShare((event.clientX - box.left) / box.width);
    else if (rule.pane === 'right') onShare((box.right - event.clientX) / box.width);
    else onShare((box.bottom - event.clientY) / box.height);
  };
  const press = (event: KeyboardEvent) => {
    const isMore = event.key === arrowOf[rule.pane];
    if (!isMore && event.key !== backOf[rule.pane]) return;
    event.preventDefault();
    // A player steps by the same keys: here they move the border.
    event.stopPropagation();
    onShare(share + (isMore ? 0.02 : -0.02));
  };
  return (
    <div
      role="separator"
      tabIndex={0}
      aria-label={rule.name}
      aria-orientation={rule.pane === 'below' ? 'horizontal' : 'vertical'}
      aria-valuenow={Math.round(share * 100)}
      aria-valuemin={Math.round(rule.least * 100)}
      aria-valuemax={Math.round(rule.most * 100)}
      className={rule.pane === 'below' ? classes.barHorizontal : classes.barVertical}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={drag}
      onKeyDown={press}
      onDoubleClick={() => onShare(rule.initial)}
    />
  );
}
