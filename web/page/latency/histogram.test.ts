import { describe, expect, it } from 'vitest';
import type { Spread } from '../../engine/protocol';
import { bucketsOf, DurationScale, percentilesOf, placeLineLabels, tickText } from './histogram';

describe('buckets', () => {
  it('are side by side, with the empty ones between them', () => {
    expect(
      bucketsOf(
        [
          [512, 3],
          [4096, 1],
        ],
        [[1024, 2]],
      ),
    ).toEqual([
      { from: 512, to: 1024, all: 3, group: 0 },
      { from: 1024, to: 2048, all: 0, group: 2 },
      { from: 2048, to: 4096, all: 0, group: 0 },
      { from: 4096, to: 8192, all: 1, group: 0 },
    ]);
  });

  it('have zero at their left, however far the next one is', () => {
    expect(
      bucketsOf(
        [
          [0, 5],
          [1 << 20, 1],
        ],
        [],
      ).map(({ from, to }) => [from, to]),
    ).toEqual([
      [0, 1],
      [1 << 20, 1 << 21],
    ]);
    expect(bucketsOf([[0, 5]], [])).toHaveLength(1);
    expect(bucketsOf([], [])).toEqual([]);
  });

  it('end where the greatest durations do', () => {
    expect(
      bucketsOf(
        [
          [2 ** 62, 1],
          [2 ** 63, 1],
        ],
        [],
      ),
    ).toHaveLength(2);
  });
});

describe('the scale', () => {
  it('gives each bucket the same width', () => {
    const scale = new DurationScale(
      bucketsOf(
        [
          [1024, 1],
          [8192, 1],
        ],
        [],
      ),
      400,
    );
    expect([1024, 2048, 4096, 8192, 16384].map((at) => Math.round(scale.x(at)))).toEqual([0, 100, 200, 300, 400]);
    expect([-1, 0, 99, 100, 399, 400].map((x) => scale.bucketAt(x))).toEqual([null, 0, 0, 1, 3, null]);
  });

  it('puts zero into its own bucket', () => {
    const scale = new DurationScale(
      bucketsOf(
        [
          [0, 1],
          [1024, 1],
        ],
        [],
      ),
      400,
    );
    expect([0, 1024, 2048].map((at) => Math.round(scale.x(at)))).toEqual([100, 200, 400]);
    expect(new DurationScale(bucketsOf([[0, 1]], []), 400).x(0)).toBe(200);
    expect(new DurationScale(bucketsOf([[0, 1]], []), 400).ticks(40)).toEqual([]);
  });

  it('has ticks at powers of ten, as many as there is room for', () => {
    const scale = new DurationScale(
      bucketsOf(
        [
          [512, 1],
          [2 ** 29, 1],
        ],
        [],
      ),
      300,
    );
    const durations = (room: number) => scale.ticks(room).map(({ duration }) => duration);
    expect(durations(40)).toEqual([1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9]);
    expect(durations(60)).toEqual([1e4, 1e6, 1e8]);
  });
});

describe('percentile labels', () => {
  it('never hide each other', () => {
    const placed = placeLineLabels(
      [
        { text: 'p50', x: 10 },
        { text: 'p90', x: 100 },
        { text: 'p99', x: 105 },
        { text: 'p99.9', x: 110 },
        { text: 'max', x: 198 },
      ],
      200,
      6,
    );
    expect(placed.map(({ row }) => row)).toEqual([0, 0, 1, 2, 0]);
    expect(placed.map(({ left }) => left)).toEqual([1, 91, 96, 95, 182]);
  });

  it('name what is known', () => {
    const spread = { p50: 3, p90: 4, p99: null, p999: null, max: 9, sum: 0, histogram: [] } satisfies Spread;
    expect(percentilesOf(spread).map(({ text }) => text)).toEqual(['p50', 'p90', 'max']);
  });
});

it('labels powers of ten with their unit', () => {
  expect([1, 10, 1e3, 1e5, 1e6, 1e9, 1e11].map((at) => tickText(true, at))).toEqual([
    '1 ns',
    '10 ns',
    '1 µs',
    '100 µs',
    '1 ms',
    '1 s',
    '100 s',
  ]);
  expect([1, 1e3, 1e4, 1e6].map((at) => tickText(false, at))).toEqual(['1 ticks', '1k ticks', '10k ticks', '1M ticks']);
});
