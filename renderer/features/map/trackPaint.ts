import { speedClass, speedClassesKmh } from '../../../shared/speedClasses.ts';
import { cameraColor, speedColor, speedWidthPx } from './colors.ts';
import type { ColorMode, Scheme } from './colors.ts';
import { boxMeets, type LineGeometry } from './lineGeometry.ts';
import { LinePainter, type Context, type VisibleTrip } from './linePainter.ts';

/** What part of the world a painting shows. World rectangle and CSS pixels; x may leave 0..1 (see projection). */
export interface PaintView {
  readonly west: number;
  readonly north: number;
  readonly widthPx: number;
  readonly heightPx: number;
  /** CSS pixels that the whole world measures. */
  readonly worldPx: number;
  readonly pixelRatio: number;
}

export interface TrackStyle {
  readonly mode: ColorMode;
  readonly scheme: Scheme;
  /** Number of the trip that is looked at: the others are drawn faint. Null: all alike. */
  readonly focused: number | null;
}

/** How each trip is drawn: its camera's colour (-1 unknown) and number, and whether it is a shape without times. */
export interface TripLooks {
  readonly colorIndex: Int16Array;
  readonly isShapeOnly: Uint8Array;
}

/** Above these counts of trips in view, marks would only hide the lines. */
export const maxTripsWithMarks = 300;
const maxTripsWithArrows = 120;
const arrowSpacingPx = 130;

const faintAlpha = 0.28;

/** Draws all lines in view. Returns how many trips and segments it drew. */
export function paintTracks(
  context: Context,
  geometry: LineGeometry,
  looks: TripLooks,
  view: PaintView,
  style: TrackStyle,
): { trips: number; segments: number } {
  context.setTransform(view.pixelRatio, 0, 0, view.pixelRatio, 0, 0);
  context.clearRect(0, 0, view.widthPx, view.heightPx);
  const visible = visibleTrips(geometry, view);
  const painter = new LinePainter(context, geometry, view);
  const { focused } = style;
  if (focused === null) paintGroup(context, painter, visible, looks, style);
  else {
    context.globalAlpha = faintAlpha;
    const others = visible.filter(({ trip }) => trip !== focused);
    paintLines(context, painter, others, looks, style);
    context.globalAlpha = 1;
    const looked = visible.filter(({ trip }) => trip === focused);
    paintGroup(context, painter, looked, looks, style);
  }
  return { trips: visible.length, segments: painter.segments };
}

function paintGroup(
  context: Context,
  painter: LinePainter,
  visible: readonly VisibleTrip[],
  looks: TripLooks,
  style: TrackStyle,
): void {
  if (visible.length <= maxTripsWithMarks) {
    context.strokeStyle = style.scheme === 'dark' ? 'rgba(10,14,20,0.75)' : 'rgba(255,255,255,0.85)';
    context.lineWidth = style.mode === 'speed' ? 6 : 5;
    painter.strokeTrips(visible, () => true);
  }
  paintLines(context, painter, visible, looks, style);
  if (visible.length <= maxTripsWithArrows) paintArrows(context, painter, visible, looks, style);
  if (visible.length <= maxTripsWithMarks) paintEnds(context, painter, visible, looks, style);
}

function paintLines(
  context: Context,
  painter: LinePainter,
  visible: readonly VisibleTrip[],
  looks: TripLooks,
  style: TrackStyle,
): void {
  const { geometry } = painter;
  const solid = visible.filter(({ trip }) => looks.isShapeOnly[trip] !== 1);
  const shapes = visible.filter(({ trip }) => looks.isShapeOnly[trip] === 1);
  if (style.mode === 'camera') {
    for (const [index, trips] of groupByColor(solid, looks)) {
      context.strokeStyle = cameraColor(index, style.scheme);
      context.lineWidth = 2.4;
      painter.strokeTrips(trips, () => true);
    }
  } else {
    for (let index = -1; index < speedClassesKmh.length; index++) {
      context.strokeStyle = speedColor(index, style.scheme);
      context.lineWidth = speedWidthPx(index);
      context.setLineDash(index < 0 ? [6, 4] : []);
      painter.strokeTrips(solid, (v) => speedClass(geometry.speedKmh[v] ?? NaN) === index);
    }
  }
  context.setLineDash([1.5, 4]);
  context.lineCap = 'round';
  for (const [index, trips] of groupByColor(shapes, looks)) {
    context.strokeStyle =
      style.mode === 'speed' ? speedColor(-1, style.scheme) : cameraColor(index, style.scheme);
    context.lineWidth = 2.6;
    painter.strokeTrips(trips, () => true);
  }
  context.lineCap = 'butt';
  context.setLineDash([4, 7]);
  context.lineWidth = 1;
  context.strokeStyle = style.scheme === 'dark' ? 'rgba(200,208,220,0.45)' : 'rgba(70,78,92,0.45)';
  painter.strokeGaps(visible);
  context.setLineDash([]);
}

/** Trips whose box meets the view, each at every world copy that shows. */
export function visibleTrips(geometry: LineGeometry, view: PaintView): VisibleTrip[] {
  const east = view.west + view.widthPx / view.worldPx;
  const south = view.north + view.heightPx / view.worldPx;
  const found: VisibleTrip[] = [];
  for (let turn = Math.floor(view.west) - 1; turn <= Math.floor(east) + 1; turn++) {
    for (let trip = 0; trip < geometry.tripCount; trip++) {
      if (boxMeets(geometry.tripBoxes, trip, view.west - turn, view.north, east - turn, south)) {
        found.push({ trip, turn });
      }
    }
  }
  return found;
}

function groupByColor(trips: readonly VisibleTrip[], looks: TripLooks): Map<number, VisibleTrip[]> {
  const groups = new Map<number, VisibleTrip[]>();
  for (const visible of trips) {
    const index = looks.colorIndex[visible.trip] ?? -1;
    const group = groups.get(index);
    if (group) group.push(visible);
    else groups.set(index, [visible]);
  }
  return groups;
}

function paintArrows(
  context: Context,
  painter: LinePainter,
  trips: readonly VisibleTrip[],
  looks: TripLooks,
  style: TrackStyle,
): void {
  const { geometry, view } = painter;
  context.lineWidth = 1;
  for (const { trip, turn } of trips) {
    if (looks.isShapeOnly[trip] === 1) continue; // without times nobody knows which way it was driven
    const from = geometry.offsets[trip] ?? 0;
    const to = geometry.offsets[trip + 1] ?? 0;
    let since = arrowSpacingPx / 2;
    for (let v = from + 1; v < to; v++) {
      const ax = painter.screenX(v - 1, turn);
      const ay = painter.screenY(v - 1);
      const bx = painter.screenX(v, turn);
      const by = painter.screenY(v);
      const length = Math.hypot(bx - ax, by - ay);
      if (geometry.isGap[v] === 1 || length === 0) continue;
      let along = arrowSpacingPx - since;
      since += length;
      while (along <= length) {
        const x = ax + ((bx - ax) * along) / length;
        const y = ay + ((by - ay) * along) / length;
        if (x > -10 && y > -10 && x < view.widthPx + 10 && y < view.heightPx + 10) {
          paintArrow(context, x, y, Math.atan2(by - ay, bx - ax), style.scheme);
        }
        along += arrowSpacingPx;
        since = length - (along - arrowSpacingPx);
      }
    }
  }
}

function paintArrow(context: Context, x: number, y: number, angle: number, scheme: Scheme): void {
  const cos = Math.cos(angle);
  const sin = Math.sin(angle);
  const point = (dx: number, dy: number) => [x + dx * cos - dy * sin, y + dx * sin + dy * cos] as const;
  context.beginPath();
  context.moveTo(...point(6, 0));
  context.lineTo(...point(-4, 4.2));
  context.lineTo(...point(-1.8, 0));
  context.lineTo(...point(-4, -4.2));
  context.closePath();
  context.fillStyle = scheme === 'dark' ? '#0d1117' : '#ffffff';
  context.strokeStyle = scheme === 'dark' ? '#e6edf3' : '#1b1f27';
  context.fill();
  context.stroke();
}

/** Start: a triangle like "play". End: a square like "stop". Shapes, so that colour is not needed to tell. */
function paintEnds(
  context: Context,
  painter: LinePainter,
  trips: readonly VisibleTrip[],
  looks: TripLooks,
  style: TrackStyle,
): void {
  const { geometry } = painter;
  const size = trips.length > 60 ? 3.4 : 5.5;
  const outline = style.scheme === 'dark' ? '#0d1117' : '#ffffff';
  context.lineWidth = 1.5;
  context.strokeStyle = outline;
  for (const { trip, turn } of trips) {
    const from = geometry.offsets[trip] ?? 0;
    const last = (geometry.offsets[trip + 1] ?? 0) - 1;
    if (last < from) continue;
    const isShape = looks.isShapeOnly[trip] === 1;
    const fill = cameraColor(looks.colorIndex[trip] ?? -1, style.scheme);
    context.fillStyle = isShape ? outline : fill;
    context.strokeStyle = isShape ? fill : outline;
    const endX = painter.screenX(last, turn);
    const endY = painter.screenY(last);
    context.beginPath();
    context.rect(endX - size, endY - size, size * 2, size * 2);
    context.fill();
    context.stroke();
    const startX = painter.screenX(from, turn);
    const startY = painter.screenY(from);
    context.beginPath();
    context.moveTo(startX - size, startY - size * 1.25);
    context.lineTo(startX + size * 1.35, startY);
    context.lineTo(startX - size, startY + size * 1.25);
    context.closePath();
    context.fill();
    context.stroke();
  }
}
