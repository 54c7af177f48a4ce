/** How a task's time in a device-pixel column divides among its states, merged from the cells below the column. */
import { TaskCellShift } from '../../../engine/protocolTracks';
import { type CellSegment, TILE_BUCKETS, TILE_SHIFT } from '../../../gl/cells';

/** What is drawn: states, and runs that a filter leaves out. */
export type DrawnState = keyof typeof TaskCellShift;

export const DRAWN_STATES = Object.keys(TaskCellShift) as readonly DrawnState[];

const { running, runnable, blocked, sleeping, unknown, stopped, others, throttled } = TaskCellShift;

/** Shares of a column, 0 to 1. The share of a state that occurs is never 0. */
export type Shares = Record<DrawnState, number>;

export const noShares = (): Shares => ({
  running: 0,
  runnable: 0,
  blocked: 0,
  sleeping: 0,
  unknown: 0,
  stopped: 0,
  others: 0,
  throttled: 0,
});

/** The cells of one tile: `cells[2 * (row * buckets + bucket)]` and the word after it. */
export interface TaskCells {
  readonly buckets: number;
  readonly cells: Uint32Array;
}

/** The words of the one bucket that a column lies in, or -1 if it covers several: neighbours are mostly alike. */
export interface OneBucket {
  low: number;
  high: number;
}

/**
 * Merges the cells of `row` that pixel `x` covers, and writes into `out`. `same` holds what the column before left: a
 * column in a bucket with the same words has the same shares, and nothing is written. Returns whether anything was.
 */
export function mergeShares(
  segment: CellSegment,
  tiles: readonly (TaskCells | undefined)[],
  row: number,
  x: number,
  out: Shares,
  same: OneBucket,
): boolean {
  const { bucketsPerPixel, bucket } = segment;
  const from = segment.fraction + (x - segment.x0) * bucketsPerPixel;
  const to = from + bucketsPerPixel;
  let left = Math.floor(from);
  const first = bucket + left;
  const end = Math.min(bucket + Math.max(Math.ceil(to), left + 1), segment.bucketEnd);
  const isOne = end - first === 1;
  let low = 0;
  let high = 0;
  // Summed in local variables, because this runs for every column of every lane in every frame.
  let ran = 0;
  let waited = 0;
  let stuck = 0;
  let slept = 0;
  let unseen = 0;
  let stood = 0;
  let spared = 0;
  let held = 0;
  for (let i = first; i < end; i++, left++) {
    const tile = tiles[i >> TILE_SHIFT];
    if (tile === undefined) continue;
    const at = 2 * (row * tile.buckets + (i & (TILE_BUCKETS - 1)));
    low = tile.cells[at] ?? 0;
    high = tile.cells[at + 1] ?? 0;
    if (isOne && low === same.low && high === same.high) return false;
    const weight = (Math.min(left + 1, to) - Math.max(left, from)) / (255 * bucketsPerPixel);
    ran += ((low >>> running.bit) & 0xff) * weight;
    waited += ((low >>> runnable.bit) & 0xff) * weight;
    stuck += ((low >>> blocked.bit) & 0xff) * weight;
    slept += ((low >>> sleeping.bit) & 0xff) * weight;
    unseen += ((high >>> unknown.bit) & 0xff) * weight;
    stood += ((high >>> stopped.bit) & 0xff) * weight;
    spared += ((high >>> others.bit) & 0xff) * weight;
    held += ((high >>> throttled.bit) & 0xff) * weight;
  }
  same.low = isOne ? low : -1;
  same.high = isOne ? high : -1;
  out.running = ran;
  out.runnable = waited;
  out.blocked = stuck;
  out.sleeping = slept;
  out.unknown = unseen;
  out.stopped = stood;
  out.others = spared;
  out.throttled = held;
  return true;
}

export const noBucket = (): OneBucket => ({ low: -1, high: -1 });
