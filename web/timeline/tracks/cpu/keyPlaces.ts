/** Where each key is among the cells of a tile, so that what is hovered is found without looking at every cell. */
import { EMPTY_KEY } from '../../../base/cellWords';
import type { TileCells } from '../../../gl/cells';

/** There is no further cell. */
export const NOWHERE = -1;

export class KeyPlaces {
  /** The first cell of each key, and after each cell the next one of its key, both counted from the tile's first. */
  readonly #first: Int32Array;
  readonly #next: Int32Array;

  /** `cells`: two words for each, of which the first is its key. */
  constructor(cells: Uint32Array) {
    const count = cells.length >> 1;
    let keys = 0;
    for (let cell = 0; cell < count; cell++) {
      const key = cells[2 * cell] ?? EMPTY_KEY;
      if (key !== EMPTY_KEY && key >= keys) keys = key + 1;
    }
    this.#first = new Int32Array(keys).fill(NOWHERE);
    this.#next = new Int32Array(count);
    for (let cell = count - 1; cell >= 0; cell--) {
      const key = cells[2 * cell] ?? EMPTY_KEY;
      if (key === EMPTY_KEY) continue;
      this.#next[cell] = this.#first[key] ?? NOWHERE;
      this.#first[key] = cell;
    }
  }

  /** The first cell of a key; `NOWHERE` if there is none. */
  first(key: number): number {
    return this.#first[key] ?? NOWHERE;
  }

  /** The next cell of the same key, which is further right or on a lower lane. */
  next(cell: number): number {
    return this.#next[cell] ?? NOWHERE;
  }
}

/** A tile on the screen. Its keys are looked for when something on it is hovered. */
export class KeyedTile implements TileCells {
  readonly buckets: number;
  readonly cells: Uint32Array;
  #places: KeyPlaces | null = null;

  constructor(buckets: number, cells: Uint32Array) {
    this.buckets = buckets;
    this.cells = cells;
  }

  get places(): KeyPlaces {
    this.#places ??= new KeyPlaces(this.cells);
    return this.#places;
  }
}
