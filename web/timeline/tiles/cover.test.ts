import { describe, expect, it } from 'vitest';
import { devPx, ns } from '../../base/units';
import { TILE_BUCKETS } from '../../gl/cells';
import { Timescale } from '../frame/timescale';
import { cover } from './cover';
import { cellSegment } from './segments';
import { TileCache } from './tileCache';
import { tileNs } from './tiles';

const SPAN = ns(100 * tileNs(4));
/** Two tiles of level 4 on 2048 pixels, so that each pixel has one bucket. */
const scale = new Timescale({ start: ns(tileNs(4)), end: ns(3 * tileNs(4)) }, devPx(2048), 1);

function cacheWith(...tiles: readonly (readonly [variant: string, level: number, index: number])[]): TileCache<null> {
  const cache = new TileCache<null>(64);
  for (const [variant, level, index] of tiles) cache.put(variant, { level, index }, 1, TILE_BUCKETS, null);
  return cache;
}

const names = (cache: TileCache<null>, variants: readonly string[] = ['task', 'comm']) =>
  cover(cache, variants, scale, SPAN).map(({ x0, x1, tiles }) => [
    x0,
    x1,
    ...tiles.map(({ variant, level, index }) => `${variant} ${level}/${index}`),
  ]);

describe('covering the screen', () => {
  it('joins neighbours into one stretch', () => {
    expect(names(cacheWith(['task', 4, 1], ['task', 4, 2]))).toEqual([[0, 2048, 'task 4/1', 'task 4/2']]);
  });

  it('takes finer tiles where the right one is missing', () => {
    const cache = cacheWith(['task', 4, 1], ['task', 3, 4], ['task', 3, 5]);
    expect(names(cache)).toEqual([
      [0, 1024, 'task 4/1'],
      [1024, 2048, 'task 3/4', 'task 3/5'],
    ]);
  });

  it('takes one coarser tile for both', () => {
    expect(names(cacheWith(['task', 7, 0]))).toEqual([[0, 2048, 'task 7/0']]);
  });

  it('takes the other kind of key rather than a worse level', () => {
    const cache = cacheWith(['comm', 4, 1], ['task', 4, 2], ['task', 7, 0]);
    expect(names(cache)).toEqual([
      [0, 1024, 'comm 4/1'],
      [1024, 2048, 'task 4/2'],
    ]);
  });

  it('leaves out what nobody knows', () => {
    expect(names(cacheWith(['task', 4, 2]))).toEqual([[1024, 2048, 'task 4/2']]);
    expect(names(cacheWith())).toEqual([]);
  });

  it('keeps what is used in the cache', () => {
    const cache = new TileCache<null>(3);
    for (const [level, index] of [
      [4, 1],
      [4, 2],
      [9, 0],
    ] as const) {
      cache.put('task', { level, index }, 1, TILE_BUCKETS, null);
    }
    cover(cache, ['task'], scale, SPAN);
    cache.put('task', { level: 0, index: 0 }, 1, TILE_BUCKETS, null);
    expect(cache.get('task', { level: 4, index: 1 })).toBeDefined();
    expect(cache.get('task', { level: 9, index: 0 })).toBeUndefined();
  });
});

describe('what the surface draws of a stretch', () => {
  it('places pixels in buckets', () => {
    const [stretch] = cover(cacheWith(['task', 4, 1], ['task', 4, 2]), ['task'], scale, SPAN);
    expect(stretch && cellSegment(stretch, scale, () => 1)).toMatchObject({
      x0: 0,
      x1: 2048,
      bucket: 0,
      fraction: 0,
      bucketsPerPixel: 1,
      slots: [0, 1],
      bucketEnd: 2048,
      palette: 1,
    });
  });

  it('is exact for single nanoseconds a hundred seconds from time 0', () => {
    const start = 100e9 + 12345.25;
    const deep = new Timescale({ start: ns(start), end: ns(start + 10) }, devPx(1000), 1);
    const cache = new TileCache<null>(4);
    const index = Math.floor(start / TILE_BUCKETS);
    cache.put('task', { level: 0, index }, 1, TILE_BUCKETS, null);
    const [stretch] = cover(cache, ['task'], deep, ns(200e9));
    const segment = stretch && cellSegment(stretch, deep, () => 0);
    expect(segment?.bucketsPerPixel).toBeCloseTo(0.01, 12);
    expect((segment?.bucket ?? 0) + index * TILE_BUCKETS).toBe(Math.floor(start));
    expect(segment?.fraction).toBeCloseTo(0.25, 4);
  });

  it('leaves the pixels before the trace empty', () => {
    const early = new Timescale({ start: ns(-tileNs(4)), end: ns(tileNs(4)) }, devPx(2048), 1);
    const [stretch] = cover(cacheWith(['task', 4, 0]), ['task'], early, SPAN);
    expect(stretch && cellSegment(stretch, early, () => 0)).toMatchObject({ x0: 1024, x1: 2048, bucket: 0 });
  });
});
