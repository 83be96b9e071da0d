import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import type { ReviewMoment } from '../../../shared/contract/review.ts';
import { formatDuration, useZone } from '../../ui/index.ts';
import { formatClock, zoneLabel } from '../timeline/clock.ts';
import type { ReviewLinks } from './links.ts';
import { momentCamera, momentLines, stepToMoment } from './moments.ts';
import classes from './review.module.css';

const rowHeightPx = 30;

/** Every moment that can be opened, by day and camera; only the lines in sight exist. Arrow keys, Enter opens. */
export function MomentList({ moments, links }: { moments: readonly ReviewMoment[]; links: ReviewLinks }) {
  const { zone } = useZone();
  const lines = useMemo(() => momentLines(moments, zone), [moments, zone]);
  const [focus, setFocus] = useState<string | null>(null);
  const scroller = useRef<HTMLDivElement>(null);
  // eslint-disable-next-line react-hooks/incompatible-library -- nothing of the virtualizer is memoized or handed on
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeightPx,
    overscan: 10,
    initialRect: { width: 800, height: 600 },
  });
  const found = lines.findIndex((line) => line.key === focus);
  const focusAt = found >= 0 ? found : stepToMoment(lines, -1, 1);
  useEffect(() => {
    if (focus !== null) virtual.scrollToIndex(focusAt, { align: 'auto' });
    // Only a move of the focus scrolls; a re-render of the virtualizer must not.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [focus]);

  const open = (index: number) => {
    const line = lines[index];
    if (line?.kind === 'moment') links.go({ kind: 'clip', clipId: line.moment.clipId }, null);
  };
  const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 400) / rowHeightPx) - 2);
  const steps: Record<string, number> = {
    ArrowDown: 1,
    ArrowUp: -1,
    PageDown: page,
    PageUp: -page,
    Home: -1e9,
    End: 1e9,
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = steps[event.key];
    if (step !== undefined) setFocus(lines[stepToMoment(lines, focusAt, step)]?.key ?? null);
    else if (event.key === 'Enter') open(focusAt);
    else return;
    event.preventDefault();
  };
  return (
    <div
      ref={scroller}
      className={classes.moments}
      role="listbox"
      aria-label="Moments that can be opened"
      aria-activedescendant={focusAt >= 0 ? `moment-${focusAt}` : undefined}
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      <div style={{ position: 'relative', height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map((item) => {
          const line = lines[item.index];
          if (!line) return null;
          const place = { transform: `translateY(${item.start}px)`, height: rowHeightPx };
          if (line.kind === 'day') {
            return (
              <div key={line.key} role="presentation" className={classes.momentDay} style={place}>
                <strong>{line.camera}</strong>
                <span>{line.text}</span>
              </div>
            );
          }
          return (
            <div
              key={line.key}
              id={`moment-${item.index}`}
              role="option"
              aria-selected={item.index === focusAt}
              className={classes.moment}
              style={place}
              onClick={() => open(item.index)}
            >
              <MomentCells moment={line.moment} zone={zone} />
            </div>
          );
        })}
      </div>
    </div>
  );
}

function MomentCells({ moment, zone }: { moment: ReviewMoment; zone: string }) {
  const { startMs, endMs, directions, fileName } = moment;
  return (
    <>
      {startMs === null ? (
        <span className={classes.dim}>time unknown</span>
      ) : (
        <time dateTime={new Date(startMs).toISOString()} title={new Date(startMs).toISOString()}>
          <strong>{formatClock(Math.round(startMs / 1000) * 1000, zone)}</strong>{' '}
          <span className={classes.dim}>{zoneLabel(startMs, zone)}</span>
        </time>
      )}
      <span className={classes.dim}>
        {startMs === null || endMs === null ? '' : formatDuration(endMs - startMs)}
      </span>
      <span className={classes.chips}>
        {directions.map((direction) => (
          <span key={direction} className={classes.chip}>
            {direction === 'unknown' ? 'lens unknown' : direction}
          </span>
        ))}
      </span>
      <span className={classes.momentFile} title={`${momentCamera(moment)} · ${fileName}`}>
        {fileName}
      </span>
    </>
  );
}
