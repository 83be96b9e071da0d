import { useEffect, useRef, type KeyboardEvent } from 'react';
import { useStore } from 'zustand';
import { formatMoment, momentZoneName, type MomentZone } from '../marks/momentText.ts';
import type { Review } from '../model.ts';
import { chartInks } from './inks.ts';
import { axisPx, paintAxis, prepareCanvas } from './lanePaint.ts';
import type { ChartStage } from './stage.ts';
import { gutterPx, rightPx } from './stageParts.ts';
import { keptWithin, pannedView } from './timeAxis.ts';
import classes from './charts.module.css';

const overviewPx = 10;

/** The shared axis: drag it to zoom; below it the whole scene with the part in view, to be moved. */
export function TimeAxis({
  stage,
  review,
  zone,
}: {
  stage: ChartStage | null;
  review: Review;
  zone: MomentZone;
}) {
  const axis = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const overview = useRef<HTMLCanvasElement>(null);
  const thumb = useRef<HTMLDivElement>(null);
  const name = useRef<HTMLSpanElement>(null);
  const scene = useStore(review.store, (state) => state.scene);

  useEffect(
    () =>
      stage?.onPaint((frame) => {
        if (canvas.current) paintAxis(canvas.current, frame);
        const zoneName = momentZoneName(frame.view.fromMs, frame.zone);
        if (name.current && name.current.textContent !== zoneName) name.current.textContent = zoneName;
        if (!overview.current || !thumb.current) return;
        const perMs = frame.plotPx / Math.max(1, scene.toMs - scene.fromMs);
        const context = prepareCanvas(overview.current, frame.plotPx, overviewPx, frame.ratio);
        if (context) {
          context.fillStyle = chartInks[frame.scheme].zero;
          for (const { segments } of scene.channels)
            for (const { startMs, endMs } of segments)
              context.fillRect(
                (startMs - scene.fromMs) * perMs,
                3,
                Math.max(1, (endMs - startMs) * perMs),
                4,
              );
        }
        thumb.current.style.transform = `translateX(${(frame.view.fromMs - scene.fromMs) * perMs}px)`;
        thumb.current.style.width = `${Math.max(8, (frame.view.toMs - frame.view.fromMs) * perMs)}px`;
      }),
    [stage, scene],
  );
  useEffect(() => {
    let heardMs = NaN;
    return stage?.onCursor((ms) => {
      // A screen reader is told where things came to rest, and each second on the way.
      if (!axis.current || (review.clock.state.getState().isPlaying && Math.abs(ms - heardMs) < 1000)) return;
      heardMs = ms;
      axis.current.setAttribute('aria-valuenow', String(Math.round(ms)));
      axis.current.setAttribute('aria-valuetext', formatMoment(ms, zone));
    });
  }, [stage, review, zone]);

  /** As a slider the axis has its own arrows; by frames the player steps, from anywhere else. */
  function onKeyDown(event: KeyboardEvent): void {
    if (!stage || event.ctrlKey || event.metaKey || event.altKey) return;
    const view = stage.view();
    const span = view.toMs - view.fromMs;
    const nowMs = review.clock.nowMs();
    if (event.key === 'ArrowLeft') review.clock.seek(nowMs - span / 100);
    else if (event.key === 'ArrowRight') review.clock.seek(nowMs + span / 100);
    else if (event.key === 'Home') review.clock.seek(scene.fromMs);
    else if (event.key === 'End') review.clock.seek(scene.toMs);
    else if (event.key === 'PageUp') stage.setView(pannedView(view, -0.8 * span, scene));
    else if (event.key === 'PageDown') stage.setView(pannedView(view, 0.8 * span, scene));
    else return;
    event.preventDefault();
  }
  /** Pointer on the whole scene: the view goes where it is pressed, and along with it. */
  function moveTo(clientX: number, element: HTMLElement): void {
    if (!stage) return;
    const box = element.getBoundingClientRect();
    const ms = scene.fromMs + ((clientX - box.left) / box.width) * (scene.toMs - scene.fromMs);
    const view = stage.view();
    const half = (view.toMs - view.fromMs) / 2;
    stage.setView(keptWithin({ fromMs: ms - half, toMs: ms + half }, scene));
  }

  return (
    <>
      <div
        ref={axis}
        data-axis
        className={classes.axis}
        style={{ height: axisPx, paddingLeft: gutterPx }}
        role="slider"
        tabIndex={0}
        aria-label="Time in the scene. Arrows move by a hundredth of what is shown, page up and down move the view, plus and minus zoom, 0 shows all."
        aria-valuemin={Math.round(scene.fromMs)}
        aria-valuemax={Math.round(scene.toMs)}
        aria-valuenow={Math.round(review.clock.nowMs())}
        onKeyDown={onKeyDown}
      >
        <span ref={name} className={classes.axisZone} />
        <canvas ref={canvas} aria-hidden />
      </div>
      <div
        className={classes.overview}
        style={{ marginLeft: gutterPx, marginRight: rightPx, height: overviewPx }}
        data-no-seek
        title="The whole scene; drag to move the part that is shown"
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          moveTo(event.clientX, event.currentTarget);
        }}
        onPointerMove={(event) => {
          if (event.buttons === 1) moveTo(event.clientX, event.currentTarget);
        }}
      >
        <canvas ref={overview} aria-hidden />
        <div ref={thumb} className={classes.thumb} />
      </div>
    </>
  );
}
