import type { MasterClock, SceneSpan } from '../model.ts';
import { gutterPx, type StageElements, type StageRow } from './stageParts.ts';
import { keptWithin, leastViewMs, pannedView, zoomedView } from './timeAxis.ts';

/** Less is a click with an unsteady hand. */
const leastDragPx = 4;

interface PointerDeps {
  readonly elements: StageElements;
  readonly clock: MasterClock;
  readonly rows: ReadonlySet<StageRow>;
  plotPx(): number;
  scene(): SceneSpan;
  view(): SceneSpan;
  setView(view: SceneSpan): void;
  timeText(ms: number): string;
}
type Drag =
  | { readonly kind: 'seek' }
  | { readonly kind: 'zoom'; readonly fromX: number }
  | { readonly kind: 'pan'; readonly fromX: number; readonly view: SceneSpan };

/**
 * The mouse on the charts: a click or drag seeks; dragging the axis, or with Shift, chooses a stretch to zoom to;
 * dragging with Alt or the middle button moves the view; the wheel zooms about the pointer, with Shift it moves.
 */
export function attachPointer(deps: PointerDeps): {
  isDragging(): boolean;
  /** The view changed under a pointer that rests. */
  refresh(): void;
  remove(): void;
} {
  const { elements, clock } = deps;
  const { root, hover, hoverText, selection } = elements;
  let drag: Drag | null = null;
  /** Pixels from the left of the axis, and the row under it; null: not over the charts. */
  let at: { x: number; clientY: number; row: StageRow | null } | null = null;

  const msAt = (x: number) => {
    const { fromMs, toMs } = deps.view();
    return fromMs + (x / deps.plotPx()) * (toMs - fromMs);
  };
  const msPerPx = () => (deps.view().toMs - deps.view().fromMs) / deps.plotPx();
  const within = (x: number) => Math.max(0, Math.min(deps.plotPx(), x));
  const xOf = (event: MouseEvent) =>
    event.clientX - root.getBoundingClientRect().left - root.clientLeft - gutterPx;
  const targetOf = (event: Event) => (event.target instanceof Element ? event.target : null);
  const rowOf = (event: Event) => {
    const target = targetOf(event);
    return [...deps.rows].find((row) => target !== null && row.element.contains(target)) ?? null;
  };
  const isOnPlot = (event: MouseEvent) => {
    const x = xOf(event);
    return x >= 0 && x <= deps.plotPx() && !targetOf(event)?.closest('button, input, [data-no-seek]');
  };

  function showHover(): void {
    const isOn = at !== null && drag?.kind !== 'pan' && deps.plotPx() > 0;
    hover.style.visibility = isOn ? 'visible' : 'hidden';
    if (!isOn || !at) return;
    const ms = msAt(at.x);
    hover.style.transform = `translateX(${at.x}px)`;
    const { row } = at;
    const y = row ? at.clientY - row.element.getBoundingClientRect().top : 0;
    const text = [deps.timeText(ms), ...(row?.readAt?.(ms, y, msPerPx()) ?? [])].join('\n');
    if (hoverText.textContent !== text) hoverText.textContent = text;
    const top = at.clientY - root.getBoundingClientRect().top;
    // On the side with more room, so that it never hides what the pointer is at.
    hoverText.dataset.side = at.x > deps.plotPx() * 0.6 ? 'left' : 'right';
    const roomPx = elements.overlay.clientHeight - hoverText.offsetHeight - 2;
    hoverText.style.top = `${Math.max(2, Math.min(roomPx, top + 14))}px`;
  }

  function seek(event: PointerEvent, isScrubbing: boolean): void {
    const x = within(xOf(event));
    clock.seek(msAt(x), { isScrubbing });
  }

  function onDown(event: PointerEvent): void {
    if ((event.button !== 0 && event.button !== 1) || drag || !isOnPlot(event)) return;
    const x = xOf(event);
    const isAxis = targetOf(event)?.closest('[data-axis]') !== null;
    if (event.button === 1 || event.altKey) drag = { kind: 'pan', fromX: x, view: deps.view() };
    else if (event.shiftKey || isAxis) drag = { kind: 'zoom', fromX: x };
    else {
      const ms = msAt(x);
      const row = rowOf(event);
      const y = row ? event.clientY - row.element.getBoundingClientRect().top : 0;
      const snapped = row?.snapAt?.(ms, y, msPerPx()) ?? null;
      drag = { kind: 'seek' };
      if (snapped === null) seek(event, true);
      else {
        clock.seek(snapped);
        drag = null;
        return;
      }
    }
    root.setPointerCapture(event.pointerId);
    event.preventDefault(); // no text is marked, and the middle button does not scroll
  }

  function onMove(event: PointerEvent): void {
    const x = xOf(event);
    at =
      drag || isOnPlot(event)
        ? { x: within(x), clientY: event.clientY, row: drag ? (at?.row ?? null) : rowOf(event) }
        : null;
    if (drag?.kind === 'seek') seek(event, true);
    else if (drag?.kind === 'zoom') {
      const [left, right] = [within(Math.min(drag.fromX, x)), within(Math.max(drag.fromX, x))];
      selection.style.visibility = right - left >= leastDragPx ? 'visible' : 'hidden';
      selection.style.transform = `translateX(${left}px)`;
      selection.style.width = `${right - left}px`;
    } else if (drag?.kind === 'pan') {
      deps.setView(pannedView(drag.view, (drag.fromX - x) * msPerPx(), deps.scene()));
    }
    showHover();
  }

  function onUp(event: PointerEvent): void {
    const ended = drag;
    drag = null;
    selection.style.visibility = 'hidden';
    if (ended?.kind === 'seek') seek(event, false);
    if (ended?.kind !== 'zoom') return;
    const x = xOf(event);
    const [left, right] = [within(Math.min(ended.fromX, x)), within(Math.max(ended.fromX, x))];
    if (right - left < leastDragPx) return seek(event, false);
    const fromMs = msAt(left);
    deps.setView(keptWithin({ fromMs, toMs: Math.max(fromMs + leastViewMs, msAt(right)) }, deps.scene()));
  }
  function onCancel(): void {
    drag = null;
    selection.style.visibility = 'hidden';
  }
  function onLeave(): void {
    if (drag) return;
    at = null;
    showHover();
  }

  function onWheel(event: WheelEvent): void {
    // Over the names the wheel scrolls the rows; with Ctrl it is the window's own zoom.
    if (!isOnPlot(event) || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const pixels = (delta: number) => delta * (event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 33 : 1);
    const sideways = event.shiftKey && event.deltaX === 0 ? event.deltaY : event.deltaX;
    const view = deps.view();
    if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      deps.setView(pannedView(view, pixels(sideways) * msPerPx(), deps.scene()));
    } else deps.setView(zoomedView(view, 1.0018 ** pixels(event.deltaY), msAt(xOf(event)), deps.scene()));
  }
  function onDouble(event: MouseEvent): void {
    if (targetOf(event)?.closest('[data-axis]')) deps.setView(keptWithin(deps.scene(), deps.scene()));
  }

  root.addEventListener('pointerdown', onDown);
  root.addEventListener('pointermove', onMove);
  root.addEventListener('pointerup', onUp);
  root.addEventListener('pointercancel', onCancel);
  root.addEventListener('pointerleave', onLeave);
  root.addEventListener('wheel', onWheel, { passive: false });
  root.addEventListener('dblclick', onDouble);
  return {
    isDragging: () => drag !== null,
    refresh: showHover,
    remove() {
      root.removeEventListener('pointerdown', onDown);
      root.removeEventListener('pointermove', onMove);
      root.removeEventListener('pointerup', onUp);
      root.removeEventListener('pointercancel', onCancel);
      root.removeEventListener('pointerleave', onLeave);
      root.removeEventListener('wheel', onWheel);
      root.removeEventListener('dblclick', onDouble);
    },
  };
}
