/**
 * Which tiles a window needs. A tile is `TILE_BUCKETS` buckets of one level, aligned at the trace's first event:
 *
 *     level 2:  |  tile 0  |  tile 1  |  tile 2  |     buckets of 4 ns
 *     level 3:  |       tile 0        |       tile 1   buckets of 8 ns
 */
import type { DevPx, Ns, TimeWindow } from '../../base/units';
import { TILE_BUCKETS } from '../../gl/cells';

export interface TileId {
  readonly level: number;
  readonly index: number;
}

/** The highest level: traces end before it has one bucket, since 2^52 ns are 52 days. */
const MAX_LEVEL = 52;

/** The highest level whose buckets are no wider than a device pixel; 0 when pixels are below 1 ns. */
export function levelFor(nsPerDevPx: number): number {
  if (!(nsPerDevPx > 1)) return 0;
  let level = Math.floor(Math.log2(nsPerDevPx));
  // The logarithm of an exact power of two may come out slightly too low.
  if (2 ** (level + 1) <= nsPerDevPx) level++;
  if (2 ** level > nsPerDevPx) level--;
  return Math.min(level, MAX_LEVEL);
}

export function tileNs(level: number): number {
  return TILE_BUCKETS * 2 ** level;
}

/** The indices of the tiles that `window` and the trace have in common, as a half-open range. */
export function tileRange(
  level: number,
  window: TimeWindow,
  span: Ns,
): { readonly first: number; readonly end: number } {
  const width = tileNs(level);
  const first = Math.max(0, Math.floor(window.start / width));
  const end = Math.ceil(Math.min(window.end, span) / width);
  return { first, end: Math.max(first, end) };
}

/** How many buckets the trace has in a tile: fewer than `TILE_BUCKETS` in the last one. */
export function tileBuckets(tile: TileId, span: Ns): number {
  const all = Math.ceil(span / 2 ** tile.level);
  return Math.max(0, Math.min(TILE_BUCKETS, all - tile.index * TILE_BUCKETS));
}

/**
 * The tiles to load, the most urgent first: those of the target window, from the middle outwards; the overview of
 * everything, which is shown where nothing finer is known; then, if `ahead`, a neighbour on each side, and the next coarser level
 * for zooming out.
 */
export function plan(target: TimeWindow, width: DevPx, everything: TimeWindow, span: Ns, ahead = true): TileId[] {
  const tiles: TileId[] = [];
  const seen = new Set<string>();
  const add = (level: number, index: number): void => {
    const id = tileName({ level, index });
    if (index < 0 || index * tileNs(level) >= span || seen.has(id)) return;
    seen.add(id);
    tiles.push({ level, index });
  };
  const addWindow = (level: number, window: TimeWindow): void => {
    const { first, end } = tileRange(level, window, span);
    const middle = (first + end - 1) / 2;
    const indices = Array.from({ length: end - first }, (_, i) => first + i);
    indices.sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle) || a - b);
    for (const index of indices) add(level, index);
  };
  const level = levelFor((target.end - target.start) / Math.max(1, width));
  addWindow(level, target);
  addWindow(levelFor((everything.end - everything.start) / Math.max(1, width)), everything);
  if (ahead) {
    const { first, end } = tileRange(level, target, span);
    add(level, end);
    add(level, first - 1);
    addWindow(level + 1, target);
  }
  return tiles;
}

export function tileName(tile: TileId): string {
  return `${tile.level}/${tile.index}`;
}
