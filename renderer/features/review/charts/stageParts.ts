import type { Scheme } from '../../map/colors.ts';
import type { MomentZone } from '../marks/momentText.ts';
import type { SceneSpan } from '../model.ts';
import type { AxisTick } from './timeAxis.ts';

/** What every part of the charts is drawn with: one time axis for all of them. CSS pixels. */
export interface Frame {
  readonly view: SceneSpan;
  /** Width of the part that has a time axis; what is left of it holds names and scales. */
  readonly plotPx: number;
  readonly ticks: readonly AxisTick[];
  readonly zone: MomentZone;
  readonly scheme: Scheme;
  /** Device pixels per CSS pixel. */
  readonly ratio: number;
}
/** How the charts look: set from outside of them. */
export interface StageLook {
  readonly zone: MomentZone;
  readonly scheme: Scheme;
}
/** A row that says what lies under the pointer, line by line, and whether a click means a time nearby. */
export interface StageRow {
  readonly element: HTMLElement;
  readAt?(sceneMs: number, yPx: number, msPerPx: number): readonly string[];
  /** The exact time of a marker within reach of the pointer; null without one. */
  snapAt?(sceneMs: number, yPx: number, msPerPx: number): number | null;
}
export interface StageElements {
  /** Holds all rows; pointer and wheel are heard here. */
  readonly root: HTMLElement;
  /** Lies over the plot part of all rows and lets the pointer through. */
  readonly overlay: HTMLElement;
  readonly cursor: HTMLElement;
  readonly hover: HTMLElement;
  readonly hoverText: HTMLElement;
  readonly selection: HTMLElement;
  readonly range: HTMLElement;
}

/** Left of the time axis: names and scales. */
export const gutterPx = 92;
export const rightPx = 14;
