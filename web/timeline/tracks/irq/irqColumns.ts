/**
 * Interrupts as pixels: for each device-pixel column the shares of hardirqs and of softirqs, painted as two bands at a lane's
 * upper edge, hardirqs above. Pure.
 */
import { type CellSegment, TILE_BUCKETS } from '../../../gl/cells';

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

/** Fills the columns that the segment covers, from `cells[lane * buckets + bucket]`. */
export function irqColumns(
  segment: CellSegment,
  tiles: readonly (IrqTile | undefined)[],
  lane: number,
  { hard, soft }: IrqColumns,
): void {
  const { bucketsPerPixel } = segment;
  for (let x = Math.max(0, segment.x0); x < Math.min(hard.length, segment.x1); x++) {
    const from = segment.fraction + (x - segment.x0) * bucketsPerPixel;
    const to = from + bucketsPerPixel;
    let left = Math.floor(from);
    const end = Math.min(segment.bucket + Math.max(Math.ceil(to), left + 1), segment.bucketEnd);
    let [inHard, inSoft] = [0, 0];
    for (let bucket = segment.bucket + left; bucket < end; bucket++, left++) {
      const tile = tiles[Math.floor(bucket / TILE_BUCKETS)];
      const word = tile?.cells[lane * tile.buckets + (bucket % TILE_BUCKETS)] ?? 0;
      if (word === 0) continue;
      const weight = (Math.min(left + 1, to) - Math.max(left, from)) / (255 * bucketsPerPixel);
      inHard += (word & 0xff) * weight;
      inSoft += ((word >>> 8) & 0xff) * weight;
    }
    hard[x] = inHard;
    soft[x] = inSoft;
  }
}

/** In how many columns of a lane something was painted, and the greatest share of one. */
export interface PaintedBands {
  readonly columns: number;
  readonly most: number;
}

/**
 * Paints both bands into `out` from `offset` on. Bars hang from the upper edge of their band, as long as their share of the
 * column, and at least a pixel: no interrupt is lost at any zoom.
 */
export function paintBands(
  { hard, soft }: IrqColumns,
  rows: number,
  [hardInk, softInk]: readonly [number, number],
  out: Uint32Array,
  offset: number,
): PaintedBands {
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
