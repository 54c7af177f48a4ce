/** The shaders' two passes in TypeScript: what the 2D surface draws, and what the tests check. See `shaders.ts`. */
import {
  CELL_HIGHLIGHT,
  CELL_INFERRED,
  CELL_MERGED,
  CELL_UNKNOWN,
  type CellSegment,
  type CellStyle,
  EMPTY_KEY,
  type Rgb,
  TILE_BUCKETS,
  TILE_SHIFT,
} from './cells';
import {
  BAR_HEIGHT,
  COLUMN_INFERRED,
  COLUMN_MERGED,
  COLUMN_UNKNOWN,
  FULL,
  HIGHLIGHT_FILL,
  INFERRED,
  LEAST,
  MOST_MERGED,
  TINT,
} from './shaders';

/** What is below one device-pixel column of a lane. */
export interface Column {
  key: number;
  highlight: boolean;
  /** 0 (empty) to `FULL`. */
  fill: number;
  /** `COLUMN_*`. */
  flags: number;
}

/** A tile as a CPU-side surface holds it: `cells[2 * (lane * buckets + bucket)]`. */
export interface TileCells {
  readonly buckets: number;
  readonly cells: Uint32Array;
}

/** Merges the cells of `lane` that pixel `x` covers. Highlighted wins, else the most busy; writes into `out`. */
export function mergeColumn(
  segment: CellSegment,
  tiles: readonly (TileCells | undefined)[],
  lane: number,
  x: number,
  out: Column,
): void {
  const from = segment.fraction + (x - segment.x0) * segment.bucketsPerPixel;
  const to = from + segment.bucketsPerPixel;
  const first = segment.bucket + Math.floor(from);
  const end = Math.min(Math.max(segment.bucket + Math.ceil(to), first + 1), segment.bucketEnd);
  let width = 0;
  let busy = 0;
  let best = 0;
  let seen = 0;
  let several = false;
  out.key = EMPTY_KEY;
  out.highlight = false;
  for (let i = first; i < end; i++) {
    const tile = tiles[i >> TILE_SHIFT];
    if (tile === undefined) continue;
    const at = 2 * (lane * tile.buckets + (i & (TILE_BUCKETS - 1)));
    const key = tile.cells[at] ?? EMPTY_KEY;
    const word = tile.cells[at + 1] ?? 0;
    const left = i - segment.bucket;
    const overlap = Math.max(Math.min(left + 1, to) - Math.max(left, from), 1e-6);
    const weight = ((word & 0xffff) / 65535) * overlap;
    const lit = (word & CELL_HIGHLIGHT) !== 0;
    width += overlap;
    busy += weight;
    seen |= word;
    if (key === EMPTY_KEY) continue;
    several ||= out.key !== EMPTY_KEY && out.key !== key;
    const wins = lit === out.highlight ? weight > best : lit;
    if (out.key === key && lit === out.highlight) best += weight;
    else if (out.key === EMPTY_KEY || wins) {
      out.key = key;
      best = weight;
      out.highlight = lit;
    }
  }
  out.fill = busy > 0 ? fillOf(busy / width) : 0;
  if (out.highlight) out.fill = Math.max(out.fill, HIGHLIGHT_FILL);
  out.flags =
    ((seen & CELL_UNKNOWN) !== 0 ? COLUMN_UNKNOWN : 0) |
    ((seen & CELL_INFERRED) !== 0 ? COLUMN_INFERRED : 0) |
    (several || (seen & CELL_MERGED) !== 0 ? COLUMN_MERGED : 0);
}

/** Rounded up: what is busy at all never looks idle; and what is not quite full never looks solid. */
function fillOf(full: number): number {
  return full > 0.9999 ? FULL : Math.min(Math.max(Math.ceil(full * (FULL - 1)), 1), FULL - 1);
}

/** Mixes a column's palette colour as the style says; channels 0-1. */
export function columnColour(column: Column, colour: Rgb, style: CellStyle): Rgb {
  const dimmed = column.highlight ? colour : mix(colour, style.other, style.otherAmount);
  return column.key === style.emphasis ? mix(dimmed, style.ink, 0.35) : dimmed;
}

export function mix(a: Rgb, b: Rgb, share: number): Rgb {
  return [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share, a[2] + (b[2] - a[2]) * share];
}

/** How much of the column's colour is at row `y` of a lane of `height` device pixels; the rest is background. */
export function spreadColumn(column: Column, y: number, height: number, ratio: number): number {
  if (column.fill === 0) return 0;
  const full = column.fill / FULL;
  if ((column.flags & COLUMN_MERGED) === 0) return column.fill === FULL ? 1 : LEAST + (1 - LEAST) * full;
  if (height < BAR_HEIGHT * ratio) return LEAST + (MOST_MERGED - LEAST) * full;
  return height - y <= Math.ceil(full * (height - ratio)) ? 1 : TINT;
}

/** The pixel's colour with the hatching of unknown and the stripes of inferred runs; `y` is that of the screen. */
export function pixelColour(column: Column, colour: Rgb, share: number, x: number, y: number, style: CellStyle): Rgb {
  const ratio = Math.max(1, Math.round(style.pixelRatio));
  const mixed = mix(style.background, colour, share);
  if ((column.flags & (COLUMN_UNKNOWN | COLUMN_INFERRED)) === 0) return mixed;
  const striped = Math.floor((x + style.hatchPhase + y) / ratio) % 6 < 2;
  if (!striped) return mixed;
  if ((column.flags & COLUMN_UNKNOWN) === 0) return mix(mixed, style.background, INFERRED);
  return share < 0.5 ? style.hatch : mixed;
}
