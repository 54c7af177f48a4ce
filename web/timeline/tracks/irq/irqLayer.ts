/** Interrupts on the lanes of CPUs: bands at their upper edge, of traces that have interrupts. */
import type { DevPx } from '../../../base/units';
import type { EngineClient } from '../../../engine/client';
import { TILE_BUCKETS } from '../../../gl/cells';
import { type LaneLayout, laneBands } from '../../frame/laneLayout';
import type { SceneModel } from '../../frame/sceneModel';
import type { Timescale } from '../../frame/timescale';
import { cellSegment } from '../../tiles/segments';
import { type TilesSpec, TrackTiles } from '../../tiles/trackTiles';
import { ImageCanvas } from '../imageCanvas';
import type { LanePainter, PaintedLane } from '../lanePainter';
import { bandPlace } from './bandPlace';
import { type IrqTile, irqColumns, newIrqColumns, paintBands } from './irqColumns';
import { irqInks } from './irqInks';
import { Bands } from './irqPick';
import { showsIrqs } from './showsIrqs';

/** Room for the tiles in bytes; at least as many are kept as a screen shows, and some around them. */
const TILE_BYTES = 24 * 1024 * 1024;

const TILES: TilesSpec<'cpu_irqs', IrqTile> = {
  kind: 'cpu_irqs',
  room: (tracks) => {
    const kept = Math.max(12, Math.min(48, Math.floor(TILE_BYTES / (4 * TILE_BUCKETS * Math.max(1, tracks)))));
    return { kept, asked: kept - 2 };
  },
  lasts: true,
  read: ({ values }, buckets) => ({ buckets, cells: values }),
};

export class IrqLayer implements LanePainter {
  readonly kind = 'cpu_irqs';
  readonly hands: Bands;
  readonly #engine: EngineClient;
  readonly #ask: () => void;
  readonly #tiles: TrackTiles<'cpu_irqs', IrqTile>;
  readonly #image = new ImageCanvas();
  #painted: readonly PaintedLane[] = [];

  constructor(engine: EngineClient, arrived: () => void, ask: () => void) {
    this.#engine = engine;
    this.hands = new Bands(engine, 'cpu');
    this.#ask = ask;
    this.#tiles = new TrackTiles(engine, TILES, arrived);
  }

  get idle(): boolean {
    return this.#tiles.idle;
  }

  get inFlight(): number {
    return this.#tiles.inFlight;
  }

  get painted(): readonly PaintedLane[] {
    return this.#painted;
  }

  names(): readonly string[] {
    return [];
  }

  reset(): void {
    this.#tiles.reset();
  }

  request(model: SceneModel, width: DevPx): void {
    if (showsIrqs(model, this.#engine, this.#ask) && model.trace)
      this.#tiles.request(model, model.trace.cpus, width, null);
    else this.#tiles.rest();
  }

  paint(context: CanvasRenderingContext2D, model: SceneModel, scale: Timescale, layout: LaneLayout): void {
    this.#painted = [];
    this.hands.height = 0;
    const { trace, theme } = model;
    if (trace === null || !showsIrqs(model, this.#engine, this.#ask) || this.#tiles.slots === 0 || layout.count === 0)
      return;
    const ratio = scale.pixelRatio;
    const first = Math.max(0, Math.floor(-layout.top / layout.pitch));
    const end = Math.min(layout.count, Math.ceil((layout.height - layout.top) / layout.pitch));
    const { gap } = laneBands(layout, ratio);
    const { rows } = bandPlace(layout, first, gap, ratio);
    // The pointer asks about lanes without room for bands, too.
    this.hands.height = (2 * Math.max(1, rows)) / ratio;
    if (rows === 0) return;
    const parts = this.#tiles.cover(model, scale, [null]).flatMap((stretch) => {
      const segment = cellSegment(stretch, scale);
      return segment === null ? [] : [{ segment, tiles: stretch.tiles.map(({ data }) => data) }];
    });
    const pixels = this.#image.empty(scale.width, 2 * rows * Math.max(1, end - first));
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
    this.#painted = painted;
    const image = this.#image.of(pixels);
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
