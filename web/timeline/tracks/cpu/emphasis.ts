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
 * Finds the emphasised runs on a canvas of some height, lane by lane from left to right. It runs when the pointer comes to another
 * task, so it looks only at cells of the key and makes no objects for them; and where there are hundreds of lanes, some of them at a time.
 */
export class PatchSearch {
  readonly #cells: ShownCells;
  readonly #key: number;
  readonly #patches: Patches;
  readonly #bars: readonly [number, number];
  readonly #end: number;
  readonly #first: number;
  /** While tiles of another kind stand in, their keys mean something else: these segments are left out. */
  readonly #segments: readonly CellSegment[];
  /** The segment that is searched, by its place among these, and its next lane. */
  #segment = 0;
  #lane: number;

  /** What `patches` has from before is forgotten. */
  constructor(cells: ShownCells, { palette, key }: Emphasis, height: number, patches: Patches) {
    const { first, end } = visibleLanes(cells.lanes, height);
    this.#cells = cells;
    this.#key = key;
    this.#patches = patches;
    this.#bars = barShares(cells.lanes, { pixelRatio: cells.pixelRatio, grounds: null });
    this.#segments = cells.segments.filter((segment) => segment.palette === palette);
    [this.#first, this.#end, this.#lane] = [first, end, first];
    patches.clear();
  }

  /** Adds the patches of the next lanes, at least of one, as long as `goOn` says so; whether there are more. */
  step(goOn: () => boolean): boolean {
    const { lanes, tiles } = this.#cells;
    do {
      const segment = this.#segments[this.#segment];
      if (segment === undefined) return false;
      const search = searchOf(segment, tiles);
      if (this.#lane === this.#first) search.begin(this.#key);
      if (this.#lane < this.#end) {
        const top = bandTop(lanes, this.#lane);
        search.lane(this.#lane, top, bandBottom(lanes, this.#lane) - top, this.#bars, this.#patches);
        this.#lane++;
      }
      if (this.#lane >= this.#end) [this.#segment, this.#lane] = [this.#segment + 1, this.#first];
    } while (goOn());
    return this.#segment < this.#segments.length;
  }
}
