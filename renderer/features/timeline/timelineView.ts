import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { TrackSeries } from '../../../shared/contract/trips.ts';
import type { Scheme } from '../map/colors.ts';
import { tickLabels, timeTicks } from './clock.ts';
import type { TimeSpan } from './lanes.ts';
import { commonGaps, isolatedPoints, timeSpan, toPlotData, wheelRange } from './plotData.ts';
import { drawCaption, drawGaps, inks } from './timelinePaint.ts';

export interface TimelineContent {
  readonly series: readonly TrackSeries[];
  /** One colour for each series, as on the map. */
  readonly colors: readonly string[];
  /** The series that is looked at: the others are drawn faint. Null: all alike. */
  readonly focused: number | null;
  readonly zone: string;
  readonly scheme: Scheme;
  /** What the user zoomed to; null shows all. */
  readonly range: TimeSpan | null;
  /** All that there is to see, to limit zooming out. */
  readonly limits: TimeSpan | null;
}
export interface TimelineCallbacks {
  readonly onCursor: (ms: number | null) => void;
  readonly onRange: (range: TimeSpan | null) => void;
  /** A click that was no drag, at this instant. */
  readonly onClick?: (ms: number) => void;
  /** How many steps of time are worth asking for. */
  readonly onWidth: (steps: number) => void;
}
export interface TimelineView {
  show(content: TimelineContent): void;
  /** Puts the cursor at an instant that comes from elsewhere (the map). */
  setCursor(ms: number | null): void;
  remove(): void;
}

const axisWidthPx = 46;
const font = '11px system-ui, sans-serif';

/** Speed over heading on one absolute time axis. */
export function attachTimeline(element: HTMLElement, callbacks: TimelineCallbacks): TimelineView {
  let content: TimelineContent | null = null;
  let plots: { speed: uPlot; heading: uPlot } | null = null;
  let gaps: [number, number][] = [];
  let isSettingCursor = false;
  /** Whoever still holds the view may call it once more before it hears of the end. */
  let isRemoved = false;
  let rangeTimer: ReturnType<typeof setTimeout> | undefined;
  const syncKey = `desk-timeline-${Math.random().toString(36).slice(2)}`;

  const shownRange = (): TimeSpan | null =>
    content && (content.range ?? content.limits ?? timeSpan(content.series));

  /** Heading as dots: a line from 359° over to 1° would be a wall that nobody drove. */
  const dots: uPlot.Series.PathBuilder = (plot, seriesIndex, from, to) => {
    const path = new Path2D();
    const times = plot.data[0];
    const values = plot.data[seriesIndex];
    const size = 2 * devicePixelRatio;
    for (let i = from; i <= to; i++) {
      const value = values?.[i];
      const time = times[i];
      if (value == null || time === undefined) continue;
      path.rect(
        plot.valToPos(time, 'x', true) - size / 2,
        plot.valToPos(value, 'y', true) - size / 2,
        size,
        size,
      );
    }
    return { stroke: null, fill: path };
  };

  function options(
    kind: 'speed' | 'heading',
    widthPx: number,
    heightPx: number,
    now: TimelineContent,
  ): uPlot.Options {
    const ink = inks[now.scheme];
    const isLower = kind === 'heading';
    return {
      width: widthPx,
      height: heightPx,
      ms: 1,
      padding: [isLower ? 9 : 5, 26, isLower ? 0 : 4, 0],
      legend: { show: false },
      focus: { alpha: 1 },
      cursor: {
        y: false,
        points: { size: 7 },
        sync: { key: syncKey, setSeries: false },
        drag: { x: true, y: false, setScale: false },
        bind: { dblclick: () => () => (callbacks.onRange(null), null) },
      },
      scales: {
        x: { time: false, range: () => toRange(shownRange()) },
        y: isLower
          ? { range: [0, 430] }
          : { range: (_plot, _min, max) => [0, Math.max(30, (max ?? 0) * 1.22)] },
      },
      axes: [
        {
          show: isLower,
          size: isLower ? 36 : 0,
          stroke: ink.text,
          font,
          grid: { stroke: ink.grid, width: 1 },
          ticks: { stroke: ink.grid, width: 1, size: 4 },
          splits: (_plot, _axis, min, max) =>
            timeTicks(min, max, Math.max(2, Math.floor(widthPx / 110)), now.zone),
          values: (_plot, splits) => tickLabels(splits, now.zone),
        },
        {
          size: axisWidthPx,
          stroke: ink.text,
          font,
          gap: 4,
          grid: { stroke: ink.grid, width: 1 },
          ticks: { show: false },
          ...(isLower
            ? {
                splits: () => [0, 90, 180, 270, 360],
                values: () =>
                  heightPx > 100 ? ['N 0°', 'E 90°', 'S 180°', 'W 270°', 'N'] : ['N', '', 'S', '', 'N'],
              }
            : { values: (_plot: uPlot, splits: number[]) => splits.map((value) => `${value}`) }),
        },
      ],
      series: [
        {},
        ...now.colors.map((color, at): uPlot.Series => {
          const isFaint = now.focused !== null && now.focused !== at;
          return isLower
            ? { show: !isFaint, stroke: color, fill: color, paths: dots, points: { show: false } }
            : {
                stroke: color,
                width: isFaint || now.colors.length > 4 ? 1 : 1.5,
                alpha: isFaint ? 0.22 : 1,
                points: {
                  show: !isFaint,
                  size: 4,
                  fill: color,
                  filter: (plot, index) => {
                    const [from, to] = plot.series[0]?.idxs ?? [0, -1];
                    return isolatedPoints(plot.data[index] ?? [], from, to);
                  },
                },
              };
        }),
      ],
      hooks: {
        drawClear: [(plot) => drawGaps(plot, gaps, now.scheme)],
        draw: [(plot) => drawCaption(plot, isLower ? 'Heading' : 'Speed, km/h', ink.text, now.scheme)],
        setCursor: [
          (plot) => {
            if (isSettingCursor || !plot.cursor.event) return;
            const { left } = plot.cursor;
            callbacks.onCursor(left === undefined || left < 0 ? null : plot.posToVal(left, 'x'));
          },
        ],
        setSelect: [
          (plot) => {
            const { left, width } = plot.select;
            if (width < 4) return;
            const range = { fromMs: plot.posToVal(left, 'x'), toMs: plot.posToVal(left + width, 'x') };
            plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
            if (range.toMs - range.fromMs >= 1000) callbacks.onRange(range);
          },
        ],
      },
    };
  }

  function build(): void {
    plots?.speed.destroy();
    plots?.heading.destroy();
    plots = null;
    const { clientWidth: width, clientHeight: height } = element;
    if (!content || content.series.length === 0 || width < 80 || height < 60) return;
    const speedHeight = Math.round((height - 34) * 0.62);
    const data = toPlotData(content.series);
    const speed = new uPlot(
      options('speed', width, speedHeight, content),
      [data.timesMs, ...data.speedKmh] as uPlot.AlignedData, // values may be undefined where a camera has no sample
      element,
    );
    const heading = new uPlot(
      options('heading', width, height - speedHeight, content),
      [data.timesMs, ...data.headingDeg] as uPlot.AlignedData, // as above
      element,
    );
    for (const plot of [speed, heading]) {
      plot.over.addEventListener('wheel', (event) => onWheel(event, plot), { passive: false });
      let pressedX = 0;
      plot.over.addEventListener('mousedown', (event) => (pressedX = event.clientX));
      plot.over.addEventListener('click', (event) => {
        // What was dragged has chosen a range.
        if (Math.abs(event.clientX - pressedX) >= 4) return;
        callbacks.onClick?.(plot.posToVal(event.clientX - plot.over.getBoundingClientRect().left, 'x'));
      });
      plot.over.addEventListener('mouseleave', () => callbacks.onCursor(null));
    }
    plots = { speed, heading };
    // Each step keeps its lowest and highest value: one step for two pixels loses nothing that could be seen.
    callbacks.onWidth(Math.round((width - axisWidthPx) / 2));
  }

  function onWheel(event: WheelEvent, plot: uPlot): void {
    event.preventDefault();
    const range = shownRange();
    if (!content?.limits || !range) return;
    const at = plot.posToVal(event.clientX - plot.over.getBoundingClientRect().left, 'x');
    const next = wheelRange(event, range, at, content.limits);
    content = { ...content, range: next };
    redraw();
    clearTimeout(rangeTimer);
    // The picture follows the wheel at once; finer data is asked for when it rests.
    rangeTimer = setTimeout(() => {
      const isAll =
        content?.limits && next.fromMs === content.limits.fromMs && next.toMs === content.limits.toMs;
      callbacks.onRange(isAll ? null : next);
    }, 140);
  }

  function redraw(): void {
    const range = shownRange();
    if (!plots || !range) return;
    gaps = content ? commonGaps(content.series, range.fromMs, range.toMs) : [];
    for (const plot of [plots.speed, plots.heading])
      plot.setScale('x', { min: range.fromMs, max: range.toMs });
  }

  const observer = new ResizeObserver(() => {
    build();
    redraw();
  });
  observer.observe(element);

  return {
    show(next) {
      if (isRemoved) return;
      const before = content;
      content = next;
      const range = shownRange();
      gaps = range ? commonGaps(next.series, range.fromMs, range.toMs) : [];
      const isSameLook =
        plots &&
        before?.scheme === next.scheme &&
        before.zone === next.zone &&
        before.focused === next.focused &&
        before.colors.join() === next.colors.join() &&
        next.series.length > 0;
      if (!isSameLook || !plots) return build();
      if (before.series !== next.series) {
        const data = toPlotData(next.series);
        plots.speed.setData([data.timesMs, ...data.speedKmh] as uPlot.AlignedData); // as in build
        plots.heading.setData([data.timesMs, ...data.headingDeg] as uPlot.AlignedData);
      }
      redraw();
    },
    setCursor(ms) {
      if (!plots) return;
      isSettingCursor = true;
      const left = ms === null ? -10 : plots.speed.valToPos(ms, 'x');
      const isIn = left >= 0 && left <= plots.speed.over.clientWidth;
      for (const plot of [plots.speed, plots.heading]) {
        plot.setCursor({ left: isIn ? left : -10, top: isIn ? 4 : -10 }, false);
      }
      isSettingCursor = false;
    },
    remove() {
      isRemoved = true;
      clearTimeout(rangeTimer);
      observer.disconnect();
      plots?.speed.destroy();
      plots?.heading.destroy();
      plots = null;
    },
  };
}

function toRange(range: TimeSpan | null): [number, number] {
  if (!range) return [0, 1];
  // One single instant still needs an axis around it.
  return range.toMs > range.fromMs
    ? [range.fromMs, range.toMs]
    : [range.fromMs - 30_000, range.toMs + 30_000];
}
