import { expect, test } from 'vitest';
import { ns } from '../../../base/units';
import { firstFrom, pointColumns, stepColumns } from './queueColumns';

/** Instants and values that repeat themselves seldom. */
const points = Float64Array.from({ length: 400 }, (_, i) => (i % 2 === 0 ? ((i * 37) >> 1) + (i % 7) : (i * i) % 101));
const window = { start: ns(1000), end: ns(6000) };
const width = 97;

/** The column of an instant in the window. */
const columnOf = (at: number): number =>
  Math.min(width - 1, Math.floor((at - window.start) * (width / (window.end - window.start))));

test('the first point from an instant on', () => {
  for (const at of [-1, 0, 37, 1000, 7400, 9999]) {
    let naive = 0;
    while (2 * naive < points.length && (points[2 * naive] ?? 0) < at) naive++;
    expect(firstFrom(points, at)).toBe(naive);
  }
});

test('columns have the greatest of their points', () => {
  const naive = Array.from({ length: width }, () => Number.NaN);
  for (let i = 0; i < points.length; i += 2) {
    const [at = 0, value = 0] = [points[i], points[i + 1]];
    if (at < window.start || at >= window.end) continue;
    const x = columnOf(at);
    if (!((naive[x] ?? Number.NaN) >= value)) naive[x] = value;
  }
  expect([...pointColumns(points, window, width)]).toEqual(naive);
});

test('steps hold until the next one', () => {
  const found = stepColumns(points, window, width);
  // Every instant of a column, and the last one before it.
  for (let x = 0; x < width; x++) {
    let [held, most] = [Number.NaN, Number.NaN];
    for (let i = 0; i < points.length; i += 2) {
      const [at = 0, value = 0] = [points[i], points[i + 1]];
      if (at >= window.end) break;
      const column = at < window.start ? -1 : columnOf(at);
      if (column < x) held = value;
      else if (column === x) most = Number.isNaN(most) ? value : Math.max(most, value);
    }
    const expected = Number.isNaN(held) ? most : Number.isNaN(most) ? held : Math.max(held, most);
    expect(found[x]).toEqual(expected);
  }
  expect(stepColumns(new Float64Array(), window, 3)).toEqual(Float64Array.of(Number.NaN, Number.NaN, Number.NaN));
});
