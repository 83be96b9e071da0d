import type { Scheme } from '../map/colors.ts';
import { tickLabels, timeTicks } from './clock.ts';
import { recordedStretches, type Lane, type TimeSpan } from './lanes.ts';
import { inks } from './timelinePaint.ts';

/** Where things are in the lanes' picture, CSS pixels. */
export interface LaneFrame {
  readonly widthPx: number;
  readonly labelPx: number;
  readonly lanePx: number;
  readonly range: TimeSpan;
}

export const axisHeightPx = 36;
/** Room right of the last instant, for the last tick's text. */
const rightPx = 26;
const bandPx = 3;
const leastBandPx = 2;

const laneInks = {
  light: { text: '#1b2a33', ground: '#f3f6f7', trip: 'rgba(85,98,107,0.16)', badgeText: '#ffffff' },
  dark: { text: '#dfe6ea', ground: '#20272c', trip: 'rgba(150,162,171,0.20)', badgeText: '#12181c' },
} as const;

export function xOf(frame: LaneFrame, ms: number): number {
  const { fromMs, toMs } = frame.range;
  return frame.labelPx + ((ms - fromMs) / (toMs - fromMs)) * (frame.widthPx - frame.labelPx - rightPx);
}
export function msAt(frame: LaneFrame, x: number): number {
  const { fromMs, toMs } = frame.range;
  return fromMs + ((x - frame.labelPx) / (frame.widthPx - frame.labelPx - rightPx)) * (toMs - fromMs);
}

/** Highest recorded speed of all lanes, km/h, rounded up to tens; 0 without any speed. Pure. */
export function topSpeedKmh(lanes: readonly Lane[]): number {
  let top = 0;
  for (const lane of lanes) for (const speed of lane.series?.speedKmh ?? []) if (speed > top) top = speed;
  return Math.ceil(top / 10) * 10;
}

/**
 * A lane for each camera: its name, its trips as faint fields, what it recorded as a solid band, and above the band
 * its speed. A trip's field without a band is a gap inside of it.
 */
export function paintLanes(
  context: CanvasRenderingContext2D,
  lanes: readonly Lane[],
  frame: LaneFrame,
  top: number,
  scheme: Scheme,
  zone: string,
): void {
  const { widthPx, labelPx, lanePx, range } = frame;
  const ink = laneInks[scheme];
  const heightPx = lanes.length * lanePx;
  context.clearRect(0, 0, widthPx, heightPx);
  context.fillStyle = ink.ground;
  lanes.forEach((_, i) => context.fillRect(labelPx, i * lanePx + 1, widthPx - labelPx - rightPx, lanePx - 2));
  paintTickLines(context, frame, heightPx, scheme, zone);
  lanes.forEach((lane, i) => {
    const y = i * lanePx;
    const base = y + lanePx - 2;
    paintLabel(context, lane, frame, y + lanePx / 2, ink);
    context.save();
    context.beginPath();
    context.rect(labelPx, y, widthPx - labelPx - rightPx, lanePx);
    context.clip();
    const inView = lane.trips.filter((trip) => trip.toMs >= range.fromMs && trip.fromMs <= range.toMs);
    context.fillStyle = ink.trip;
    for (const { fromMs, toMs } of inView) fillSpan(context, frame, fromMs, toMs, y + 1, lanePx - 2);
    context.fillStyle = lane.color;
    const stretches = lane.series
      ? recordedStretches(lane.series)
      : inView.map(({ fromMs, toMs }): [number, number] => [fromMs, toMs]);
    for (const [from, to] of stretches) fillSpan(context, frame, from, to, base - bandPx, bandPx);
    if (lane.series && top > 0) {
      paintSpeed(context, lane, frame, base - bandPx, (lanePx - 3 - bandPx) / top);
    }
    context.restore();
  });
}

/** What was recorded stays visible however far off it is looked at: never narrower than `leastBandPx`. */
function fillSpan(
  context: CanvasRenderingContext2D,
  frame: LaneFrame,
  fromMs: number,
  toMs: number,
  y: number,
  heightPx: number,
): void {
  const left = xOf(frame, fromMs);
  const right = xOf(frame, toMs);
  if (right < frame.labelPx || left > frame.widthPx) return;
  context.fillRect(left, y, Math.max(leastBandPx, right - left), heightPx);
}

function paintSpeed(
  context: CanvasRenderingContext2D,
  lane: Lane,
  frame: LaneFrame,
  base: number,
  pxPerKmh: number,
): void {
  const { timesMs, speedKmh } = lane.series ?? { timesMs: [], speedKmh: [] };
  const { fromMs, toMs } = frame.range;
  const area = new Path2D();
  const line = new Path2D();
  let startX: number | null = null;
  let lastX = 0;
  const close = () => {
    if (startX === null) return;
    area.lineTo(Math.max(lastX, startX + 1), base);
    area.lineTo(startX, base);
    area.closePath();
    startX = null;
  };
  for (let i = 0; i < timesMs.length; i++) {
    const ms = timesMs[i] ?? 0;
    const speed = speedKmh[i] ?? NaN;
    // One sample more on either side: lines run on beyond the edge.
    if ((timesMs[i + 1] ?? Infinity) < fromMs) continue;
    if ((timesMs[i - 1] ?? -Infinity) > toMs) break;
    if (Number.isNaN(speed)) {
      close();
      continue;
    }
    const x = xOf(frame, ms);
    const y = base - speed * pxPerKmh;
    if (startX === null) {
      startX = x;
      area.moveTo(x, base);
      line.moveTo(x, y);
    } else line.lineTo(x, y);
    area.lineTo(x, y);
    lastX = x;
  }
  close();
  context.globalAlpha = 0.3;
  context.fillStyle = lane.color;
  context.fill(area);
  context.globalAlpha = 1;
  context.strokeStyle = lane.color;
  context.lineWidth = 1;
  context.lineJoin = 'round';
  context.stroke(line);
}

function paintLabel(
  context: CanvasRenderingContext2D,
  lane: Lane,
  { labelPx, lanePx }: LaneFrame,
  middle: number,
  ink: (typeof laneInks)[Scheme],
): void {
  const size = Math.min(12.5, lanePx - 2);
  const badge = { width: 20, height: Math.min(15, lanePx - 2), left: 10 };
  context.fillStyle = lane.color;
  context.beginPath();
  context.roundRect(badge.left, middle - badge.height / 2, badge.width, badge.height, 3);
  context.fill();
  context.textBaseline = 'middle';
  context.textAlign = 'center';
  context.font = `700 ${size - 2}px system-ui, sans-serif`;
  context.fillStyle = ink.badgeText;
  context.fillText(lane.number ?? '?', badge.left + badge.width / 2, middle + 0.5);
  context.font = `${size}px system-ui, sans-serif`;
  context.textAlign = 'left';
  context.fillStyle = ink.text;
  context.fillText(
    shorten(context, lane.label, labelPx - badge.left - badge.width - 16),
    badge.left + badge.width + 6,
    middle + 0.5,
  );
}

function shorten(context: CanvasRenderingContext2D, text: string, widthPx: number): string {
  if (context.measureText(text).width <= widthPx) return text;
  let end = text.length;
  while (end > 1 && context.measureText(`${text.slice(0, end)}…`).width > widthPx) end--;
  return `${text.slice(0, end)}…`;
}

const ticksOf = (frame: LaneFrame, zone: string) =>
  timeTicks(
    frame.range.fromMs,
    frame.range.toMs,
    Math.max(2, Math.floor((frame.widthPx - frame.labelPx) / 110)),
    zone,
  );

function paintTickLines(
  context: CanvasRenderingContext2D,
  frame: LaneFrame,
  heightPx: number,
  scheme: Scheme,
  zone: string,
): void {
  context.strokeStyle = inks[scheme].grid;
  context.lineWidth = 1;
  context.beginPath();
  for (const ms of ticksOf(frame, zone)) {
    const x = Math.round(xOf(frame, ms)) + 0.5;
    context.moveTo(x, 0);
    context.lineTo(x, heightPx);
  }
  context.stroke();
}

/** The time axis below the lanes, and what a lane's height stands for. */
export function paintLaneAxis(
  context: CanvasRenderingContext2D,
  frame: LaneFrame,
  top: number,
  scheme: Scheme,
  zone: string,
): void {
  const ink = inks[scheme];
  context.clearRect(0, 0, frame.widthPx, axisHeightPx);
  context.font = '11px system-ui, sans-serif';
  context.fillStyle = ink.text;
  context.textBaseline = 'top';
  const ticks = ticksOf(frame, zone);
  tickLabels(ticks, zone).forEach((label, i) => {
    const x = xOf(frame, ticks[i] ?? 0);
    label.split('\n').forEach((text, row) => {
      // The first tick's text must not run into what stands under the names.
      const isFirst = x - context.measureText(text).width / 2 < frame.labelPx;
      context.textAlign = isFirst ? 'left' : 'center';
      context.fillText(text, isFirst ? frame.labelPx : x, 5 + row * 15);
    });
  });
  context.textAlign = 'left';
  if (top > 0) context.fillText(`Lane height: ${top} km/h`, 10, 5);
}
