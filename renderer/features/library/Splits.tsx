import type { ReactNode } from 'react';
import { SplitBar, useSplitShares, type SplitRules } from '../../ui/index.ts';
import classes from './library.module.css';

const storageKey = 'desk.library.splits';
/** Wider, the table would only spread its columns; the map makes better use of the room. Only until it is dragged. */
const widestInitialTablePx = 760;

/** Shares of the Library that its borders set. */
export const librarySplits: SplitRules<'table' | 'timeline'> = {
  table: { name: 'Width of the trip table', pane: 'left', initial: 0.44, least: 0.15, most: 0.75 },
  timeline: { name: 'Height of the timeline', pane: 'below', initial: 0.3, least: 0.12, most: 0.7 },
};

/** Three panes: left and right above, one below. */
export function Splits({ left, right, below }: { left: ReactNode; right: ReactNode; below: ReactNode }) {
  const { frame, shares, isDragged, barOf } = useSplitShares(librarySplits, storageKey);
  return (
    <div ref={frame} className={classes.splits}>
      <div className={classes.upper} style={{ height: `${(1 - shares.timeline) * 100}%` }}>
        <div
          className={classes.pane}
          style={{ width: `${shares.table * 100}%`, maxWidth: isDragged ? undefined : widestInitialTablePx }}
        >
          {left}
        </div>
        <SplitBar {...barOf('table')} />
        <div className={classes.paneRest}>{right}</div>
      </div>
      <SplitBar {...barOf('timeline')} />
      <div className={classes.paneRest}>{below}</div>
    </div>
  );
}
