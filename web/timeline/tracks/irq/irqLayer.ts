/** Interrupts on the lanes of CPUs: bands at their upper edge, of traces that have interrupts. */
import type { DevPx } from '../../../base/units';
import type { EngineClient } from '../../../engine/client';
import { type LaneLayout, laneBands, lanesInSight } from '../../frame/laneLayout';
import type { SceneModel } from '../../frame/sceneModel';
import type { Timescale } from '../../frame/timescale';
import type { TilesSpec } from '../../tiles/trackTiles';
import type { PaintedLane } from '../lanePainter';
import { roomOf, TilesPainter } from '../tilesPainter';
import { bandPlace } from './bandPlace';
import { type IrqTile, irqColumns, newIrqColumns, paintBands } from './irqColumns';
import { irqInks } from './irqInks';
import { Bands } from './irqPick';
import { showsIrqs } from './showsIrqs';

/** Room for the tiles in bytes. */
const TILE_BYTES = 24 * 1024 * 1024;

const TILES: TilesSpec<'cpu_irqs', IrqTile> = {
  kind: 'cpu_irqs',
  room: roomOf(TILE_BYTES, 4),
  lasts: true,
  read: ({ values }, buckets) => ({ buckets, cells: values }),
};

export class IrqLayer extends TilesPainter<'cpu_irqs', IrqTile> {
  readonly hands: Bands;
  readonly #ask: () => void;

  constructor(engine: EngineClient, arrived: () => void, ask: () => void) {
    super(engine, TILES, arrived);
    this.hands = new Bands(engine, 'cpu');
    this.#ask = ask;
  }

  request(model: SceneModel, width: DevPx): void {
    if (showsIrqs(model, this.engine, this.#ask) && model.trace)
      this.tiles.request(model, model.trace.cpus, width, null);
    else this.tiles.rest();
  }

  paint(context: CanvasRenderingContext2D, model: SceneModel, scale: Timescale, layout: LaneLayout): void {
    this.painted = [];
    this.hands.height = 0;
    const { trace, theme } = model;
    if (trace === null || !showsIrqs(model, this.engine, this.#ask) || this.tiles.slots === 0 || layout.count === 0)
      return;
    const ratio = scale.pixelRatio;
    const { first, end } = lanesInSight(layout);
    const { gap } = laneBands(layout, ratio);
    const { rows } = bandPlace(layout, first, gap, ratio);
    // The pointer asks about lanes without room for bands, too.
    this.hands.height = (2 * Math.max(1, rows)) / ratio;
    if (rows === 0) return;
    const parts = this.parts(model, scale, null).map(({ segment, tiles }) => ({
      segment,
      tiles: tiles.map(({ data }) => data),
    }));
    const pixels = this.image.empty(scale.width, 2 * rows * Math.max(1, end - first));
    const words = new Uint32Array(pixels.data.buffer);
    const inks = irqInks(theme);
    const painted: PaintedLane[] = [];
    const columns = newIrqColumns(scale.width);
    for (let lane = first; lane < end; lane++) {
      columns.hard.fill(0);
      columns.soft.fill(0);
      for (const { segment, tiles } of parts) irqColumns(segment, tiles, lane, columns);
      const counted = paintBands(columns, rows, inks, words, 2 * rows * (lane - first) * scale.width);
      painted.push({ cpu: trace.cpus[lane] ?? lane, ...counted });
    }
    this.painted = painted;
    const image = this.image.of(pixels);
    if (image === null) return;
    context.save();
    // The bands consist of device pixels.
    context.scale(1 / ratio, 1 / ratio);
    context.imageSmoothingEnabled = false;
    for (let lane = first; lane < end; lane++) {
      const { top } = bandPlace(layout, lane, gap, ratio);
      const from = 2 * rows * (lane - first);
      context.drawImage(image, 0, from, scale.width, 2 * rows, 0, top, scale.width, 2 * rows);
    }
    context.restore();
  }
}
