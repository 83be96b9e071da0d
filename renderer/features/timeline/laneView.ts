import type { TripId } from '../../../shared/ids.ts';
import type { Scheme } from '../map/colors.ts';
import { tripAt, type Lane, type LaneTrip, type TimeSpan } from './lanes.ts';
import {
  axisHeightPx,
  msAt,
  paintLaneAxis,
  paintLanes,
  topSpeedKmh,
  xOf,
  type LaneFrame,
} from './lanePaint.ts';
import { wheelRange } from './plotData.ts';
import type { TimelineCallbacks } from './timelineView.ts';

export interface LaneContent {
  readonly lanes: readonly Lane[];
  readonly zone: string;
  readonly scheme: Scheme;
  readonly range: TimeSpan | null;
  readonly limits: TimeSpan | null;
}
export interface LaneCallbacks extends TimelineCallbacks {
  /** A trip of a lane was clicked. */
  readonly onTrip: (tripId: TripId) => void;
}
export interface LaneView {
  show(content: LaneContent): void;
  setCursor(ms: number | null): void;
  remove(): void;
}

const leastLanePx = 12;
const mostLanePx = 46;
const labelPx = 140;
const leastDragPx = 4;
/** How far beside a trip's sliver a click still means it. */
const reachPx = 5;

/** One lane for each camera on an absolute time axis: drag or turn the wheel to zoom, click a trip to go to it. */
export function attachLanes(element: HTMLElement, callbacks: LaneCallbacks): LaneView {
  const make = <K extends keyof HTMLElementTagNameMap>(tag: K, style: string, parent: HTMLElement) => {
    const made = document.createElement(tag);
    made.style.cssText = style;
    parent.append(made);
    return made;
  };
  const scroller = make('div', 'position:relative;overflow:hidden auto;cursor:crosshair', element);
  const canvas = make('canvas', 'display:block', scroller);
  const mark = 'position:absolute;top:0;left:0;pointer-events:none;visibility:hidden;';
  const cursor = make('div', `${mark}width:1px;background:currentColor;opacity:0.7`, scroller);
  const hovered = make('div', `${mark}border:1.5px solid currentColor;border-radius:2px`, scroller);
  const dragged = make('div', `${mark}background:currentColor;opacity:0.14`, scroller);
  const axis = make('canvas', 'display:block', element);
  canvas.setAttribute('role', 'img');
  axis.setAttribute('aria-hidden', 'true');

  let content: LaneContent | null = null;
  let frame: LaneFrame | null = null;
  let top = 0;
  let topOf: readonly Lane[] | null = null;
  let cursorMs: number | null = null;
  let drag: { fromX: number } | null = null;
  let rangeTimer: ReturnType<typeof setTimeout> | undefined;
  let pending = 0;
  /** Whoever still holds the view may call it once more before it hears of the end. */
  let isRemoved = false;

  const shownRange = () => content && (content.range ?? content.limits);

  function paint(): void {
    pending = 0;
    const range = shownRange();
    const { clientWidth: width, clientHeight: height } = element;
    frame = null;
    if (!content || !range || content.lanes.length === 0 || width < labelPx + 80 || height < 60) return;
    const { lanes, scheme, zone } = content;
    const roomPx = height - axisHeightPx;
    const lanePx = Math.max(leastLanePx, Math.min(mostLanePx, Math.floor(roomPx / lanes.length)));
    scroller.style.height = `${roomPx}px`;
    const spanMs = range.toMs - range.fromMs;
    // One single instant still needs an axis around it.
    const shown = spanMs > 0 ? range : { fromMs: range.fromMs - 30_000, toMs: range.toMs + 30_000 };
    frame = { widthPx: scroller.clientWidth, labelPx, lanePx, range: shown };
    if (topOf !== lanes) {
      top = topSpeedKmh(lanes);
      topOf = lanes;
    }
    const lanesPx = lanes.length * lanePx;
    paintLanes(prepare(canvas, frame.widthPx, lanesPx), lanes, frame, top, scheme, zone);
    paintLaneAxis(prepare(axis, frame.widthPx, axisHeightPx), frame, top, scheme, zone);
    element.style.color = scheme === 'dark' ? '#dfe6ea' : '#1b2a33';
    cursor.style.height = `${lanesPx}px`;
    dragged.style.height = `${lanesPx}px`;
    const trips = lanes.reduce((sum, lane) => sum + lane.trips.length, 0);
    canvas.setAttribute('aria-label', `What ${lanes.length} cameras recorded over time, ${trips} trips`);
    placeCursor();
    // A step is two pixels wide: what is finer can't be seen.
    callbacks.onWidth(Math.round((frame.widthPx - labelPx) / 2));
  }
  function repaint(): void {
    if (pending === 0 && !isRemoved) pending = requestAnimationFrame(paint);
  }

  function placeCursor(): void {
    const x = cursorMs === null || !frame ? -1 : xOf(frame, cursorMs);
    const isIn = frame !== null && x >= labelPx && x <= frame.widthPx;
    cursor.style.visibility = isIn ? 'visible' : 'hidden';
    cursor.style.transform = `translateX(${Math.round(x)}px)`;
  }

  /** Where the pointer is: the instant, and the trip under it. */
  function read(event: MouseEvent): { x: number; ms: number; lane: number; trip: LaneTrip | null } | null {
    if (!frame || !content) return null;
    const box = canvas.getBoundingClientRect();
    const x = event.clientX - box.left;
    const lane = Math.floor((event.clientY - box.top) / frame.lanePx);
    const ms = msAt(frame, x);
    const found = content.lanes[lane];
    const reachMs = msAt(frame, reachPx) - msAt(frame, 0);
    return { x, ms, lane, trip: found && x >= labelPx ? tripAt(found, ms, reachMs) : null };
  }
  function outline(at: ReturnType<typeof read>): void {
    const { trip, lane } = at ?? {};
    hovered.style.visibility = frame && trip ? 'visible' : 'hidden';
    scroller.style.cursor = trip ? 'pointer' : 'crosshair';
    if (!frame || !trip || lane === undefined) return;
    const left = Math.max(labelPx, xOf(frame, trip.fromMs));
    hovered.style.transform = `translate(${left - 2}px, ${lane * frame.lanePx}px)`;
    hovered.style.width = `${Math.max(2, xOf(frame, trip.toMs) - left) + 4}px`;
    hovered.style.height = `${frame.lanePx}px`;
    hovered.style.boxSizing = 'border-box';
  }

  function onMove(event: PointerEvent): void {
    const at = read(event);
    if (!at) return;
    const { x, ms } = at;
    cursorMs = x < labelPx ? null : ms;
    placeCursor();
    callbacks.onCursor(cursorMs);
    if (!drag) return outline(at);
    const [left, right] = [Math.max(labelPx, Math.min(drag.fromX, x)), Math.max(drag.fromX, x)];
    dragged.style.visibility = right - left >= leastDragPx ? 'visible' : 'hidden';
    dragged.style.transform = `translateX(${left}px)`;
    dragged.style.width = `${right - left}px`;
  }
  function onDown(event: PointerEvent): void {
    const at = read(event);
    if (event.button !== 0 || !at || at.x < labelPx || at.x > scroller.clientWidth) return;
    drag = { fromX: at.x };
    scroller.setPointerCapture(event.pointerId);
  }
  function onUp(event: PointerEvent): void {
    const at = read(event);
    const from = drag?.fromX;
    drag = null;
    dragged.style.visibility = 'hidden';
    if (!at || !frame || from === undefined) return;
    if (Math.abs(at.x - from) < leastDragPx) {
      if (at.trip) callbacks.onTrip(at.trip.tripId);
      return;
    }
    const [a, b] = [Math.max(labelPx, Math.min(from, at.x)), Math.max(from, at.x)];
    const range = { fromMs: msAt(frame, a), toMs: msAt(frame, b) };
    if (range.toMs - range.fromMs >= 1000) callbacks.onRange(range);
  }
  function onLeave(): void {
    if (drag) return;
    cursorMs = null;
    placeCursor();
    outline(null);
    callbacks.onCursor(null);
  }
  function onWheel(event: WheelEvent): void {
    const range = shownRange();
    const at = read(event);
    // Over the names the wheel scrolls, when there are more lanes than room.
    if (!content?.limits || !range || !at || at.x < labelPx) return;
    event.preventDefault();
    const next = wheelRange(event, range, at.ms, content.limits);
    content = { ...content, range: next };
    repaint();
    clearTimeout(rangeTimer);
    const { limits } = content;
    // The picture follows the wheel at once; finer data is asked for when it rests.
    rangeTimer = setTimeout(() => {
      const isAll = limits && next.fromMs === limits.fromMs && next.toMs === limits.toMs;
      callbacks.onRange(isAll ? null : next);
    }, 140);
  }
  const onDouble = () => callbacks.onRange(null);
  scroller.addEventListener('pointermove', onMove);
  scroller.addEventListener('pointerdown', onDown);
  scroller.addEventListener('pointerup', onUp);
  scroller.addEventListener('pointerleave', onLeave);
  scroller.addEventListener('wheel', onWheel, { passive: false });
  scroller.addEventListener('dblclick', onDouble);
  const observer = new ResizeObserver(repaint);
  observer.observe(element);

  return {
    show(next) {
      content = next;
      hovered.style.visibility = 'hidden';
      repaint();
    },
    setCursor(ms) {
      cursorMs = ms;
      placeCursor();
    },
    remove() {
      isRemoved = true;
      clearTimeout(rangeTimer);
      cancelAnimationFrame(pending);
      observer.disconnect();
      scroller.remove();
      axis.remove();
    },
  };
}

/** A canvas of a size in CSS pixels, sharp on this screen. */
function prepare(canvas: HTMLCanvasElement, widthPx: number, heightPx: number): CanvasRenderingContext2D {
  const ratio = window.devicePixelRatio || 1;
  canvas.width = Math.round(widthPx * ratio);
  canvas.height = Math.round(heightPx * ratio);
  canvas.style.width = `${widthPx}px`;
  canvas.style.height = `${heightPx}px`;
  const context = canvas.getContext('2d');
  if (!context) throw new Error('no 2d context for the lanes');
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  return context;
}
