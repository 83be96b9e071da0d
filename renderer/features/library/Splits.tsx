import { useRef, useState, type KeyboardEvent, type PointerEvent, type ReactNode } from 'react';
import classes from './library.module.css';

/** Shares of the screen that the user dragged, kept in this window's storage. */
export interface SplitShares {
  readonly table: number;
  readonly timeline: number;
}
const storageKey = 'desk.library.splits';
const initialShares: SplitShares = { table: 0.44, timeline: 0.3 };
/** Wider, the table would only spread its columns; the map makes better use of the room. Only until it is dragged. */
const widestInitialTablePx = 760;

/** Shares that leave every pane usable; anything else than two sensible numbers is the initial layout. Pure. */
export function parseShares(text: string | null): SplitShares {
  try {
    const read = JSON.parse(text ?? '') as Partial<SplitShares> | null; // checked field by field below
    return {
      table: within(read?.table, 0.15, 0.75, initialShares.table),
      timeline: within(read?.timeline, 0.12, 0.7, initialShares.timeline),
    };
  } catch {
    return initialShares;
  }
}
function within(value: unknown, least: number, most: number, otherwise: number): number {
  return typeof value === 'number' && Number.isFinite(value)
    ? Math.max(least, Math.min(most, value))
    : otherwise;
}

/** Three panes: left and right above, one below. Their borders are dragged or moved with the arrow keys. */
export function Splits({ left, right, below }: { left: ReactNode; right: ReactNode; below: ReactNode }) {
  const frame = useRef<HTMLDivElement>(null);
  const [stored, setStored] = useState(() => localStorage.getItem(storageKey));
  const shares = parseShares(stored);
  const isDragged = stored !== null;
  const change = (next: SplitShares) => {
    const kept = parseShares(JSON.stringify(next));
    setStored(JSON.stringify(kept));
    localStorage.setItem(storageKey, JSON.stringify(kept));
  };
  const drag = (which: keyof SplitShares) => (event: PointerEvent<HTMLDivElement>) => {
    const box = frame.current?.getBoundingClientRect();
    if (!box || !event.currentTarget.hasPointerCapture(event.pointerId)) return;
    if (which === 'table') change({ ...shares, table: (event.clientX - box.left) / box.width });
    else change({ ...shares, timeline: (box.bottom - event.clientY) / box.height });
  };
  const press = (which: keyof SplitShares) => (event: KeyboardEvent) => {
    const grow = which === 'table' ? 'ArrowRight' : 'ArrowUp';
    const shrink = which === 'table' ? 'ArrowLeft' : 'ArrowDown';
    if (event.key !== grow && event.key !== shrink) return;
    event.preventDefault();
    change({ ...shares, [which]: shares[which] + (event.key === grow ? 0.02 : -0.02) });
  };
  const bar = (which: keyof SplitShares, label: string) => (
    <div
      role="separator"
      tabIndex={0}
      aria-label={label}
      aria-orientation={which === 'table' ? 'vertical' : 'horizontal'}
      aria-valuenow={Math.round(shares[which] * 100)}
      aria-valuemin={10}
      aria-valuemax={75}
      className={which === 'table' ? classes.barVertical : classes.barHorizontal}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={drag(which)}
      onKeyDown={press(which)}
      onDoubleClick={() => change({ ...shares, [which]: initialShares[which] })}
    />
  );
  return (
    <div ref={frame} className={classes.splits}>
      <div className={classes.upper} style={{ height: `${(1 - shares.timeline) * 100}%` }}>
        <div
          className={classes.pane}
          style={{ width: `${shares.table * 100}%`, maxWidth: isDragged ? undefined : widestInitialTablePx }}
        >
          {left}
        </div>
        {bar('table', 'Width of the trip table')}
        <div className={classes.paneRest}>{right}</div>
      </div>
      {bar('timeline', 'Height of the timeline')}
      <div className={classes.paneRest}>{below}</div>
    </div>
  );
}
