import type { ReactNode } from 'react';
import { SplitBar, useSplitShares, type SplitRules } from '../../ui/index.ts';
import classes from './review.module.css';

const storageKey = 'desk.review.splits';

/** Shares of Review that its borders set: the column with map and lists, the charts of the left, the lists of the right. */
export const reviewSplits: SplitRules<'side' | 'charts' | 'lists'> = {
  side: { name: 'Width of map and lists', pane: 'right', initial: 0.29, least: 0.18, most: 0.6 },
  charts: { name: 'Height of the charts', pane: 'below', initial: 0.5, least: 0.15, most: 0.8 },
  lists: { name: 'Height of the lists', pane: 'below', initial: 0.5, least: 0.15, most: 0.85 },
};

/** Pictures over charts on the left, map over lists on the right. */
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
  const { frame, shares, barOf } = useSplitShares(reviewSplits, storageKey);
  return (
    <div ref={frame} className={classes.splits}>
      <div className={classes.column} style={{ flex: '1 1 0' }}>
        <div className={classes.paneRest}>{pictures}</div>
        <SplitBar {...barOf('charts')} />
        <div className={classes.pane} style={{ height: `${shares.charts * 100}%` }}>
          {charts}
        </div>
      </div>
      <SplitBar {...barOf('side')} />
      <div className={classes.column} style={{ flex: `0 0 ${shares.side * 100}%` }}>
        <div className={classes.paneRest}>{map}</div>
        <SplitBar {...barOf('lists')} />
        <div className={classes.pane} style={{ height: `${shares.lists * 100}%` }}>
          {lists}
        </div>
      </div>
    </div>
  );
}
