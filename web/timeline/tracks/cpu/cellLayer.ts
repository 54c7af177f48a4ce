/** The cells of the lanes: the tiles that are loaded and asked for, their colours, and the surface that draws them. */

import { CELL_INFERRED, CELL_UNKNOWN } from '../../../base/cellWords';
import type { DevPx } from '../../../base/units';
import type { EngineClient } from '../../../engine/client';
import type { TrackKinds } from '../../../engine/protocolTracks';
import {
  type CellFrame,
  type CellSegment,
  type CellStyle,
  type CellSurface,
  type LaneBands,
  TILE_BUCKETS,
} from '../../../gl/cells';
import { Cells2d } from '../../../gl/cells2d';
import { CellsWebgl } from '../../../gl/cellsWebgl';
import { choose, type GraphicsChoice } from '../../../gl/choice';
import { type Graphics, Renderer } from '../../../gl/renderer';
import { STRIPE } from '../../../gl/shaders';
import type { ColourMode } from '../../../state/viewState';
import { paletteBytes, toRgb } from '../../frame/colours';
import { type LaneLayout, laneBands } from '../../frame/laneLayout';
import { LOST, type PlotFrame } from '../../frame/plotFrame';
import type { RunColours } from '../../frame/runColours';
import type { SceneModel } from '../../frame/sceneModel';
import type { Timescale } from '../../frame/timescale';
import type { TraceInfo } from '../../frame/traceInfo';
import { cellSegment } from '../../tiles/segments';
import type { Tile, Variant } from '../../tiles/tileCache';
import { type TilesSpec, TrackTiles } from '../../tiles/trackTiles';
import { Grounds } from './grounds';
import { KeyedTile } from './keyPlaces';

type CellKey = TrackKinds['cpu']['tile'];
/** The palette that holds the colours of each kind of key; those of tasks depend on the colour mode. */
export const PALETTE_OF = { task: 0, comm: 1, early_task: 2, early_comm: 3 } as const;

/** What the keys of cells stand for: PIDs and names of commands by id. */
type Keyed = Pick<TraceInfo, 'pids' | 'comms'>;

const NO_KEYS: Keyed = { pids: new Int32Array(0), comms: [] };

export interface CellTile {
  readonly cells: Uint32Array;
  /** Whether some cell is unknown or inferred. */
  readonly patterned: boolean;
}

/** Room for the tiles in bytes; at least as many tiles are kept as a large screen shows. */
const TILE_BYTES = 48 * 1024 * 1024;
const LEAST_SLOTS = 24;
const MOST_SLOTS = 96;

const TILES: TilesSpec<'cpu', CellTile> = {
  kind: 'cpu',
  early: true,
  room: (tracks) => {
    const fitting = Math.floor(TILE_BYTES / (8 * TILE_BUCKETS * Math.max(1, tracks)));
    const kept = Math.max(LEAST_SLOTS, Math.min(MOST_SLOTS, fitting));
    return { kept, asked: kept - 4 };
  },
  read: ({ values }) => ({ cells: values, patterned: hasPattern(values) }),
};

/** How much runs that are not highlighted fade into the background. */
export const DIM = 0.82;

export class CellLayer {
  readonly #engine: EngineClient;
  readonly #renderer: Renderer<CellSurface>;
  readonly #tiles: TrackTiles<'cpu', CellTile>;
  readonly #grounds: Grounds;
  readonly #invalidate: () => void;
  /** How many lanes the surface has room for. */
  #lanes = 0;
  #palette: Palette | null = null;
  /** By the provisional ids of the last preview. */
  #early = NO_KEYS;
  #frame: CellFrame | null = null;
  #drawn = 0;
  #levels: readonly number[] = [];
  #shown: ReadonlyMap<number, KeyedTile> = new Map();

  /** `invalidate`: called when the cells have to be redrawn. */
  constructor(frame: PlotFrame, engine: EngineClient, graphics: Graphics, invalidate: () => void) {
    this.#engine = engine;
    this.#invalidate = invalidate;
    this.#renderer = new Renderer<CellSurface>({
      graphics,
      canvas: frame.canvas,
      renewCanvas: () => frame.renewCanvas(),
      webgl: (canvas, context) => new CellsWebgl(canvas, context),
      flat: (canvas, context) => new Cells2d(canvas, context),
      changed: () => {
        frame.veil(this.kind === 'lost' ? LOST : null);
        this.#restore();
      },
    });
    if (this.kind === 'lost') frame.veil(LOST);
    this.#tiles = new TrackTiles(engine, TILES, (slot, buckets, { cells }) => {
      this.#renderer.surface?.upload(slot, buckets, cells);
      invalidate();
    });
    this.#grounds = new Grounds(engine, invalidate);
  }

  get idle(): boolean {
    return this.#tiles.idle && this.#grounds.idle;
  }

  get inFlight(): number {
    return this.#tiles.inFlight + this.#grounds.inFlight;
  }

  get kind(): Renderer<CellSurface>['kind'] {
    return this.#renderer.kind;
  }

  /** Whether the CPU draws, so that every pixel costs time. */
  get software(): boolean {
    return this.#renderer.surface?.software ?? false;
  }

  /** How often the cells were drawn. */
  get drawn(): number {
    return this.#drawn;
  }

  /** The segments that were drawn last. */
  get segments(): readonly CellSegment[] {
    return this.#frame?.segments ?? [];
  }

  /** Where the lanes were drawn last, in device pixels of the canvas. */
  get lanes(): LaneBands | null {
    return this.#frame?.lanes ?? null;
  }

  /** The levels of the tiles that were drawn last. */
  get levels(): readonly number[] {
    return this.#levels;
  }

  /** The tiles that were drawn last, by slot. */
  get shown(): ReadonlyMap<number, KeyedTile> {
    return this.#shown;
  }

  /** Drops all tiles: they belong to another trace. */
  reset(): void {
    this.#tiles.reset();
    this.#grounds.reset();
    this.#palette = null;
    this.#early = NO_KEYS;
  }

  /** Asks for what the frame will need; `width` in device pixels. */
  request(model: SceneModel, width: DevPx): void {
    const cpus = model.trace?.cpus ?? [];
    this.#grounds.request(model, width);
    if (!this.#tiles.request(model, cpus, width, variantsOf(model)[0])) return;
    this.#lanes = cpus.length;
    this.#renderer.surface?.allocate(this.#lanes, this.#tiles.slots);
  }

  /** `rowRatio`: device rows of the canvas for each CSS pixel. */
  draw(model: SceneModel, scale: Timescale, layout: LaneLayout, rowRatio: number): void {
    this.#paint(model);
    const stretches = this.#tiles.cover(model, scale, variantsOf(model));
    const segments = stretches
      .map((stretch) => cellSegment(stretch, scale, paletteOf))
      .filter((segment) => segment !== null);
    const tiles = stretches.flatMap((stretch) => stretch.tiles);
    this.#levels = [...new Set(tiles.map(({ level }) => level))];
    const before = this.#shown;
    this.#shown = new Map(
      tiles.map(({ slot, buckets, data }) => {
        const known = before.get(slot);
        return [slot, known?.cells === data.cells ? known : new KeyedTile(buckets, data.cells)];
      }),
    );
    const isFiltered = this.#engine.passing.get() !== null;
    this.#frame = {
      lanes: laneBands(layout, rowRatio),
      segments,
      style: { ...cellStyle(model, scale, rowRatio, isFiltered), grounds: this.#grounds.colours(model, scale) },
      patterned: tiles.some(({ data }) => data.patterned),
    };
    const { surface } = this.#renderer;
    if (surface === null) return;
    surface.draw(this.#frame);
    this.#drawn++;
  }

  resize(width: number, height: number): void {
    this.#renderer.surface?.resize(width, height);
  }

  /**
   * Draws other lanes as the last frame has them, on another surface, which has the palette `before` already. Returns the palette
   * that it has now.
   */
  drawOn(surface: CellSurface, lanes: LaneBands, pixelRatio: number, before: Palette | null): Palette | null {
    const [frame, palette] = [this.#frame, this.#palette];
    if (frame === null || palette === null) return before;
    if (palette !== before) setPalettes(surface, palette, before);
    for (const [slot, { buckets, cells }] of this.#shown) surface.upload(slot, buckets, cells);
    surface.draw({ ...frame, lanes, style: { ...frame.style, pixelRatio } });
    return palette;
  }

  goFlat(): void {
    this.#renderer.goFlat();
  }

  /** Times WebGL and 2D on drawing the last segments once more; null if there is nothing to compare. */
  choose(canvas: HTMLCanvasElement): GraphicsChoice | null {
    const frame = this.#frame;
    const { surface } = this.#renderer;
    if (surface?.kind !== 'webgl2' || frame === null || frame.segments.length === 0 || this.#palette === null)
      return null;
    const twin = document.createElement('canvas');
    twin.width = canvas.width;
    twin.height = canvas.height;
    const context = twin.getContext('2d', { alpha: false });
    if (context === null) return null;
    const flat = new Cells2d(twin, context);
    upload(flat, this.#tiles.tiles());
    setPalettes(flat, this.#palette, null);
    // Drawing that was asked for before must not count.
    surface.finish();
    return choose(
      () => timeOf(() => drawn(surface, frame)),
      () => timeOf(() => drawn(flat, frame)),
    );
  }

  dispose(): void {
    this.#tiles.reset();
    this.#grounds.reset();
    this.#renderer.dispose();
  }

  /** Called when the surface holds nothing yet. */
  #restore(): void {
    const { surface } = this.#renderer;
    if (surface !== null) {
      if (this.#tiles.slots > 0) surface.allocate(this.#lanes, this.#tiles.slots);
      upload(surface, this.#tiles.tiles());
    }
    this.#palette = null;
    this.#invalidate();
  }

  /** Sets the palettes, which change with the trace, the theme and what colours say. */
  #paint({ trace, colours, view }: SceneModel): void {
    if (trace === null) return;
    const isEarly = trace.stage === 'preview';
    // Of very many names colours take long: they are made once they are wanted.
    const wantsComms = view.colour === 'command' || this.#early.comms.length > 0;
    if (isEarly) this.#early = { pids: trace.pids, comms: wantsComms ? trace.comms : NO_KEYS.comms };
    const old = this.#palette;
    const early = this.#early;
    const { pids } = isEarly ? NO_KEYS : trace;
    // What is not the target becomes black later, by its cells.
    const colour = view.colour === 'target' || view.colour === 'command' ? 'pid' : view.colour;
    const isSame = old?.pids === pids && old.early.pids === early.pids && old.early.comms === early.comms;
    if (isSame && old.colours === colours && old.colour === colour) return;
    this.#palette = { pids, early, colours, colour };
    if (this.#renderer.surface) setPalettes(this.#renderer.surface, this.#palette, old);
  }
}

function upload(surface: CellSurface, tiles: Iterable<Tile<CellTile>>): void {
  for (const { slot, buckets, data } of tiles) surface.upload(slot, buckets, data.cells);
}

/** What the colours of cells are made of. */
export interface Palette {
  /** By `TaskId`. */
  readonly pids: Int32Array;
  /** Those of the last preview, by provisional ids. */
  readonly early: Keyed;
  readonly colours: RunColours;
  readonly colour: Exclude<ColourMode, 'target' | 'command'>;
}

const paletteOf = (variant: Variant): number =>
  variant !== null && variant in PALETTE_OF ? PALETTE_OF[variant as keyof typeof PALETTE_OF] : PALETTE_OF.task;

/** `before`: what the surface has; of hundreds of thousands of tasks only what changed is made anew. */
function setPalettes(surface: CellSurface, palette: Palette, before: Palette | null): void {
  const { pids, early, colours, colour } = palette;
  const isSame = before?.colour === colour && before.colours.theme === colours.theme;
  const isKnown = before?.colours === colours;
  if (!isSame || !isKnown || before.pids !== pids) {
    surface.setPalette(PALETTE_OF.task, taskBytes(pids, palette));
    if (pids !== NO_KEYS.pids) surface.setPalette(PALETTE_OF.comm, paletteBytes(colours.commands));
  }
  // The colour of a PID is the same whatever else is known of the trace; its priority is not.
  if (!isSame || before.early.pids !== early.pids || (colour === 'priority' && !isKnown))
    surface.setPalette(PALETTE_OF.early_task, taskBytes(early.pids, palette));
  if (!isKnown || before.early.comms !== early.comms)
    surface.setPalette(PALETTE_OF.early_comm, paletteBytes(early.comms.map((comm) => colours.ofComm(comm))));
}

function taskBytes(pids: Int32Array, { colours, colour }: Palette): Uint8Array {
  if (colour === 'pid') return colours.paletteOf(pids);
  if (colour === 'load') return paletteBytes(colours.load);
  return paletteBytes(Array.from(pids, (pid) => colours.ofRun({ colour, target: '' }, pid, '')));
}

function drawn(surface: CellSurface, frame: CellFrame): void {
  surface.draw(frame);
  surface.finish();
}

/** The time that `work` takes, in ms. */
function timeOf(work: () => void): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

function hasPattern(cells: Uint32Array): boolean {
  for (let i = 1; i < cells.length; i += 2) {
    if (((cells[i] ?? 0) & (CELL_UNKNOWN | CELL_INFERRED)) !== 0) return true;
  }
  return false;
}

/** The keys that the view wants, then the keys that stand in for them until they arrive. */
function variantsOf({ view }: SceneModel): readonly [CellKey, CellKey] {
  return view.colour === 'command' ? ['comm', 'task'] : ['task', 'comm'];
}

function cellStyle(
  model: SceneModel,
  scale: Timescale,
  rowRatio: number,
  isFiltered: boolean,
): Omit<CellStyle, 'grounds'> {
  const { theme, view } = model;
  const highlighted = view.highlighted.length > 0 || isFiltered;
  const targeted = view.colour === 'target' && view.target !== '';
  const period = STRIPE * rowRatio;
  const start = Math.floor(scale.window.start / scale.nsPerDevPx) % period;
  return {
    background: toRgb(theme.background),
    hatch: toRgb(theme.hatch),
    other: toRgb(highlighted ? theme.background : theme.other),
    otherAmount: highlighted ? DIM : targeted ? 1 : 0,
    hatchPhase: (start + period) % period,
    pixelRatio: rowRatio,
    byShare: view.colour === 'load',
  };
}
