import { expect, test } from 'vitest';
import type { ScanJob } from './scanPool';
import { streamJobs } from './streamJobs';

const MIB = 1 << 20;

const bytes = Uint8Array.from({ length: 3 * MIB + 100 }, (_, index) => (index * 31 + (index >> 8)) & 0xff);

/** What was heard of each stream, in order. */
async function heard(jobs: readonly ScanJob[], file = new Blob([bytes])) {
  const pieces = new Map<number, Buffer>();
  const ended: number[] = [];
  await streamJobs(file, jobs, {
    onBytes: (piece, { index }) => {
      expect(ended).not.toContain(index);
      pieces.set(index, Buffer.concat([pieces.get(index) ?? Buffer.alloc(0), piece]));
    },
    onEnd: ({ index }) => void ended.push(index),
  });
  return { pieces, ended };
}

test.each([
  ['one', [[0, 100]]],
  [
    'that touch, some of them empty',
    [
      [0, 0],
      [0, 10],
      [10, 10],
      [10, MIB + 5],
      [MIB + 5, 3 * MIB],
      [3 * MIB, 3 * MIB],
    ],
  ],
  [
    'with bytes of nobody between',
    [
      [4096, 5000],
      [8192, MIB],
      [2 * MIB, 2 * MIB + 7],
      [3 * MIB + 90, 3 * MIB + 100],
    ],
  ],
  ['none', []],
])('streams: %s', async (_, ranges) => {
  const jobs = ranges.map(([start = 0, end = 0], index) => ({ index, start, end }));
  const { pieces, ended } = await heard(jobs);
  expect(ended).toEqual(jobs.map(({ index }) => index));
  for (const { index, start, end } of jobs)
    expect(Buffer.compare(pieces.get(index) ?? Buffer.alloc(0), bytes.subarray(start, end))).toBe(0);
});

test('of a file that ends early all streams end, with what there is', async () => {
  const jobs = [
    { index: 0, start: 0, end: 60 },
    { index: 1, start: 60, end: 200 },
    { index: 2, start: 200, end: 300 },
  ];
  const { pieces, ended } = await heard(jobs, new Blob([bytes.slice(0, 100)]));
  expect(ended).toEqual([0, 1, 2]);
  expect([...pieces].map(([index, piece]) => [index, piece.length])).toEqual([
    [0, 60],
    [1, 40],
  ]);
});
