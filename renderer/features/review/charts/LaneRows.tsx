import { useEffect, useRef } from 'react';
import { spanAt, type CoverageLane } from './coverage.ts';
import { lanePx, paintLanes } from './lanePaint.ts';
import type { ChartStage } from './stage.ts';
import classes from './charts.module.css';

const words = {
  present: 'present',
  damaged: 'damaged',
  'on-card': 'on the card, not recalled',
  'no-fix': 'no fix',
} as const;

/** What there is of each stream; a click goes there. */
export function LaneRows({ stage, lanes }: { stage: ChartStage | null; lanes: readonly CoverageLane[] }) {
  const row = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(
    () =>
      stage?.onPaint((frame) => {
        if (canvas.current) paintLanes(canvas.current, lanes, frame);
      }),
    [stage, lanes],
  );
  useEffect(() => {
    if (!stage || !row.current) return;
    return stage.addRow({
      element: row.current,
      readAt(ms, yPx) {
        const lane = lanes[Math.floor(yPx / lanePx)];
        if (!lane) return [];
        const span = spanAt(lane, ms);
        return span ? [`${lane.label}: ${words[span.state]}`, span.text] : [`${lane.label}: missing`];
      },
    });
  }, [stage, lanes]);
  return (
    <div ref={row} className={classes.lanes} style={{ height: lanes.length * lanePx }}>
      <div className={classes.laneNames} style={{ lineHeight: `${lanePx}px` }}>
        {lanes.map(({ key, label }) => (
          <div key={key} title={label}>
            {label}
          </div>
        ))}
      </div>
      <canvas ref={canvas} className={classes.laneCanvas} role="img" aria-label={laneSummary(lanes)} />
    </div>
  );
}

/** The lanes in words, for those who do not see them. */
export function laneSummary(lanes: readonly CoverageLane[]): string {
  const texts = lanes.map(({ label, spans }) => {
    const counts = new Map<string, number>();
    for (const { state } of spans) counts.set(words[state], (counts.get(words[state]) ?? 0) + 1);
    const parts = [...counts].map(
      ([word, count]) => `${count} ${count === 1 ? 'stretch' : 'stretches'} ${word}`,
    );
    return `${label}: ${parts.length > 0 ? parts.join(', ') : 'missing'}`;
  });
  return `Coverage. ${texts.join('. ')}.`;
}
