/** The view's counter as a line on the lane of each CPU that has values. */
import type { DevPx } from '../../../base/units';
import type { EngineClient } from '../../../engine/client';
import { packColour } from '../../../gl/columns';
import { counterOf } from '../../../state/counters';
import { toRgb } from '../../frame/colours';
import { type LaneLayout, laneBands, lanesInSight } from '../../frame/laneLayout';
import type { SceneModel } from '../../frame/sceneModel';
import type { Timescale } from '../../frame/timescale';
import type { TilesSpec } from '../../tiles/trackTiles';
import type { PaintedLane } from '../lanePainter';
import { roomOf, TilesPainter } from '../tilesPainter';
import { counterColumns, counterScale, newCounterColumns, paintCounter } from './counterColumns';

/** Room for the tiles in bytes. */
const TILE_BYTES = 48 * 1024 * 1024;

const TILES: TilesSpec<'counter', { readonly values: Float64Array }> = {
  kind: 'counter',
  room: roomOf(TILE_BYTES, 16),
  read: ({ values }) => ({ values: new Float64Array(values.buffer) }),
};

export class CounterLayer extends TilesPainter<'counter', { readonly values: Float64Array }> {
  readonly dispose: () => void;

  /** `ask`: called when there is more to ask for. */
  constructor(engine: EngineClient, arrived: () => void, ask: () => void) {
    super(engine, TILES, arrived);
    this.dispose = counterOf(engine).state.subscribe(ask);
  }

  request(model: SceneModel, width: DevPx): void {
    if (model.trace?.stage !== 'opened') return;
    const counters = counterOf(this.engine);
    void counters.want(model.view.counter);
    const { counter, info, revision } = counters.state.get();
    if (counter === '' || info === null) this.tiles.rest();
    else this.tiles.request({ ...model, revision }, model.trace.cpus, width, counter);
  }

  paint(context: CanvasRenderingContext2D, model: SceneModel, scale: Timescale, layout: LaneLayout): void {
    this.painted = [];
    const { trace, theme } = model;
    const { counter, info } = counterOf(this.engine).state.get();
    if (trace === null || counter === '' || info === null || this.tiles.slots === 0 || layout.count === 0) return;
    const parts = this.parts(model, scale, counter);
    const ratio = scale.pixelRatio;
    const { first, end } = lanesInSight(layout);
    const { gap } = laneBands(layout, ratio);
    const pitch = layout.pitch * ratio;
    const rows = Math.max(1, Math.round(pitch - gap));
    const pixels = this.image.empty(scale.width, rows * Math.max(1, end - first));
    const words = new Uint32Array(pixels.data.buffer);
    const inks = [packColour(toRgb(theme.ink)), packColour(toRgb(theme.background))] as const;
    const range = counterScale(info.least, info.greatest);
    const painted: PaintedLane[] = [];
    const columns = newCounterColumns(scale.width);
    for (let lane = first; lane < end; lane++) {
      columns.least.fill(Number.NaN);
      columns.greatest.fill(Number.NaN);
      for (const { segment, tiles } of parts) counterColumns(segment, tiles, lane, columns);
      paintCounter(columns, range, rows, inks, words, rows * (lane - first) * scale.width);
      let [known, most] = [0, Number.NEGATIVE_INFINITY];
      for (const value of columns.greatest) {
        if (Number.isNaN(value)) continue;
        known++;
        most = Math.max(most, value);
      }
      painted.push({ cpu: trace.cpus[lane] ?? lane, columns: known, most: known === 0 ? 0 : most });
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
