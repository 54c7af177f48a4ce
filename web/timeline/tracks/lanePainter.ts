/**
 * What paints tracks on the pane of the CPU lanes, above the cells: strips on the lanes of CPUs, or lanes of their own below
 * them. A kind of track that is drawn there has one, made in `registry.ts`.
 */
import type { DevPx } from '../../base/units';
import type { EngineClient } from '../../engine/client';
import type { Cpu } from '../../engine/protocol';
import type { TrackKind } from '../../engine/protocolTracks';
import type { LaneLayout } from '../frame/laneLayout';
import type { SceneModel } from '../frame/sceneModel';
import type { Timescale } from '../frame/timescale';

/** What is painted on a lane: columns where there is something, and the most at one time. */
export interface PaintedLane {
  /** Whose lane it is; of a lane of the painter's own, its number there. */
  readonly cpu: Cpu;
  readonly columns: number;
  readonly most: number;
}

export interface LanePainter {
  readonly kind: TrackKind;
  /** Nothing is under way. */
  readonly idle: boolean;
  /** Queries under way. */
  readonly inFlight: number;
  /** What was painted last; none while it is not shown. */
  readonly painted: readonly PaintedLane[];
  /** Names of the lanes that it has of its own, from top to bottom; none for strips. */
  names(model: SceneModel): readonly string[];
  /** Another trace, or the lanes in another order: nothing that is held belongs to them. */
  reset(): void;
  /** Asks for what a frame of that width will need. */
  request(model: SceneModel, width: DevPx): void;
  /**
   * Paints; the plot's corner is the context's origin, in CSS pixels. `layout`: of the lanes of CPUs for strips, of the
   * painter's own lanes where it has some.
   */
  paint(context: CanvasRenderingContext2D, model: SceneModel, scale: Timescale, layout: LaneLayout): void;
}

/** `arrived`: there is more to paint. */
export type MakeLanePainter = (engine: EngineClient, arrived: () => void) => LanePainter;
