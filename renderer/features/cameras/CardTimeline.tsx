import { ActionIcon, Select, Tooltip } from '@mantine/core';
import {
  IconChevronLeft,
  IconChevronRight,
  IconZoomIn,
  IconZoomOut,
  IconZoomReset,
} from '@tabler/icons-react';
import { memo, useEffect, useMemo, useRef, useState, type KeyboardEvent, type PointerEvent } from 'react';
import type { RecordingRow } from '../../../shared/contract/cards.ts';
import { formatCounted } from '../../ui/index.ts';
import classes from './cameras.module.css';
import {
  daysOf,
  lanePath,
  lanesIn,
  lanesOf,
  nearestMark,
  panRange,
  rangeOfDay,
  rangeOfLanes,
  ticksOf,
  zoomRange,
  type Lane,
  type WallRange,
} from './lanes.ts';
import { dayText, wallMsOf } from './words.ts';

/** Units of the drawing's width: as fine as the widest window. */
const width = 2400;
const leastWidth = 4;

/**
 * The card along its own clock: one lane for each camera and type. Zooms by wheel, buttons and +/−; a click takes
 * the nearest recording.
 */
export const CardTimeline = memo(function CardTimeline({
  rows,
  focus,
  onFocus,
}: {
  rows: readonly RecordingRow[];
  focus: RecordingRow | null;
  onFocus: (rowId: string) => void;
}) {
  const lanes = useMemo(() => lanesOf(rows), [rows]);
  const days = useMemo(() => daysOf(rows), [rows]);
  const outer = useMemo(() => rangeOfLanes(lanes), [lanes]);
  const [wanted, setWanted] = useState<WallRange | null>(null);
  const body = useRef<HTMLDivElement>(null);
  const drag = useRef<{ x: number; range: WallRange; hasMoved: boolean } | null>(null);
  const newest = days[0]?.day;
  // A day is what one looks at first; rows that come in later don't move it.
  const range = wanted ?? (newest === undefined ? null : rangeOfDay(newest));

  const zoom = (factor: number, atMs?: number) => {
    if (range === null || outer === null) return;
    setWanted(zoomRange(range, factor, atMs ?? (range.fromMs + range.toMs) / 2, outer));
  };
  const zoomRef = useRef(zoom);
  useEffect(() => {
    zoomRef.current = zoom;
  });
  useEffect(() => {
    const element = body.current;
    if (element === null) return;
    const onWheel = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey) return; // a plain wheel scrolls the lanes
      event.preventDefault();
      const box = element.getBoundingClientRect();
      const shownRange = element.dataset;
      const fromMs = Number(shownRange.from);
      const toMs = Number(shownRange.to);
      const share = (event.clientX - box.left - labelPx) / Math.max(1, box.width - labelPx);
      zoomRef.current(event.deltaY > 0 ? 1.4 : 1 / 1.4, fromMs + (toMs - fromMs) * share);
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, []);

  if (range === null || outer === null) return null;
  const span = range.toMs - range.fromMs;
  const day = new Date(range.fromMs).toISOString().slice(0, 10);
  const isOneDay = range.fromMs === rangeOfDay(day).fromMs && span === 86_400_000;
  const dayAt = days.findIndex((one) => one.day === day);
  const focusMs = wallMsOf(focus?.recordedAtLocal ?? null);
  const focusShare = focusMs === null ? null : (focusMs - range.fromMs) / span;

  const shareAt = (event: PointerEvent): number => {
    const box = event.currentTarget.getBoundingClientRect();
    return (event.clientX - box.left) / Math.max(1, box.width);
  };
  const onPointerDown = (event: PointerEvent) => {
    drag.current = { x: event.clientX, range, hasMoved: false };
  };
  const onPointerMove = (event: PointerEvent) => {
    const from = drag.current;
    if (from === null || event.buttons !== 1) return;
    const moved = event.clientX - from.x;
    if (!from.hasMoved && Math.abs(moved) < 4) return;
    if (!from.hasMoved) event.currentTarget.setPointerCapture(event.pointerId);
    from.hasMoved = true;
    setWanted(panRange(from.range, -moved / Math.max(1, event.currentTarget.clientWidth), outer));
  };
  const onPointerUp = (event: PointerEvent, lane: Lane) => {
    const from = drag.current;
    drag.current = null;
    if (from?.hasMoved) return;
    const mark = nearestMark(lane.marks, range.fromMs + span * shareAt(event), span / 60);
    if (mark) onFocus(mark.rowId);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === '+' || event.key === '=') zoom(1 / 1.6);
    else if (event.key === '-') zoom(1.6);
    else if (event.key === '0') setWanted(outer);
    else if (event.key === 'ArrowLeft') setWanted(panRange(range, -0.2, outer));
    else if (event.key === 'ArrowRight') setWanted(panRange(range, 0.2, outer));
    else return;
    event.preventDefault();
  };
  const goDay = (step: number) => {
    const next = days[Math.max(0, Math.min(days.length - 1, (dayAt < 0 ? 0 : dayAt) - step))];
    if (next) setWanted(rangeOfDay(next.day));
  };
  return (
    <section className={classes.timeline} aria-label="Recordings over time, by the camera’s clock">
      <div className={classes.timelineHead}>
        <Tooltip label="Day before">
          <ActionIcon size={22} aria-label="Day before" onClick={() => goDay(-1)}>
            <IconChevronLeft size={15} />
          </ActionIcon>
        </Tooltip>
        <Select
          aria-label="Day"
          size="xs"
          allowDeselect={false}
          data={[
            { value: 'all', label: `All ${formatCounted(days.length, 'day')}` },
            ...days.map((one) => ({ value: one.day, label: `${dayText(one.day)} (${one.count})` })),
          ]}
          placeholder="Part of the card"
          value={isOneDay ? day : range.fromMs === outer.fromMs && range.toMs === outer.toMs ? 'all' : null}
          onChange={(value) => value && setWanted(value === 'all' ? outer : rangeOfDay(value))}
          style={{ width: 210 }}
        />
        <Tooltip label="Day after">
          <ActionIcon size={22} aria-label="Day after" onClick={() => goDay(1)}>
            <IconChevronRight size={15} />
          </ActionIcon>
        </Tooltip>
        <Tooltip label="Zoom in (+, Ctrl and wheel)">
          <ActionIcon size={22} aria-label="Zoom in" onClick={() => zoom(1 / 1.6)}>
            <IconZoomIn size={15} />
          </ActionIcon>
        </Tooltip>
        <Tooltip label="Zoom out (−)">
          <ActionIcon size={22} aria-label="Zoom out" onClick={() => zoom(1.6)}>
            <IconZoomOut size={15} />
          </ActionIcon>
        </Tooltip>
        <Tooltip label="The whole card (0)">
          <ActionIcon size={22} aria-label="The whole card" onClick={() => setWanted(outer)}>
            <IconZoomReset size={15} />
          </ActionIcon>
        </Tooltip>
        <span className={classes.muted}>camera clock, no zone</span>
      </div>
      <div
        ref={body}
        className={classes.lanes}
        data-from={range.fromMs}
        data-to={range.toMs}
        tabIndex={0}
        role="group"
        aria-label="Lanes: arrows move, plus and minus zoom"
        onKeyDown={onKeyDown}
      >
        {lanesIn(lanes, range).map((lane) => (
          <div key={lane.key} className={classes.lane}>
            <span className={classes.laneName} title={`${lane.direction}, ${lane.name} (${lane.letter})`}>
              {lane.direction} <b>{lane.letter}</b> {lane.name}
            </span>
            <div
              className={classes.laneBody}
              role="img"
              aria-label={`${lane.direction}, ${lane.name}: ${formatCounted(lane.marks.length, 'recording')}`}
              onPointerDown={onPointerDown}
              onPointerMove={onPointerMove}
              onPointerUp={(event) => onPointerUp(event, lane)}
            >
              <svg viewBox={`0 0 ${width} 1`} preserveAspectRatio="none" aria-hidden>
                <path
                  d={lanePath(lane.marks, range, width, leastWidth)}
                  data-kind={
                    lane.key.endsWith('/normal')
                      ? 'normal'
                      : lane.key.endsWith('/parking')
                        ? 'parking'
                        : 'incident'
                  }
                />
              </svg>
              {focusShare !== null && focusShare >= 0 && focusShare <= 1 && (
                <span className={classes.laneFocus} style={{ left: `${focusShare * 100}%` }} />
              )}
            </div>
          </div>
        ))}
      </div>
      <div className={classes.axis} aria-hidden>
        {ticksOf(range, 14).map((tick) => (
          <span key={tick.wallMs} style={{ left: `${((tick.wallMs - range.fromMs) / span) * 100}%` }}>
            {tick.label}
          </span>
        ))}
      </div>
    </section>
  );
});

/** Width of the lanes' names, as in the style sheet. */
const labelPx = 150;
