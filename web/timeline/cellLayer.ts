/** The cells of the lanes: which tiles are there and asked for, their colours, and the surface that draws them. */
import type { EngineClient, Outcome } from '../engine/client';
import type { CellsQuery, Cpu } from '../engine/protocol';
import {
  CELL_INFERRED,
  CELL_UNKNOWN,
  type CellSegment,
  type CellStyle,
  type CellSurface,
  EMPTY_KEY,
  TILE_BUCKETS,
} from '../gl/cells';
import { createCells } from '../gl/createCells';
import { STRIPE } from '../gl/shaders';
import { paletteBytes, toRgb } from './colours';
import { cover } from './cover';
import { type LaneLayout, laneBands } from './laneLayout';
import type { RunColours } from './runColours';
import type { SceneModel } from './sceneModel';
import { cellSegment } from './segments';
import { TileCache } from './tileCache';
import { TileLoader } from './tileLoader';
import { plan, type TileId, tileBuckets } from './tiles';
import type { Timescale } from './timescale';

type CellKind = CellsQuery['key'];
const PALETTE_OF: Readonly<Record<string, number>> = { task: 0, comm: 1 };

export interface CellTile {
  readonly cells: Uint32Array;
  /** Some cell is unknown or inferred. */
  readonly patterned: boolean;
}

/** Room for the tiles, in bytes; at least so many tiles as a large screen shows. */
const TILE_BYTES = 48 * 1024 * 1024;
const LEAST_SLOTS = 24;
const MOST_SLOTS = 96;

/** How far what is not highlighted goes back into the background. */
export const DIM = 0.82;

export class CellLayer {
  /** null where the browser gives a canvas no context at all. */
  readonly surface: CellSurface | null;
  readonly #engine: EngineClient;
  readonly #cache = new TileCache<CellTile>(0);
  readonly #loader: TileLoader<CellTile>;
  readonly #invalidate: () => void;
  #cpus: readonly Cpu[] = [];
  #slots = 0;
  /** For which trace the cache and the surface have room; null for none. */
  #session: number | null = null;
  #palette: { readonly pids: Int32Array; readonly colours: RunColours } | null = null;
  #segments: readonly CellSegment[] = [];
  #levels: readonly number[] = [];

  /** `invalidate`: the cells are to be drawn anew. */
  constructor(canvas: HTMLCanvasElement, engine: EngineClient, invalidate: () => void) {
    this.#engine = engine;
    this.#invalidate = invalidate;
    this.surface = createCells(canvas, () => this.#restore());
    this.#loader = new TileLoader(
      this.#cache,
      (slot, tile, buckets, kind) => this.#ask(slot, tile, buckets, kind as CellKind),
      (slot, buckets, { cells }) => {
        this.surface?.upload(slot, buckets, cells);
        invalidate();
      },
    );
  }

  get idle(): boolean {
    return this.#loader.idle;
  }

  get inFlight(): number {
    return this.#loader.inFlight;
  }

  /** What was drawn last. */
  get segments(): readonly CellSegment[] {
    return this.#segments;
  }

  /** The levels of the tiles that were drawn last. */
  get levels(): readonly number[] {
    return this.#levels;
  }

  /** The tiles by slot. */
  tiles(): ReadonlyMap<number, { readonly buckets: number; readonly cells: Uint32Array }> {
    return new Map([...this.#cache.values()].map(({ slot, buckets, data }) => [slot, { buckets, cells: data.cells }]));
  }

  /** Another trace: nothing that is held belongs to it. */
  reset(): void {
    this.#loader.reset();
    this.#session = null;
    this.#palette = null;
  }

  /** Asks for what the frame will need; `width` in device pixels. */
  request(model: SceneModel, scale: Pick<Timescale, 'width'>): void {
    const { trace } = model;
    if (trace === null || trace.stage === 'metadata') return;
    this.#cpus = trace.cpus;
    this.#allocate(trace.session);
    const wanted = plan(model.target, scale.width, model.everything, trace.span);
    this.#loader.want({
      // More than the cache holds would push out what was just fetched.
      tiles: wanted.slice(0, Math.max(1, this.#slots - 4)),
      kind: kindsOf(model)[0],
      revision: model.revision,
      buckets: (tile) => tileBuckets(tile, trace.span),
    });
  }

  /** `rowRatio`: device rows of the canvas for each CSS pixel. */
  draw(model: SceneModel, scale: Timescale, layout: LaneLayout, rowRatio: number): void {
    const { surface } = this;
    if (surface === null) return;
    this.#paint(model);
    const { trace } = model;
    const stretches =
      trace === null || trace.session !== this.#session ? [] : cover(this.#cache, kindsOf(model), scale, trace.span);
    this.#segments = stretches
      .map((stretch) => cellSegment(stretch, scale, (kind) => PALETTE_OF[kind] ?? 0))
      .filter((segment) => segment !== null);
    const tiles = stretches.flatMap((stretch) => stretch.tiles);
    this.#levels = [...new Set(tiles.map(({ level }) => level))];
    surface.draw({
      lanes: laneBands(layout, rowRatio),
      segments: this.#segments,
      style: cellStyle(model, scale, rowRatio),
      patterned: tiles.some(({ data }) => data.patterned),
    });
  }

  dispose(): void {
    this.#loader.reset();
    this.surface?.dispose();
  }

  /** The context came back empty. */
  #restore(): void {
    if (this.#session !== null) this.surface?.allocate(this.#cpus.length, this.#slots);
    for (const { slot, buckets, data } of this.#cache.values()) this.surface?.upload(slot, buckets, data.cells);
    this.#palette = null;
    this.#invalidate();
  }

  #allocate(session: number): void {
    if (session === this.#session || this.surface === null) return;
    this.#session = session;
    const lanes = this.#cpus.length;
    const fitting = Math.floor(TILE_BYTES / (8 * TILE_BUCKETS * Math.max(1, lanes)));
    this.#slots = Math.min(this.surface.maxSlots, Math.max(LEAST_SLOTS, Math.min(MOST_SLOTS, fitting)));
    this.#cache.reset(this.#slots);
    this.surface.allocate(lanes, this.#slots);
  }

  async #ask(slot: number, { level, index }: TileId, buckets: number, key: CellKind): Promise<Outcome<CellTile>> {
    const firstBucket = index * TILE_BUCKETS;
    const cpus = this.#cpus;
    const outcome = await this.#engine.query(`scene/cells/${slot}`, {
      type: 'cells',
      level,
      firstBucket,
      buckets,
      cpus,
      key,
    });
    if (outcome.kind !== 'answer') return outcome;
    const { cells } = outcome.answer;
    return { kind: 'answer', answer: { cells, patterned: hasPattern(cells) } };
  }

  /** Palettes change with the trace and the theme. */
  #paint({ trace, colours }: SceneModel): void {
    if (trace === null) return;
    if (this.#palette?.pids === trace.pids && this.#palette.colours === colours) return;
    this.#palette = { pids: trace.pids, colours };
    this.surface?.setPalette(0, paletteBytes(Array.from(trace.pids, (pid) => colours.ofPid(pid))));
    this.surface?.setPalette(1, paletteBytes(colours.commands));
  }
}

function hasPattern(cells: Uint32Array): boolean {
  for (let i = 1; i < cells.length; i += 2) {
    if (((cells[i] ?? 0) & (CELL_UNKNOWN | CELL_INFERRED)) !== 0) return true;
  }
  return false;
}

/** The kind of key that the view wants, then the one that stands in for it until it arrives. */
function kindsOf({ view, trace }: SceneModel): readonly [CellKind, CellKind] {
  return view.colour === 'command' && trace?.stage === 'opened' ? ['comm', 'task'] : ['task', 'comm'];
}

function cellStyle(model: SceneModel, scale: Timescale, rowRatio: number): CellStyle {
  const { theme, view } = model;
  const highlighted = view.highlighted.length > 0;
  const targeted = view.colour === 'target' && view.target !== '';
  const period = STRIPE * rowRatio;
  const start = Math.floor(scale.window.start / scale.nsPerDevPx) % period;
  return {
    background: toRgb(theme.background),
    hatch: toRgb(theme.hatch),
    other: toRgb(highlighted ? theme.background : theme.other),
    otherAmount: highlighted ? DIM : targeted ? 1 : 0,
    emphasis: emphasisedKey(model),
    ink: toRgb(theme.ink),
    hatchPhase: (start + period) % period,
    pixelRatio: rowRatio,
  };
}

/** The hovered task or command. */
function emphasisedKey({ view, trace, hover: { comm, interval, task, state } }: SceneModel): number {
  if (view.colour === 'command') return trace?.commIds.get(comm ?? interval?.comm ?? state?.comm ?? '') ?? EMPTY_KEY;
  return (interval?.kind === 'run' ? interval.task : task) ?? EMPTY_KEY;
}
