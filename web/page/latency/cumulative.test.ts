import { expect, test } from 'vitest';
import type { Measured } from '../../engine/protocol';
import { countBelow, cumulative } from './cumulative';
import { bucketsOf, DurationScale } from './histogram';

/** Of some whole durations, as the engine counts them. */
function measured(durations: readonly number[]): Measured {
  const sorted = durations.toSorted((a, b) => a - b);
  const rank = (share: number) => sorted[Math.ceil(share * sorted.length) - 1] ?? null;
  const histogram = new Map<number, number>();
  for (const duration of sorted) {
    const from = duration <= 0 ? duration : 2 ** Math.floor(Math.log2(duration));
    histogram.set(from, (histogram.get(from) ?? 0) + 1);
  }
  const spread = { p50: rank(0.5), p90: rank(0.9), p99: rank(0.99), p999: rank(0.999), max: rank(1) };
  const sum = sorted.reduce((all, duration) => all + duration, 0);
  return { count: sorted.length, ns: { sum, ...spread, histogram: [...histogram] } } as unknown as Measured;
}

/** The share of durations that are below the edges of buckets, counted one by one. */
const naive = (durations: readonly number[], edge: number) =>
  durations.filter((duration) => duration < edge).length / durations.length;

test('the curve rises to 1 and is exact at the edges of buckets', () => {
  const durations = [0, 3, 3, 5, 6, 40, 41, 300];
  const all = measured(durations);
  const scale = new DurationScale(bucketsOf(all.ns.histogram, []), 80);
  const curve = cumulative(scale, 'all', all);
  expect(curve.map(({ share }) => share)).toEqual(curve.map(({ share }) => share).toSorted((a, b) => a - b));
  expect(curve.at(-1)?.share).toBe(1);
  for (const [index, { from }] of scale.buckets.entries()) {
    const at = curve.find(({ x }) => x === index * scale.bucketWidth);
    expect(at?.share).toBeCloseTo(naive(durations, from));
    const { to } = scale.buckets[index] ?? { to: 0 };
    expect(countBelow(scale.buckets, 'all', index, all)).toBe(naive(durations, to) * durations.length);
  }
});

test('negative durations are below the first bucket', () => {
  const all = measured([-5, 4, 4, 9]);
  const scale = new DurationScale(
    bucketsOf(
      all.ns.histogram.filter(([from]) => from >= 0),
      [],
    ),
    20,
  );
  expect(cumulative(scale, 'all', all)[0]).toEqual({ x: 0, share: 0.25 });
});
