/** Tiles that have arrived, in a fixed number of slots; the one unused for longest makes room. */
import { type TileId, tileName } from './tiles';

/** What tells tiles of the same place apart, for kinds of tracks that have several (task or comm as keys). */
export type Variant = string | null;

export interface Tile<Data> extends TileId {
  readonly slot: number;
  readonly variant: Variant;
  /** The engine's revision for which it was asked; older ones are shown until their successor arrives. */
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

  /** Marks as used just now. */
  touch(variant: Variant, tile: TileId): void {
    const name = nameOf(variant, tile);
    const found = this.#tiles.get(name);
    if (found === undefined) return;
    // A map keeps the order of insertion: the first is the one unused for longest.
    this.#tiles.delete(name);
    this.#tiles.set(name, found);
  }

  /** Keeps a tile, in place of an earlier revision of itself, in a free slot, or in that of the least used. */
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
