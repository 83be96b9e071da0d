import { formatMomentTime, momentZoneName } from '../marks/momentText.ts';
import type { Review, SceneSpan } from '../model.ts';
import {
  gutterPx,
  rightPx,
  type Frame,
  type StageElements,
  type StageLook,
  type StageRow,
} from './stageParts.ts';
import { attachPointer } from './stagePointer.ts';
import { axisTicks, keptWithin, viewWith, zoomedView } from './timeAxis.ts';

export interface ChartStage {
  /** Draws with every change of the view; returns the end of it. */
  onPaint(painter: (frame: Frame) => void): () => void;
  /** Hears the clock's time, once for every drawn frame. */
  onCursor(listener: (sceneMs: number) => void): () => void;
  addRow(row: StageRow): () => void;
  setLook(look: StageLook): void;
  repaint(): void;
  view(): SceneSpan;
  /** The look changes with the next frame, however many of these come before it. */
  setView(view: SceneSpan): void;
  /** Below 1 zooms in; about the clock's cursor where that is in sight, else about the middle. */
  zoom(factor: number): void;
  showAll(): void;
  remove(): void;
}

/**
 * The part of the charts that lives outside of React: the shared axis, the clock's cursor, pointer, wheel and keys. A
 * frame of playback moves one element and writes a few numbers; a frame of zooming draws every open row once.
 */
export function attachStage(
  elements: StageElements,
  review: Pick<Review, 'clock' | 'store'>,
  firstLook: StageLook,
): ChartStage {
  const { clock, store } = review;
  const { root, cursor } = elements;
  const painters = new Set<(frame: Frame) => void>();
  const cursorListeners = new Set<(sceneMs: number) => void>();
  const rows = new Set<StageRow>();
  let look = firstLook;
  let pendingView: SceneSpan | null = null;
  let pendingFrame = 0;
  let plotPx = 0;
  let cursorMs = clock.nowMs();
  let wasPlaying = clock.state.getState().isPlaying;

  const scene = () => store.getState().scene;
  const view = () => pendingView ?? store.getState().view;
  const xOf = (ms: number, { fromMs, toMs } = view()) => ((ms - fromMs) / (toMs - fromMs)) * plotPx;

  function repaint(): void {
    pendingFrame ||= requestAnimationFrame(paint);
  }
  function paint(): void {
    pendingFrame = 0;
    if (pendingView) {
      const next = pendingView;
      pendingView = null;
      store.setState({ view: next });
      // Hearing of the new view asked for a frame that is this one.
      cancelAnimationFrame(pendingFrame);
      pendingFrame = 0;
    }
    plotPx = Math.max(0, root.clientWidth - gutterPx - rightPx);
    if (plotPx < 40) return;
    const now = view();
    const frame: Frame = {
      view: now,
      plotPx,
      ticks: axisTicks(now, Math.max(2, Math.floor(plotPx / 110)), look.zone),
      zone: look.zone,
      scheme: look.scheme,
      ratio: window.devicePixelRatio || 1,
    };
    for (const painter of painters) painter(frame);
    placeCursor();
    placeRange();
    pointer.refresh();
  }

  function placeCursor(): void {
    const x = xOf(cursorMs);
    cursor.style.visibility = plotPx > 0 && x >= 0 && x <= plotPx ? 'visible' : 'hidden';
    cursor.style.transform = `translateX(${x - 0.5}px)`;
    cursor.dataset.sceneMs = String(cursorMs);
  }
  /** In and out point as a shade between two lines; one of them alone as its line. */
  function placeRange(): void {
    const { inMs, outMs } = store.getState();
    const { range } = elements;
    const fromMs = inMs ?? outMs;
    const toMs = outMs ?? inMs;
    range.style.visibility = fromMs === null ? 'hidden' : 'visible';
    if (fromMs === null || toMs === null) return;
    const left = Math.max(-4, Math.min(plotPx + 4, xOf(fromMs)));
    const right = Math.max(left, Math.min(plotPx + 4, xOf(toMs)));
    range.style.transform = `translateX(${left}px)`;
    range.style.width = `${right - left}px`;
    range.dataset.in = String(inMs !== null);
    range.dataset.out = String(outMs !== null);
  }

  function onTick(sceneMs: number): void {
    const { isPlaying } = clock.state.getState();
    const now = view();
    const wasInside = cursorMs >= now.fromMs && cursorMs <= now.toMs;
    cursorMs = sceneMs;
    // Playback turns the page where it runs out of the picture; whoever looks elsewhere is left alone. A jump (also
    // a step of a frame) is meant to be seen.
    const isJump = !isPlaying && !wasPlaying;
    if (!pointer.isDragging() && (isJump || wasInside)) {
      const next = viewWith(now, sceneMs, isJump ? 0.5 : 0.08, scene());
      if (next !== now) setView(next);
    }
    wasPlaying = isPlaying;
    placeCursor();
    for (const listener of cursorListeners) listener(sceneMs);
  }

  function setView(next: SceneSpan): void {
    pendingView = next;
    repaint();
  }
  function zoom(factor: number): void {
    const now = view();
    const isSeen = cursorMs >= now.fromMs && cursorMs <= now.toMs;
    setView(zoomedView(now, factor, isSeen ? cursorMs : (now.fromMs + now.toMs) / 2, scene()));
  }
  const showAll = () => setView(keptWithin(scene(), scene()));

  const pointer = attachPointer({
    elements,
    clock,
    rows,
    plotPx: () => plotPx,
    scene,
    view,
    setView,
    timeText: (ms) => `${formatMomentTime(ms, look.zone)} ${momentZoneName(ms, look.zone)}`,
  });

  function onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const target = event.target instanceof Element ? event.target : null;
    if (target?.closest('input, textarea, select, [contenteditable="true"], [role="dialog"], [role="menu"]'))
      return;
    if (event.key === '+' || event.key === '=') zoom(0.5);
    else if (event.key === '-' || event.key === '_') zoom(2);
    else if (event.key === '0') showAll();
    else return;
    event.preventDefault();
  }
  document.addEventListener('keydown', onKey);

  const observer = new ResizeObserver(repaint);
  observer.observe(root);
  const ends = [
    clock.onTick(onTick),
    store.subscribe((now, before) => {
      if (now.view !== before.view || now.inMs !== before.inMs || now.outMs !== before.outMs) repaint();
    }),
    () => document.removeEventListener('keydown', onKey),
    () => observer.disconnect(),
    () => pointer.remove(),
    () => cancelAnimationFrame(pendingFrame),
  ];
  repaint();

  return {
    onPaint(painter) {
      painters.add(painter);
      repaint();
      return () => painters.delete(painter);
    },
    onCursor(listener) {
      cursorListeners.add(listener);
      listener(cursorMs);
      return () => cursorListeners.delete(listener);
    },
    addRow(row) {
      rows.add(row);
      return () => rows.delete(row);
    },
    setLook(next) {
      look = next;
      repaint();
      for (const listener of cursorListeners) listener(cursorMs);
    },
    repaint,
    view,
    setView,
    zoom,
    showAll,
    remove: () => ends.forEach((end) => end()),
  };
}
