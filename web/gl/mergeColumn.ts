/** The shaders' two passes in TypeScript: what the 2D surface draws, and what the tests check. See `shaders.ts`. */
import { CELL_HIGHLIGHT, CELL_INFERRED, CELL_MERGED, CELL_UNKNOWN, EMPTY_KEY } from '../base/cellWords';
import { type CellSegment, type CellStyle, type Rgb, TILE_BUCKETS, TILE_SHIFT, type TileCells } from './cells';
import { HIGHLIGHT_FULL, INFERRED, LEAST, LEVELS, MOST_MERGED, PATTERNS, STRIPE, TINT } from './shaders';

/** The reciprocal, as a float, of the 65535 that mean a full cell. */
const FULL_SHARE = Math.fround(1 / 65535);

/** The contents of one device-pixel column of a lane. */
export interface Column {
  /** The dominant key; `EMPTY_KEY` when nothing runs. */
  key: number;
  highlight: boolean;
  /** Whether it holds several intervals. */
  merged: boolean;
  /** Busy fraction; never 0 if anything runs. */
  full: number;
  /** One of `PATTERNS`. */
  pattern: number;
}

export const newColumn = (): Column => ({ key: EMPTY_KEY, highlight: false, merged: false, full: 0, pattern: 0 });

/**
 * Where pixel `x` begins, in buckets after the segment's. Rounded as the shader's floats are: with more exact numbers a
 * bar would now and then be a step higher or lower than the shader's.
 */
function columnStart({ fraction, x0, bucketsPerPixel }: CellSegment, x: number): number {
  return Math.fround(Math.fround(fraction) + Math.fround((x - x0) * Math.fround(bucketsPerPixel)));
}

/** Which buckets each column of a segment covers, from its first column on: half-open ranges, counted from the first tile's first. */
export interface ColumnBuckets {
  readonly first: Int32Array;
  readonly end: Int32Array;
}

export function columnBuckets(segment: CellSegment): ColumnBuckets {
  const { x0, x1, bucket, bucketEnd } = segment;
  const [first, end] = [new Int32Array(x1 - x0), new Int32Array(x1 - x0)];
  const bucketsPerPixel = Math.fround(segment.bucketsPerPixel);
  for (let x = x0; x < x1; x++) {
    const from = columnStart(segment, x);
    const left = Math.floor(from);
    first[x - x0] = bucket + left;
    end[x - x0] = Math.min(bucket + Math.max(Math.ceil(Math.fround(from + bucketsPerPixel)), left + 1), bucketEnd);
  }
  return { first, end };
}

/** Merges the cells of `lane` that pixel `x` covers. Highlighted wins, else the most busy; writes into `out`. */
export function mergeColumn(
  segment: CellSegment,
  tiles: readonly (TileCells | undefined)[],
  lane: number,
  x: number,
  out: Column,
): void {
  const bucketsPerPixel = Math.fround(segment.bucketsPerPixel);
  const from = columnStart(segment, x);
  const to = Math.fround(from + bucketsPerPixel);
  let left = Math.floor(from);
  const first = segment.bucket + left;
  const end = Math.min(segment.bucket + Math.max(Math.ceil(to), left + 1), segment.bucketEnd);
  let busy = 0;
  let best = 0;
  let bestKey = EMPTY_KEY;
  // The runner-up is kept, so that a key that returns after another counts as one.
  let second = 0;
  let secondKey = EMPTY_KEY;
  let seen = 0;
  let several = false;
  for (let i = first; i < end; i++, left++) {
    const tile = tiles[i >> TILE_SHIFT];
    if (tile === undefined) continue;
    const at = 2 * (lane * tile.buckets + (i & (TILE_BUCKETS - 1)));
    const key = tile.cells[at] ?? EMPTY_KEY;
    const word = tile.cells[at + 1] ?? 0;
    const covered = Math.fround(Math.min(left + 1, to) - Math.max(left, from));
    const weight = Math.fround(Math.fround((word & 0xffff) * FULL_SHARE) * covered);
    busy = Math.fround(busy + weight);
    seen |= word;
    several ||= best > 0 && weight > 0 && key !== bestKey;
    // Highlighted cells come before all others.
    const before = key === bestKey ? best : key === secondKey ? second : 0;
    const rank = Math.fround(Math.fround(weight + ((word & CELL_HIGHLIGHT) !== 0 ? 4 : 0)) + before);
    const wins = rank > best;
    if (key !== EMPTY_KEY && key !== bestKey) {
      second = wins ? best : rank;
      secondKey = wins ? bestKey : key;
    }
    if (wins) {
      best = rank;
      bestKey = key;
    }
  }
  out.key = bestKey;
  out.highlight = (seen & CELL_HIGHLIGHT) !== 0;
  out.merged = several || (seen & CELL_MERGED) !== 0;
  const full = Math.min(Math.fround(busy / bucketsPerPixel), 1);
  out.full = out.highlight ? Math.max(full, HIGHLIGHT_FULL) : full;
  out.pattern =
    (seen & CELL_UNKNOWN) !== 0 ? PATTERNS.unknown : (seen & CELL_INFERRED) !== 0 ? PATTERNS.inferred : PATTERNS.none;
}

/** A merged column as the first pass leaves it. */
export interface Texel {
  readonly colour: Rgb;
  /** Height of the bar, 0 to `LEVELS`. */
  readonly level: number;
  readonly pattern: number;
}

/**
 * `colour`: the palette's colour of the column's key. `bars`: heights of a full bar of a merged column and of the
 * lowest, as shares of the lane; 0 where lanes are too thin for bars.
 */
export function columnTexel(
  column: Column,
  colour: Rgb,
  style: CellStyle,
  bars: readonly [number, number],
  background: Rgb = style.background,
): Texel {
  const { pattern } = column;
  // A column whose colour says how busy it is fills the lane.
  const whole = column.full <= 0 ? 0 : 1;
  const share = style.byShare ? whole : columnShare(column, bars);
  const level = style.byShare ? whole * LEVELS : columnLevel(column, bars);
  const dimmed = mix(colour, style.other, column.highlight ? 0 : style.otherAmount);
  return { colour: mix(background, dimmed, share), level, pattern };
}

/** The index of the colour of a column's share of busy time. */
export const shareKey = ({ full }: Column): number => Math.floor(full * 255 + 0.5);

/** The background of a device-pixel column. */
export function groundAt({ background, grounds }: CellStyle, x: number): Rgb {
  if (grounds === null) return background;
  const byte = (channel: number): number => (grounds[4 * x + channel] ?? 0) / 255;
  return [byte(0), byte(1), byte(2)];
}

/** How much of a column has its colour instead of the background's. */
export function columnShare({ full, merged }: Column, bars: readonly [number, number]): number {
  if (full <= 0) return 0;
  if (merged) return bars[0] > 0 ? 1 : LEAST + (MOST_MERGED - LEAST) * full;
  return full > 0.9999 ? 1 : LEAST + (1 - LEAST) * full;
}

/** The height of a column's bar, 0 to `LEVELS`. */
export function columnLevel({ full, merged }: Column, bars: readonly [number, number]): number {
  if (full <= 0) return 0;
  const bar = merged && bars[0] > 0 ? Math.max(full * bars[0], bars[1]) : 1;
  return Math.max(1, Math.round(bar * LEVELS));
}

/** The colour of a texel in the rows of its bar, and in those above it, with and without a stripe. */
export function texelColour(
  texel: Texel,
  inside: boolean,
  striped: boolean,
  style: CellStyle,
  background: Rgb = style.background,
): Rgb {
  const colour = inside ? texel.colour : mix(background, texel.colour, TINT);
  if (!striped || texel.pattern === PATTERNS.none) return colour;
  if (texel.pattern === PATTERNS.inferred) return mix(colour, style.hatch, INFERRED);
  return inside ? colour : style.hatch;
}

/** How many rows of a lane belong to its bar: those whose middle does. Exact, as in the shader. */
export const barRows = (level: number, height: number): number => Math.ceil((level * height) / LEVELS - 0.5);

/** Whether a device pixel is on a stripe; `y` counts from the canvas' lower edge. */
export function onStripe(x: number, y: number, style: CellStyle): boolean {
  const [inverse, phase] = stripesOf(style);
  const position = (x - y) * inverse + phase;
  return position - Math.floor(position) < 0.3333;
}

/** 1 / period in device pixels, and the pattern's phase. */
export function stripesOf(style: CellStyle): readonly [number, number] {
  const inverse = 1 / (STRIPE * style.pixelRatio);
  return [inverse, style.hatchPhase * inverse];
}

/** `a`, with a share of `b` mixed in. */
export function mix(a: Rgb, b: Rgb, share: number): Rgb {
  return [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share, a[2] + (b[2] - a[2]) * share];
}
