/** The view's counter as a line on the lane of each CPU that has values. */
import type { DevPx } from '../../../base/units';
import type { EngineClient } from '../../../engine/client';
import { counterOf } from '../../../state/counters';
import { type LaneLayout, laneBands, lanesInSight } from '../../frame/laneLayout';
import type { SceneModel } from '../../frame/sceneModel';
import type { Timescale } from '../../frame/timescale';
import type { PaintedLane } from '../lanePainter';
import { TilesPainter } from '../tilesPainter';
import { CounterBrush, type CounterValues, counterTiles, knownCounter, wantedCounter } from './counterBrush';

export class CounterLayer extends TilesPainter<'counter', CounterValues> {
  readonly dispose: () => void;

  /** `ask`: called when there is more to ask for. */
  constructor(engine: EngineClient, arrived: () => void, ask: () => void) {
    super(engine, counterTiles('counter'), arrived);
    this.dispose = counterOf(engine, 'cpu').state.subscribe(ask);
  }

  request(model: SceneModel, width: DevPx): void {
    const known = wantedCounter(this.engine, 'cpu', model);
    if (known === null) this.tiles.rest();
    else this.tiles.request({ ...model, revision: known.revision }, model.trace?.cpus ?? [], width, known.counter);
  }

  paint(context: CanvasRenderingContext2D, model: SceneModel, scale: Timescale, layout: LaneLayout): void {
    this.painted = [];
    const { trace } = model;
    const known = knownCounter(this.engine, 'cpu');
    if (trace === null || known === null || this.tiles.slots === 0 || layout.count === 0) return;
    const parts = this.parts(model, scale, known.counter);
    const ratio = scale.pixelRatio;
    const { first, end } = lanesInSight(layout);
    const { gap } = laneBands(layout, ratio);
    const pitch = layout.pitch * ratio;
    const rows = Math.max(1, Math.round(pitch - gap));
    const pixels = this.image.empty(scale.width, rows * Math.max(1, end - first));
    const words = new Uint32Array(pixels.data.buffer);
    const brush = new CounterBrush(scale.width, known.info, model);
    const painted: PaintedLane[] = [];
    for (let lane = first; lane < end; lane++) {
      const line = brush.paint(parts, lane, rows, words, rows * (lane - first) * scale.width);
      painted.push({ cpu: trace.cpus[lane] ?? lane, ...line });
    }
    this.painted = painted;
    const image = this.image.of(pixels);
    if (image === null) return;
    context.save();
    // The lines consist of device pixels.
    context.scale(1 / ratio, 1 / ratio);
    context.imageSmoothingEnabled = false;
    for (let lane = first; lane < end; lane++) {
      const top = Math.round(layout.top * ratio + lane * pitch);
      context.drawImage(image, 0, (lane - first) * rows, scale.width, rows, 0, top, scale.width, rows);
    }
    context.restore();
  }
}
