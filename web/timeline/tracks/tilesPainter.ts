/** What the painters have in common whose lanes are made of tiles, a row of each tile for each CPU. */
import type { DevPx } from '../../base/units';
import type { EngineClient } from '../../engine/client';
import type { TrackKind, TrackKinds } from '../../engine/protocolTracks';
import { type CellSegment, TILE_BUCKETS } from '../../gl/cells';
import type { LaneLayout } from '../frame/laneLayout';
import type { SceneModel } from '../frame/sceneModel';
import type { Timescale } from '../frame/timescale';
import { cellSegment } from '../tiles/segments';
import type { Tile } from '../tiles/tileCache';
import { type TilesSpec, TrackTiles } from '../tiles/trackTiles';
import { ImageCanvas } from './imageCanvas';
import type { LanePainter, PaintedLane } from './lanePainter';

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

export abstract class TilesPainter<K extends TrackKind, Data> implements LanePainter {
  readonly kind: K;
  /** The visible lanes as they were painted last. */
  painted: readonly PaintedLane[] = [];
  protected readonly engine: EngineClient;
  protected readonly tiles: TrackTiles<K, Data>;
  protected readonly image = new ImageCanvas();

  /** `arrived`: called when there is more to paint. */
  constructor(engine: EngineClient, spec: TilesSpec<K, Data>, arrived: () => void) {
    this.kind = spec.kind;
    this.engine = engine;
    this.tiles = new TrackTiles(engine, spec, arrived);
  }

  get idle(): boolean {
    return this.tiles.idle;
  }

  get inFlight(): number {
    return this.tiles.inFlight;
  }

  /** No names: it paints on the lanes of CPUs. */
  names(): readonly string[] {
    return [];
  }

  reset(): void {
    this.tiles.reset();
  }

  abstract request(model: SceneModel, width: DevPx): void;

  abstract paint(context: CanvasRenderingContext2D, model: SceneModel, scale: Timescale, layout: LaneLayout): void;

  /** What covers the screen, of tiles of that variant. */
  protected parts(model: SceneModel, scale: Timescale, variant: TrackKinds[K]['tile']): TilesPart<Data>[] {
    return tilesParts(this.tiles, model, scale, variant);
  }
}
