import { expect, test } from 'vitest';
import { cssPx } from '../../../base/units';
import { layoutLanes } from '../../frame/laneLayout';
import { newRunqueueColumns, paintStrip, runqueueColumns, type StripColours, stripPlace } from './runqueueColumns';

const word = (most: number, mean: number): number => ((most << 16) | Math.ceil(mean * 256)) >>> 0;

/** One lane of 8 buckets that begins at the first column. */
function columnsOf(words: readonly number[], bucketsPerPixel: number, width: number, fraction = 0) {
  const out = newRunqueueColumns(width);
  const values = Uint32Array.from([...words.map(() => word(9, 9)), ...words]);
  const segment = {
    x0: 0,
    x1: width,
    bucket: 0,
    fraction,
    bucketsPerPixel,
    slots: [0],
    bucketEnd: words.length,
    palette: 0,
  };
  runqueueColumns(segment, [{ buckets: words.length, data: { values, most: 9 } }], 1, out);
  return { most: [...out.most], mean: [...out.mean] };
}

test('a column has the most of its buckets, and their mean', () => {
  const { most, mean } = columnsOf([0, word(3, 1), word(1, 1), 0, 0, word(2, 0.5)], 2, 3);
  expect(most).toEqual([3, 1, 2]);
  expect(mean).toEqual([0.5, 0.5, 0.25]);
});

test('where a column ends within a bucket, the mean takes its share, the most does not', () => {
  const { most, mean } = columnsOf([word(2, 2), word(4, 4), 0], 1.5, 2);
  expect(most).toEqual([4, 4]);
  expect(mean[0]).toBeCloseTo((2 + 0.5 * 4) / 1.5);
  expect(mean[1]).toBeCloseTo((0.5 * 4) / 1.5);
});

test('buckets wider than a column are drawn in each of their columns', () => {
  expect(columnsOf([word(1, 1), word(2, 2)], 0.5, 4)).toEqual({ most: [1, 1, 2, 2], mean: [1, 1, 2, 2] });
});

const colours: StripColours = { steps: [0xff0000f1, 0xff0000f2, 0xff0000f3, 0xff0000f4], background: 0xff000001 };

function strip(most: readonly number[], mean: readonly number[], rows: number, top: number): number[][] {
  const out = new Uint32Array(rows * most.length);
  paintStrip({ most: Uint16Array.from(most), mean: Float32Array.from(mean) }, rows, top, colours, out, 0);
  return Array.from({ length: rows }, (_, row) => [...out.subarray(row * most.length, (row + 1) * most.length)]);
}

const shade = (pixel: number): number => pixel & 0xffffff;

test('a thin strip has a colour for the depth, and is faint where tasks wait for a part of the column', () => {
  const [row = []] = strip([0, 1, 2, 3, 4, 200], [0, 1, 2, 3, 4, 200], 1, 200);
  expect(row.map(shade)).toEqual([1, 0xf1, 0xf2, 0xf2, 0xf3, 0xf4]);
  expect(row.slice(1).every((pixel) => pixel >>> 24 === 255)).toBe(true);
  const [[faint = 0] = []] = strip([1], [0.001], 1, 200);
  expect(faint >>> 24).toBe(255);
  expect(shade(faint)).toBeGreaterThan(0x70);
  expect(shade(faint)).toBeLessThan(0xa0);
});

test('a tall strip is as high as the logarithm of the depth: full at the most of the trace', () => {
  const rows = strip([0, 1, 3, 7], [0, 1, 3, 7], 9, 7);
  const heights = [0, 1, 2, 3].map((x) => rows.filter((row) => row[x] !== 0).length);
  expect(heights).toEqual([0, 3, 6, 9]);
  expect(rows[8]?.map(shade)).toEqual([0, 0xf1, 0xf2, 0xf3]);
  // The part above the mean is faint.
  const short = strip([7], [1], 9, 7).map(([pixel = 0]) => pixel >>> 24);
  expect(short.filter((alpha) => alpha === 255)).toHaveLength(3);
  expect(short.every((alpha) => alpha > 120)).toBe(true);
  // Even 1 of 60 000 can be seen.
  expect(strip([1], [0.0001], 9, 60_000).filter(([pixel = 0]) => pixel !== 0)).toHaveLength(1);
});

test('strips lie at the lower edge of their lanes, at least a device pixel high', () => {
  expect(stripPlace(layoutLanes(8, cssPx(400), 1, 0), 0, 4, 1)).toEqual({ top: 28, height: 18, rows: 18 });
  expect(stripPlace(layoutLanes(128, cssPx(640), 1, 0), 2, 1, 1)).toEqual({ top: 12, height: 2, rows: 1 });
  expect(stripPlace(layoutLanes(512, cssPx(512), 1, 0), 511, 0, 1)).toEqual({ top: 511, height: 1, rows: 1 });
});
