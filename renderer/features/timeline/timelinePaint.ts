import type uPlot from 'uplot';
import type { Scheme } from '../map/colors.ts';

/** Quiet inks of the chart's ground. */
export const inks = {
  light: { text: '#55626b', grid: '#e3e8eb', gap: 'rgba(85,98,107,0.10)', hatch: 'rgba(85,98,107,0.28)' },
  dark: { text: '#96a2ab', grid: '#262f36', gap: 'rgba(150,162,171,0.10)', hatch: 'rgba(150,162,171,0.28)' },
} as const;

/** Shades and hatches stretches without any recording, [from, to] pairs, so that a gap is told from the ground. */
export function drawGaps(plot: uPlot, gaps: readonly (readonly [number, number])[], scheme: Scheme): void {
  const ink = inks[scheme];
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  for (const [from, to] of gaps) {
    const left = plot.valToPos(from, 'x', true);
    const right = plot.valToPos(to, 'x', true);
    if (right - left < 1 || right < bbox.left || left > bbox.left + bbox.width) continue;
    const start = Math.max(left, bbox.left);
    const width = Math.min(right, bbox.left + bbox.width) - start;
    ctx.fillStyle = ink.gap;
    ctx.fillRect(start, bbox.top, width, bbox.height);
    // Hatched, so that a gap is told from the ground without colour.
    ctx.save();
    ctx.beginPath();
    ctx.rect(start, bbox.top, width, bbox.height);
    ctx.clip();
    ctx.strokeStyle = ink.hatch;
    ctx.lineWidth = 1;
    ctx.beginPath();
    for (let x = start - bbox.height - ((start - bbox.height) % 9); x < start + width; x += 9) {
      ctx.moveTo(x, bbox.top + bbox.height);
      ctx.lineTo(x + bbox.height, bbox.top);
    }
    ctx.stroke();
    ctx.restore();
  }
  ctx.restore();
}

/** What is plotted, in the plot's corner: no room is lost to a rotated axis title. */
export function drawCaption(plot: uPlot, text: string, color: string, scheme: Scheme): void {
  const { ctx, bbox } = plot;
  const ratio = devicePixelRatio;
  ctx.save();
  ctx.font = `600 ${11 * ratio}px system-ui, sans-serif`;
  ctx.textAlign = 'left';
  ctx.textBaseline = 'top';
  ctx.lineWidth = 3 * ratio;
  ctx.strokeStyle = scheme === 'dark' ? '#191f24' : '#ffffff';
  ctx.strokeText(text, bbox.left + 6 * ratio, bbox.top + 3 * ratio);
  ctx.fillStyle = color;
  ctx.fillText(text, bbox.left + 6 * ratio, bbox.top + 3 * ratio);
  ctx.restore();
}
