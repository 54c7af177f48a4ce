/** The timeline: a lane for each CPU. */
import { type CssPx, cssPx, devPx, ns } from '../base/units';
import type { EngineClient, Outcome } from '../engine/client';
import type { CellsQuery } from '../engine/protocol';
import { type CellFrame, type CellSegment, type CellSurface, EMPTY_KEY, TILE_BUCKETS } from '../gl/cells';
import { createCells } from '../gl/createCells';
import { drawTimeAxis } from './axes';
import { paletteBytes, toRgb } from './colours';
import { cover } from './cover';
import type { Layer } from './frameLoop';
import { LABEL_LANE, placeLabels } from './labels';
import { type LaneLayout, laneAt, laneBands, laneTop, layoutLanes } from './laneLayout';
import { inPlot, paintArrows, paintCpuLabels, paintGrid, paintRange, paintRunLabels, paintSelection } from './overlay';
import { GUTTER, PlotFrame } from './plotFrame';
import type { RunColours } from './runColours';
import { RunLabels } from './runLabels';
import type { SceneModel } from './sceneModel';
import { cellSegment } from './segments';
import { formatTime, type TimeTicks, tickStep, timeTicks } from './ticks';
import { TileCache } from './tileCache';
import { TileLoader } from './tileLoader';
import { plan, tileBuckets } from './tiles';
import { Timescale } from './timescale';

type CellKind = CellsQuery['key'];
const PALETTE_OF: Readonly<Record<string, number>> = { task: 0, comm: 1 };

/** Room for the tiles of cells, in bytes; at least so many tiles as a large screen shows. */
const TILE_BYTES = 48 * 1024 * 1024;
const LEAST_SLOTS = 24;
const MOST_SLOTS = 96;
export const AXIS_HEIGHT = cssPx(26);

/** How strongly what is not highlighted goes back. */
const DIM = 0.82;

export class LanesPane {
  readonly frame: PlotFrame;
  readonly surface: CellSurface | null;
  readonly cache = new TileCache<Uint32Array>(0);
  readonly loader: TileLoader<Uint32Array>;
  readonly #engine: EngineClient;
  readonly #invalidate: (...layers: Layer[]) => void;
  #slots = 0;
  #allocated = '';
  #palette: { readonly pids: Int32Array; readonly colours: RunColours } | null = null;
  #layout: LaneLayout = layoutLanes(0, cssPx(0), 1, 0);
  #scale = new Timescale({ start: ns(0), end: ns(1) }, devPx(1), 1);
  readonly #runLabels: RunLabels;
  /** For the draw state. */
  counts = { cpuLabels: 0, runLabels: 0, arrows: 0 };
  segments: readonly CellSegment[] = [];
  shownLevels: readonly number[] = [];

  constructor(element: HTMLElement, engine: EngineClient, invalidate: (...layers: Layer[]) => void) {
    this.#engine = engine;
    this.#invalidate = invalidate;
    this.frame = new PlotFrame(element, AXIS_HEIGHT, () => invalidate('window'));
    this.#runLabels = new RunLabels(engine, () => invalidate('overlay'));
    this.surface = createCells(this.frame.canvas, () => this.#restore());
    this.loader = new TileLoader(
      this.cache,
      (slot, tile, buckets, kind) => this.#ask(slot, tile.level, tile.index * TILE_BUCKETS, buckets, kind as CellKind),
      (slot, buckets, cells) => {
        this.surface?.upload(slot, buckets, cells);
        invalidate('cells');
      },
    );
  }

  get layout(): LaneLayout {
    return this.#layout;
  }

  get scale(): Timescale {
    return this.#scale;
  }

  get idle(): boolean {
    return this.loader.idle && this.#runLabels.idle;
  }

  /** The lane of the CPU and its vertical place, for what points at it. */
  laneAt(y: CssPx): number | null {
    return laneAt(this.#layout, y);
  }

  /** Another trace: nothing that is held belongs to it. */
  reset(): void {
    this.loader.reset();
    this.#allocated = '';
    this.#palette = null;
    this.#runLabels.reset();
  }

  /** Asks for what the frame will need. */
  request(model: SceneModel): void {
    const { trace } = model;
    if (trace === null || trace.stage === 'metadata') return;
    this.#allocate(trace.cpus.length, trace.session);
    const width = this.frame.deviceWidth;
    const wanted = plan(model.target, width, model.everything, trace.span);
    this.loader.want({
      // More than the cache holds would push out what was just fetched.
      tiles: wanted.slice(0, Math.max(1, this.#slots - 4)),
      kind: kindOf(model),
      revision: model.revision,
      buckets: (tile) => tileBuckets(tile, trace.span),
    });
  }

  draw(model: SceneModel, layers: ReadonlySet<Layer>): void {
    const { frame } = this;
    this.#layout = layoutLanes(
      model.trace?.cpus.length ?? 0,
      frame.height,
      model.view.laneScale,
      model.view.laneScroll,
    );
    this.#scale = new Timescale(model.window, frame.deviceWidth, frame.pixelRatio);
    const moved = layers.has('window');
    if (moved || layers.has('cells')) this.#drawCells(model);
    if (moved || layers.has('overlay')) {
      this.#runLabels.request(model, this.#layout, frame.width);
      this.#drawOverlay(model);
    }
    if (moved || layers.has('hover')) this.#drawHover(model);
  }

  dispose(): void {
    this.loader.reset();
    this.surface?.dispose();
    this.frame.dispose();
  }

  #restore(): void {
    const allocated = this.#allocated;
    this.#allocated = '';
    this.#palette = null;
    if (allocated !== '') this.surface?.allocate(this.#layout.count, this.#slots);
    this.#allocated = allocated;
    for (const tile of this.cache.values()) this.surface?.upload(tile.slot, tile.buckets, tile.data);
    this.#invalidate('cells');
  }

  #allocate(lanes: number, session: number): void {
    const name = `${session}/${lanes}`;
    if (name === this.#allocated || this.surface === null) return;
    this.#allocated = name;
    const fitting = Math.floor(TILE_BYTES / (8 * TILE_BUCKETS * Math.max(1, lanes)));
    this.#slots = Math.min(this.surface.maxSlots, Math.max(LEAST_SLOTS, Math.min(MOST_SLOTS, fitting)));
    this.cache.reset(this.#slots);
    this.surface.allocate(lanes, this.#slots);
  }

  async #ask(
    slot: number,
    level: number,
    firstBucket: number,
    buckets: number,
    key: CellKind,
  ): Promise<Outcome<Uint32Array>> {
    const cpus = this.#cpus;
    const outcome = await this.#engine.query(`scene/cells/${slot}`, {
      type: 'cells',
      level,
      firstBucket,
      buckets,
      cpus,
      key,
    });
    return outcome.kind === 'answer' ? { kind: 'answer', answer: outcome.answer.cells } : outcome;
  }

  #cpus: readonly number[] = [];

  #drawCells(model: SceneModel): void {
    const { surface, frame } = this;
    if (surface === null) return;
    surface.resize(frame.deviceWidth, frame.deviceHeight);
    this.#cpus = model.trace?.cpus ?? [];
    this.#paint(model);
    const other = otherKind(model);
    const stretches =
      model.trace === null || this.#allocated === ''
        ? []
        : cover(this.cache, [kindOf(model), other], this.#scale, model.trace.span);
    this.segments = stretches
      .map((stretch) => cellSegment(stretch, this.#scale, (kind) => PALETTE_OF[kind] ?? 0))
      .filter((segment) => segment !== null);
    this.shownLevels = [...new Set(stretches.flatMap(({ tiles }) => tiles.map(({ level }) => level)))];
    surface.draw({
      lanes: laneBands(this.#layout, frame.pixelRatio),
      segments: this.segments,
      style: cellStyle(model, this.#scale),
    });
  }

  /** Palettes change with the trace and the theme. */
  #paint({ trace, colours }: SceneModel): void {
    if (trace === null) return;
    if (this.#palette?.pids === trace.pids && this.#palette.colours === colours) return;
    this.#palette = { pids: trace.pids, colours };
    this.surface?.setPalette(0, paletteBytes(Array.from(trace.pids, (pid) => colours.ofPid(pid))));
    this.surface?.setPalette(1, paletteBytes(colours.commands));
  }

  #drawOverlay(model: SceneModel): void {
    const { frame } = this;
    const { trace } = model;
    const { ticks, base } = axisTicks(model, frame.width);
    drawTimeAxis(frame, this.#scale, ticks, base, model.theme);
    const context = frame.clearOverlay();
    if (context === null || trace === null) return;
    inPlot(context, frame.axisHeight, frame.width, frame.height, () => {
      paintGrid(context, ticks, this.#scale, frame.height, model.theme.grid);
      const labels =
        this.#layout.pitch < LABEL_LANE
          ? []
          : placeLabels(
              this.#runLabels.runs,
              trace,
              this.#scale,
              this.#layout,
              (text) => context.measureText(text).width,
            );
      paintRunLabels(context, labels, model);
      if (model.range !== null) paintRange(context, model.range, this.#scale, frame.height, model);
      if (model.selected !== null) {
        paintSelection(context, model.selected, trace, this.#scale, this.#layout, model);
      }
      this.counts.runLabels = labels.length;
      this.counts.arrows = paintArrows(context, model.arrows, trace, this.#scale, this.#layout, model);
    });
    context.save();
    context.translate(0, frame.axisHeight);
    this.counts.cpuLabels = paintCpuLabels(context, trace, this.#layout, model);
    context.restore();
  }

  #drawHover(model: SceneModel): void {
    const { frame } = this;
    const { crosshair, outline, chip } = frame;
    const { hover, theme, trace } = model;
    const x = hover.at === null ? -1 : this.#scale.timeToCssPx(hover.at);
    const shown = trace !== null && x >= 0 && x <= frame.width;
    crosshair.style.visibility = shown ? 'visible' : 'hidden';
    chip.style.visibility = shown ? 'visible' : 'hidden';
    if (shown && hover.at !== null) {
      crosshair.style.transform = `translateX(${GUTTER + x}px)`;
      crosshair.style.background = theme.crosshair;
      const step = tickStep(this.#scale.nsPerCssPx, 1);
      chip.textContent = formatTime(hover.at - model.origin, step, trace.clockIsNs);
      Object.assign(chip.style, { background: theme.ink, color: theme.background });
      const half = chip.offsetWidth / 2;
      const left = Math.min(Math.max(GUTTER + x - half, 0), GUTTER + frame.width - 2 * half);
      chip.style.transform = `translate(${left}px, 2px)`;
    }
    const run = hover.interval?.kind === 'run' ? hover.interval : null;
    const lane = run === null ? undefined : trace?.laneOf.get(run.cpu);
    const visible =
      run !== null && lane !== undefined && hover.cpu === run.cpu && this.#scale.shows(run.start, run.end);
    outline.style.visibility = visible ? 'visible' : 'hidden';
    if (visible) {
      const left = Math.max(-4, this.#scale.timeToCssPx(run.start));
      const right = Math.min(frame.width + 4, Math.max(this.#scale.timeToCssPx(run.end), left + 2));
      const top = Math.max(0, laneTop(this.#layout, lane));
      outline.style.transform = `translate(${GUTTER + left - 1}px, ${frame.axisHeight + top - 1}px)`;
      outline.style.width = `${right - left + 2}px`;
      outline.style.height = `${Math.max(3, this.#layout.pitch + 1)}px`;
      outline.style.border = `1.5px solid ${theme.ink}`;
    }
  }
}

/** One tick for so many CSS pixels. */
const TICK_ROOM = 110;

/** The ticks that every pane's grid follows. */
export function axisTicks(model: SceneModel, width: CssPx): TimeTicks {
  return model.trace === null
    ? { ticks: [], base: null }
    : timeTicks(model.window, model.origin, width / TICK_ROOM, model.trace.clockIsNs);
}

function kindOf(model: SceneModel): CellKind {
  return model.view.colour === 'command' && model.trace?.stage === 'opened' ? 'comm' : 'task';
}

function otherKind(model: SceneModel): CellKind {
  return kindOf(model) === 'task' ? 'comm' : 'task';
}

function cellStyle(model: SceneModel, scale: Timescale): CellFrame['style'] {
  const { theme, view, hover, trace } = model;
  const highlighted = view.highlighted.length > 0;
  const targeted = view.colour === 'target' && view.target !== '';
  const ratio = Math.max(1, Math.round(scale.pixelRatio));
  const period = 6 * ratio;
  const start = Math.floor(scale.window.start / scale.nsPerDevPx) % period;
  const hovered =
    view.colour === 'command'
      ? trace?.commIds.get(hover.comm ?? hover.interval?.comm ?? '')
      : hover.interval?.kind === 'run'
        ? hover.interval.task
        : undefined;
  return {
    background: toRgb(theme.background),
    hatch: toRgb(theme.hatch),
    other: toRgb(highlighted ? theme.background : theme.other),
    otherAmount: highlighted ? DIM : targeted ? 1 : 0,
    emphasis: hovered ?? EMPTY_KEY,
    ink: toRgb(theme.ink),
    hatchPhase: (start + period) % period,
    pixelRatio: scale.pixelRatio,
  };
}
