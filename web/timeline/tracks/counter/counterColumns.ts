/**
 * A counter as pixels: for each device-pixel column the least and the greatest value that holds in it, painted as a line that
 * covers both. Pure.
 */
import { type CellSegment, TILE_BUCKETS } from '../../../gl/cells';

/** Doubles: the least and the greatest value of each bucket of each lane; not a number where none is known. */
interface CounterTile {
  readonly buckets: number;
  readonly data: { readonly values: Float64Array };
}

export interface CounterColumns {
  readonly least: Float64Array;
  readonly greatest: Float64Array;
}

export const newCounterColumns = (width: number): CounterColumns => ({
  least: new Float64Array(width).fill(Number.NaN),
  greatest: new Float64Array(width).fill(Number.NaN),
});

/** Fills the columns that the segment covers, with the extremes of all buckets that a column touches. */
export function counterColumns(
  segment: CellSegment,
  tiles: readonly (CounterTile | undefined)[],
  lane: number,
  out: CounterColumns,
): void {
  const { bucketsPerPixel } = segment;
  for (let x = Math.max(0, segment.x0); x < Math.min(out.least.length, segment.x1); x++) {
    const from = segment.fraction + (x - segment.x0) * bucketsPerPixel;
    const left = segment.bucket + Math.floor(from);
    const end = Math.min(Math.max(segment.bucket + Math.ceil(from + bucketsPerPixel), left + 1), segment.bucketEnd);
    let [least, greatest] = [Number.NaN, Number.NaN];
    for (let bucket = left; bucket < end; bucket++) {
      const tile = tiles[Math.floor(bucket / TILE_BUCKETS)];
      if (tile === undefined) continue;
      const place = 2 * (lane * tile.buckets + (bucket % TILE_BUCKETS));
      const [low, high] = [tile.data.values[place] ?? Number.NaN, tile.data.values[place + 1] ?? Number.NaN];
      if (!(low >= least)) least = Number.isNaN(low) ? least : low;
      if (!(high <= greatest)) greatest = Number.isNaN(high) ? greatest : high;
    }
    out.least[x] = least;
    out.greatest[x] = greatest;
  }
}

/** The values at the lower and at the upper edge of a lane. */
export interface CounterScale {
  readonly bottom: number;
  readonly top: number;
}

/** From 0, or from the least value if that is less; a counter that never changes lies in the middle. */
export function counterScale(least: number, greatest: number): CounterScale {
  const [bottom, top] = [Math.min(0, least), Math.max(0, greatest)];
  return bottom === top ? { bottom: bottom - 1, top: top + 1 } : { bottom, top };
}

/** Paints the line of a lane, `rows` rows from `offset` on, two device pixels thick where there is room, with an edge around it. */
export function paintCounter(
  { least, greatest }: CounterColumns,
  { bottom, top }: CounterScale,
  rows: number,
  [ink, edge]: readonly [number, number],
  out: Uint32Array,
  offset: number,
): void {
  const width = least.length;
  const rowOf = (value: number): number => Math.round(((top - value) / (top - bottom)) * (rows - 1));
  const thick = rows >= 12 ? 1 : 0;
  // Twice, so that no edge covers the line of its neighbour.
  for (const [colour, more] of rows >= 12
    ? ([
        [edge, 1],
        [ink, 0],
      ] as const)
    : ([[ink, 0]] as const)) {
    let [lastHigh, lastLow] = [-1, -1];
    for (let x = 0; x < width; x++) {
      const [low, high] = [least[x] ?? Number.NaN, greatest[x] ?? Number.NaN];
      if (Number.isNaN(low)) {
        lastHigh = -1;
        continue;
      }
      const [first, last] = [rowOf(high), rowOf(low)];
      // Down or up to where the column before ends, so that the line is one.
      const from = lastHigh < 0 ? first : Math.min(first, lastLow);
      const to = lastHigh < 0 ? last : Math.max(last, lastHigh);
      for (let row = Math.max(0, from - more); row <= Math.min(rows - 1, to + thick + more); row++) {
        out[offset + row * width + x] = colour;
      }
      [lastHigh, lastLow] = [first, last];
    }
  }
}
