import type { CoverageLane, CoverageSpan } from './coverage.ts';
import { chartInks } from './inks.ts';
import type { Frame } from './stageParts.ts';

export const lanePx = 15;
const barPx = 9;

/** A canvas of a size in CSS pixels, sharp on this screen, cleared, with CSS pixels as its unit. */
export function prepareCanvas(
  canvas: HTMLCanvasElement,
  widthPx: number,
  heightPx: number,
  ratio: number,
): CanvasRenderingContext2D | null {
  const [width, height] = [Math.round(widthPx * ratio), Math.round(heightPx * ratio)];
  if (canvas.width !== width || canvas.height !== height) {
    canvas.width = width;
    canvas.height = height;
    canvas.style.width = `${widthPx}px`;
    canvas.style.height = `${heightPx}px`;
  }
  const context = canvas.getContext('2d');
  context?.setTransform(ratio, 0, 0, ratio, 0, 0);
  context?.clearRect(0, 0, widthPx, heightPx);
  return context;
}

/**
 * Coverage lanes below each other. Present is a filled bar, damaged a bar with a zigzag edge and a cross-hatch, on the
 * card an outline with its words, without a fix a row of dots, missing a thin dotted line: each told by its shape.
 */
export function paintLanes(canvas: HTMLCanvasElement, lanes: readonly CoverageLane[], frame: Frame): void {
  const { plotPx, view, ratio, scheme } = frame;
  const context = prepareCanvas(canvas, plotPx, lanes.length * lanePx, ratio);
  if (!context) return;
  const ink = chartInks[scheme];
  const perMs = plotPx / (view.toMs - view.fromMs);
  context.fillStyle = ink.grid;
  for (const { ms } of frame.ticks)
    context.fillRect(Math.round((ms - view.fromMs) * perMs), 0, 1, lanes.length * lanePx);
  lanes.forEach((lane, at) => {
    const top = at * lanePx + (lanePx - barPx) / 2;
    context.fillStyle = ink.zero;
    for (let x = 1; x < plotPx; x += 6) context.fillRect(x, top + barPx / 2, 2, 1);
    // What is on the card only lies under what is here: the card may hold the same time in another recording.
    for (const isOnCard of [true, false]) {
      let drawnTo = -1;
      for (const span of lane.spans) {
        if ((span.state === 'on-card') !== isOnCard) continue;
        if (span.toMs < view.fromMs || span.fromMs > view.toMs) continue;
        const left = Math.max(-2, (span.fromMs - view.fromMs) * perMs);
        const right = Math.min(plotPx + 2, (span.toMs - view.fromMs) * perMs);
        // A thousand clips of a day share pixels: what would be drawn over what is there is left out.
        if (right <= drawnTo && span.state === 'present') continue;
        paintSpan(context, span, left, top, Math.max(1, right - left), ink);
        drawnTo = right;
      }
    }
  });
}

function paintSpan(
  context: CanvasRenderingContext2D,
  span: CoverageSpan,
  left: number,
  top: number,
  width: number,
  ink: (typeof chartInks)['light' | 'dark'],
): void {
  context.font = '600 8.5px system-ui, sans-serif';
  context.textBaseline = 'middle';
  context.textAlign = 'left';
  const middle = top + barPx / 2 + 0.5;
  const word = (text: string, color: string) => {
    if (context.measureText(text).width > width - 6) return;
    context.fillStyle = color;
    context.fillText(text, left + 3, middle);
  };
  context.fillStyle = ink.ground;
  context.fillRect(left, top - 1, width, barPx + 2);
  if (span.state === 'present') {
    context.fillStyle = ink.lane;
    // A hair of room shows where one file ends and the next begins.
    context.fillRect(left, top, Math.max(1, width - (width > 3 ? 1 : 0)), barPx);
    if (span.letter !== null) word(span.letter, ink.laneText);
    return;
  }
  const color = span.state === 'damaged' ? ink.bad : ink.warn;
  context.strokeStyle = context.fillStyle = color;
  context.lineWidth = 1;
  if (span.state === 'no-fix') {
    for (let x = left + 1; x < left + width; x += 4) context.fillRect(x, middle - 1.5, 2, 2);
    return;
  }
  context.save();
  context.beginPath();
  context.rect(left, top, width, barPx);
  context.clip();
  context.beginPath();
  const stride = span.state === 'damaged' ? 4 : 7;
  for (let x = left - barPx - ((left - barPx) % stride); x < left + width; x += stride) {
    context.moveTo(x, top + barPx);
    context.lineTo(x + barPx, top);
    if (span.state !== 'damaged') continue;
    context.moveTo(x, top);
    context.lineTo(x + barPx, top + barPx);
  }
  context.globalAlpha = 0.55;
  context.stroke();
  context.restore();
  context.strokeRect(left + 0.5, top + 0.5, Math.max(0.5, width - 2), barPx - 1);
  const text = span.state === 'damaged' ? 'damaged' : 'on card';
  if (context.measureText(text).width + 8 > width) return;
  context.fillStyle = ink.ground;
  context.fillRect(left + 2, top + 1, context.measureText(text).width + 4, barPx - 2);
  word(text, color);
}

export const axisPx = 32;

/** Times below the charts: time of day, and the date where it changes. */
export function paintAxis(canvas: HTMLCanvasElement, frame: Frame): void {
  const { plotPx, view, ratio, scheme } = frame;
  const context = prepareCanvas(canvas, plotPx, axisPx, ratio);
  if (!context) return;
  const ink = chartInks[scheme];
  context.font = '10.5px system-ui, sans-serif';
  context.textBaseline = 'top';
  context.fillStyle = ink.zero;
  context.fillRect(0, 0, plotPx, 1);
  for (const { ms, label } of frame.ticks) {
    const x = ((ms - view.fromMs) / (view.toMs - view.fromMs)) * plotPx;
    context.fillStyle = ink.zero;
    context.fillRect(Math.round(x), 0, 1, 4);
    context.fillStyle = ink.text;
    label.split('\n').forEach((text, row) => {
      const half = context.measureText(text).width / 2;
      context.textAlign = x < half ? 'left' : x > plotPx - half ? 'right' : 'center';
      context.fillText(text, x < half ? 0 : x > plotPx - half ? plotPx : x, 6 + row * 12);
    });
  }
}
