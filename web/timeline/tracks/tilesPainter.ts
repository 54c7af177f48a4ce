/** Paints the lanes that are made of tiles, a row of each tile for each CPU. A kind of lane says where its rows are and what is in them. */
import type { DevPx } from '../../base/units';
import type { EngineClient } from '../../engine/client';
import type { TrackKey, TrackKind, TrackKinds } from '../../engine/protocolTracks';
import { type CellSegment, TILE_BUCKETS } from '../../gl/cells';
import { type LaneLayout, laneBands, lanesInSight } from '../frame/laneLayout';
import type { SceneModel } from '../frame/sceneModel';
import type { Timescale } from '../frame/timescale';
import { cellSegment } from '../tiles/segments';
import type { Tile } from '../tiles/tileCache';
import { type TilesSpec, TrackTiles } from '../tiles/trackTiles';
import type { BandHands, LanePainter, MakeLanePainter, PaintedLane } from './lanePainter';
import { LaneRows, type PaintedRow, type PixelLane, type RowPlace } from './laneRows';

/** At least as many tiles are kept as a screen shows, and some around them. */
const LEAST_SLOTS = 12;
const MOST_SLOTS = 48;

/** Room for tiles of `bytes` in all, each bucket of a track taking `each`. */
export const roomOf =
  (bytes: number, each: number): TilesSpec<TrackKind, unknown>['room'] =>
  (tracks) => {
    const fitting = Math.floor(bytes / (each * TILE_BUCKETS * Math.max(1, tracks)));
    const kept = Math.max(LEAST_SLOTS, Math.min(MOST_SLOTS, fitting));
    return { kept, asked: kept - 2 };
  };

/** A stretch of the screen, and the tiles that it is painted from. */
export interface TilesPart<Data> {
  readonly segment: CellSegment;
  readonly tiles: readonly Tile<Data>[];
}

/** What covers the screen, of tiles of that variant. */
export function tilesParts<K extends TrackKind, Data>(
  tiles: TrackTiles<K, Data>,
  model: SceneModel,
  scale: Timescale,
  variant: TrackKinds[K]['tile'],
): TilesPart<Data>[] {
  return tiles.cover(model, scale, [variant]).flatMap((stretch) => {
    const segment = cellSegment(stretch, scale);
    return segment === null ? [] : [{ segment, tiles: stretch.tiles }];
  });
}

/** The tiles that a kind of lane wants. */
export interface WantedTiles<K extends TrackKind> {
  readonly variant: TrackKinds[K]['tile'];
  /** Default: the CPUs. */
  readonly keys?: readonly TrackKey[];
  /** Grows when tiles have to be asked for again; default: that of the view. */
  readonly revision?: number;
}

/** What the rows of one frame are painted from. */
export interface LaneFrame<Data> {
  readonly model: SceneModel;
  readonly scale: Timescale;
  readonly parts: readonly TilesPart<Data>[];
  /** Where the row of a lane is; all have as many rows. */
  readonly place: (lane: number) => RowPlace;
  readonly layout: LaneLayout;
}

/** Paints the rows of one frame. */
export interface LaneBrush {
  row(lane: number, out: PixelLane): PaintedRow;
  /** Paints over the rows, in CSS pixels. */
  over?(context: CanvasRenderingContext2D): void;
}

/** A kind of lane. */
interface TilesLane<K extends TrackKind, Data, Wanted extends WantedTiles<K>> {
  readonly tiles: TilesSpec<K, Data>;
  /** null: the lanes show nothing of this kind now. */
  wanted(model: SceneModel): Wanted | null;
  /** `gap`: device pixels below the lane. */
  place(layout: LaneLayout, lane: number, gap: number, pixelRatio: number): RowPlace;
  brush(frame: LaneFrame<Data>, wanted: Wanted): LaneBrush;
  /** The pointer on the rows; `height`: of a row, in CSS pixels, which the brush sets. */
  readonly hands?: BandHands & { height: number };
  dispose?(): void;
}

/** Makes the painter of a kind of lane. `ask`: called when there is more to ask for. */
export const tilesPainter =
  <K extends TrackKind, Data, Wanted extends WantedTiles<K> = WantedTiles<K>>(
    lane: (engine: EngineClient, ask: () => void) => TilesLane<K, Data, Wanted>,
  ): MakeLanePainter =>
  (engine, arrived, ask) =>
    new TilesPainter(engine, lane(engine, ask), arrived);

class TilesPainter<K extends TrackKind, Data, Wanted extends WantedTiles<K>> implements LanePainter {
  readonly kind: K;
  /** The visible lanes as they were painted last. */
  painted: readonly PaintedLane[] = [];
  readonly #lane: TilesLane<K, Data, Wanted>;
  readonly #tiles: TrackTiles<K, Data>;
  readonly #rows = new LaneRows();

  constructor(engine: EngineClient, lane: TilesLane<K, Data, Wanted>, arrived: () => void) {
    this.kind = lane.tiles.kind;
    this.#lane = lane;
    this.#tiles = new TrackTiles(engine, lane.tiles, arrived);
  }

  get idle(): boolean {
    return this.#tiles.idle;
  }

  get inFlight(): number {
    return this.#tiles.inFlight;
  }

  get hands(): BandHands | null {
    return this.#lane.hands ?? null;
  }

  /** No names: it paints on the lanes of CPUs. */
  names(): readonly string[] {
    return [];
  }

  reset(): void {
    this.#tiles.reset();
  }

  dispose(): void {
    this.#lane.dispose?.();
  }

  request(model: SceneModel, width: DevPx): void {
    const wanted = this.#lane.wanted(model);
    if (wanted === null) {
      this.#tiles.rest();
    } else {
      const { variant, keys = model.trace?.cpus ?? [], revision = model.revision } = wanted;
      this.#tiles.request({ ...model, revision }, keys, width, variant);
    }
  }

  paint(context: CanvasRenderingContext2D, model: SceneModel, scale: Timescale, layout: LaneLayout): void {
    const lane = this.#lane;
    this.painted = [];
    if (lane.hands) lane.hands.height = 0;
    const wanted = lane.wanted(model);
    const { trace } = model;
    if (trace === null || wanted === null || this.#tiles.slots === 0 || layout.count === 0) return;
    const { gap } = laneBands(layout, scale.pixelRatio);
    const place = (index: number): RowPlace => lane.place(layout, index, gap, scale.pixelRatio);
    const parts = tilesParts(this.#tiles, model, scale, wanted.variant);
    const brush = lane.brush({ model, scale, parts, place, layout }, wanted);
    const sight = lanesInSight(layout);
    if (place(sight.first).rows === 0) return;
    const rows = this.#rows.paint(context, scale, sight, place, (index, out) => brush.row(index, out));
    this.painted = rows.map((row, i) => ({ cpu: trace.cpus[sight.first + i] ?? sight.first + i, ...row }));
    brush.over?.(context);
  }
}
