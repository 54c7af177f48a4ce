/**
 * Emphasises the hovered task or command: its runs are mixed towards the ink, on a separate canvas over the cells, so
 * that a mouse move redraws no cell. The columns that are meant are read from the cells on the screen.
 */
import { bandBottom, bandTop, barShares, type CellSegment, type LaneBands, visibleLanes } from '../../../gl/cells';
import type { Hover } from '../../../state/hover';
import type { ViewState } from '../../../state/viewState';
import type { TraceInfo } from '../../frame/traceInfo';
import { PALETTE_OF } from './cellLayer';
import type { KeyedTile } from './keyPlaces';
import { KeySearch } from './keySearch';
import type { Patches } from './patches';

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

/** How each segment is searched, as long as it is on the screen. */
const searches = new WeakMap<CellSegment, KeySearch>();

function searchOf(segment: CellSegment, tiles: ReadonlyMap<number, KeyedTile>): KeySearch {
  const known = searches.get(segment) ?? new KeySearch(segment, tiles);
  searches.set(segment, known);
  return known;
}

/**
 * Finds the emphasised runs on a canvas of this height, lane by lane from left to right. It runs when the pointer comes to another
 * task, so it looks only at cells of the key and makes no objects for them.
 */
export function findPatches(cells: ShownCells, { palette, key }: Emphasis, height: number, patches: Patches): void {
  patches.clear();
  const bars = barShares(cells.lanes, { pixelRatio: cells.pixelRatio, grounds: null });
  const { first, end } = visibleLanes(cells.lanes, height);
  for (const segment of cells.segments) {
    // While tiles of another kind stand in, their keys mean something else.
    if (segment.palette !== palette) continue;
    const search = searchOf(segment, cells.tiles);
    search.begin(key);
    for (let lane = first; lane < end; lane++) {
      const top = bandTop(cells.lanes, lane);
      search.lane(lane, top, bandBottom(cells.lanes, lane) - top, bars, patches);
    }
  }
}
