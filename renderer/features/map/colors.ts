/**
 * Colours of lines. Colour is never the only cue: cameras also carry a number, speeds also a line width, and both
 * scales change monotonically or by well-separated hues that survive colour blindness. Pure.
 */
import { speedClassesKmh } from '../../../shared/speedClasses.ts';

export type Scheme = 'light' | 'dark';
export type ColorMode = 'camera' | 'speed';

const cameraColors: Readonly<Record<Scheme, readonly string[]>> = {
  light: ['#0067a5', '#c8420a', '#007a55', '#8d3fa8', '#7d6000', '#b8114f', '#00708f', '#4c51bf'],
  dark: ['#5ab6ee', '#f28c50', '#35c997', '#cda4ec', '#e3c04a', '#f792b5', '#5fd3e2', '#aab2ff'],
};
const unknownCameraColor: Readonly<Record<Scheme, string>> = { light: '#5c6370', dark: '#a9b1bd' };

/** How many cameras can be told apart by colour alone; the number tells the rest apart. */
export const cameraColorCount = cameraColors.light.length;

/** Position in the palette: cameras take colours in turn; -1 is the unknown camera. */
export function cameraColor(index: number, scheme: Scheme): string {
  if (index < 0) return unknownCameraColor[scheme];
  return cameraColors[scheme][index % cameraColorCount] ?? unknownCameraColor[scheme];
}

const speedColors: Readonly<Record<Scheme, readonly string[]>> = {
  light: ['#e79a3c', '#e2773f', '#d25546', '#b83c5e', '#93306f', '#6c2675', '#451b69', '#1f0c48'],
  dark: ['#8c7ad6', '#a96cc4', '#c567ad', '#de6f90', '#f08468', '#fa9f58', '#fcc46e', '#fcea9f'],
};

export function speedColor(index: number, scheme: Scheme): string {
  if (index < 0) return unknownCameraColor[scheme];
  return speedColors[scheme][index] ?? unknownCameraColor[scheme];
}

/** Second cue of the speed scale: faster is thicker. Pixels. */
export function speedWidthPx(index: number): number {
  return index < 0 ? 1.5 : 1.8 + index * 0.36;
}

/** Text of a class for the legend: "50–70", "130+". */
export function speedClassLabel(index: number): string {
  if (index < 0) return 'no speed recorded';
  const from = speedClassesKmh[index] ?? 0;
  const to = speedClassesKmh[index + 1];
  return to === undefined ? `${from}+` : `${from}–${to}`;
}
