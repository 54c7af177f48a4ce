/**
 * The tiles of some tracks of one kind. They are planned, loaded, kept and covered in the same way for all kinds, and
 * asked for together, since they are on the screen together.
 */
import type { DevPx } from '../../base/units';
import type { EngineClient, Outcome } from '../../engine/client';
import type { TileAnswer, TrackKey, TrackKind, TrackKinds } from '../../engine/protocolTracks';
import { TILE_BUCKETS } from '../../gl/cells';
import type { SceneModel } from '../frame/sceneModel';
import type { Timescale } from '../frame/timescale';
import { canAsk } from '../frame/traceInfo';
import { cover, type Stretch } from './cover';
import { type Tile, TileCache, type Variant } from './tileCache';
import { TileLoader } from './tileLoader';
import { plan, type TileId, tileBuckets } from './tiles';

/**
 * The variant of tiles that come while a trace loads: the keys of their cells are provisional. They stand in for others until those
 * arrive, in colours of their own.
 */
export const earlyOf = <V extends Variant>(variant: V): `early_${V}` => `early_${variant}`;

/** How tiles of a kind are loaded. */
export interface TilesSpec<K extends TrackKind, Data> {
  readonly kind: K;
  /**
   * How many tiles of this many tracks are kept, and how many are asked for: with more, new tiles would evict each
   * other.
   */
  readonly room: (tracks: number) => { readonly kept: number; readonly asked: number };
  /** Whether answers hold as long as the trace is open, whatever the view. */
  readonly lasts?: boolean;
  /** Whether to ask while the trace is still loading. */
  readonly early?: boolean;
  /** Takes from an answer what is kept. */
  readonly read: (answer: TileAnswer, buckets: number) => Data;
}

/** An answer as it arrived. */
export type TileValues = Pick<TileAnswer, 'values' | 'most'>;
export const tileValues = ({ values, most }: TileAnswer): TileValues => ({ values, most });

/** Called when a tile has come into a slot. */
export type TileArrived<Data> = (slot: number, buckets: number, data: Data) => void;

export class TrackTiles<K extends TrackKind, Data> {
  readonly #engine: EngineClient;
  readonly #spec: TilesSpec<K, Data>;
  readonly #key: string;
  readonly #cache = new TileCache<Data>(0);
  readonly #loader: TileLoader<Data>;
  #variant: TrackKinds[K]['tile'] | null = null;
  #keys: readonly TrackKey[] = [];
  #slots = 0;
  /** The session for which the cache has room; null: none. */
  #session: number | null = null;

  /** `name` distinguishes groups of tracks of the kind; the engine keeps the latest query of each. */
  constructor(engine: EngineClient, spec: TilesSpec<K, Data>, arrived: TileArrived<Data>, name = '') {
    this.#engine = engine;
    this.#spec = spec;
    this.#key = `scene/tile/${spec.kind}${name}`;
    this.#loader = new TileLoader(
      this.#cache,
      (slot, tile, buckets, variant) => this.#ask(slot, tile, buckets, variant !== this.#variant),
      arrived,
    );
  }

  get idle(): boolean {
    return this.#loader.idle;
  }

  get inFlight(): number {
    return this.#loader.inFlight;
  }

  /** How many tiles are kept; 0 before the first was asked for. */
  get slots(): number {
    return this.#session === null ? 0 : this.#slots;
  }

  tiles(): Iterable<Tile<Data>> {
    return this.#cache.values();
  }

  /** Stops asking for now; tiles that have arrived stay. */
  rest(): void {
    this.#loader.reset();
  }

  /** Drops all tiles: they belong to another trace or to other tracks. */
  reset(): void {
    this.#loader.reset();
    this.#session = null;
  }

  /**
   * Asks for what a frame of that width will need, or nothing if `isShown` is false. True if the cache is empty because
   * it is for another trace.
   */
  request(
    { trace, target, everything, revision }: SceneModel,
    keys: readonly TrackKey[],
    width: DevPx,
    variant: TrackKinds[K]['tile'],
    isShown = true,
  ): boolean {
    const { room, early, lasts } = this.#spec;
    if (trace === null || !canAsk(trace, early)) return false;
    this.#keys = keys;
    this.#variant = variant;
    const { kept, asked } = room(keys.length);
    const isNew = trace.session !== this.#session;
    if (isNew) {
      this.#session = trace.session;
      this.#slots = kept;
      this.#cache.reset(kept);
    }
    // While it loads, all tiles are asked again with each preview: only what is in sight.
    const isOpen = trace.stage === 'opened';
    this.#loader.want({
      tiles: isShown ? plan(target, width, everything, trace.span, isOpen).slice(0, asked) : [],
      variant: isOpen ? variant : earlyOf(variant),
      revision: lasts ? this.#engine.traceRevision : revision,
      buckets: (tile) => tileBuckets(tile, trace.span),
    });
    return isNew;
  }

  /** The tiles to draw; `variants`: the wanted one first, others stand in for it. */
  cover({ trace }: SceneModel, scale: Timescale, variants: readonly TrackKinds[K]['tile'][]): Stretch<Data>[] {
    if (trace === null || trace.session !== this.#session) return [];
    return cover(this.#cache, [...variants, ...variants.map(earlyOf)], scale, trace.span);
  }

  async #ask(slot: number, { level, index }: TileId, buckets: number, wasEarly: boolean): Promise<Outcome<Data>> {
    const variant = this.#variant;
    const { kind, read } = this.#spec;
    const firstBucket = index * TILE_BUCKETS;
    const query = { type: 'tile', kind, variant, keys: this.#keys, level, first_bucket: firstBucket, buckets } as const;
    const outcome = await this.#engine.query(`${this.#key}/${slot}`, query);
    // Asked while the trace was loading, but answered from the opened one: its keys are no longer the provisional ones.
    if (wasEarly && this.#engine.isOpen) return { kind: 'superseded' };
    return outcome.kind === 'answer' ? { kind: 'answer', answer: read(outcome.answer, buckets) } : outcome;
  }
}
