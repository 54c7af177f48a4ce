/** Finds the buckets of tiles that each device-pixel column touches. */
import { TILE_BUCKETS } from '../../gl/cells';
import type { Timescale } from '../frame/timescale';
import type { Stretch } from './cover';

/** Calls `each` with every column and each bucket that it touches, given as the index of the bucket's first word. */
export function eachBucket(
  stretches: readonly Stretch<{ readonly values: Uint32Array }>[],
  scale: Timescale,
  words: number,
  each: (x: number, data: Uint32Array, at: number) => void,
): void {
  for (const stretch of stretches) {
    const first = stretch.tiles[0];
    const last = stretch.tiles.at(-1);
    if (first === undefined || last === undefined) continue;
    const bucketNs = 2 ** first.level;
    const firstBucket = first.index * TILE_BUCKETS;
    const end = (last.index - first.index) * TILE_BUCKETS + last.buckets;
    const origin = scale.window.start / bucketNs - firstBucket;
    const bucketsPerPx = scale.nsPerDevPx / bucketNs;
    for (let x = stretch.x0 as number; x < stretch.x1; x++) {
      const from = origin + x * bucketsPerPx;
      const to = Math.min(end, Math.max(Math.ceil(from + bucketsPerPx), Math.floor(from) + 1));
      for (let bucket = Math.max(0, Math.floor(from)); bucket < to; bucket++) {
        const data = stretch.tiles[Math.floor(bucket / TILE_BUCKETS)]?.data.values;
        if (data !== undefined) each(x, data, words * (bucket % TILE_BUCKETS));
      }
    }
  }
}
