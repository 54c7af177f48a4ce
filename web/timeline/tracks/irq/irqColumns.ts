/**
 * Interrupts as pixels: for each device-pixel column the shares of hardirqs and of softirqs, painted as two bands at a lane's
 * upper edge, hardirqs above. Pure.
 */
import { type CellSegment, TILE_BUCKETS } from '../../../gl/cells';
import type { PaintedRow } from '../laneRows';

/** Shares of a column, 0 to 1. */
export interface IrqColumns {
  readonly hard: Float32Array;
  readonly soft: Float32Array;
}

export const newIrqColumns = (width: number): IrqColumns => ({
  hard: new Float32Array(width),
  soft: new Float32Array(width),
});

export interface IrqTile {
  readonly buckets: number;
  readonly cells: Uint32Array;
}

/** The cells of a lane below a segment, one after the other: lanes are many, and tiles are looked up once for each. */
let row = new Uint32Array(0);

function readRow(first: number, end: number, tiles: readonly (IrqTile | undefined)[], lane: number): void {
  if (row.length < end - first) row = new Uint32Array(end - first);
  for (let bucket = first; bucket < end; ) {
    const index = Math.floor(bucket / TILE_BUCKETS);
    const to = Math.min(end, (index + 1) * TILE_BUCKETS);
    const tile = tiles[index];
    row.fill(0, bucket - first, to - first);
    if (tile !== undefined) {
      const at = lane * tile.buckets - index * TILE_BUCKETS;
      const last = Math.min(to, index * TILE_BUCKETS + tile.buckets);
      row.set(tile.cells.subarray(at + bucket, at + Math.max(bucket, last)), bucket - first);
    }
    bucket = to;
  }
}

/** Fills the columns that the segment covers, from `cells[lane * buckets + bucket]`. */
export function irqColumns(
  segment: CellSegment,
  tiles: readonly (IrqTile | undefined)[],
  lane: number,
  { hard, soft }: IrqColumns,
): void {
  const { bucketsPerPixel: wide } = segment;
  const [x0, x1] = [Math.max(0, segment.x0), Math.min(hard.length, segment.x1)];
  const leftOf = (x: number): number => segment.fraction + (x - segment.x0) * wide;
  const first = segment.bucket + Math.floor(leftOf(x0));
  const count = Math.min(segment.bucketEnd, segment.bucket + Math.ceil(leftOf(x1)) + 1) - first;
  if (x1 <= x0 || count <= 0) return;
  readRow(first, first + count, tiles, lane);
  const [cells, skipped, share] = [row, first - segment.bucket, 1 / (255 * wide)];
  for (let x = x0; x < x1; x++) {
    const from = leftOf(x) - skipped;
    const to = from + wide;
    const left = Math.floor(from);
    const end = Math.min(Math.max(Math.ceil(to), left + 1), count);
    let [inHard, inSoft] = [0, 0];
    for (let bucket = left; bucket < end; bucket++) {
      const word = cells[bucket] ?? 0;
      if (word === 0) continue;
      const part = Math.min(bucket + 1, to) - Math.max(bucket, from);
      inHard += (word & 0xff) * part;
      inSoft += ((word >>> 8) & 0xff) * part;
    }
    hard[x] = inHard * share;
    soft[x] = inSoft * share;
  }
}

/**
 * Paints both bands into `out` from `offset` on. Bars hang from the upper edge of their band, as long as their share of the
 * column, and at least a pixel: no interrupt is lost at any zoom. Returns the columns with interrupts, and the greatest share.
 */
export function paintBands(
  { hard, soft }: IrqColumns,
  rows: number,
  [hardInk, softInk]: readonly [number, number],
  out: Uint32Array,
  offset: number,
): PaintedRow {
  const width = hard.length;
  const bar = (share: number): number => Math.max(1, Math.round(share * rows));
  let [columns, most] = [0, 0];
  for (let x = 0; x < width; x++) {
    const [inHard, inSoft] = [hard[x] ?? 0, soft[x] ?? 0];
    if (inHard === 0 && inSoft === 0) continue;
    columns++;
    most = Math.max(most, inHard + inSoft);
    if (inHard > 0) for (let row = bar(inHard) - 1; row >= 0; row--) out[offset + row * width + x] = hardInk;
    if (inSoft > 0) for (let row = bar(inSoft) - 1; row >= 0; row--) out[offset + (rows + row) * width + x] = softInk;
  }
  return { columns, most };
}
