import { expect, test } from 'vitest';
import { CallCell } from '../../../engine/protocolTracks';
import type { CellSegment } from '../../../gl/cells';
import { mergeCalls, noCall, paintCalls } from './callColumns';

const segment = (bucketsPerPixel: number, x1: number): CellSegment => ({
  x0: 0,
  x1,
  bucket: 0,
  fraction: 0,
  bucketsPerPixel,
  slots: [0],
  bucketEnd: 4,
  palette: 0,
});
const cell = (call: number, inside: number, ran: number, flags = 0): number[] => [
  (call | (inside << CallCell.inside) | (ran << CallCell.ran)) >>> 0,
  flags,
];
const tile = {
  buckets: 4,
  cells: Uint32Array.from([cell(3, 255, 255), cell(3, 255, 0), cell(0, 0, 0), cell(5, 51, 0, CallCell.failed)].flat()),
};

test('a column has the call that takes most of it, and the share of its time in calls', () => {
  const out = noCall();
  mergeCalls(segment(4, 1), [tile], 0, 0, out);
  expect(out).toMatchObject({ call: 3, flags: CallCell.failed });
  expect(out.inside).toBeCloseTo(0.55);
  expect(out.ran).toBeCloseTo(0.25);
  mergeCalls(segment(1, 4), [tile], 0, 2, out);
  expect(out).toEqual(noCall());
});

test('time on CPU is solid, other time striped, and errors have a tick', () => {
  const pixels = new Uint32Array(4 * 10);
  const inks = { solid: [0, 1, 2, 3, 4, 5], pale: [0, 11, 12, 13, 14, 15], error: 99, hatch: 50 };
  const picture = { pixels, width: 4, height: 10, phase: 0, rowRatio: 1 };
  const counts = paintCalls(
    picture,
    { top: 0, height: 10, parts: [{ segment: segment(1, 4), tiles: [tile], row: 0 }] },
    inks,
  );
  const column = (x: number) => Array.from({ length: 10 }, (_, y) => pixels[y * 4 + x]);
  expect(new Set(column(0))).toEqual(new Set([3]));
  expect(new Set(column(1))).toEqual(new Set([3, 13]));
  expect(new Set(column(2))).toEqual(new Set([0]));
  // A fifth of its time is in a call: two rows at the foot, and the tick above.
  expect(column(3).filter((ink) => ink === 5 || ink === 15)).toHaveLength(2);
  expect(column(3).slice(0, 2)).toEqual([99, 99]);
  expect(counts).toEqual([3, 1]);
});
