import { useCallback, useEffect, useRef, useState, type KeyboardEvent, type PointerEvent } from 'react';
import { formatShift } from '../marks/momentText.ts';
import type { MasterClock } from '../model.ts';
import classes from './clocks.module.css';
import { pathOf, rangeOf, type Curve } from './curve.ts';

const size = { width: 600, height: 96 } as const;

/**
 * A curve that is dragged against the pictures: the line in the middle is the frame on screen, and the curve runs
 * under it with the videos. Arrow keys move it by 10 ms, with Shift by 100 ms, Page keys by 1 s; Home puts it back.
 */
export function CurveSlider({
  clock,
  curve,
  halfMs,
  shiftMs,
  onShift,
}: {
  clock: MasterClock;
  curve: Curve;
  /** Half of the stretch of time that is shown. */
  halfMs: number;
  /** How far the curve is dragged, ms; positive: later. */
  shiftMs: number;
  onShift: (shiftMs: number) => void;
}) {
  const box = useRef<SVGSVGElement>(null);
  const line = useRef<SVGPathElement>(null);
  const ghost = useRef<SVGPathElement>(null);
  const labels = useRef<HTMLDivElement>(null);
  const dragFrom = useRef<{ x: number; shiftMs: number } | null>(null);
  const [isDragging, setDragging] = useState(false);

  const draw = useCallback(
    (nowMs: number) => {
      const around = (byMs: number) => ({ fromMs: nowMs - byMs - halfMs, toMs: nowMs - byMs + halfMs });
      const span = around(shiftMs);
      // The scale of a wider stretch: it must not jump while the curve runs.
      const range = rangeOf(curve, span.fromMs - 4 * halfMs, span.toMs + 4 * halfMs);
      line.current?.setAttribute('d', range ? pathOf(curve, span, range, size) : '');
      ghost.current?.setAttribute('d', range && shiftMs !== 0 ? pathOf(curve, around(0), range, size) : '');
      if (labels.current) {
        labels.current.textContent = range
          ? `Height: ${range[0].toFixed(1)} to ${range[1].toFixed(1)} ${curve.unit}`
          : 'no samples near this moment';
      }
    },
    [curve, halfMs, shiftMs],
  );
  useEffect(() => {
    draw(clock.nowMs());
    return clock.onTick(draw);
  }, [clock, draw]);

  const onDown = (event: PointerEvent<SVGSVGElement>) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    dragFrom.current = { x: event.clientX, shiftMs };
    setDragging(true);
  };
  const onMove = (event: PointerEvent<SVGSVGElement>) => {
    const from = dragFrom.current;
    const width = box.current?.getBoundingClientRect().width ?? 0;
    if (!from || width === 0) return;
    onShift(Math.round(from.shiftMs + ((event.clientX - from.x) / width) * 2 * halfMs));
  };
  const onEnd = () => {
    dragFrom.current = null;
    setDragging(false);
  };
  const onKey = (event: KeyboardEvent) => {
    const steps: Readonly<Record<string, number>> = {
      ArrowLeft: event.shiftKey ? -100 : -10,
      ArrowRight: event.shiftKey ? 100 : 10,
      PageDown: -1000,
      PageUp: 1000,
    };
    const step = steps[event.key];
    if (step === undefined && event.key !== 'Home') return;
    event.preventDefault();
    event.stopPropagation(); // the arrows step the videos elsewhere
    onShift(step === undefined ? 0 : shiftMs + step);
  };
  return (
    <div className={classes.slider}>
      <svg
        ref={box}
        className={classes.sliderBox}
        data-dragging={isDragging}
        viewBox={`0 0 ${size.width} ${size.height}`}
        preserveAspectRatio="none"
        role="slider"
        tabIndex={0}
        aria-label={`Drag the curve: ${curve.name}, ${curve.unit}`}
        aria-valuenow={shiftMs}
        aria-valuemin={-3_600_000}
        aria-valuemax={3_600_000}
        aria-valuetext={formatShift(shiftMs)}
        onPointerDown={onDown}
        onPointerMove={onMove}
        onPointerUp={onEnd}
        onPointerCancel={onEnd}
        onKeyDown={onKey}
      >
        <path ref={ghost} className={classes.sliderGhost} vectorEffect="non-scaling-stroke" />
        <path ref={line} className={classes.sliderLine} vectorEffect="non-scaling-stroke" />
        <line
          className={classes.sliderNow}
          x1={size.width / 2}
          x2={size.width / 2}
          y1={0}
          y2={size.height}
          vectorEffect="non-scaling-stroke"
        />
      </svg>
      <div className={classes.sliderFacts}>
        <span>−{halfMs / 1000} s</span>
        <span>frame shown</span>
        <span>+{halfMs / 1000} s</span>
      </div>
      <div className={classes.muted} ref={labels} />
    </div>
  );
}
