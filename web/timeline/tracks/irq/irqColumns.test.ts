import { expect, test } from 'vitest';
import type { CellSegment } from '../../../gl/cells';
import { irqColumns, newIrqColumns, paintBands } from './irqColumns';

const segment = (more: Partial<CellSegment>): CellSegment => ({
  x0: 0,
  x1: 4,
  bucket: 0,
  fraction: 0,
  bucketsPerPixel: 1,
  slots: [0],
  bucketEnd: 4,
  palette: 0,
  ...more,
});

test('columns have the shares of the buckets below them, of their own lane', () => {
  const columns = newIrqColumns(4);
  const cells = Uint32Array.of(0, 0, 0, 0, 255, 0, 51 << 8, 255 | (255 << 8));
  irqColumns(segment({}), [{ buckets: 4, cells }], 1, columns);
  expect([...columns.hard]).toEqual([1, 0, 0, 1]);
  expect([...columns.soft].map((share) => share.toFixed(2))).toEqual(['0.00', '0.00', '0.20', '1.00']);
  irqColumns(segment({ bucketsPerPixel: 2, x1: 2 }), [{ buckets: 4, cells }], 1, columns);
  expect([...columns.hard.slice(0, 2)]).toEqual([0.5, 0.5]);
});

test('a share is never nothing, and hardirqs are above softirqs', () => {
  const out = new Uint32Array(2 * 8);
  paintBands({ hard: Float32Array.of(0.001, 1), soft: Float32Array.of(0, 0.5) }, 4, [7, 9], out, 0);
  const column = (x: number) => Array.from({ length: 8 }, (_, row) => out[row * 2 + x]);
  expect(column(0)).toEqual([7, 0, 0, 0, 0, 0, 0, 0]);
  expect(column(1)).toEqual([7, 7, 7, 7, 9, 9, 0, 0]);
});
