import { expect, test } from 'vitest';
import { counterColumns, counterScale, newCounterColumns, paintCounter } from './counterColumns';

const NONE = Number.NaN;

test('a column has the extremes of the buckets that it touches', () => {
  // Buckets 0 to 5 of one lane.
  const values = Float64Array.of(NONE, NONE, 1, 9, 4, 4, -2, 5, 3, 3, 7, 7);
  const tile = { buckets: 6, data: { values } };
  const columns = newCounterColumns(4);
  const segment = { slots: [0], palette: 0, bucket: 0, bucketEnd: 6, fraction: 0, bucketsPerPixel: 2, x0: 0, x1: 3 };
  counterColumns(segment as unknown as Parameters<typeof counterColumns>[0], [tile], 0, columns);
  expect([...columns.least]).toEqual([1, -2, 3, NONE]);
  expect([...columns.greatest]).toEqual([9, 5, 7, NONE]);
});

test('the scale begins at 0 or below, and holds all values', () => {
  expect(counterScale(800, 3600)).toEqual({ bottom: 0, top: 3600 });
  expect(counterScale(-1, 8)).toEqual({ bottom: -1, top: 8 });
  expect(counterScale(0, 0)).toEqual({ bottom: -1, top: 1 });
});

test('a line joins its columns and ends where nothing is known', () => {
  const columns = { least: Float64Array.of(0, 0, 4, NONE), greatest: Float64Array.of(0, 2, 4, NONE) };
  const out = new Uint32Array(4 * 5);
  paintCounter(columns, { bottom: 0, top: 4 }, 5, [1, 9], out, 0);
  const rows = Array.from({ length: 5 }, (_, row) => [...out.subarray(4 * row, 4 * row + 4)]);
  expect(rows).toEqual([
    [0, 0, 1, 0],
    [0, 0, 1, 0],
    [0, 1, 1, 0],
    [0, 1, 0, 0],
    [1, 1, 0, 0],
  ]);
});
