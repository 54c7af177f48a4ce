/**
 * What call a task is in, as pixels of a strip below its states. A column has the colour of the call that takes most of it,
 * and is as high as the share of its time in calls, at least a pixel: at the foot solid for the part on CPU, above it striped
 * for the rest. Where an error was returned there is a tick at the upper edge, and hatching where it is not known whether the
 * task is in a call. Pure.
 */
import { CallCell } from '../../../engine/protocolTracks';
import { type CellSegment, TILE_BUCKETS } from '../../../gl/cells';
import type { TaskCells } from '../task/taskShares';

export interface CallColumn {
  /** 1 + the index of the call's name; 0: which one is not known. */
  call: number;
  /** Shares of the column, 0 to 1. */
  inside: number;
  ran: number;
  flags: number;
}

export const noCall = (): CallColumn => ({ call: 0, inside: 0, ran: 0, flags: 0 });

/** Merges the cells of `row` that pixel `x` covers into `out`. */
export function mergeCalls(
  segment: CellSegment,
  tiles: readonly (TaskCells | undefined)[],
  row: number,
  x: number,
  out: CallColumn,
): void {
  const { bucketsPerPixel, bucket } = segment;
  const from = segment.fraction + (x - segment.x0) * bucketsPerPixel;
  const to = from + bucketsPerPixel;
  let left = Math.floor(from);
  const end = Math.min(bucket + Math.max(Math.ceil(to), left + 1), segment.bucketEnd);
  let [call, most, inside, ran, flags, count] = [0, 0, 0, 0, 0, 0];
  for (let i = bucket + left; i < end; i++, left++) {
    const tile = tiles[Math.floor(i / TILE_BUCKETS)];
    if (tile === undefined) continue;
    const at = 2 * (row * tile.buckets + (i % TILE_BUCKETS));
    const word = tile.cells[at] ?? 0;
    flags |= tile.cells[at + 1] ?? 0;
    const within = (word >>> CallCell.inside) & 0xff;
    if (within === 0) continue;
    const weight = Math.min(left + 1, to) - Math.max(left, from);
    inside += within * weight;
    ran += (word >>> CallCell.ran) * weight;
    count++;
    if (within * weight > most) {
      most = within * weight;
      call = word & CallCell.call;
    }
  }
  out.call = call;
  out.inside = count === 0 ? 0 : Math.max(inside / (255 * bucketsPerPixel), 1 / 255);
  out.ran = Math.min(out.inside, ran / (255 * bucketsPerPixel));
  out.flags = flags;
}

export interface CallInks {
  /** By `CallColumn.call`: solid, and between the stripes of the part off CPU. */
  readonly solid: readonly number[];
  readonly pale: readonly number[];
  readonly error: number;
  readonly hatch: number;
}

export interface CallRow {
  /** The strip's place in device rows. */
  readonly top: number;
  readonly height: number;
  readonly parts: readonly {
    readonly segment: CellSegment;
    readonly tiles: readonly (TaskCells | undefined)[];
    readonly row: number;
  }[];
}

export interface CallPicture {
  readonly pixels: Uint32Array;
  readonly width: number;
  readonly height: number;
  readonly phase: number;
  readonly rowRatio: number;
}

/** Paints the strip of a task; returns in how many columns it is in a call, and in how many one failed. */
export function paintCalls(
  picture: CallPicture,
  { top, height, parts }: CallRow,
  inks: CallInks,
): readonly [number, number] {
  const { pixels, width, phase, rowRatio } = picture;
  const column = noCall();
  const tick = Math.max(1, Math.round(Math.min(2.5 * rowRatio, height / 2)));
  const bottom = Math.min(picture.height, top + height);
  let [inCalls, failed] = [0, 0];
  for (const { segment, tiles, row } of parts) {
    const end = Math.min(width, segment.x1);
    for (let x = Math.max(0, segment.x0); x < end; x++) {
      mergeCalls(segment, tiles, row, x, column);
      const { call, inside, ran, flags } = column;
      if (flags & CallCell.unknown) {
        for (let y = Math.max(0, top); y < bottom; y++) if ((x + phase + y) % 6 < 2) pixels[y * width + x] = inks.hatch;
      }
      if (inside > 0) {
        inCalls++;
        const rows = Math.max(1, Math.round(inside * height));
        const solid = ran > 0 ? Math.max(1, Math.round((ran / inside) * rows)) : 0;
        const [ink, pale] = [inks.solid[call] ?? inks.hatch, inks.pale[call] ?? inks.hatch];
        for (let y = Math.max(0, bottom - rows); y < bottom; y++) {
          const striped = y < bottom - solid && (x + phase + y) % 4 >= 2;
          pixels[y * width + x] = striped ? pale : ink;
        }
      }
      if (flags & CallCell.failed) {
        failed++;
        for (let y = Math.max(0, top); y < Math.min(bottom, top + tick); y++) pixels[y * width + x] = inks.error;
      }
    }
  }
  return [inCalls, failed];
}
