/**
 * Events that pass the filter as pixels: for each device-pixel column how many, painted as a mark at the lane's upper edge
 * that is at least a pixel wide, and higher where several share it. Pure.
 */
import { type CellSegment, TILE_BUCKETS } from '../../../gl/cells';
import type { LaneLayout } from '../../frame/laneLayout';
import type { RowPlace } from '../laneRows';

interface SegmentTile {
  readonly buckets: number;
  /** `values[lane * buckets + bucket]`. */
  readonly data: { readonly values: Uint32Array };
}

/** Adds the hits of the segment's columns; each bucket counts for the column in which it begins. */
export function hitColumns(
  segment: CellSegment,
  tiles: readonly (SegmentTile | undefined)[],
  lane: number,
  counts: Uint32Array,
): void {
  const { bucketsPerPixel, x0 } = segment;
  for (let x = Math.max(0, x0); x < Math.min(counts.length, segment.x1); x++) {
    const from = segment.fraction + (x - x0) * bucketsPerPixel;
    // The bucket that the left edge cuts has no column of its own.
    const first = segment.bucket + (x === x0 ? Math.floor(from) : Math.ceil(from));
    const end = Math.min(segment.bucket + Math.ceil(from + bucketsPerPixel), segment.bucketEnd);
    let sum = 0;
    for (let bucket = first; bucket < end; bucket++) {
      const tile = tiles[Math.floor(bucket / TILE_BUCKETS)];
      sum += tile?.data.values[lane * tile.buckets + (bucket % TILE_BUCKETS)] ?? 0;
    }
    counts[x] = (counts[x] ?? 0) + sum;
  }
}

/** Lanes of at least this height tell one hit from several by the mark's height. In CSS pixels. */
const TALL = 10;
const SHARE = 0.5;
const MOST = 18;

/** `gap`: device pixels below the lane. */
export function hitPlace(layout: LaneLayout, lane: number, gap: number, ratio: number): RowPlace {
  const pitch = layout.pitch * ratio;
  const top = Math.round(layout.top * ratio + lane * pitch);
  const height = Math.max(2, Math.min(Math.round(SHARE * (pitch - gap)), Math.round(MOST * ratio)));
  return { top, height: Math.min(height, Math.max(1, Math.round(pitch))), rows: layout.pitch >= TALL ? height : 1 };
}

const MANY = 64;
const BESIDE = 0.45;

/** Paints the marks of a lane, `rows` rows from `offset` on; single ones are a little wider, so that they are seen. */
export function paintHits(counts: Uint32Array, rows: number, ink: number, out: Uint32Array, offset: number): void {
  const width = counts.length;
  const pale = ((ink & 0xffffff) | (Math.round(BESIDE * 255) << 24)) >>> 0;
  const least = Math.max(1, Math.round(0.6 * rows));
  for (let x = 0; x < width; x++) {
    const count = counts[x] ?? 0;
    const isBeside = count === 0 && ((counts[x - 1] ?? 0) > 0 || (counts[x + 1] ?? 0) > 0);
    if (count === 0 && !isBeside) continue;
    const most = isBeside ? Math.max(counts[x - 1] ?? 0, counts[x + 1] ?? 0) : count;
    const part = Math.min(1, Math.log2(most) / Math.log2(MANY));
    const high = Math.round(least + (rows - least) * part);
    for (let row = 0; row < high; row++) out[offset + row * width + x] = isBeside ? pale : ink;
  }
}

/** Columns that stand for several hits and have room for saying how many, from left to right. */
export function countTexts(counts: Uint32Array, room: number): { readonly x: number; readonly count: number }[] {
  const found: { x: number; count: number }[] = [];
  let last: { x: number; count: number } | null = null;
  for (let x = 0; x <= counts.length; x++) {
    const count = x === counts.length ? 0 : (counts[x] ?? 0);
    if (count === 0 && x < counts.length) continue;
    if (last !== null && last.count > 1 && x - last.x >= room) found.push(last);
    last = { x, count };
  }
  return found;
}
