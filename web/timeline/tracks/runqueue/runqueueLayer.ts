/** Runqueue depth on the lanes: its tiles and strips, which are asked for and painted only while they are shown. */
import type { DevPx } from '../../../base/units';
import type { EngineClient } from '../../../engine/client';
import type { Cpu } from '../../../engine/protocol';
import { packColour } from '../../../gl/columns';
import { toRgb } from '../../frame/colours';
import { type LaneLayout, laneBands, lanesInSight } from '../../frame/laneLayout';
import type { SceneModel } from '../../frame/sceneModel';
import type { SceneTheme } from '../../frame/theme';
import type { Timescale } from '../../frame/timescale';
import { type TilesSpec, type TileValues, tileValues } from '../../tiles/trackTiles';
import type { PaintedLane } from '../lanePainter';
import { roomOf, TilesPainter } from '../tilesPainter';
import {
  newRunqueueColumns,
  paintStrip,
  type RunqueueColumns,
  runqueueColumns,
  type StripColours,
  stripPlace,
} from './runqueueColumns';

/** Room for the tiles in bytes. */
const TILE_BYTES = 24 * 1024 * 1024;

const TILES: TilesSpec<'runqueue', TileValues> = {
  kind: 'runqueue',
  room: roomOf(TILE_BYTES, 4),
  read: tileValues,
};

export class RunqueueLayer extends TilesPainter<'runqueue', TileValues> {
  /** `arrived`: called when there is more to paint. */
  constructor(engine: EngineClient, arrived: () => void) {
    super(engine, TILES, arrived);
  }

  /** Asks for what the frame will need; `width` in device pixels. */
  request(model: SceneModel, width: DevPx): void {
    if (model.trace?.stage === 'opened' && model.view.depth) {
      this.tiles.request(model, model.trace.cpus, width, null);
    } else {
      this.tiles.rest();
    }
  }

  /** Paints the strips of the visible lanes; the plot's corner is the context's origin, in CSS pixels. */
  paint(context: CanvasRenderingContext2D, model: SceneModel, scale: Timescale, layout: LaneLayout): void {
    this.painted = [];
    const { trace, view, theme } = model;
    if (trace === null || this.tiles.slots === 0 || !view.depth || layout.count === 0) return;
    const stretches = this.parts(model, scale, null);
    const ratio = scale.pixelRatio;
    const { first, end } = lanesInSight(layout);
    const { gap } = laneBands(layout, ratio);
    const { rows } = stripPlace(layout, first, gap, ratio);
    const top = Math.max(1, ...stretches.flatMap(({ tiles }) => tiles.map(({ data }) => data.most)));
    const pixels = this.image.empty(scale.width, Math.max(1, rows * (end - first)));
    const words = new Uint32Array(pixels.data.buffer);
    const columns = newRunqueueColumns(scale.width);
    const colours = stripColours(theme);
    const painted: PaintedLane[] = [];
    for (let lane = first; lane < end; lane++) {
      columns.most.fill(0);
      for (const { segment, tiles } of stretches) runqueueColumns(segment, tiles, lane, columns);
      paintStrip(columns, rows, top, colours, words, (lane - first) * rows * scale.width);
      painted.push(laneDepth(trace.cpus[lane] ?? lane, columns));
    }
    this.painted = painted;
    const image = this.image.of(pixels);
    if (image === null) return;
    context.save();
    // The strips consist of device pixels.
    context.scale(1 / ratio, 1 / ratio);
    context.imageSmoothingEnabled = false;
    for (let lane = first; lane < end; lane++) {
      const place = stripPlace(layout, lane, gap, ratio);
      const from = (lane - first) * rows;
      context.drawImage(image, 0, from, scale.width, rows, 0, place.top, scale.width, place.height);
    }
    context.restore();
  }
}

function laneDepth(cpu: Cpu, { most }: RunqueueColumns): PaintedLane {
  let columns = 0;
  let greatest = 0;
  for (const depth of most) {
    if (depth > 0) columns++;
    if (depth > greatest) greatest = depth;
  }
  return { cpu, columns, most: greatest };
}

function stripColours({ background, depth: [one, two, four, eight] }: SceneTheme): StripColours {
  const word = (colour: string): number => packColour(toRgb(colour));
  return { steps: [word(one), word(two), word(four), word(eight)], background: word(background) };
}
