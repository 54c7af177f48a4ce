/** Tiles that have arrived, in a fixed number of slots; the least recently used tile makes room. */
import { type TileId, tileName } from './tiles';

/** Distinguishes tiles of the same place, for kinds of tracks that have several (task or comm as keys). */
export type Variant = string | null;

export interface Tile<Data> extends TileId {
  readonly slot: number;
  readonly variant: Variant;
  /** The engine's revision for which it was asked; an older tile is shown until its successor arrives. */
  readonly revision: number;
  readonly buckets: number;
  readonly data: Data;
}

export class TileCache<Data> {
  readonly #tiles = new Map<string, Tile<Data>>();
  #free: number[] = [];

  constructor(slots: number) {
    this.reset(slots);
  }

  get size(): number {
    return this.#tiles.size;
  }

  /** Drops everything. */
  reset(slots: number): void {
    this.#tiles.clear();
    this.#free = Array.from({ length: slots }, (_, i) => slots - 1 - i);
  }

  get(variant: Variant, tile: TileId): Tile<Data> | undefined {
    return this.#tiles.get(nameOf(variant, tile));
  }

  /** Marks a tile as just used. */
  touch(variant: Variant, tile: TileId): void {
    const name = nameOf(variant, tile);
    const found = this.#tiles.get(name);
    if (found === undefined) return;
    // A map keeps the order of insertion: its first entry is the least recently used.
    this.#tiles.delete(name);
    this.#tiles.set(name, found);
  }

  /** Keeps a tile in the slot of its earlier revision, in a free one, or in that of the least recently used tile. */
  put(variant: Variant, tile: TileId, revision: number, buckets: number, data: Data): Tile<Data> {
    const name = nameOf(variant, tile);
    const slot = this.#tiles.get(name)?.slot ?? this.#free.pop() ?? this.#evict();
    const kept = { ...tile, variant, revision, buckets, data, slot };
    this.#tiles.delete(name);
    this.#tiles.set(name, kept);
    return kept;
  }

  values(): IterableIterator<Tile<Data>> {
    return this.#tiles.values();
  }

  #evict(): number {
    for (const [name, { slot }] of this.#tiles) {
      this.#tiles.delete(name);
      return slot;
    }
    return 0;
  }
}

function nameOf(variant: Variant, tile: TileId): string {
  return `${variant ?? ''}:${tileName(tile)}`;
}
