import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { SceneSpan } from '../model.ts';
import { createColumns, extremesInView, fillColumns } from './columns.ts';
import { chartInks } from './inks.ts';
import { pyramidOf } from './pyramid.ts';
import type { Scale } from './scales.ts';
import { paintColumns, type SeriesStyle } from './seriesPaint.ts';
import { gutterPx, rightPx, type Frame } from './stageParts.ts';

/** One line of a chart. */
export interface PlotSeries {
  readonly key: string;
  readonly timesMs: Float64Array;
  readonly values: Float64Array;
  readonly style: SeriesStyle;
  readonly color: string;
  readonly widthPx: number;
  /** A longer step is a gap and is not bridged. */
  readonly gapMs: number;
  /** Its own strays do not set the scale (a position that jumped makes 1,000 km/h); they run out of the chart. */
  readonly isStray?: boolean;
}
export interface PlotContent {
  readonly series: readonly PlotSeries[];
  readonly scale: (low: number, high: number) => Scale;
  readonly tickText: (value: number) => string;
  /** A level that is worth a line of its own, for instance the threshold. */
  readonly levels: readonly number[];
  /** Moments with a line across the chart. */
  readonly marks: readonly { readonly ms: number; readonly color: string }[];
}

const font = '10.5px system-ui, sans-serif';

/**
 * One chart: uPlot brings the scale, its numbers and a canvas that is sharp on every screen; the lines are drawn from
 * pyramids (pyramid.ts), since what uPlot would be given and stroke anew at each frame of a day is 800,000 samples.
 */
export function attachPlot(element: HTMLElement): {
  show(content: PlotContent): void;
  paint(frame: Frame): void;
  remove(): void;
} {
  let content: PlotContent | null = null;
  let frame: Frame | null = null;
  let scale: Scale = { min: 0, max: 1, splits: [] };
  let plot: uPlot | null = null;
  let madeFor = '';
  const columns = createColumns();

  function draw(u: uPlot): void {
    if (!content || !frame) return;
    const { ctx, bbox } = u;
    const ink = chartInks[frame.scheme];
    const { ratio } = frame;
    const toY = (value: number) =>
      bbox.top + bbox.height * (1 - (value - scale.min) / (scale.max - scale.min));
    const xOf = (ms: number) =>
      bbox.left + ((ms - frame!.view.fromMs) / (frame!.view.toMs - frame!.view.fromMs)) * bbox.width; // set above
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    ctx.fillStyle = ink.grid;
    for (const { ms } of frame.ticks) ctx.fillRect(Math.round(xOf(ms)), bbox.top, 1, bbox.height);
    for (const split of scale.splits) {
      ctx.fillStyle = split === 0 && scale.min < 0 ? ink.zero : ink.grid;
      ctx.fillRect(bbox.left, Math.round(toY(split)), bbox.width, Math.max(1, Math.round(ratio * 0.75)));
    }
    ctx.strokeStyle = ink.warn;
    ctx.lineWidth = ratio;
    ctx.setLineDash([2 * ratio, 4 * ratio]);
    for (const level of content.levels) {
      ctx.beginPath();
      ctx.moveTo(bbox.left, toY(level));
      ctx.lineTo(bbox.left + bbox.width, toY(level));
      ctx.stroke();
    }
    ctx.setLineDash([]);
    for (const { ms, color } of content.marks) {
      if (ms < frame.view.fromMs || ms > frame.view.toMs) continue;
      ctx.fillStyle = color;
      ctx.globalAlpha = 0.55;
      ctx.fillRect(Math.round(xOf(ms)), bbox.top, Math.max(1, ratio), bbox.height);
      ctx.globalAlpha = 1;
    }
    for (const one of content.series) {
      fillColumns(
        columns,
        one.timesMs,
        pyramidOf(one.values),
        frame.view,
        Math.max(1, Math.round(bbox.width)),
        one.gapMs,
      );
      ctx.fillStyle = ctx.strokeStyle = one.color;
      paintColumns(ctx, columns, one.style, bbox.left, toY, one.widthPx * ratio, ratio);
    }
    ctx.restore();
  }

  function make(heightPx: number, now: Frame): uPlot {
    const ink = chartInks[now.scheme];
    return new uPlot(
      {
        width: gutterPx + now.plotPx + rightPx,
        height: heightPx,
        ms: 1,
        padding: [20, rightPx, 5, 0],
        legend: { show: false },
        cursor: { show: false },
        scales: {
          x: { time: false, range: () => [now.view.fromMs, now.view.toMs] },
          y: { range: () => [scale.min, scale.max] },
        },
        axes: [
          { show: false },
          {
            size: gutterPx,
            gap: 6,
            font,
            stroke: ink.text,
            grid: { show: false },
            ticks: { show: false },
            splits: () => [...scale.splits],
            values: (_plot, splits) => splits.map((value) => content?.tickText(value) ?? ''),
          },
        ],
        series: [{}, { show: true, paths: () => null, points: { show: false } }],
        hooks: { draw: [draw] },
      },
      extentOf(now.view),
      element,
    );
  }

  return {
    show(next) {
      content = next;
    },
    paint(next) {
      frame = next;
      if (!content || element.clientHeight < 24) return;
      const extremes = extremesOfAll(content.series, next.view);
      scale = content.scale(extremes.low, extremes.high);
      const size = `${next.plotPx}|${element.clientHeight}|${next.scheme}|${next.ratio}`;
      if (!plot || madeFor !== size) {
        plot?.destroy();
        plot = make(element.clientHeight, next);
        madeFor = size;
        return;
      }
      const made = plot;
      made.batch(() => {
        made.setScale('y', { min: scale.min, max: scale.max });
        made.redraw(false, true);
      });
    },
    remove() {
      plot?.destroy();
      plot = null;
    },
  };
}

/** What the scale must hold; strays at most half as much again as the others. */
function extremesOfAll(series: readonly PlotSeries[], view: SceneSpan): { low: number; high: number } {
  let low = Infinity;
  let high = -Infinity;
  for (const isStray of [false, true]) {
    const most = isStray && high > 0 ? Math.max(40, high * 1.5) : Infinity;
    for (const one of series) {
      if ((one.isStray ?? false) !== isStray) continue;
      const found = extremesInView(one.timesMs, pyramidOf(one.values), view);
      if (found.low < low) low = found.low;
      if (Math.min(found.high, most) > high) high = Math.min(found.high, most);
    }
  }
  return low <= high ? { low, high } : { low: NaN, high: NaN };
}

/** uPlot wants data to have a scale at all; the values it would draw are drawn by `draw`. */
const extentOf = ({ fromMs, toMs }: SceneSpan): uPlot.AlignedData => [
  [fromMs, toMs],
  [0, 0],
];
