import { useEffect, useRef } from 'react';
import { markerNear, markerPx, paintMarkers, type Marker } from './markers.ts';
import type { ChartStage } from './stage.ts';
import classes from './charts.module.css';

/** Bookmarks, ranges, events and harsh moments; a click on one goes to its very time. */
export function MarkerRow({ stage, markers }: { stage: ChartStage | null; markers: readonly Marker[] }) {
  const row = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(
    () =>
      stage?.onPaint((frame) => {
        if (canvas.current) paintMarkers(canvas.current, markers, frame);
      }),
    [stage, markers],
  );
  useEffect(() => {
    if (!stage || !row.current) return;
    return stage.addRow({
      element: row.current,
      readAt(ms, _yPx, msPerPx) {
        const found = markerNear(markers, ms, msPerPx);
        return found ? [found.text, 'click to go there'] : [];
      },
      snapAt: (ms, _yPx, msPerPx) => markerNear(markers, ms, msPerPx)?.ms ?? null,
    });
  }, [stage, markers]);
  const counts = (kind: Marker['kind']) => markers.filter((marker) => marker.kind === kind).length;
  return (
    <div ref={row} className={classes.lanes} style={{ height: markerPx }}>
      <div className={classes.laneNames} style={{ lineHeight: `${markerPx}px` }}>
        <div>Marks</div>
      </div>
      <canvas
        ref={canvas}
        className={classes.laneCanvas}
        role="img"
        aria-label={`${counts('bookmark')} bookmarks, ${counts('range')} ranges, ${counts('event')} event recordings, ${counts('harsh')} harsh moments; their lists are beside the charts`}
      />
    </div>
  );
}
