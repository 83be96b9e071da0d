import L from 'leaflet';
import { decodeLabels, type BasemapLabel, type LabelRows } from './basemapData.ts';
import { basemapFiles } from './basemapPainter.ts';
import type { Scheme } from './colors.ts';
import { cellText, gridOf, latText, lngText, signposts, signText } from './grid.ts';

const inks = {
  light: { line: 'rgba(60,80,95,0.13)', text: '#6b7780', halo: 'rgba(246,245,241,0.9)', sign: '#4f5560' },
  dark: { line: 'rgba(190,205,215,0.11)', text: '#84909a', halo: 'rgba(28,36,42,0.9)', sign: '#a4adb6' },
} as const;

/** Below this zoom the outlines say enough. */
const fromZoom = 10;
const leastCellPx = 120;
const mostSigns = 3;
/** Kept clear for the map's own controls. */
const legendPx = 200;
const inset = { left: 62, top: 56, right: 70, bottom: 34 };

/**
 * Orientation where the outlines have nothing to show: a quiet grid with its coordinates along the edges, and the way
 * to the nearest places out of view. Drawn on this thread: a dozen lines. `onCell` hears what a cell measures, null
 * while there is no grid. Returns the function that takes it away.
 */
export function attachGrid(map: L.Map, scheme: Scheme, onCell: (text: string | null) => void): () => void {
  const ink = inks[scheme];
  const paneOf = (name: string, zIndex: string) => {
    const pane = map.getPane(name) ?? map.createPane(name);
    pane.style.zIndex = zIndex;
    pane.style.pointerEvents = 'none';
    const canvas = document.createElement('canvas');
    canvas.setAttribute('aria-hidden', 'true');
    pane.append(canvas);
    return canvas;
  };
  const lines = paneOf('desk-grid', '160');
  const texts = paneOf('desk-grid-texts', '440');
  let labels: readonly BasemapLabel[] | null = null;
  let isGone = false;
  let isAsked = false;

  function askLabels(): void {
    if (isAsked) return;
    isAsked = true;
    fetch(basemapFiles.labels)
      .then((response) => response.json())
      .then(
        (rows) => {
          labels = decodeLabels(rows as LabelRows); // a file of the app's own
          if (!isGone) draw();
        },
        () => (isAsked = false), // the grid stands without signs; the next move asks again
      );
  }

  function draw(): void {
    const size = map.getSize();
    const isShown = map.getZoom() >= fromZoom && size.x > 0 && size.y > 0;
    lines.style.display = texts.style.display = isShown ? 'block' : 'none';
    if (!isShown) return onCell(null);
    askLabels();
    const box = map.getBounds();
    const bounds = [box.getWest(), box.getSouth(), box.getEast(), box.getNorth()] as const;
    const grid = gridOf(bounds, size.x, size.y, leastCellPx);
    const ground = prepare(map, lines, size);
    ground.strokeStyle = ink.line;
    ground.lineWidth = 1;
    ground.beginPath();
    const xs = grid.lngDeg.map(
      (lng) => Math.round(map.latLngToContainerPoint([box.getSouth(), lng]).x) + 0.5,
    );
    const ys = grid.latDeg.map((lat) => Math.round(map.latLngToContainerPoint([lat, box.getWest()]).y) + 0.5);
    for (const x of xs) {
      ground.moveTo(x, 0);
      ground.lineTo(x, size.y);
    }
    for (const y of ys) {
      ground.moveTo(0, y);
      ground.lineTo(size.x, y);
    }
    ground.stroke();

    const context = prepare(map, texts, size);
    context.lineJoin = 'round';
    context.lineWidth = 3;
    context.strokeStyle = ink.halo;
    const write = (text: string, x: number, y: number, color: string) => {
      context.strokeText(text, x, y);
      context.fillStyle = color;
      context.fillText(text, x, y);
    };
    context.font = '10px system-ui, sans-serif';
    context.textBaseline = 'middle';
    context.textAlign = 'right';
    grid.latDeg.forEach((lat, i) => {
      const y = ys[i] ?? 0;
      if (y > inset.top && y < size.y - inset.bottom)
        write(latText(lat, grid.stepDeg), size.x - 6, y, ink.text);
    });
    context.textAlign = 'center';
    grid.lngDeg.forEach((lng, i) => {
      const x = xs[i] ?? 0;
      // The scale stands on the left, the credits on the right of the bottom edge: the coordinates go above them.
      if (x > 140 && x < size.x - 20) write(lngText(lng, grid.stepDeg), x, size.y - 26, ink.text);
    });

    context.font = '11.5px system-ui, sans-serif';
    for (const sign of signposts(labels ?? [], bounds, mostSigns)) {
      const at = edgePoint(sign.angle, size);
      const text = signText(sign);
      const isRight = Math.sin(sign.angle) > 0.3;
      const isLeft = Math.sin(sign.angle) < -0.3;
      context.textAlign = isRight ? 'right' : isLeft ? 'left' : 'center';
      write(
        text,
        at.x + (isRight ? -12 : isLeft ? 12 : 0),
        at.y + (isRight || isLeft ? 0 : 14 * Math.sign(Math.cos(sign.angle))),
        ink.sign,
      );
      pointer(context, at, sign.angle, ink.sign);
    }
    onCell(cellText(grid.stepDeg, (box.getSouth() + box.getNorth()) / 2));
  }

  // While the zoom is animated the picture would stand still over a map that grows.
  const hide = () => (lines.style.display = texts.style.display = 'none');
  map.on('move moveend zoomend resize viewreset', draw);
  map.on('zoomanim', hide);
  draw();
  return () => {
    isGone = true;
    map.off('move moveend zoomend resize viewreset', draw);
    map.off('zoomanim', hide);
    onCell(null);
    lines.remove();
    texts.remove();
  };
}

/** A canvas over what the window shows, although its pane moves with the map. */
function prepare(map: L.Map, canvas: HTMLCanvasElement, size: L.Point): CanvasRenderingContext2D {
  const ratio = Math.min(2, window.devicePixelRatio || 1);
  const [width, height] = [Math.round(size.x * ratio), Math.round(size.y * ratio)];
  // The window moves far more often than it changes its size.
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  canvas.style.width = `${size.x}px`;
  canvas.style.height = `${size.y}px`;
  canvas.style.position = 'absolute';
  L.DomUtil.setPosition(canvas, map.containerPointToLayerPoint([0, 0]));
  const context = canvas.getContext('2d');
  if (!context) throw new Error('no 2d context for the grid');
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, size.x, size.y);
  return context;
}

/** Where the ray from the middle in a direction meets the edge that is free of controls. */
function edgePoint(angle: number, size: L.Point): { x: number; y: number } {
  const [dx, dy] = [Math.sin(angle), -Math.cos(angle)];
  const middle = { x: size.x / 2, y: size.y / 2 };
  const reachX = dx > 0 ? size.x - inset.right - middle.x : middle.x - inset.left;
  const reachY = dy > 0 ? size.y - inset.bottom - 14 - middle.y : middle.y - inset.top;
  const reach = Math.min(
    Math.abs(dx) < 1e-9 ? Infinity : reachX / Math.abs(dx),
    Math.abs(dy) < 1e-9 ? Infinity : reachY / Math.abs(dy),
  );
  const at = { x: middle.x + dx * reach, y: middle.y + dy * reach };
  // Beside the legend, not behind it.
  if (at.x < legendPx && at.y > size.y * 0.4) at.x = legendPx;
  return at;
}

function pointer(
  context: CanvasRenderingContext2D,
  { x, y }: { x: number; y: number },
  angle: number,
  color: string,
): void {
  context.save();
  context.translate(x, y);
  context.rotate(angle);
  context.beginPath();
  context.moveTo(0, -6);
  context.lineTo(4.5, 4);
  context.lineTo(0, 1.5);
  context.lineTo(-4.5, 4);
  context.closePath();
  context.stroke();
  context.fillStyle = color;
  context.fill();
  context.restore();
}
