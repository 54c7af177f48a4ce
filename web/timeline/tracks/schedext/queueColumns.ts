/** Numbers over time, merged to columns of pixels: it costs the columns, however many numbers there are. Pure. */
import type { TimeWindow } from '../../../base/units';
import type { PixelLane } from '../laneRows';

/** The greatest of each column; NaN where there is none. */
export type Columns = Float64Array;

/** Of how many values in a row the greatest is kept, and of how many of these. */
const GROUP = 8;

/** Numbers in the order of time. */
export class Points {
  readonly count: number;
  readonly #pairs: Float64Array;
  /** The values; then the greatest of each whole group of them, of each group of these, and so on. */
  readonly #levels: Float64Array[];

  /** `pairs`: instants and values, one after the other. */
  constructor(pairs: Float64Array) {
    this.#pairs = pairs;
    this.count = Math.floor(pairs.length / 2);
    let values = Float64Array.from({ length: this.count }, (_, i) => pairs[2 * i + 1] ?? 0);
    this.#levels = [values];
    while (values.length >= GROUP) {
      const below = values;
      values = Float64Array.from({ length: Math.floor(below.length / GROUP) }, (_, i) =>
        Math.max(...below.subarray(GROUP * i, GROUP * (i + 1))),
      );
      this.#levels.push(values);
    }
  }

  at(i: number): number {
    return this.#pairs[2 * i] ?? 0;
  }

  value(i: number): number {
    return this.#pairs[2 * i + 1] ?? Number.NaN;
  }

  /** The first point that is not before an instant. */
  firstFrom(at: number): number {
    let [low, high] = [0, this.count];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.at(middle) < at) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The greatest value of the points before `end`, from `from` on. */
  greatest(from: number, end: number): number {
    let most = Number.NEGATIVE_INFINITY;
    let [low, high] = [from, end];
    for (const [level, values] of this.#levels.entries()) {
      const isLast = level === this.#levels.length - 1;
      // What fills no whole group, at both ends; the groups between them are for the next level.
      const inner = isLast ? high : Math.min(high, Math.ceil(low / GROUP) * GROUP);
      const outer = Math.max(inner, Math.floor(high / GROUP) * GROUP);
      for (let i = low; i < inner; i++) most = Math.max(most, values[i] ?? most);
      for (let i = outer; i < high; i++) most = Math.max(most, values[i] ?? most);
      if (inner >= outer) break;
      [low, high] = [inner / GROUP, outer / GROUP];
    }
    return most;
  }

  /** Tells of each column that has points, from left to right: its first point, and the first after it. */
  columns(window: TimeWindow, width: number, found: (x: number, from: number, end: number) => void): void {
    const scale = width / (window.end - window.start);
    const columnOf = (i: number): number => Math.min(width - 1, Math.floor((this.at(i) - window.start) * scale));
    const last = this.firstFrom(window.end);
    let from = this.firstFrom(window.start);
    while (from < last) {
      const x = columnOf(from);
      // Longer and longer steps to behind the column, then back by halves: few points take few steps.
      let [low, step] = [from, 1];
      for (; low + step < last && columnOf(low + step) === x; step *= 2) low += step;
      let high = Math.min(last, low + step);
      while (high - low > 1) {
        const middle = (low + high) >> 1;
        if (columnOf(middle) === x) low = middle;
        else high = middle;
      }
      found(x, from, high);
      from = high;
    }
  }
}

/** The greatest value of the points in each column. */
export function pointColumns(points: Points, window: TimeWindow, width: number): Columns {
  const columns = new Float64Array(width).fill(Number.NaN);
  points.columns(window, width, (x, from, end) => {
    columns[x] = points.greatest(from, end);
  });
  return columns;
}

/** The greatest value that holds in each column, if each holds until the next one; NaN before the first. */
export function stepColumns(points: Points, window: TimeWindow, width: number): Columns {
  const columns = new Float64Array(width);
  const before = points.firstFrom(window.start) - 1;
  let held = before >= 0 ? points.value(before) : Number.NaN;
  let next = 0;
  points.columns(window, width, (x, from, end) => {
    columns.fill(held, next, x);
    const most = points.greatest(from, end);
    columns[x] = held > most ? held : most;
    held = points.value(end - 1);
    next = x + 1;
  });
  return columns.fill(held, next);
}

/** Paints values as bars on the lane's foot; the whole lane is `most`. What is more than 0 is seen. */
export function paintBars(columns: Columns, most: number, ink: number, { out, offset, width, rows }: PixelLane): void {
  for (const [x, value] of columns.entries()) {
    const high = value > 0 ? Math.min(rows, Math.max(1, Math.round((value / most) * rows))) : 0;
    for (let row = rows - high; row < rows; row++) out[offset + row * width + x] = ink;
  }
}

/** Paints values as squares of `size` pixels, the greater the higher; at the lane's upper edge they are `most`. */
export function paintDots(
  columns: Columns,
  most: number,
  size: number,
  ink: number,
  { out, offset, width, rows }: PixelLane,
): void {
  for (const [x, value] of columns.entries()) {
    if (Number.isNaN(value)) continue;
    const top = Math.round((rows - size) * (1 - Math.min(1, value / most)));
    const left = Math.max(0, x - (size >> 1));
    for (let row = top; row < top + size; row++) {
      const first = offset + row * width;
      out.fill(ink, first + left, first + Math.min(width, left + size));
    }
  }
}
