import { useRef, useState, type KeyboardEvent, type PointerEvent, type ReactNode } from 'react';
import classes from './review.module.css';

/** Shares of the screen that the user dragged, kept in this window's storage. */
export interface ReviewShares {
  /** Width of the column with map and lists. */
  readonly side: number;
  /** Height of the charts, of the left column. */
  readonly charts: number;
  /** Height of the lists, of the right column. */
  readonly lists: number;
}
const storageKey = 'desk.review.splits';
const initialShares: ReviewShares = { side: 0.29, charts: 0.5, lists: 0.5 };
const limits: Readonly<Record<keyof ReviewShares, readonly [number, number]>> = {
  side: [0.18, 0.6],
  charts: [0.15, 0.8],
  lists: [0.15, 0.85],
};
const names: Readonly<Record<keyof ReviewShares, string>> = {
  side: 'Width of map and lists',
  charts: 'Height of the charts',
  lists: 'Height of the lists',
};

/** Shares that leave every pane usable; what is not a sensible number takes its initial value. Pure. */
export function parseReviewShares(text: string | null): ReviewShares {
  let read: Partial<Record<keyof ReviewShares, unknown>> | null = null;
  try {
    read = JSON.parse(text ?? '') as Partial<Record<keyof ReviewShares, unknown>> | null; // checked field by field
  } catch {
    // not ours: as if nothing had been dragged
  }
  const share = (key: keyof ReviewShares): number => {
    const value = read?.[key];
    const [least, most] = limits[key];
    return typeof value === 'number' && Number.isFinite(value)
      ? Math.max(least, Math.min(most, value))
      : initialShares[key];
  };
  return { side: share('side'), charts: share('charts'), lists: share('lists') };
}

/** Pictures over charts on the left, map over lists on the right. Borders are dragged or moved with the arrow keys. */
export function ReviewSplits({
  pictures,
  charts,
  map,
  lists,
}: {
  pictures: ReactNode;
  charts: ReactNode;
  map: ReactNode;
  lists: ReactNode;
}) {
  const frame = useRef<HTMLDivElement>(null);
  const [shares, setShares] = useState(() => parseReviewShares(localStorage.getItem(storageKey)));
  const change = (next: ReviewShares) => {
    const kept = parseReviewShares(JSON.stringify(next));
    setShares(kept);
    localStorage.setItem(storageKey, JSON.stringify(kept));
  };
  const drag = (which: keyof ReviewShares) => (event: PointerEvent<HTMLDivElement>) => {
    const box = frame.current?.getBoundingClientRect();
    if (!box || !event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const share =
      which === 'side' ? (box.right - event.clientX) / box.width : (box.bottom - event.clientY) / box.height;
    change({ ...shares, [which]: share });
  };
  const press = (which: keyof ReviewShares) => (event: KeyboardEvent) => {
    const grow = which === 'side' ? 'ArrowLeft' : 'ArrowUp';
    const shrink = which === 'side' ? 'ArrowRight' : 'ArrowDown';
    if (event.key !== grow && event.key !== shrink) return;
    event.preventDefault();
    // The player steps by the same keys: here they move the border.
    event.stopPropagation();
    change({ ...shares, [which]: shares[which] + (event.key === grow ? 0.02 : -0.02) });
  };
  const bar = (which: keyof ReviewShares) => (
    <div
      role="separator"
      tabIndex={0}
      aria-label={names[which]}
      aria-orientation={which === 'side' ? 'vertical' : 'horizontal'}
      aria-valuenow={Math.round(shares[which] * 100)}
      aria-valuemin={limits[which][0] * 100}
      aria-valuemax={limits[which][1] * 100}
      className={which === 'side' ? classes.barVertical : classes.barHorizontal}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={drag(which)}
      onKeyDown={press(which)}
      onDoubleClick={() => change({ ...shares, [which]: initialShares[which] })}
    />
  );
  return (
    <div ref={frame} className={classes.splits}>
      <div className={classes.column} style={{ flex: '1 1 0' }}>
        <div className={classes.paneRest}>{pictures}</div>
        {bar('charts')}
        <div className={classes.pane} style={{ height: `${shares.charts * 100}%` }}>
          {charts}
        </div>
      </div>
      {bar('side')}
      <div className={classes.column} style={{ flex: `0 0 ${shares.side * 100}%` }}>
        <div className={classes.paneRest}>{map}</div>
        {bar('lists')}
        <div className={classes.pane} style={{ height: `${shares.lists * 100}%` }}>
          {lists}
        </div>
      </div>
    </div>
  );
}
