/** Finds the columns of a segment in which a key is dominant, by its cells alone. It is kept, so that a search makes no objects. */
import { type CellSegment, TILE_BUCKETS } from '../../../gl/cells';
import {
  barRows,
  type ColumnBuckets,
  columnBuckets,
  columnLevel,
  columnShare,
  mergeColumn,
  newColumn,
} from '../../../gl/mergeColumn';
import { type KeyedTile, NOWHERE } from './keyPlaces';
import { type Patches, stepOf } from './patches';

export class KeySearch {
  readonly #segment: CellSegment;
  readonly #tiles: readonly (KeyedTile | undefined)[];
  readonly #buckets: ColumnBuckets;
  /** The next cell of the key in each tile. */
  readonly #next: Int32Array;
  readonly #column = newColumn();
  #key = 0;

  /** `tiles`: by slot. */
  constructor(segment: CellSegment, tiles: ReadonlyMap<number, KeyedTile>) {
    this.#segment = segment;
    this.#tiles = segment.slots.map((slot) => tiles.get(slot));
    this.#buckets = columnBuckets(segment);
    this.#next = new Int32Array(segment.slots.length);
  }

  /** Begins a search; lanes come from top to bottom. */
  begin(key: number): void {
    this.#key = key;
    for (let tile = 0; tile < this.#next.length; tile++) {
      this.#next[tile] = this.#tiles[tile]?.places.first(key) ?? NOWHERE;
    }
  }

  /** Adds the key's columns of a lane, whose place is in device pixels. `bars`: see `barShares`. */
  lane(lane: number, top: number, height: number, bars: readonly [number, number], patches: Patches): void {
    let unseen = this.#segment.x0;
    for (let index = 0; index < this.#next.length; index++) {
      const tile = this.#tiles[index];
      if (tile === undefined) continue;
      const start = lane * tile.buckets;
      let cell = this.#next[index] ?? NOWHERE;
      for (; cell !== NOWHERE && cell < start + tile.buckets; cell = tile.places.next(cell)) {
        if (cell < start) continue;
        const bucket = index * TILE_BUCKETS + cell - start;
        let x = Math.max(unseen, this.#columnBefore(bucket));
        for (; x < this.#segment.x1 && this.#begins(x) <= bucket; x++) {
          if (bucket < this.#ends(x)) this.#look(lane, x, top, height, bars, patches);
        }
        unseen = x;
      }
      this.#next[index] = cell;
    }
  }

  /** Adds a column if the key is dominant in it. */
  #look(lane: number, x: number, top: number, height: number, bars: readonly [number, number], patches: Patches): void {
    const column = this.#column;
    mergeColumn(this.#segment, this.#tiles, lane, x, column);
    if (column.key !== this.#key) return;
    const rows = barRows(columnLevel(column, bars), height);
    patches.add(x, top + height - rows, rows, stepOf(columnShare(column, bars)));
  }

  /** A column that ends before a bucket, or the first: not far before it. */
  #columnBefore(bucket: number): number {
    const { x0, fraction, bucketsPerPixel } = this.#segment;
    // Rounded to an integer of 32 bits, which is no object.
    const column = ((bucket - this.#segment.bucket - fraction) / bucketsPerPixel) | 0;
    return x0 + Math.max(0, column - 1);
  }

  #begins(x: number): number {
    return this.#buckets.first[x - this.#segment.x0] ?? 0;
  }

  #ends(x: number): number {
    return this.#buckets.end[x - this.#segment.x0] ?? 0;
  }
}
