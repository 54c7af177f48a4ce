/** Runqueue depth on the lanes: its tiles, and the strips painted from them. Asked for and painted only when shown. */
import type { DevPx } from '../../../base/units';
import type { EngineClient, Outcome } from '../../../engine/client';
import type { Cpu } from '../../../engine/protocol';
import { TILE_BUCKETS } from '../../../gl/cells';
import { packColour } from '../../../gl/columns';
import { toRgb } from '../../frame/colours';
import { type LaneLayout, laneBands } from '../../frame/laneLayout';
import type { SceneModel } from '../../frame/sceneModel';
import type { SceneTheme } from '../../frame/theme';
import type { Timescale } from '../../frame/timescale';
import { cover } from '../../tiles/cover';
import { cellSegment } from '../../tiles/segments';
import { TileCache } from '../../tiles/tileCache';
import { TileLoader } from '../../tiles/tileLoader';
import { plan, type TileId, tileBuckets } from '../../tiles/tiles';
import {
  type DepthColours,
  type DepthColumns,
  type DepthTile,
  depthColumns,
  newDepthColumns,
  paintStrip,
  stripPlace,
} from './runqueueColumns';

const KIND = 'depth';
/** Room for the tiles, in bytes; at least so many tiles as a screen shows, with some around them. */
const TILE_BYTES = 24 * 1024 * 1024;
const LEAST_SLOTS = 12;
const MOST_SLOTS = 48;

/** What is painted on a lane: columns where tasks wait, and the most at one time. */
export interface LaneDepth {
  readonly cpu: Cpu;
  readonly columns: number;
  readonly most: number;
}

export class DepthLayer {
  readonly #engine: EngineClient;
  readonly #cache = new TileCache<DepthTile>(0);
  readonly #loader: TileLoader<DepthTile>;
  #cpus: readonly Cpu[] = [];
  #session: number | null = null;
  #slots = 0;
  #image: HTMLCanvasElement | null = null;
  #painted: readonly LaneDepth[] = [];

  /** `arrived`: there is more to paint. */
  constructor(engine: EngineClient, arrived: () => void) {
    this.#engine = engine;
    this.#loader = new TileLoader(
      this.#cache,
      (slot, tile, buckets) => this.#ask(slot, tile, buckets),
      () => arrived(),
    );
  }

  get idle(): boolean {
    return this.#loader.idle;
  }

  get inFlight(): number {
    return this.#loader.inFlight;
  }

  /** The visible lanes as they were painted last; none while depths are not shown. */
  get painted(): readonly LaneDepth[] {
    return this.#painted;
  }

  /** Another trace. */
  reset(): void {
    this.#loader.reset();
    this.#session = null;
  }

  /** Asks for what the frame will need; `width` in device pixels. */
  request(model: SceneModel, width: DevPx): void {
    const { trace, view } = model;
    if (trace === null || trace.stage !== 'opened' || !view.depth) {
      this.#loader.reset();
      return;
    }
    this.#cpus = trace.cpus;
    if (this.#session !== trace.session) {
      this.#session = trace.session;
      const fitting = Math.floor(TILE_BYTES / (4 * TILE_BUCKETS * Math.max(1, trace.cpus.length)));
      this.#slots = Math.max(LEAST_SLOTS, Math.min(MOST_SLOTS, fitting));
      this.#cache.reset(this.#slots);
    }
    this.#loader.want({
      tiles: plan(model.target, width, model.everything, trace.span).slice(0, this.#slots - 2),
      kind: KIND,
      revision: model.revision,
      buckets: (tile) => tileBuckets(tile, trace.span),
    });
  }

  /** Paints the strips of the visible lanes; the plot's corner is the context's origin, in CSS pixels. */
  paint(context: CanvasRenderingContext2D, model: SceneModel, scale: Timescale, layout: LaneLayout): void {
    this.#painted = [];
    const { trace, view, theme } = model;
    if (trace === null || trace.session !== this.#session || !view.depth || layout.count === 0) return;
    const stretches = cover(this.#cache, [KIND], scale, trace.span).flatMap((stretch) => {
      const segment = cellSegment(stretch, scale, () => 0);
      return segment === null ? [] : [{ segment, tiles: stretch.tiles }];
    });
    const ratio = scale.pixelRatio;
    const first = Math.max(0, Math.floor(-layout.top / layout.pitch));
    const end = Math.min(layout.count, Math.ceil((layout.height - layout.top) / layout.pitch));
    const { gap } = laneBands(layout, ratio);
    const { rows } = stripPlace(layout, first, gap, ratio);
    const top = Math.max(1, ...stretches.flatMap(({ tiles }) => tiles.map(({ data }) => data.most)));
    const pixels = new ImageData(scale.width, Math.max(1, rows * (end - first)));
    const words = new Uint32Array(pixels.data.buffer);
    const columns = newDepthColumns(scale.width);
    const colours = depthColours(theme);
    const painted: LaneDepth[] = [];
    for (let lane = first; lane < end; lane++) {
      columns.most.fill(0);
      for (const { segment, tiles } of stretches) depthColumns(segment, tiles, lane, columns);
      paintStrip(columns, rows, top, colours, words, (lane - first) * rows * scale.width);
      painted.push(laneDepth(trace.cpus[lane] ?? lane, columns));
    }
    this.#painted = painted;
    const image = this.#imageOf(pixels);
    if (image === null) return;
    context.save();
    // The strips are made of device pixels.
    context.scale(1 / ratio, 1 / ratio);
    context.imageSmoothingEnabled = false;
    for (let lane = first; lane < end; lane++) {
      const place = stripPlace(layout, lane, gap, ratio);
      const from = (lane - first) * rows;
      context.drawImage(image, 0, from, scale.width, rows, 0, place.top, scale.width, place.height);
    }
    context.restore();
  }

  /** Image data are drawn by way of a canvas. */
  #imageOf(pixels: ImageData): HTMLCanvasElement | null {
    this.#image ??= document.createElement('canvas');
    const image = this.#image;
    if (image.width !== pixels.width) image.width = pixels.width;
    if (image.height !== pixels.height) image.height = pixels.height;
    const context = image.getContext('2d');
    context?.putImageData(pixels, 0, 0);
    return context === null ? null : image;
  }

  async #ask(slot: number, { level, index }: TileId, buckets: number): Promise<Outcome<DepthTile>> {
    const firstBucket = index * TILE_BUCKETS;
    const outcome = await this.#engine.query(`scene/depth/${slot}`, {
      type: 'depth',
      level,
      firstBucket,
      buckets,
      cpus: this.#cpus,
    });
    if (outcome.kind !== 'answer') return outcome;
    const { values, most } = outcome.answer;
    return { kind: 'answer', answer: { values, most } };
  }
}

function laneDepth(cpu: Cpu, { most }: DepthColumns): LaneDepth {
  let columns = 0;
  let greatest = 0;
  for (const depth of most) {
    if (depth > 0) columns++;
    if (depth > greatest) greatest = depth;
  }
  return { cpu, columns, most: greatest };
}

function depthColours({ background, depth: [one, two, four, eight] }: SceneTheme): DepthColours {
  const word = (colour: string): number => packColour(toRgb(colour));
  return { steps: [word(one), word(two), word(four), word(eight)], background: word(background) };
}
