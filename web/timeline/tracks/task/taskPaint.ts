/**
 * The pixels of task lanes. Each column of a lane is a stack of bars, one for each state in it. States differ in height
 * as well as in colour and pattern, so that they can be told apart without colours:
 *
 *     running   all of the lane, in the colour that the run has on the CPU lanes
 *     others    the same, faded: runs that a filter leaves out
 *     runnable  a good half, with a strong upper edge
 *     blocked   a third, striped
 *     throttled a third, pale, with an upper edge
 *     stopped   a fifth, dotted
 *     sleeping  a line at the foot
 *     unknown   hatched behind the rest
 *
 * A bar is as high as its state's height times its share of the column's time: a column with a single state shows just
 * that state, and one with many shows them all, each at least `LEAST` high.
 */
import type { CellSegment } from '../../../gl/cells';
import { mergeShares, noBucket, noShares, type Shares, type TaskCells } from './taskShares';

/** Heights of states that fill a column, as shares of the lane's height. */
const HEIGHTS = { running: 1, runnable: 0.55, blocked: 0.34, throttled: 0.34, stopped: 0.2 } as const;
/** The least height of a running, runnable or blocked share, in CSS pixels. */
const LEAST = 2;
/** Height of the strong upper edge of runnable, blocked and throttled, in CSS pixels. */
const EDGE = 1.5;
/** Period of the patterns in device pixels; they move with the time axis. */
const PERIOD = 6;

/** Colours as little-endian RGBA words. */
export interface TaskInks {
  readonly background: number;
  readonly runnable: number;
  readonly runnableFill: number;
  readonly blocked: number;
  readonly blockedFill: number;
  readonly throttled: number;
  readonly throttledFill: number;
  readonly stopped: number;
  readonly sleeping: number;
  readonly hatch: number;
}

/** The colours of runs up to a column: of those that count, and of others. */
export interface RunInks {
  readonly until: number;
  readonly ink: number;
  readonly faded: number;
}

export interface PaintedRow {
  /** The lane's place in device rows of the canvas. */
  readonly top: number;
  readonly height: number;
  /** The data: tiles of a segment, and the lane's row in them. */
  readonly parts: readonly {
    readonly segment: CellSegment;
    readonly tiles: readonly (TaskCells | undefined)[];
    readonly row: number;
  }[];
  /** Colours of runs, each up to a column; they are in order, and the last one has no end. */
  readonly runs: readonly RunInks[];
  readonly inks: TaskInks;
}

export interface Picture {
  /** Little-endian RGBA words. */
  readonly pixels: Uint32Array;
  readonly width: number;
  readonly height: number;
  /** Device rows for each CSS pixel. */
  readonly rowRatio: number;
  /** By how many device pixels patterns are shifted, so that they move with the time axis. */
  readonly phase: number;
}

/** The heights of a column's bars in rows, from the lane's foot upwards. */
interface Stack {
  running: number;
  others: number;
  runnable: number;
  blocked: number;
  throttled: number;
  stopped: number;
  /** Whether the task sleeps in the column: a line below all bars, where there is nothing else. */
  sleeping: boolean;
  unknown: boolean;
}

const newStack = (): Stack => ({
  running: 0,
  others: 0,
  runnable: 0,
  blocked: 0,
  throttled: 0,
  stopped: 0,
  sleeping: false,
  unknown: false,
});

const rowsOf = (share: number, full: number, least: number): number =>
  share > 0 ? Math.max(least, Math.round(share * full)) : 0;

/** Stacks the bars; those of waiting and blocked always keep their height beside that of running. */
function stack(shares: Shares, height: number, least: number, out: Stack): void {
  const blocked = Math.min(height, rowsOf(shares.blocked, HEIGHTS.blocked * height, least));
  let room = height - blocked;
  const runnable = Math.min(room, rowsOf(shares.runnable, HEIGHTS.runnable * height, least));
  room -= runnable;
  const running = Math.min(room, rowsOf(shares.running, HEIGHTS.running * height, least));
  room -= running;
  const others = Math.min(room, rowsOf(shares.others, HEIGHTS.running * height, least));
  room -= others;
  const throttled = Math.min(room, rowsOf(shares.throttled, HEIGHTS.throttled * height, least));
  room -= throttled;
  out.blocked = blocked;
  out.throttled = throttled;
  out.runnable = runnable;
  out.running = running;
  out.others = others;
  out.stopped = Math.min(room, rowsOf(shares.stopped, HEIGHTS.stopped * height, 1));
  out.sleeping = shares.sleeping > 0;
  out.unknown = shares.unknown > 0;
}

const alike = (a: Stack, b: Stack): boolean =>
  a.running === b.running &&
  a.others === b.others &&
  a.runnable === b.runnable &&
  a.blocked === b.blocked &&
  a.throttled === b.throttled &&
  a.stopped === b.stopped &&
  a.sleeping === b.sleeping &&
  a.unknown === b.unknown;

export function paintRows(picture: Picture, rows: readonly PaintedRow[]): void {
  for (const row of rows) paintRow(picture, row);
}

/** Neighbours are mostly alike, so columns with the same stack are painted together. */
function paintRow(picture: Picture, painted: PaintedRow): void {
  const { height, parts, runs } = painted;
  const least = Math.max(1, Math.round(LEAST * picture.rowRatio));
  const shares = noShares();
  // The stack of the columns collected so far, and that of the present column.
  let held = newStack();
  let found = newStack();
  let run = 0;
  for (const { segment, tiles, row } of parts) {
    const same = noBucket();
    const end = Math.min(picture.width, segment.x1);
    let from = Math.max(0, segment.x0);
    for (let x = from; x < end; x++) {
      const another = mergeShares(segment, tiles, row, x, shares, same);
      if (another) stack(shares, height, least, found);
      const recoloured = run + 1 < runs.length && x >= (runs[run]?.until ?? 0);
      if (!recoloured && (!another || alike(found, held))) continue;
      paintColumns(picture, from, x, painted, held, runs[run]);
      from = x;
      while (run + 1 < runs.length && x >= (runs[run]?.until ?? 0)) run++;
      if (another) {
        const spare = held;
        held = found;
        found = spare;
      }
    }
    paintColumns(picture, from, end, painted, held, runs[run]);
  }
}

function paintColumns(
  picture: Picture,
  from: number,
  to: number,
  { top, height, inks }: PaintedRow,
  bars: Stack,
  run: RunInks | undefined,
): void {
  if (from >= to) return;
  const { rowRatio } = picture;
  const edge = Math.max(1, Math.round(EDGE * rowRatio));
  const foot = top + height;
  let y = foot;
  if (bars.running > 0) {
    fill(picture, from, to, y - bars.running, y, run?.ink ?? inks.background);
    y -= bars.running;
  }
  if (bars.others > 0) {
    fill(picture, from, to, y - bars.others, y, run?.faded ?? inks.background);
    y -= bars.others;
  }
  if (bars.runnable > 0) {
    const border = Math.min(y, y - bars.runnable + edge);
    fill(picture, from, to, y - bars.runnable, border, inks.runnable);
    fill(picture, from, to, border, y, inks.runnableFill);
    y -= bars.runnable;
  }
  if (bars.blocked > 0) {
    const border = Math.min(y, y - bars.blocked + edge);
    fill(picture, from, to, y - bars.blocked, border, inks.blocked);
    stripe(picture, from, to, border, y, inks.blocked, inks.blockedFill);
    y -= bars.blocked;
  }
  if (bars.throttled > 0) {
    const border = Math.min(y, y - bars.throttled + edge);
    fill(picture, from, to, y - bars.throttled, border, inks.throttled);
    fill(picture, from, to, border, y, inks.throttledFill);
    y -= bars.throttled;
  }
  if (bars.stopped > 0) {
    stripe(picture, from, to, y - bars.stopped, y, inks.stopped, inks.background);
    y -= bars.stopped;
  }
  if (bars.sleeping && y === foot) {
    y -= Math.max(1, Math.round(rowRatio));
    fill(picture, from, to, y, foot, inks.sleeping);
  }
  if (bars.unknown) hatch(picture, from, to, top, y, inks.hatch);
}

/** Columns below which a call of `fill` costs more than single stores. */
const FILL_FROM = 12;

function fill(picture: Picture, from: number, to: number, top: number, bottom: number, ink: number): void {
  const { pixels, width, height } = picture;
  const end = Math.min(height, bottom);
  for (let y = Math.max(0, top); y < end; y++) {
    const row = y * width;
    if (to - from >= FILL_FROM) pixels.fill(ink, row + from, row + to);
    else for (let x = from; x < to; x++) pixels[row + x] = ink;
  }
}

function stripe(
  picture: Picture,
  from: number,
  to: number,
  top: number,
  bottom: number,
  ink: number,
  between: number,
): void {
  const { pixels, width, height, phase } = picture;
  for (let y = Math.max(0, top); y < Math.min(height, bottom); y++) {
    const row = y * width;
    for (let x = from; x < to; x++) pixels[row + x] = (x + phase) % 4 < 2 ? ink : between;
  }
}

function hatch(picture: Picture, from: number, to: number, top: number, bottom: number, ink: number): void {
  const { pixels, width, height, phase, rowRatio } = picture;
  const period = PERIOD * rowRatio;
  for (let y = Math.max(0, top); y < Math.min(height, bottom); y++) {
    for (let x = from; x < to; x++) {
      if ((x + phase + y) % period < period / 3) pixels[y * width + x] = ink;
    }
  }
}
