/**
 * Decides what to draw where: the best available tiles for each stretch of the screen. Until the right level has
 * arrived, a finer or a coarser one stands in, stretched, so that the screen never goes blank.
 */
import { type DevPx, type Ns, ns } from '../../base/units';
import { MAX_SEGMENT_TILES } from '../../gl/cells';
import type { Timescale } from '../frame/timescale';
import type { Tile, TileCache, Variant } from './tileCache';
import { levelFor, tileNs, tileRange } from './tiles';

/** Consecutive tiles of one level, and the device pixels that they are to fill. */
export interface Stretch<Data> {
  readonly x0: DevPx;
  readonly x1: DevPx;
  readonly tiles: readonly Tile<Data>[];
}

/** How many levels finer tiles may be: one level finer, a tile replaces half of one, two levels finer a quarter. */
const FINER = 2;
const COARSER = 40;

/** `variants`: the wanted one first; others stand in for it. Tiles that are used are marked as such in the cache. */
export function cover<Data>(
  cache: TileCache<Data>,
  variants: readonly Variant[],
  scale: Timescale,
  span: Ns,
): Stretch<Data>[] {
  const level = levelFor(scale.nsPerDevPx);
  const { first, end } = tileRange(level, scale.window, span);
  const pieces: { readonly start: number; readonly end: number; readonly tile: Tile<Data> }[] = [];
  for (let index = first; index < end; index++) {
    const width = tileNs(level);
    for (const tile of standIns(cache, variants, level, index, span)) {
      const own = tileNs(tile.level);
      const start = Math.max(index * width, tile.index * own);
      pieces.push({ start, end: Math.min((index + 1) * width, (tile.index + 1) * own, span), tile });
      cache.touch(tile.variant, tile);
    }
  }
  return joined(pieces, scale);
}

/** The tiles that show the place of one tile, in time order: itself, finer ones, or one coarser. */
function standIns<Data>(
  cache: TileCache<Data>,
  variants: readonly Variant[],
  level: number,
  index: number,
  span: Ns,
): Tile<Data>[] {
  for (const variant of variants) {
    const tile = cache.get(variant, { level, index });
    if (tile !== undefined) return [tile];
  }
  for (const variant of variants) {
    for (let finer = 1; finer <= Math.min(FINER, level); finer++) {
      const first = index * 2 ** finer;
      // The trace may end within the tile.
      const count = Math.min(2 ** finer, Math.ceil(span / tileNs(level - finer)) - first);
      const tiles = Array.from({ length: count }, (_, i) =>
        cache.get(variant, { level: level - finer, index: first + i }),
      ).filter((tile) => tile !== undefined);
      if (tiles.length === count) return tiles;
    }
    for (let coarser = 1; coarser <= COARSER; coarser++) {
      const tile = cache.get(variant, { level: level + coarser, index: Math.floor(index / 2 ** coarser) });
      if (tile !== undefined) return [tile];
    }
  }
  return [];
}

/** Joins neighbours of one level into one stretch, so that a pixel on their border sees the buckets of both. */
function joined<Data>(
  pieces: readonly { readonly start: number; readonly end: number; readonly tile: Tile<Data> }[],
  scale: Timescale,
): Stretch<Data>[] {
  const stretches: Stretch<Data>[] = [];
  let tiles: Tile<Data>[] = [];
  let start = 0;
  let end = 0;
  const flush = (): void => {
    if (tiles.length === 0) return;
    const x0 = Math.max(0, Math.floor(scale.timeToDevPx(ns(start))));
    const x1 = Math.min(scale.width, Math.ceil(scale.timeToDevPx(ns(end))));
    if (x0 < x1) stretches.push({ x0: x0 as DevPx, x1: x1 as DevPx, tiles });
    tiles = [];
  };
  for (const piece of pieces) {
    const last = tiles.at(-1);
    const same = last === piece.tile;
    const follows =
      last !== undefined &&
      piece.start === end &&
      (same ||
        (last.level === piece.tile.level &&
          last.variant === piece.tile.variant &&
          last.index + 1 === piece.tile.index &&
          tiles.length < MAX_SEGMENT_TILES));
    if (!follows) {
      flush();
      start = piece.start;
    }
    if (!(follows && same)) tiles.push(piece.tile);
    end = piece.end;
  }
  flush();
  return stretches;
}
