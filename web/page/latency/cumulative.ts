/**
 * The cumulative distribution of durations over the buckets of a histogram. It is exact at the buckets' edges and at the
 * percentiles that are known; between them it is a line. Pure.
 */
import type { Measured } from '../../engine/protocol';
import { type Bucket, type DurationScale, percentilesOf } from './histogram';

/** A share of durations, 0 to 1, that are not above what is at `x`, in CSS pixels from the left of the plot. */
export interface CumulativePoint {
  readonly x: number;
  readonly share: number;
}

/** The ranks of the percentiles, as they are called. */
const RANKS: Readonly<Record<string, number>> = { p50: 0.5, p90: 0.9, p99: 0.99, 'p99.9': 0.999, max: 1 };

/** The curve from left to right; `of`: which counts of the buckets it adds up. */
export function cumulative(scale: DurationScale, of: 'all' | 'group', { count, ns }: Measured): CumulativePoint[] {
  const { buckets, bucketWidth } = scale;
  const shown = buckets.reduce((sum, bucket) => sum + bucket[of], 0);
  const known = percentilesOf(ns).map(({ text, duration }) => ({ duration, share: RANKS[text] ?? 1 }));
  // What is negative has no place on a logarithmic axis.
  let before = count - shown;
  const points: CumulativePoint[] = [];
  for (const [index, bucket] of buckets.entries()) {
    const after = before + bucket[of];
    points.push({ x: index * bucketWidth, share: before / Math.max(1, count) });
    if (bucket[of] > 0) {
      const inside = known.filter(({ duration }) => bucket.from <= duration && duration < bucket.to);
      points.push(...inside.map(({ duration, share }) => ({ x: scale.x(duration), share })));
    }
    before = after;
  }
  points.push({ x: buckets.length * bucketWidth, share: before / Math.max(1, count) });
  // Several percentiles may be one duration, and a percentile the edge of a bucket.
  let most = 0;
  return points.map(({ x, share }) => {
    most = Math.max(most, share);
    return { x, share: most };
  });
}

/** How many durations are below the end of a bucket. */
export const countBelow = (
  buckets: readonly Bucket[],
  of: 'all' | 'group',
  index: number,
  { count }: Measured,
): number => count - buckets.slice(index + 1).reduce((sum, bucket) => sum + bucket[of], 0);
