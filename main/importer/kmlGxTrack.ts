/**
 * A gx:Track: `when` and `gx:coord` (and `gx:angles`) belong together by their order, and may come all times
 * first, all coordinates first or alternating. Coordinates wait for their times and angles, up to 500,000 of
 * them; then they are handed on with what is known. Times cost 9 bytes each while the track is open.
 */
import { ABSENT, ALTITUDE, HEADING, LAT, LITERAL, LNG, PointColumns, TIME } from '../cache/trackCodec.ts';
import type { PointDraft } from './trackCursor.ts';

const maxWaiting = 500_000;
const maxTimes = 4_000_000;
/** `decimals` of a time that cannot be used: 200 plus the index of its reason. */
const FAULT = 200;

/** Numbers by index, growing. */
class Series {
  values = new Float64Array(64);
  decimals = new Uint8Array(64);
  count = 0;

  add(value: number, decimals: number): void {
    if (this.count === this.values.length) {
      const values = new Float64Array(this.count * 2);
      values.set(this.values);
      this.values = values;
      const moreDecimals = new Uint8Array(this.count * 2);
      moreDecimals.set(this.decimals);
      this.decimals = moreDecimals;
    }
    this.values[this.count] = value;
    this.decimals[this.count++] = decimals;
  }
}

export class GxTrack {
  readonly line: number;
  private readonly times = new Series();
  private readonly headings = new Series();
  private readonly faults: string[] = [];
  private waiting = new PointColumns();
  private indexes = new Series();
  private coordinates = 0;
  private handedOn = 0;
  private isFlowing = false;
  private readonly emit: (draft: PointDraft, number: number, fault: string | null) => void;
  private readonly draft: PointDraft;

  /** `emit` takes each point in its order, with its number in the track and what is wrong with its time. */
  constructor(
    line: number,
    draft: PointDraft,
    emit: (draft: PointDraft, number: number, fault: string | null) => void,
  ) {
    this.line = line;
    this.draft = draft;
    this.emit = emit;
  }

  /** Times that no coordinate belongs to. */
  get timesLeft(): number {
    return Math.max(0, this.times.count - this.coordinates);
  }

  /** The headings came too late for this many points. */
  get headingsLost(): number {
    return Math.min(this.headings.count, this.handedOn);
  }

  /** The next `when`; false: too many. decimals ABSENT: an empty one. */
  addTime(value: number, decimals: number): boolean {
    this.times.add(value, decimals);
    return this.times.count <= maxTimes;
  }

  addFaultyTime(reason: string): boolean {
    let index = this.faults.indexOf(reason);
    if (index < 0) index = this.faults.push(reason) - 1;
    return this.addTime(0, FAULT + index);
  }

  /** The next `gx:angles`; decimals ABSENT: none. Beyond what can still be used they are not kept. */
  addHeading(value: number, decimals: number): void {
    if (this.headings.count < maxTimes) this.headings.add(value, decimals);
  }

  /** The next `gx:coord`, in the draft. */
  addCoordinate(): void {
    const { draft, waiting } = this;
    const index = waiting.add(
      0,
      ABSENT,
      draft.values[LAT]!,
      draft.decimals[LAT]!,
      draft.values[LNG]!,
      draft.decimals[LNG]!,
      0,
      ABSENT,
      0,
      ABSENT,
      draft.values[ALTITUDE]!,
      draft.decimals[ALTITUDE]!,
    );
    for (const column of [LAT, LNG, ALTITUDE]) {
      if (draft.decimals[column] === LITERAL) waiting.setLiteral(column, index, draft.literals[column]!);
    }
    this.indexes.add(this.coordinates++, 0);
    if (waiting.count >= (this.isFlowing ? 4096 : maxWaiting)) {
      this.handOn();
      this.isFlowing = true;
    }
  }

  /** A `gx:coord` that cannot be used: it still has its place in the order. Returns its number. */
  passCoordinate(): number {
    return ++this.coordinates;
  }

  /** Hands on all that waits. */
  handOn(): void {
    const { draft, waiting, times, headings } = this;
    for (let i = 0; i < waiting.count; i++) {
      const index = this.indexes.values[i]!;
      draft.copyFrom(waiting, i);
      let fault: string | null = null;
      if (index < times.count) {
        const decimals = times.decimals[index]!;
        if (decimals >= FAULT && decimals !== ABSENT) fault = this.faults[decimals - FAULT]!;
        else {
          draft.values[TIME] = times.values[index]!;
          draft.decimals[TIME] = decimals;
        }
      }
      if (index < headings.count) {
        draft.values[HEADING] = headings.values[index]!;
        draft.decimals[HEADING] = headings.decimals[index]!;
      }
      this.emit(draft, index + 1, fault);
    }
    if (!this.isFlowing && waiting.count >= maxWaiting && headings.count === 0) this.handedOn = waiting.count;
    waiting.clear();
    this.waiting = waiting.capacity > 8192 ? new PointColumns() : waiting;
    this.indexes = new Series();
  }
}
