import { expect, test } from 'vitest';
import { type CellSegment, TILE_BUCKETS } from '../../../gl/cells';
import { type IrqTile, irqColumns, newIrqColumns, paintBands } from './irqColumns';

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

test('columns over several tiles, one of which is missing, are integrals of the cells below them', () => {
  const [lanes, lane] = [3, 2];
  const tile = (buckets: number, seed: number): IrqTile => ({
    buckets,
    cells: Uint32Array.from({ length: lanes * buckets }, (_, at) => (Math.imul(at + seed, 0x9e3779b1) >>> 7) & 0xffff),
  });
  const tiles = [tile(TILE_BUCKETS, 1), undefined, tile(TILE_BUCKETS, 2), tile(100, 3)];
  const end = 3 * TILE_BUCKETS + 100;
  for (const [bucket, fraction, bucketsPerPixel] of [
    [0, 0, 2.7],
    [TILE_BUCKETS - 7, 0.4, 1.3],
    [2 * TILE_BUCKETS - 3, 0.9, 0.31],
    [3 * TILE_BUCKETS - 50, 0.25, 1.9],
  ] as const) {
    const columns = newIrqColumns(700);
    const place = { x0: 5, x1: 650, bucket, fraction, bucketsPerPixel, bucketEnd: end };
    irqColumns(segment(place), tiles, lane, columns);
    for (let x = 0; x < 700; x++) {
      const [from, to] = [x - 5, x - 4].map((column) => bucket + fraction + column * bucketsPerPixel);
      const sums = [0, 0];
      for (let at = Math.floor(from ?? 0); x >= 5 && x < 650 && at < Math.min(end, to ?? 0); at++) {
        const of = tiles[Math.floor(at / TILE_BUCKETS)];
        const word = of?.cells[lane * of.buckets + (at % TILE_BUCKETS)] ?? 0;
        const part = (Math.min(at + 1, to ?? 0) - Math.max(at, from ?? 0)) / bucketsPerPixel / 255;
        for (const kind of [0, 1]) sums[kind] = (sums[kind] ?? 0) + ((word >> (8 * kind)) & 255) * part;
      }
      expect(columns.hard[x]).toBeCloseTo(sums[0] ?? 0, 5);
      expect(columns.soft[x]).toBeCloseTo(sums[1] ?? 0, 5);
    }
  }
});
