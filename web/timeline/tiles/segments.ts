/** Turns stretches of tiles into segments for the cell surface. */
import { ns } from '../../base/units';
import { type CellSegment, TILE_BUCKETS } from '../../gl/cells';
import type { Timescale } from '../frame/timescale';
import type { Stretch } from './cover';
import type { Variant } from './tileCache';

/** `palette`: the palette of a tile's variant. */
export function cellSegment<Data>(
  stretch: Stretch<Data>,
  scale: Timescale,
  palette: (variant: Variant) => number = () => 0,
): CellSegment | null {
  const first = stretch.tiles[0];
  const last = stretch.tiles.at(-1);
  if (first === undefined || last === undefined) return null;
  const bucketNs = 2 ** first.level;
  const firstBucket = first.index * TILE_BUCKETS;
  const bucketEnd = (last.index - first.index) * TILE_BUCKETS + last.buckets;
  // The window may begin before the trace: then the first pixels have no data.
  const before = Math.max(0, Math.ceil(scale.timeToDevPx(ns(0))));
  const x0 = Math.max(stretch.x0, before);
  // Dividing by a power of two is exact; the difference of two times is exact to 2^-15 ns at 100 s.
  const position = (scale.window.start - firstBucket * bucketNs + x0 * scale.nsPerDevPx) / bucketNs;
  const bucket = Math.max(0, Math.floor(position));
  return {
    x0,
    x1: Math.max(x0, stretch.x1),
    bucket,
    fraction: Math.max(0, position - bucket),
    bucketsPerPixel: scale.nsPerDevPx / bucketNs,
    slots: stretch.tiles.map((tile) => tile.slot),
    bucketEnd,
    palette: palette(first.variant),
  };
}
