/**
 * Emphasises the hovered task or command: its runs are mixed towards the ink, on a separate canvas over the cells, so
 * that a mouse move redraws no cell. The columns that are meant are read from the cells on the screen.
 */
import { barShares, type CellSegment, type LaneBands, laneBand, type TileCells, visibleLanes } from '../../../gl/cells';
import { barRows, columnHolds, columnShape, mergeColumn, newColumn } from '../../../gl/mergeColumn';
import type { Hover } from '../../../state/hover';
import type { ViewState } from '../../../state/viewState';
import type { TraceInfo } from '../../frame/traceInfo';
import { PALETTE_OF } from './cellLayer';

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
  readonly tiles: ReadonlyMap<number, TileCells>;
  readonly pixelRatio: number;
}

/** A part of a lane in device pixels, and the strength of the ink on it. */
interface Patch {
  readonly x: number;
  readonly y: number;
  width: number;
  readonly height: number;
  readonly strength: number;
}

/** The places of the emphasised runs on a canvas of this height, lane by lane from left to right. */
export function emphasisPatches(cells: ShownCells, { palette, key }: Emphasis, height: number): Patch[] {
  const patches: Patch[] = [];
  const bars = barShares(cells.lanes, { pixelRatio: cells.pixelRatio, grounds: null });
  const { first, end } = visibleLanes(cells.lanes, height);
  const column = newColumn();
  // While tiles of another kind stand in, their keys mean something else.
  for (const segment of cells.segments.filter((shown) => shown.palette === palette)) {
    const tiles = segment.slots.map((slot) => cells.tiles.get(slot));
    for (let lane = first; lane < end; lane++) {
      const band = laneBand(cells.lanes, lane);
      for (let x = segment.x0; x < segment.x1; x++) {
        if (!columnHolds(segment, tiles, lane, x, key)) continue;
        mergeColumn(segment, tiles, lane, x, column);
        if (column.key !== key) continue;
        const { share, level } = columnShape(column, bars);
        const rows = barRows(level, band.height);
        const patch = { x, y: band.top + band.height - rows, width: 1, height: rows, strength: STRENGTH * share };
        const last = patches.at(-1);
        if (last && continues(last, patch)) last.width++;
        else patches.push(patch);
      }
    }
  }
  return patches;
}

const continues = (last: Patch, { x, y, height, strength }: Patch): boolean =>
  last.x + last.width === x && last.y === y && last.height === height && last.strength === strength;

/** Paints the patches on a canvas that is already cleared. */
export function paintEmphasis(context: CanvasRenderingContext2D, patches: readonly Patch[], ink: string): void {
  context.fillStyle = ink;
  for (const { x, y, width, height, strength } of patches) {
    context.globalAlpha = strength;
    context.fillRect(x, y, width, height);
  }
  context.globalAlpha = 1;
}
