/**
 * Paints tracks on the pane of the CPU lanes, above the cells: as strips on the lanes of CPUs, or on lanes of the
 * painter's own below them. A kind of track that is drawn there has a painter, which `registry.ts` makes.
 */
import type { DevPx } from '../../base/units';
import type { EngineClient } from '../../engine/client';
import type { Cpu, IrqPlace } from '../../engine/protocol';
import type { TrackKind } from '../../engine/protocolTracks';
import type { HoverStore } from '../../state/hover';
import type { Store } from '../../state/store';
import type { LaneLayout } from '../frame/laneLayout';
import type { SceneModel } from '../frame/sceneModel';
import type { Timescale } from '../frame/timescale';
import type { TrackPlace } from '../input/trackPlace';
import type { PaintedRow } from './laneRows';

/** What is painted on a lane. */
export interface PaintedLane extends PaintedRow {
  /** The CPU of the lane; for a lane of the painter's own, its number there. */
  readonly cpu: Cpu;
}

/** The pointer on what a painter adds to lanes that are there for something else. */
export interface BandHands {
  /** Whether nothing is under way. */
  readonly idle: boolean;
  /** The pointer is at a place of a lane, at `y` of the plot; null: it left the lanes. */
  move(place: TrackPlace | null, layout: LaneLayout, y: number, hover: HoverStore): void;
  /** Goes to what a click means, and returns it; null: it means the lane. */
  click(place: TrackPlace, layout: LaneLayout, y: number, store: Store): Promise<IrqPlace | null | 'superseded'>;
}
/** What a painter shows: tracks of a kind, or what is known of sched_ext. */
export type PainterKind = TrackKind | 'sched_ext';

export interface LanePainter {
  readonly kind: PainterKind;
  /** Whether nothing is under way. */
  readonly idle: boolean;
  /** How many queries are under way. */
  readonly inFlight: number;
  /** What was painted last; empty while it is hidden. */
  readonly painted: readonly PaintedLane[];
  /** The pointer on what it paints; null where that means the lane. */
  readonly hands?: BandHands | null;
  /** The names of the painter's own lanes, from top to bottom; empty for strips. */
  names(model: SceneModel): readonly string[];
  /** Drops everything: it belongs to another trace, or to lanes in another order. */
  reset(): void;
  /** The pane is gone: listens to nothing any more. */
  dispose?(): void;
  /** Asks for what a frame of that width will need. */
  request(model: SceneModel, width: DevPx): void;
  /**
   * Paints; the plot's corner is the context's origin, in CSS pixels. `layout`: of the painter's own lanes if it has
   * some, else of the lanes of CPUs.
   */
  paint(context: CanvasRenderingContext2D, model: SceneModel, scale: Timescale, layout: LaneLayout): void;
}

/** `arrived`: called when there is more to paint. `ask`: called when there is more to ask for. */
export type MakeLanePainter = (engine: EngineClient, arrived: () => void, ask: () => void) => LanePainter;
