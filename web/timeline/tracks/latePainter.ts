/** A painter whose code is loaded once the view or the trace wants it: the first picture does not need it. */
import type { DevPx } from '../../base/units';
import type { EngineClient } from '../../engine/client';
import type { LaneLayout } from '../frame/laneLayout';
import type { SceneModel } from '../frame/sceneModel';
import type { Timescale } from '../frame/timescale';
import type { BandHands, LanePainter, MakeLanePainter, PaintedLane, PainterKind } from './lanePainter';

export interface Late {
  readonly kind: PainterKind;
  /** `ask`: called once it may be wanted, if that is not known yet. */
  readonly isWanted: (model: SceneModel, engine: EngineClient, ask: () => void) => boolean;
  readonly load: () => Promise<MakeLanePainter>;
}

export const latePainter =
  (late: Late): MakeLanePainter =>
  (engine, arrived, ask) =>
    new LatePainter(late, engine, arrived, ask);

class LatePainter implements LanePainter {
  readonly #late: Late;
  readonly #engine: EngineClient;
  readonly #arrived: () => void;
  readonly #ask: () => void;
  #painter: LanePainter | null = null;
  #isLoading = false;
  #isGone = false;

  constructor(late: Late, engine: EngineClient, arrived: () => void, ask: () => void) {
    this.#late = late;
    this.#engine = engine;
    this.#arrived = arrived;
    this.#ask = ask;
  }

  get kind(): PainterKind {
    return this.#late.kind;
  }

  get idle(): boolean {
    return !this.#isLoading && (this.#painter?.idle ?? true);
  }

  get inFlight(): number {
    return this.#painter?.inFlight ?? 0;
  }

  get painted(): readonly PaintedLane[] {
    return this.#painter?.painted ?? [];
  }

  get hands(): BandHands | null {
    return this.#painter?.hands ?? null;
  }

  names(model: SceneModel): readonly string[] {
    return this.#painter?.names(model) ?? [];
  }

  reset(): void {
    this.#painter?.reset();
  }

  dispose(): void {
    this.#isGone = true;
    this.#painter?.dispose?.();
  }

  request(model: SceneModel, width: DevPx): void {
    if (this.#painter !== null) this.#painter.request(model, width);
    else if (!this.#isLoading && this.#late.isWanted(model, this.#engine, this.#ask)) void this.#load();
  }

  paint(context: CanvasRenderingContext2D, model: SceneModel, scale: Timescale, layout: LaneLayout): void {
    this.#painter?.paint(context, model, scale, layout);
  }

  async #load(): Promise<void> {
    this.#isLoading = true;
    // A load that fails is tried again when the window moves.
    const make = await this.#late.load().catch(() => null);
    this.#isLoading = false;
    if (make === null || this.#isGone) return;
    this.#painter = make(this.#engine, this.#arrived, this.#ask);
    this.#ask();
  }
}
