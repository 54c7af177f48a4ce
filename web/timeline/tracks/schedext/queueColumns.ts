/** Numbers over time, merged to columns of pixels. Pure. */
import type { TimeWindow } from '../../../base/units';

/** The greatest of each column; NaN where there is none. */
export type Columns = Float64Array;

/** The first of the points, which are instants and values one after the other, that is not before `at`. */
export function firstFrom(points: Float64Array, at: number): number {
  let [low, high] = [0, points.length / 2];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((points[2 * middle] ?? 0) < at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The greatest value of the points in each column. */
export function pointColumns(points: Float64Array, window: TimeWindow, width: number): Columns {
  const columns = new Float64Array(width).fill(Number.NaN);
  const scale = width / (window.end - window.start);
  for (let i = firstFrom(points, window.start); 2 * i < points.length; i++) {
    const at = points[2 * i] ?? 0;
    if (at >= window.end) break;
    const x = Math.min(width - 1, Math.floor((at - window.start) * scale));
    const value = points[2 * i + 1] ?? 0;
    if (!((columns[x] ?? 0) >= value)) columns[x] = value;
  }
  return columns;
}

/** The greatest value that holds in each column, if each holds until the next one; NaN before the first. */
export function stepColumns(points: Float64Array, window: TimeWindow, width: number): Columns {
  const columns = pointColumns(points, window, width);
  const before = firstFrom(points, window.start) - 1;
  let held = before >= 0 ? (points[2 * before + 1] ?? Number.NaN) : Number.NaN;
  const scale = width / (window.end - window.start);
  let next = before + 1;
  for (let x = 0; x < width; x++) {
    const most = columns[x] ?? Number.NaN;
    columns[x] = Number.isNaN(most) ? held : Number.isNaN(held) ? most : Math.max(held, most);
    // What holds at the column's end.
    for (; 2 * next < points.length; next++) {
      const at = points[2 * next] ?? 0;
      if (at >= window.end || Math.min(width - 1, Math.floor((at - window.start) * scale)) > x) break;
      held = points[2 * next + 1] ?? 0;
    }
  }
  return columns;
}
