/** The timeline: a lane for each CPU, under the time axis. */
import type { Observable } from '../../../base/observable';
import { type CssPx, cssPx, devPx, type Ns, ns } from '../../../base/units';
import type { EngineClient } from '../../../engine/client';
import type { Cpu, LabelRun } from '../../../engine/protocol';
import type { GraphicsChoice } from '../../../gl/choice';
import type { TimeMarkName } from '../../../state/marks';
import type { Layer } from '../../frame/frameLoop';
import { type LaneLayout, LENS_PITCH, laneAt, laneTop, layoutLanes } from '../../frame/laneLayout';
import { GUTTER, PlotFrame } from '../../frame/plotFrame';
import type { SceneModel } from '../../frame/sceneModel';
import { Timescale } from '../../frame/timescale';
import type { TraceInfo } from '../../frame/traceInfo';
import type { Effect } from '../../input/gestures';
import { paintTimeAxis } from '../../overlay/axes';
import {
  type PlacedEvent,
  type PlacedMark,
  paintEvent,
  paintMarks,
  placeEvent,
  placeMarks,
} from '../../overlay/eventMarks';
import {
  inPlot,
  paintArrows,
  paintCpuLabels,
  paintGrid,
  paintLaneName,
  paintRange,
  paintRunLabels,
  paintSelection,
} from '../../overlay/paint';
import { formatInstant, type TimeTicks, tickStep, timeTicks } from '../../overlay/ticks';
import { besideTags, type PlacedTimeMarks, paintTimeMarks, placeTimeMarks } from '../../overlay/timeMarks';
import { TimeMarkTags } from '../../overlay/timeMarkTags';
import type { BandHands, LanePainter, PaintedLane, PainterKind } from '../lanePainter';
import { LANE_PAINTERS } from '../registry';
import { TrackLabels } from '../trackLabels';
import { ArrivalMarks } from './arrivalMarks';
import { type Bracket, placeBrackets } from './brackets';
import { CellLayer } from './cellLayer';
import { emphasisOf, PatchSearch } from './emphasis';
import { LABEL_LANE, LABEL_LEAST, placeLabels } from './labels';
import type { Lens, LensPlace } from './lens';
import { paintBrackets, paintMoves, paintSocketLines } from './paintTopology';
import { Patches } from './patches';

export const AXIS_HEIGHT = cssPx(26);

/** What the lens shows a part of. */
const LENSED: readonly Layer[] = ['cells', 'overlay', 'lens'];
/** How much of a frame the search for what stands out may take: it is painted besides. */
const SEARCH_MS = 8;

export class LanesPane {
  readonly frame: PlotFrame;
  readonly cells: CellLayer;
  readonly #painters: readonly LanePainter[];
  readonly #arrivals: ArrivalMarks;
  readonly #runLabels: TrackLabels<LabelRun>;
  readonly #makeLens: () => Promise<Lens | null>;
  #lens: Lens | null = null;
  #wantsLens = false;
  #cpus: readonly Cpu[] = [];
  #scanned: TraceInfo['scanned'] | null = null;
  /** The names of the painters' own lanes. */
  #own: readonly (readonly string[])[] = [];
  #layout: LaneLayout = layoutLanes(0, cssPx(0), 1, 0);
  #scale = new Timescale({ start: ns(0), end: ns(1) }, devPx(1), 1);
  #marks: readonly PlacedMark[] = [];
  #event: PlacedEvent | null = null;
  #timeMarks: PlacedTimeMarks = { marks: [], distance: null };
  readonly #tags: TimeMarkTags;
  readonly #choice: Observable<GraphicsChoice>;
  readonly #unsubscribe: () => void;
  readonly #invalidate: (...layers: readonly Layer[]) => void;
  #counts = { cpuLabels: 0, runLabels: 0, arrows: 0, moves: 0 };
  #overlays = 0;
  readonly #patches = new Patches();
  /** What has not been found yet of them; null: nothing. */
  #search: PatchSearch | null = null;
  #brackets: readonly Bracket[] = [];

  /** `dragMark`: A or B is being dragged to a time; `done`: the drag has ended. */
  constructor(
    element: HTMLElement,
    engine: EngineClient,
    choice: Observable<GraphicsChoice>,
    invalidate: (...layers: readonly Layer[]) => void,
    dragMark: (name: TimeMarkName, at: Ns, done: boolean) => void,
  ) {
    this.frame = new PlotFrame(element, AXIS_HEIGHT, () => invalidate('window'));
    this.#choice = choice;
    this.#invalidate = invalidate;
    this.cells = new CellLayer(this.frame, engine, choice.get().graphics, () => invalidate('cells'));
    this.#unsubscribe = choice.subscribe(() => choice.get().graphics === '2d' && this.cells.goFlat());
    const [arrived, ask] = [() => invalidate('overlay'), () => invalidate('request', 'overlay')];
    this.#painters = LANE_PAINTERS.map((make) => make(engine, arrived, ask));
    this.#arrivals = new ArrivalMarks(engine, () => invalidate('overlay'));
    this.#tags = new TimeMarkTags(element, (name, x, done) => dragMark(name, this.#scale.cssPxToTime(cssPx(x)), done));
    const labels = (name: string, layer: Layer) =>
      new TrackLabels<LabelRun>(
        { lane: LABEL_LANE, run: LABEL_LEAST, early: true },
        async (window, minWidth, first, end) => {
          // Estimates have no texts, though more may have been scanned since they were drawn.
          const cpus = this.#cpus.slice(first, end).filter((cpu) => this.#scanned?.has(cpu));
          const query = { type: 'labels', kind: 'cpu', keys: cpus, window, min_width: minWidth } as const;
          const outcome = await engine.query(name, query);
          return outcome.kind === 'answer' ? { kind: 'answer', answer: outcome.answer.labels } : outcome;
        },
        () => invalidate(layer),
      );
    this.#runLabels = labels('scene/labels', 'overlay');
    this.#makeLens = async () => {
      const lens = await import('./lens').catch(() => null);
      return lens && new lens.Lens(this.frame, this.cells, labels('scene/lens', 'lens'), () => invalidate('lens'));
    };
  }

  get layout(): LaneLayout {
    return this.#layout;
  }

  get scale(): Timescale {
    return this.#scale;
  }

  get idle(): boolean {
    const isReady = this.#search === null && this.#wantsLens === (this.#lens !== null) && this.#lens?.idle !== false;
    return isReady && [this.cells, this.#runLabels, this.#arrivals, ...this.#painters].every(({ idle }) => idle);
  }

  get inFlight(): number {
    return [this.cells, ...this.#painters].reduce((sum, { inFlight }) => sum + inFlight, 0);
  }

  /** What a kind's painter painted last. */
  painted(kind: PainterKind): readonly PaintedLane[] {
    return this.#painters.find((painter) => painter.kind === kind)?.painted ?? [];
  }

  /** The pointer on what painters add to the lanes. */
  get bands(): BandHands | null {
    return this.#painters.find(({ hands }) => hands != null)?.hands ?? null;
  }

  firstCpu(cpus: readonly Cpu[]): Cpu | null {
    return cpus[laneAt(this.#layout, cssPx(0)) ?? 0] ?? null;
  }

  /** How many texts, arrows and marks of moves are painted. */
  get counts(): Readonly<Record<'cpuLabels' | 'runLabels' | 'arrows' | 'moves', number>> {
    return this.#counts;
  }

  /** How often the overlay was painted. */
  get overlays(): number {
    return this.#overlays;
  }

  /** How many patches of the hovered task's or command's colour are painted over the cells. */
  get patches(): number {
    return this.#patches.count;
  }

  /** The brackets of sockets and last-level caches. */
  get brackets(): readonly Bracket[] {
    return this.#brackets;
  }

  /** The places where the marked events are painted. */
  get marks(): readonly PlacedMark[] {
    return this.#marks;
  }

  get event(): PlacedEvent | null {
    return this.#event;
  }

  /** A, B and their distance, as painted. */
  get timeMarks(): PlacedTimeMarks {
    return this.#timeMarks;
  }

  /** Where the lens is; null: nowhere. */
  get lens(): LensPlace | null {
    return this.#lens?.place ?? null;
  }

  /** Puts a lens below the pointer, once it is loaded, or takes it away. */
  async toggleLens(): Promise<void> {
    this.#wantsLens = !this.#wantsLens;
    if (!this.#wantsLens) {
      this.#lens?.dispose();
      this.#lens = null;
      return;
    }
    const lens = await this.#makeLens();
    if (lens === null || !this.#wantsLens || this.#lens !== null) {
      lens?.dispose();
      this.#wantsLens = this.#lens !== null;
    } else this.#lens = lens;
  }

  /** Why a wanted lens is not in sight, and what to do; null: it is, or none is wanted. */
  get missingLens(): string | null {
    if (!this.#wantsLens || this.#lens?.place) return null;
    return this.#layout.pitch >= LENS_PITCH
      ? 'These lanes are as high as those of the lens: it is for more lanes. V puts it away.'
      : 'Point at a lane: the lens appears there. V puts it away.';
  }

  /** The lanes as they are where the pointer is: in the lens they are others than below it. */
  laneLayout(effect: Effect): LaneLayout {
    const lens = this.#lens;
    if (lens === null) return this.#layout;
    if (effect.type === 'hover') lens.point(this.#layout, effect.x < 0 ? null : effect.y);
    if (effect.type === 'leave') lens.point(this.#layout, null);
    const isMeant = (effect.type === 'hover' || effect.type === 'click') && lens.covers(effect.y);
    return (isMeant && lens.layout) || this.#layout;
  }

  /** Shows what a click on a mark's flag does; null: the pointer is over none. */
  showMark(mark: PlacedMark | null): void {
    const { element } = this.frame;
    element.style.cursor = mark ? 'pointer' : '';
    const what = mark?.note || 'Marked event';
    const title = mark ? `${what} (CPU ${mark.cpu})\nClick: go to this event. Then Delete removes the mark.` : '';
    if (element.title !== title) element.title = title;
  }

  /** Drops everything: it belongs to another trace. */
  reset(): void {
    this.cells.reset();
    this.#search = null;
    for (const painter of this.#painters) painter.reset();
    this.#runLabels.reset();
    this.#arrivals.reset();
    this.#lens?.reset();
  }

  /** Asks for what the frame will need. */
  request(model: SceneModel): void {
    this.#cpus = model.trace?.cpus ?? [];
    this.#scanned = model.trace?.scanned ?? null;
    this.cells.request(model, this.frame.deviceWidth);
    for (const painter of this.#painters) painter.request(model, this.frame.deviceWidth);
  }

  draw(model: SceneModel, layers: ReadonlySet<Layer>): void {
    const { frame } = this;
    const before = this.#layout;
    this.#place(model);
    this.#scale = new Timescale(model.window, frame.deviceWidth, frame.pixelRatio);
    // Lanes of a painter's own come and go with what it shows.
    const moved = layers.has('window') || !sameLanes(before, this.#layout);
    if (moved || layers.has('cells')) {
      this.#drawCells(model);
      if (this.#choose(model)) this.#drawCells(model);
    }
    if (moved || layers.has('cells') || layers.has('emphasis')) this.#drawEmphasis(model);
    else if (layers.has('patches')) this.#findPatches(model);
    if (moved || layers.has('overlay')) {
      this.#runLabels.request(model, this.#layout, frame.width);
      this.#arrivals.request(model, this.#layout);
      this.#drawOverlay(model);
    }
    if (moved || LENSED.some((layer) => layers.has(layer))) this.#lens?.draw(model, this.#scale);
  }

  dispose(): void {
    // Loaders that go on would take the queries' keys from the pane that comes next.
    this.reset();
    this.#unsubscribe();
    this.#lens?.dispose();
    this.cells.dispose();
    for (const painter of this.#painters) painter.dispose?.();
    this.#tags.dispose();
    this.frame.dispose();
  }

  /** Places the lanes of CPUs, and below them the painters' own lanes. */
  #place(model: SceneModel): void {
    const { laneScale, laneScroll } = model.view;
    const count = model.trace?.cpus.length ?? 0;
    this.#own = this.#painters.map((painter) => painter.names(model));
    const all = layoutLanes(count + this.#own.flat().length, this.frame.height, laneScale, laneScroll);
    this.#layout = { ...all, count };
  }

  /** The layout of a painter's lanes: its own, or those of CPUs if it has none. */
  #layoutOf(painter: LanePainter): LaneLayout {
    const index = this.#painters.indexOf(painter);
    const count = this.#own[index]?.length ?? 0;
    if (count === 0) return this.#layout;
    const before = this.#layout.count + this.#own.slice(0, index).flat().length;
    return { ...this.#layout, count, top: laneTop(this.#layout, before) };
  }

  #drawCells(model: SceneModel): void {
    const { frame } = this;
    const rowRatio = frame.rowRatio(this.cells.software);
    this.cells.resize(frame.deviceWidth, Math.max(1, Math.round(frame.height * rowRatio)));
    this.cells.draw(model, this.#scale, this.#layout, rowRatio);
  }

  /** Chooses how to draw once all that the lanes show has arrived; true if the choice changes how they are drawn. */
  #choose({ trace }: SceneModel): boolean {
    if (this.#choice.get().by !== 'start' || trace?.stage !== 'opened' || !this.cells.idle) return false;
    const choice = this.cells.choose(this.frame.canvas);
    if (choice === null) return false;
    this.#choice.set(choice);
    return choice.graphics === '2d';
  }

  #drawEmphasis(model: SceneModel): void {
    const { segments, lanes, shown: tiles } = this.cells;
    const emphasis = emphasisOf(model.view, model.trace, model.hover);
    const wasEmpty = this.#patches.count === 0;
    this.#patches.clear();
    this.#search = null;
    if (emphasis !== null && lanes !== null) {
      const cells = { segments, lanes, tiles, pixelRatio: this.frame.pixelRatio };
      this.#search = new PatchSearch(cells, emphasis, this.frame.canvas.height, this.#patches);
    }
    this.#findPatches(model, wasEmpty);
  }

  /** Finds patches for a part of a frame, and the rest in the next ones; paints all that there are. `isClear`: the canvas is. */
  #findPatches(model: SceneModel, isClear = false): void {
    const { emphasis: canvas, canvas: data } = this.frame;
    const end = performance.now() + SEARCH_MS;
    if (this.#search?.step(() => performance.now() < end)) this.#invalidate('patches');
    else this.#search = null;
    const context = isClear && this.#patches.count === 0 ? null : canvas.getContext('2d');
    if (context !== null) {
      // Setting another size clears the canvas as well.
      if (canvas.width !== data.width) canvas.width = data.width;
      if (canvas.height !== data.height) canvas.height = data.height;
      context.clearRect(0, 0, canvas.width, canvas.height);
      this.#patches.paint(context, model.theme.ink);
    }
    // Over the lanes it stays there, since there will be more: to show a layer costs more than an empty one does.
    const opacity = this.#patches.count === 0 && model.hover.at === null ? '0' : '1';
    if (canvas.style.opacity !== opacity) canvas.style.opacity = opacity;
  }

  #drawOverlay(model: SceneModel): void {
    const { frame } = this;
    this.#overlays++;
    const { trace } = model;
    const axis = axisTicks(model, frame.width);
    this.#marks = [];
    this.#event = null;
    this.#timeMarks = { marks: [], distance: null };
    const context = frame.clearOverlay();
    if (context !== null) paintTimeAxis(context, frame, this.#scale, axis, model.theme);
    if (context === null || trace === null) {
      this.#tags.show(this.#timeMarks, model.theme);
      return;
    }
    this.#brackets = placeBrackets(trace, this.#layout);
    inPlot(context, frame.axisHeight, frame.width, frame.height, () => {
      paintSocketLines(context, this.#brackets, frame.width, model.theme);
      paintGrid(context, axis.ticks, this.#scale, frame.height, model.theme.grid);
      for (const painter of this.#painters) painter.paint(context, model, this.#scale, this.#layoutOf(painter));
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
      this.#counts.runLabels = labels.length;
      this.#counts.arrows = paintArrows(context, model.arrows, trace, this.#scale, this.#layout, model);
      const { moves } = this.#arrivals;
      this.#counts.moves = paintMoves(context, moves, trace, this.#scale, this.#layout, model.theme);
      const { event, marks } = model.view;
      const measure = (text: string): number => context.measureText(text).width;
      this.#event = event && placeEvent(event, trace, this.#scale, this.#layout);
      if (this.#event) paintEvent(context, this.#event, this.#layout, model.theme);
      this.#marks = placeMarks(marks, trace, this.#scale, this.#layout, measure);
      paintMarks(context, this.#marks, this.#layout, model.theme);
      paintTimeMarks(context, model.view.timeMarks, this.#scale, frame.height, model.theme);
      this.#timeMarks = placeTimeMarks(model.view.timeMarks, this.#scale, trace.clockIsNs, measure);
    });
    context.save();
    context.translate(0, frame.axisHeight);
    paintBrackets(context, this.#brackets, model.theme);
    this.#counts.cpuLabels = paintCpuLabels(context, trace, this.#layout, model);
    for (const [i, name] of this.#own.flat().entries()) {
      paintLaneName(context, name, laneTop(this.#layout, this.#layout.count + i), this.#layout, model.theme);
    }
    context.restore();
    this.#tags.show(this.#timeMarks, model.theme);
  }

  /** Where the hover chip begins: it is centred on `x`, within the pane, and clear of the letters of marks. */
  #chipLeft(x: number): number {
    const { width } = this.frame.chip;
    return GUTTER + besideTags(x, width, this.#timeMarks.marks, { from: -GUTTER, to: this.frame.width });
  }

  /** Places the elements that follow the pointer. */
  drawHover(model: SceneModel): void {
    const { frame } = this;
    const { crosshair, outline, chip } = frame;
    const { hover, theme, trace } = model;
    const x = hover.at === null ? -1 : this.#scale.timeToCssPx(hover.at);
    const shown = trace !== null && x >= 0 && x <= frame.width;
    crosshair.place(shown ? GUTTER + x : null, theme);
    const step = tickStep(this.#scale.nsPerCssPx, 1);
    chip.say(shown ? formatInstant((hover.at ?? 0) - model.origin, step, trace.clockIsNs) : null, theme);
    if (shown) chip.place(this.#chipLeft(x), 2);
    const run = hover.interval?.kind === 'run' ? hover.interval : null;
    const lane = run === null ? undefined : trace?.laneOf.get(run.cpu);
    const visible =
      run !== null && lane !== undefined && hover.cpu === run.cpu && this.#scale.shows(run.start, run.end);
    if (!visible) {
      outline.place(null, theme);
      return;
    }
    const left = Math.max(-4, this.#scale.timeToCssPx(run.start));
    const right = Math.min(frame.width + 4, Math.max(this.#scale.timeToCssPx(run.end), left + 2));
    const layout = (this.#lens?.shows(lane) && this.#lens.layout) || this.#layout;
    const top = frame.axisHeight + Math.max(0, laneTop(layout, lane)) - 1;
    const height = Math.max(3, layout.pitch + 1);
    outline.place({ left: GUTTER + left - 1, top, width: right - left + 2, height }, theme);
  }
}

const sameLanes = (a: LaneLayout, b: LaneLayout): boolean =>
  a.count === b.count && a.top === b.top && a.pitch === b.pitch && a.height === b.height;

/** CSS pixels for each tick. */
const TICK_ROOM = 110;

/** The ticks that every pane's grid follows. */
export function axisTicks(model: SceneModel, width: CssPx): TimeTicks {
  return model.trace === null
    ? { ticks: [], base: null }
    : timeTicks(model.window, model.origin, width / TICK_ROOM, model.trace.clockIsNs);
}
