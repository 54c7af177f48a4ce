import { expect, test } from 'vitest';
import { cssPx } from '../../../base/units';
import type { CellSegment } from '../../../gl/cells';
import { countTexts, hitColumns, hitPlace, paintHits } from './hitColumns';

const SEGMENT: CellSegment = {
  x0: 0,
  x1: 4,
  bucket: 0,
  fraction: 0,
  bucketsPerPixel: 1,
  slots: [],
  bucketEnd: 8,
  palette: 0,
};
/** Two lanes of eight buckets. */
const TILES = [{ buckets: 8, data: { values: Uint32Array.from([0, 3, 0, 0, 1, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 9]) } }];

function columns(change: Partial<CellSegment>, lane = 0): number[] {
  const counts = new Uint32Array(4);
  hitColumns({ ...SEGMENT, ...change }, TILES, lane, counts);
  return [...counts];
}

test('every hit counts for one column, whatever the scale', () => {
  expect(columns({})).toEqual([0, 3, 0, 0]);
  expect(columns({ bucketsPerPixel: 2 })).toEqual([3, 0, 1, 2]);
  expect(columns({ bucketsPerPixel: 2 }, 1)).toEqual([0, 0, 0, 9]);
  expect(columns({ bucketsPerPixel: 1.9, fraction: 0.1 })).toEqual([3, 0, 1, 2]);
  // A bucket that is wider than a pixel begins in one of them.
  expect(columns({ bucketsPerPixel: 0.5 })).toEqual([0, 0, 3, 0]);
  // The left edge cuts the second bucket.
  expect(columns({ fraction: 0.5, bucket: 1, bucketsPerPixel: 0.5 })).toEqual([3, 0, 0, 0]);
});

test('marks are a pixel at least, and higher for several', () => {
  const out = new Uint32Array(5 * 5);
  paintHits(Uint32Array.from([0, 1, 0, 0, 64]), 5, 0xff000001, out, 0);
  const row = (y: number): number[] => [...out.slice(5 * y, 5 * y + 5)].map((word) => word >>> 24);
  expect(row(0)).toEqual([115, 255, 115, 115, 255]);
  expect(row(2)).toEqual([115, 255, 115, 115, 255]);
  expect(row(3)).toEqual([0, 0, 0, 115, 255]);
  expect(row(4)).toEqual([0, 0, 0, 115, 255]);
});

test('thin lanes have marks too', () => {
  const layout = { count: 512, height: cssPx(512), pitch: cssPx(1), top: cssPx(0) };
  expect(hitPlace(layout, 3, 0, 1)).toEqual({ top: 3, height: 1, rows: 1 });
  expect(hitPlace({ ...layout, pitch: cssPx(20) }, 1, 2, 1)).toEqual({ top: 20, height: 9, rows: 9 });
});

test('counts are told where there is room for them', () => {
  const counts = new Uint32Array(40);
  counts.set([7, 2], 3);
  counts[20] = 5;
  counts[39] = 9;
  expect(countTexts(counts, 10)).toEqual([
    { x: 4, count: 2 },
    { x: 20, count: 5 },
  ]);
});
