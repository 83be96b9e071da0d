import type { Columns } from './columns.ts';

export type SeriesStyle = 'line' | 'dash' | 'dots';

/**
 * Draws columns of a series in device pixels: lines where samples are far apart, bars from lowest to highest where
 * several share a pixel (a stroked zigzag of as many points costs ten times as much and shows no more). `dash` is
 * interrupted in both, so that it is told from a line without its colour; `dots` has no lines at all.
 */
export function paintColumns(
  context: CanvasRenderingContext2D,
  columns: Columns,
  style: SeriesStyle,
  left: number,
  toY: (value: number) => number,
  widthPx: number,
  ratio: number,
): void {
  if (columns.count === 0) return;
  if (style === 'dots') return paintDots(context, columns, left, toY, ratio);
  // One sample for each entry: it is a line through them.
  if (columns.samples <= columns.count * 1.25) paintLine(context, columns, style, left, toY, widthPx, ratio);
  else paintBars(context, columns, style, left, toY, widthPx);
}

function paintLine(
  context: CanvasRenderingContext2D,
  columns: Columns,
  style: SeriesStyle,
  left: number,
  toY: (value: number) => number,
  widthPx: number,
  ratio: number,
): void {
  const { count, firstX, lastX, first, last, isLinked } = columns;
  context.lineWidth = widthPx;
  context.lineJoin = 'round';
  context.setLineDash(style === 'dash' ? [5 * ratio, 4 * ratio] : []);
  context.beginPath();
  for (let i = 0; i < count; i++) {
    if (isLinked[i]) context.lineTo(left + firstX[i]!, toY(first[i]!));
    else context.moveTo(left + firstX[i]!, toY(first[i]!));
    if (lastX[i] !== firstX[i]) context.lineTo(left + lastX[i]!, toY(last[i]!));
  }
  context.stroke();
  context.setLineDash([]);
  // A sample between two gaps has no line; where there is room each sample is marked, to show what was recorded.
  const isRoomy = count > 1 && lastX[count - 1]! - firstX[0]! > count * 9 * ratio;
  const size = (isRoomy ? 3.5 : 2.5) * ratio;
  for (let i = 0; i < count; i++) {
    const isAlone = !isLinked[i] && !isLinked[i + 1];
    if (!isRoomy && !(isAlone || (i === count - 1 && !isLinked[i]))) continue;
    context.fillRect(left + firstX[i]! - size / 2, toY(first[i]!) - size / 2, size, size);
  }
}

/** Columns of a dash and of the room after it. */
const dashColumns = 5;

function paintBars(
  context: CanvasRenderingContext2D,
  columns: Columns,
  style: SeriesStyle,
  left: number,
  toY: (value: number) => number,
  widthPx: number,
): void {
  const { count, firstX, low, high, last, isLinked, column } = columns;
  for (let i = 0; i < count; i++) {
    // By the column's own number: dashes move with the picture instead of crawling through it.
    if (style === 'dash' && Math.floor(column[i]! / dashColumns) % 2 === 1) continue;
    let top = high[i]!;
    let bottom = low[i]!;
    // Reaching to where the column before ended makes it one line.
    if (isLinked[i] && i > 0) {
      if (last[i - 1]! > top) top = last[i - 1]!;
      if (last[i - 1]! < bottom) bottom = last[i - 1]!;
    }
    const y = toY(top);
    const height = Math.max(widthPx, toY(bottom) - y);
    context.fillRect(left + Math.floor(firstX[i]!), y, Math.max(1, Math.min(widthPx, 2)), height);
  }
}

function paintDots(
  context: CanvasRenderingContext2D,
  columns: Columns,
  left: number,
  toY: (value: number) => number,
  ratio: number,
): void {
  const { count, firstX, lastX, first, last, low, high } = columns;
  const isRoomy = count > 1 && lastX[count - 1]! - firstX[0]! > count * 9 * ratio;
  const size = (isRoomy ? 3.5 : 2) * ratio;
  const dot = (x: number, value: number) =>
    context.fillRect(left + x - size / 2, toY(value) - size / 2, size, size);
  for (let i = 0; i < count; i++) {
    dot(firstX[i]!, first[i]!);
    if (lastX[i] === firstX[i]) continue;
    dot(lastX[i]!, last[i]!);
    if (low[i] !== high[i]) {
      dot(firstX[i]!, low[i]!);
      dot(firstX[i]!, high[i]!);
    }
  }
}
