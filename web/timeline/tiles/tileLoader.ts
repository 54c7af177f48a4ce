/** Asks the engine for tiles: the most urgent first, few at a time, each place at most once. */
import type { Outcome } from '../../engine/client';
import type { TileCache, Variant } from './tileCache';
import { type TileId, tileName } from './tiles';

/** How many queries may be in flight: few, so that a new one does not wait behind those for earlier needs. */
const IN_FLIGHT = 2;

export interface Wanted {
  readonly tiles: readonly TileId[];
  readonly variant: Variant;
  readonly revision: number;
  readonly buckets: (tile: TileId) => number;
}

/** Asks for one tile. The number `slot` becomes the query's key: a later query with it supersedes the earlier one. */
export type AskTile<Data> = (slot: number, tile: TileId, buckets: number, variant: Variant) => Promise<Outcome<Data>>;

interface Flight {
  readonly name: string;
  readonly slot: number;
}

export class TileLoader<Data> {
  readonly #cache: TileCache<Data>;
  readonly #ask: AskTile<Data>;
  readonly #arrived: (slot: number, buckets: number, data: Data) => void;
  readonly #flights: (Flight | null)[] = new Array<Flight | null>(IN_FLIGHT).fill(null);
  /** Places for which the engine had no answer in the latest revision, so that they are not asked again and again. */
  readonly #failed = new Set<string>();
  #wanted: Wanted | null = null;
  #generation = 0;

  /** `arrived`: called with the slot of a tile that has come into the cache. */
  constructor(
    cache: TileCache<Data>,
    ask: AskTile<Data>,
    arrived: (slot: number, buckets: number, data: Data) => void,
  ) {
    this.#cache = cache;
    this.#ask = ask;
    this.#arrived = arrived;
  }

  /** Whether nothing is under way and nothing wanted is missing. */
  get idle(): boolean {
    return this.#flights.every((flight) => flight === null) && this.#missing().length === 0;
  }

  get inFlight(): number {
    return this.#flights.filter((flight) => flight !== null).length;
  }

  /** Forgets what is under way, because another trace is open. */
  reset(): void {
    this.#generation++;
    this.#flights.fill(null);
    this.#failed.clear();
    this.#wanted = null;
  }

  /** Sets the wanted tiles, the most urgent first. */
  want(wanted: Wanted): void {
    if (wanted.revision !== this.#wanted?.revision) this.#failed.clear();
    this.#wanted = wanted;
    this.#next();
  }

  #missing(): TileId[] {
    const wanted = this.#wanted;
    if (wanted === null) return [];
    return wanted.tiles.filter((tile) => {
      const held = this.#cache.get(wanted.variant, tile);
      return held?.revision !== wanted.revision && !this.#failed.has(flightName(wanted, tile));
    });
  }

  #next(): void {
    const wanted = this.#wanted;
    if (wanted === null) return;
    const missing = this.#missing();
    const names = missing.map((tile) => flightName(wanted, tile));
    const flying = new Set(this.#flights.map((flight) => flight?.name));
    for (let slot = 0; slot < IN_FLIGHT; slot++) {
      const flight = this.#flights[slot];
      // A query whose tile is no longer wanted is superseded by one for a wanted tile.
      if (flight && names.includes(flight.name)) continue;
      const at = names.findIndex((name) => !flying.has(name));
      const tile = missing[at];
      const name = names[at];
      if (tile === undefined || name === undefined) return;
      flying.add(name);
      this.#fly(wanted, tile, { name, slot });
    }
  }

  async #fly(wanted: Wanted, tile: TileId, flight: Flight): Promise<void> {
    const generation = this.#generation;
    this.#flights[flight.slot] = flight;
    const buckets = wanted.buckets(tile);
    const outcome = await this.#ask(flight.slot, tile, buckets, wanted.variant);
    if (generation !== this.#generation) return;
    if (this.#flights[flight.slot] === flight) this.#flights[flight.slot] = null;
    if (outcome.kind === 'answer') {
      const kept = this.#cache.put(wanted.variant, tile, wanted.revision, buckets, outcome.answer);
      this.#arrived(kept.slot, buckets, outcome.answer);
    } else if (outcome.kind === 'failed') {
      this.#failed.add(flight.name);
    } else {
      // Another query took its place, or the trace was closed: in either case something else is wanted now.
      return;
    }
    this.#next();
  }
}

function flightName({ variant, revision }: Wanted, tile: TileId): string {
  return `${variant ?? ''}:${revision}:${tileName(tile)}`;
}
