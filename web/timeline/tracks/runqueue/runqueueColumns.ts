/**
 * Runqueue depth as pixels: for each device-pixel column the greatest and the mean number of waiting tasks, painted as
 * a strip at the lane's lower edge. Pure.
 */
import { type CellSegment, TILE_BUCKETS } from '../../../gl/cells';
import type { LaneLayout } from '../../frame/laneLayout';
import type { RowPlace } from '../laneRows';

/** `values[lane * buckets + bucket]`, as in `TileAnswer`. */
export interface RunqueueTile {
  readonly values: Uint32Array;
  readonly most: number;
}

export interface RunqueueColumns {
  /** The most at one time, by column. */
  readonly most: Uint16Array;
  readonly mean: Float32Array;
}

export const newRunqueueColumns = (width: number): RunqueueColumns => ({
  most: new Uint16Array(width),
  mean: new Float32Array(width),
});

type SegmentTile = { readonly buckets: number; readonly data: RunqueueTile };

/**
 * Fills the columns that the segment covers: with the greatest value of all buckets that a column touches, and the mean
 * over the column.
 */
export function runqueueColumns(
  segment: CellSegment,
  tiles: readonly (SegmentTile | undefined)[],
  lane: number,
  out: RunqueueColumns,
): void {
  const { bucketsPerPixel } = segment;
  for (let x = Math.max(0, segment.x0); x < Math.min(out.most.length, segment.x1); x++) {
    const from = segment.fraction + (x - segment.x0) * bucketsPerPixel;
    const to = from + bucketsPerPixel;
    let left = Math.floor(from);
    const end = Math.min(segment.bucket + Math.max(Math.ceil(to), left + 1), segment.bucketEnd);
    let most = 0;
    let sum = 0;
    for (let bucket = segment.bucket + left; bucket < end; bucket++, left++) {
      const tile = tiles[Math.floor(bucket / TILE_BUCKETS)];
      const word = tile?.data.values[lane * tile.buckets + (bucket % TILE_BUCKETS)] ?? 0;
      if (word === 0) continue;
      most = Math.max(most, word >>> 16);
      sum += ((word & 0xffff) / 256) * (Math.min(left + 1, to) - Math.max(left, from));
    }
    out.most[x] = most;
    out.mean[x] = Math.min(most, sum / bucketsPerPixel);
  }
}

/** Lanes of at least this height show the depth as a height, others only as a colour. In CSS pixels. */
const STEPPED_LANE = 16;
const MOST_HEIGHT = 30;

/** `gap`: device pixels below the lane. */
export function stripPlace(layout: LaneLayout, lane: number, gap: number, pixelRatio: number): RowPlace {
  const pitch = layout.pitch * pixelRatio;
  const bottom = Math.round(layout.top * pixelRatio + (lane + 1) * pitch - gap);
  const tall = layout.pitch >= STEPPED_LANE;
  const wanted = tall ? Math.min(0.4 * (pitch - gap), MOST_HEIGHT * pixelRatio) : 0.4 * (pitch - gap);
  const height = Math.max(1, Math.round(wanted));
  return { top: bottom - height, height, rows: tall ? height : 1 };
}

/** The strip's colours as RGBA words. */
export interface StripColours {
  /** Colours for 1, 2-3, 4-7, and 8 or more tasks, which differ in lightness. */
  readonly steps: readonly [number, number, number, number];
  readonly background: number;
}

/**
 * Paints a strip of `rows` rows, the top row first, into `out` from `offset` on. If it has several rows, the height is
 * the logarithm of the depth, with the mean in full colour and the rest up to the most faint. A strip of one row is
 * faint where tasks wait for only a part of the column, and no run shows through it, because runs have their own
 * colours. Wherever a task waits at all, some pixel is painted.
 */
export function paintStrip(
  { most, mean }: RunqueueColumns,
  rows: number,
  top: number,
  colours: StripColours,
  out: Uint32Array,
  offset: number,
): void {
  const width = most.length;
  const scale = rows / Math.log2(1 + Math.max(1, top));
  for (let x = 0; x < width; x++) {
    const depth = most[x] ?? 0;
    if (depth === 0) {
      if (rows === 1) out[offset + x] = colours.background;
      continue;
    }
    const colour = colours.steps[Math.min(3, Math.floor(Math.log2(depth)))] ?? 0;
    const average = mean[x] ?? 0;
    if (rows === 1) {
      out[offset + x] = mixed(colours.background, colour, FAINT + (1 - FAINT) * Math.min(1, average));
      continue;
    }
    const height = Math.min(rows, Math.max(1, Math.round(scale * Math.log2(1 + depth))));
    const full = Math.min(height, Math.round(scale * Math.log2(1 + average)));
    for (let row = 0; row < height; row++) {
      out[offset + (rows - 1 - row) * width + x] = row < full ? colour : withAlpha(colour, FAINT);
    }
  }
}

const FAINT = 0.55;

/** The colour mixed over the background. */
function mixed(background: number, colour: number, share: number): number {
  const channel = (shift: number): number => {
    const [under, over] = [(background >>> shift) & 0xff, (colour >>> shift) & 0xff];
    return Math.round(under + (over - under) * share) << shift;
  };
  return (0xff000000 | channel(16) | channel(8) | channel(0)) >>> 0;
}

const withAlpha = (word: number, alpha: number): number => ((word & 0xffffff) | (Math.round(alpha * 255) << 24)) >>> 0;
