/**
 * Emphasises the hovered task or command: its runs are mixed towards the ink, on a separate canvas over the cells, so
 * that a mouse move redraws no cell. The columns that are meant are read from the cells on the screen.
 */
import { barShares, type CellSegment, type LaneBands, laneBand, TILE_BUCKETS, visibleLanes } from '../../../gl/cells';
import { barRows, columnHolds, columnShape, mergeColumn, newColumn } from '../../../gl/mergeColumn';
import type { Hover } from '../../../state/hover';
import type { ViewState } from '../../../state/viewState';
import type { TraceInfo } from '../../frame/traceInfo';
import { PALETTE_OF } from './cellLayer';
import { type KeyedTile, NOWHERE } from './keyPlaces';

/** How far the colour is mixed towards the ink. */
const STRENGTH = 0.35;

/** A key of the cells, and the palette that it belongs to. */
export interface Emphasis {
  readonly palette: number;
  readonly key: number;
}

/** The key that is hovered; null: none of the cells' keys is. */
export function emphasisOf(
  { colour }: Pick<ViewState, 'colour'>,
  trace: Pick<TraceInfo, 'commIds'> | null,
  { comm, interval, task, state }: Hover,
): Emphasis | null {
  if (colour === 'command') {
    const key = trace?.commIds.get(comm ?? interval?.comm ?? state?.comm ?? '');
    return key === undefined ? null : { palette: PALETTE_OF.comm, key };
  }
  // These colours are not of tasks.
  if (colour === 'load') return null;
  const key = interval?.kind === 'run' ? interval.task : task;
  return key === null || key === undefined ? null : { palette: PALETTE_OF.task, key };
}

export const sameEmphasis = (a: Emphasis | null, b: Emphasis | null): boolean =>
  a === b || (a?.palette === b?.palette && a?.key === b?.key);

/** The cells that are on the screen. */
export interface ShownCells {
  readonly segments: readonly CellSegment[];
  readonly lanes: LaneBands;
  readonly tiles: ReadonlyMap<number, KeyedTile>;
  readonly pixelRatio: number;
}

/** Takes a part of a lane in device pixels, and the strength of the ink on it. */
export type TakePatch = (x: number, y: number, width: number, height: number, strength: number) => void;

const column = newColumn();

/**
 * Finds the emphasised runs on a canvas of this height, lane by lane from left to right, and returns how many patches
 * they are. It runs when the pointer comes to another task, so it looks only at cells of the key and makes no objects.
 */
export function emphasisPatches(
  cells: ShownCells,
  { palette, key }: Emphasis,
  height: number,
  take: TakePatch,
): number {
  const bars = barShares(cells.lanes, { pixelRatio: cells.pixelRatio, grounds: null });
  const { first, end } = visibleLanes(cells.lanes, height);
  let count = 0;
  for (const segment of cells.segments) {
    // While tiles of another kind stand in, their keys mean something else.
    if (segment.palette !== palette) continue;
    const tiles = segment.slots.map((slot) => cells.tiles.get(slot));
    const next = tiles.map((tile) => tile?.places.first(key) ?? NOWHERE);
    for (let lane = first; lane < end; lane++) {
      const band = laneBand(cells.lanes, lane);
      // The patch of the columns so far, which the next column may continue.
      let from = 0;
      let width = 0;
      let rows = 0;
      let strength = 0;
      let unseen = segment.x0;
      for (let index = 0; index < tiles.length; index++) {
        const tile = tiles[index];
        if (tile === undefined) continue;
        const start = lane * tile.buckets;
        let cell = next[index] ?? NOWHERE;
        for (; cell !== NOWHERE && cell < start + tile.buckets; cell = tile.places.next(cell)) {
          if (cell < start) continue;
          const bucket = index * TILE_BUCKETS + cell - start - segment.bucket;
          const last = lastColumn(segment, bucket);
          for (let x = Math.max(unseen, firstColumn(segment, bucket)); x <= last; x++) {
            unseen = x + 1;
            if (!columnHolds(segment, tiles, lane, x, key)) continue;
            mergeColumn(segment, tiles, lane, x, column);
            if (column.key !== key) continue;
            const shape = columnShape(column, bars);
            const high = barRows(shape.level, band.height);
            const ink = STRENGTH * shape.share;
            if (width > 0 && from + width === x && rows === high && strength === ink) {
              width++;
              continue;
            }
            if (width > 0) take(from, band.top + band.height - rows, width, rows, strength);
            from = x;
            width = 1;
            rows = high;
            strength = ink;
            count++;
          }
        }
        next[index] = cell;
      }
      if (width > 0) take(from, band.top + band.height - rows, width, rows, strength);
    }
  }
  return count;
}

/** The first and the last column that may show a bucket, counted from the segment's: a column more than need be, for rounding. */
const firstColumn = ({ x0, fraction, bucketsPerPixel }: CellSegment, bucket: number): number =>
  x0 + Math.floor((bucket - fraction) / bucketsPerPixel) - 1;
const lastColumn = ({ x0, x1, fraction, bucketsPerPixel }: CellSegment, bucket: number): number =>
  Math.min(x1 - 1, x0 + Math.ceil((bucket + 1 - fraction) / bucketsPerPixel));

/** Paints the patches on a canvas that is already cleared; returns how many there are. */
export function paintEmphasis(
  context: CanvasRenderingContext2D,
  cells: ShownCells,
  emphasis: Emphasis,
  ink: string,
): number {
  context.fillStyle = ink;
  const count = emphasisPatches(cells, emphasis, context.canvas.height, (x, y, width, height, strength) => {
    context.globalAlpha = strength;
    context.fillRect(x, y, width, height);
  });
  context.globalAlpha = 1;
  return count;
}
