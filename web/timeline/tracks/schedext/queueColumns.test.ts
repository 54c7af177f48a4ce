import { expect, test } from 'vitest';
import { ns, type TimeWindow } from '../../../base/units';
import { Points, paintBars, paintDots, pointColumns, stepColumns } from './queueColumns';

/** Instants and values that repeat themselves seldom; some instants are the same. */
const pairs = Float64Array.from({ length: 4000 }, (_, i) =>
  i % 2 === 0 ? Math.floor(((i * 37) >> 1) / 90) * 90 : (i * i) % 997,
);
const points = new Points(pairs);
const span = 37 * 2000;

const window = (start: number, end: number): TimeWindow => ({ start: ns(start), end: ns(end) });
/** From all points in one column to many columns between two points. */
const CASES = [
  [window(-1000, 2 * span), 3],
  [window(0, span), 97],
  [window(1000, 6000), 97],
  [window(1000, 6000), 1],
  [window(5000, 5200), 640],
  [window(span + 10, span + 20), 5],
  [window(-20, -10), 5],
] as const;

/** The column of an instant in the window. */
const columnOf = (at: number, { start, end }: TimeWindow, width: number): number =>
  Math.min(width - 1, Math.floor((at - start) * (width / (end - start))));

test('the first point from an instant on', () => {
  for (const at of [-1, 0, 37, 90, 91, 1000, 7400, 999_999]) {
    let naive = 0;
    while (2 * naive < pairs.length && (pairs[2 * naive] ?? 0) < at) naive++;
    expect(points.firstFrom(at)).toBe(naive);
  }
});

test('the greatest of points in a row', () => {
  for (const from of [0, 1, 7, 8, 9, 63, 64, 65, 500, 1991]) {
    for (const length of [1, 2, 7, 8, 9, 17, 64, 65, 512, 513, 1500, 2000]) {
      const end = Math.min(2000, from + length);
      const values = Array.from({ length: end - from }, (_, i) => pairs[2 * (from + i) + 1] ?? 0);
      expect(points.greatest(from, end)).toBe(Math.max(...values));
    }
  }
});

test.each(CASES)('columns have the greatest of their points: %o, %i', (shown, width) => {
  const naive = Array.from({ length: width }, () => Number.NaN);
  for (let i = 0; i < pairs.length; i += 2) {
    const [at = 0, value = 0] = [pairs[i], pairs[i + 1]];
    if (at < shown.start || at >= shown.end) continue;
    const x = columnOf(at, shown, width);
    if (!((naive[x] ?? Number.NaN) >= value)) naive[x] = value;
  }
  expect([...pointColumns(points, shown, width)]).toEqual(naive);
});

test.each(CASES)('steps hold until the next one: %o, %i', (shown, width) => {
  const found = stepColumns(points, shown, width);
  // Every instant of a column, and the last one before it.
  for (let x = 0; x < width; x++) {
    let [held, most] = [Number.NaN, Number.NaN];
    for (let i = 0; i < pairs.length; i += 2) {
      const [at = 0, value = 0] = [pairs[i], pairs[i + 1]];
      if (at >= shown.end) break;
      const column = at < shown.start ? -1 : columnOf(at, shown, width);
      if (column < x) held = value;
      else if (column === x) most = Number.isNaN(most) ? value : Math.max(most, value);
    }
    const expected = Number.isNaN(held) ? most : Number.isNaN(most) ? held : Math.max(held, most);
    expect(found[x]).toEqual(expected);
  }
});

test('without points there is nothing', () => {
  const none = Float64Array.of(Number.NaN, Number.NaN, Number.NaN);
  expect(stepColumns(new Points(new Float64Array()), window(0, 9), 3)).toEqual(none);
  expect(pointColumns(new Points(new Float64Array()), window(0, 9), 3)).toEqual(none);
});

test('columns cost what they show, and not the points in them', () => {
  let looked = 0;
  class Counted extends Points {
    override at(i: number): number {
      looked++;
      return super.at(i);
    }
  }
  const many = new Counted(Float64Array.from({ length: 2_000_000 }, (_, i) => i));
  stepColumns(many, window(0, 2_000_000), 100);
  // 10,000 points in each column.
  expect(looked).toBeLessThan(100 * 40);
});

test('bars stand on the foot of a lane, and dots are as high as their values', () => {
  const [width, rows] = [4, 5];
  const picture = (paint: (lane: { out: Uint32Array; offset: number; width: number; rows: number }) => void) => {
    // A row above the lane and one below it stay empty.
    const out = new Uint32Array(width * (rows + 2));
    paint({ out, offset: width, width, rows });
    return Array.from({ length: rows + 2 }, (_, row) => [...out.subarray(row * width, (row + 1) * width)].join(''));
  };
  const bars = Float64Array.of(10, 0.01, 0, Number.NaN);
  expect(picture((lane) => paintBars(bars, 10, 7, lane))).toEqual([
    '0000',
    '7000',
    '7000',
    '7000',
    '7000',
    '7700',
    '0000',
  ]);
  const dots = Float64Array.of(10, Number.NaN, Number.NaN, 0);
  expect(picture((lane) => paintDots(dots, 10, 2, 7, lane))).toEqual([
    '0000',
    '7700',
    '7700',
    '0000',
    '0077',
    '0077',
    '0000',
  ]);
});
