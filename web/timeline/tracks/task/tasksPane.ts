/** The task lanes: one for each chosen task, with its states over time, on the time axis of the CPU lanes. */
import type { Observable } from '../../../base/observable';
import { type CssPx, cssPx, devPx, ns } from '../../../base/units';
import type { EngineClient } from '../../../engine/client';
import type { TaskInfo, TaskRun } from '../../../engine/protocol';
import type { TraceId } from '../../../engine/protocolTracks';
import { laneBand } from '../../../gl/cells';
import { packColour } from '../../../gl/columns';
import { mix } from '../../../gl/mergeColumn';
import { STRIPE } from '../../../gl/shaders';
import { toRgb } from '../../frame/colours';
import { CHIP_HEIGHT } from '../../frame/followers';
import type { Layer } from '../../frame/frameLoop';
import { type LaneLayout, laneAt, laneBands, lanesInSight, laneTop } from '../../frame/laneLayout';
import { GUTTER, PlotFrame } from '../../frame/plotFrame';
import type { SceneModel } from '../../frame/sceneModel';
import type { SceneTheme } from '../../frame/theme';
import { Timescale } from '../../frame/timescale';
import { paintMoments } from '../../overlay/eventMarks';
import { inPlot, paintGrid, paintRange } from '../../overlay/paint';
import { paintTimeMarks } from '../../overlay/timeMarks';
import { callInWords } from '../calls/callWords';
import { TaskCounter } from '../counter/taskCounter';
import { DIM } from '../cpu/cellLayer';
import { axisTicks } from '../cpu/lanesPane';
import { TrackLabels } from '../trackLabels';
import { KernelStrips } from './kernelStrips';
import type { TaskCursor, TouchedTasks } from './taskActions';
import { type TaskLaneState, taskLaneStates } from './taskDrawState';
import { layoutTaskLanes } from './taskLayout';
import { CPU_LABEL_ROOM, paintRunCpus, paintTaskArrows, paintTaskNames, paintTaskOutlines } from './taskOverlay';
import { type PaintedRow, paintRows, type TaskInks } from './taskPaint';
import { noTaskLanes, type TaskLanes } from './taskRoster';
import { BLOCK, type BlockPart, TaskTiles } from './taskTiles';
import { stateInWords, taskFacts } from './taskWords';

/** Room above the first lane, in CSS pixels. */
const TOP = cssPx(3);

export type MakeTasksPane = (...args: ConstructorParameters<typeof TasksPane>) => TasksPane;

export class TasksPane {
  readonly frame: PlotFrame;
  readonly tiles: TaskTiles<'task'>;
  readonly strips: KernelStrips;
  readonly counter: TaskCounter;
  readonly #cursor: Observable<TaskCursor | null>;
  readonly #runs: TrackLabels<TaskRun>;
  readonly #context: CanvasRenderingContext2D | null;
  #image: ImageData | null = null;
  #lanes: TaskLanes = noTaskLanes;
  #ids: readonly number[] = [];
  #serial = 0;
  #layout: LaneLayout = layoutTaskLanes(0, cssPx(0), 1, 0);
  #scale = new Timescale({ start: ns(0), end: ns(1) }, devPx(1), 1);
  #parts = new Map<number, readonly BlockPart[]>();
  /** The height of the strips of calls, in CSS pixels. */
  #strip: CssPx = cssPx(0);
  #counts = { names: 0, cpus: 0, arrows: 0, calls: 0 };

  constructor(
    element: HTMLElement,
    engine: EngineClient,
    cursor: Observable<TaskCursor | null>,
    invalidate: (...layers: readonly Layer[]) => void,
  ) {
    this.#cursor = cursor;
    this.frame = new PlotFrame(element, TOP, () => invalidate('window'));
    this.#context = this.frame.canvas.getContext('2d', { alpha: false });
    this.tiles = new TaskTiles('task', engine, () => invalidate('cells'));
    this.strips = new KernelStrips(engine, invalidate);
    this.counter = new TaskCounter(
      engine,
      () => invalidate('cells'),
      () => invalidate('window'),
    );
    this.#runs = new TrackLabels(
      CPU_LABEL_ROOM,
      async (window, minWidth, first, end) => {
        const tasks = this.#ids.slice(first, end);
        const query = { type: 'labels', kind: 'task', keys: tasks, window, min_width: minWidth } as const;
        const outcome = await engine.query('scene/taskLabels', query);
        return outcome.kind === 'answer' ? { kind: 'answer', answer: outcome.answer.labels } : outcome;
      },
      () => invalidate('overlay'),
    );
  }

  /** What is drawn, for tests. */
  states(): TaskLaneState[] {
    return taskLaneStates(this);
  }

  get scale(): Timescale {
    return this.#scale;
  }

  get layout(): LaneLayout {
    return this.#layout;
  }

  get lanes(): TaskLanes {
    return this.#lanes;
  }

  get idle(): boolean {
    return this.tiles.idle && this.#runs.idle && this.strips.idle && this.counter.idle;
  }

  /** How many texts and arrows are painted. */
  get counts(): Readonly<Record<'names' | 'cpus' | 'arrows' | 'calls', number>> {
    return this.#counts;
  }

  /** What is on the screen for gestures; `trace`: the trace of the lanes. */
  touched(trace: TraceId): TouchedTasks {
    const [layout, scale] = [this.#layout, this.#scale];
    return {
      tracks: { trace, kind: 'task', keys: this.#ids, layout, scale },
      lanes: this.#lanes.lanes,
      strip: this.#strip,
      bands: this.strips.hands,
    };
  }

  /** What was drawn last in a block of lanes. */
  parts(block: number): readonly BlockPart[] {
    return this.#parts.get(block) ?? [];
  }

  /** Shows facts about the task whose name is at `y` (CSS pixels of the plot); null: the pointer is over none. */
  showFacts(y: number | null): void {
    const { element } = this.frame;
    const lane = y === null ? null : laneAt(this.#layout, cssPx(y));
    const info = lane === null ? undefined : this.#lanes.lanes[lane];
    const title = info ? taskFacts(info) : '';
    if (element.title !== title) element.title = title;
  }

  /** Drops everything: it belongs to another trace. */
  reset(): void {
    this.tiles.reset();
    this.strips.reset();
    this.counter.reset();
    this.#runs.reset();
  }

  /** Asks for what the frame will need. */
  request(model: SceneModel): void {
    this.#place(model);
    const { first, end } = lanesInSight(this.#layout);
    this.tiles.request(model, this.#ids, first, end, this.frame.deviceWidth);
    this.strips.request(model, this.#ids, first, end, this.frame.deviceWidth);
    this.counter.request(model, this.#lanes, this.frame.deviceWidth);
  }

  draw(model: SceneModel, layers: ReadonlySet<Layer>): void {
    const { frame } = this;
    this.#place(model);
    this.#scale = new Timescale(model.window, frame.deviceWidth, frame.pixelRatio);
    const moved = layers.has('window');
    if (moved || layers.has('cells')) this.#drawCells(model);
    if (moved || layers.has('overlay')) {
      this.#runs.request(model, this.#layout, frame.width, `${this.#serial}`);
      this.strips.requestLabels(model, this.#layout, frame.width, `${this.#serial}`);
      this.#drawOverlay(model);
    }
  }

  dispose(): void {
    this.tiles.reset();
    this.strips.reset();
    this.counter.reset();
    this.counter.dispose();
    this.frame.dispose();
  }

  #place(model: SceneModel): void {
    const { taskLanes, view } = model;
    if (taskLanes !== this.#lanes) {
      this.#lanes = taskLanes;
      this.#ids = taskLanes.lanes.map(({ task }) => task);
      this.#serial++;
    }
    const { pitch, scroll } = view.tasks;
    this.#layout = layoutTaskLanes(this.#ids.length, this.frame.height, pitch, scroll);
    this.#strip = this.strips.height(model, pitch);
    this.strips.placeBands(model, this.#layout, this.frame.rowRatio(true));
  }

  #drawCells(model: SceneModel): void {
    const { frame } = this;
    const context = this.#context;
    if (context === null) return;
    const rowRatio = frame.rowRatio(true);
    const width = frame.deviceWidth;
    const height = Math.max(1, Math.round(frame.height * rowRatio));
    if (frame.canvas.width !== width) frame.canvas.width = width;
    if (frame.canvas.height !== height) frame.canvas.height = height;
    if (this.#image?.width !== width || this.#image.height !== height) {
      this.#image = context.createImageData(width, height);
    }
    // One store for each pixel. The words are little-endian RGBA on every machine on which browsers run.
    const pixels = new Uint32Array(this.#image.data.buffer);
    pixels.fill(packColour(toRgb(model.theme.background)));
    const period = STRIPE * 2;
    const start = Math.floor(model.window.start / this.#scale.nsPerDevPx) % period;
    const phase = (start + period) % period;
    const picture = { pixels, width, height, rowRatio, phase };
    const rows = this.#rows(model, rowRatio);
    paintRows(picture, rows);
    const bands = laneBands(this.#layout, rowRatio);
    const { first } = lanesInSight(this.#layout);
    const paintCounter = this.counter.painter(model, this.#scale);
    for (const [i, { top, height: high }] of rows.entries()) {
      const lane = first + i;
      paintCounter?.(picture, lane, top, high);
      this.strips.paint(picture, model, this.#scale, lane, laneBand(bands, lane), this.#strip);
    }
    context.putImageData(this.#image, 0, 0);
  }

  #rows(model: SceneModel, rowRatio: number): PaintedRow[] {
    const bands = laneBands(this.#layout, rowRatio);
    const { first, end } = lanesInSight(this.#layout);
    const plain = taskInks(model.theme, 0);
    const dim = taskInks(model.theme, DIM);
    this.#parts = new Map();
    for (let block = Math.floor(first / BLOCK); block * BLOCK < end; block++) {
      this.#parts.set(block, this.tiles.parts(model, this.#ids, block, this.#scale));
    }
    return this.#lanes.lanes.slice(first, end).map((info, i) => {
      const lane = first + i;
      const row = lane % BLOCK;
      const parts = this.parts(Math.floor(lane / BLOCK)).map(({ segment, tiles }) => ({ segment, tiles, row }));
      const inks = isDimmed(info, model) ? dim : plain;
      const { top, height } = laneBand(bands, lane);
      // A line apart from the calls.
      const below = this.#strip === 0 ? 0 : Math.round((this.#strip + 1) * rowRatio);
      return { top, height: Math.max(1, height - below), parts, runs: this.#runInks(info, model), inks };
    });
  }

  /** The colours of a task's runs over the columns, as on the CPU lanes. */
  #runInks({ pid, comm, comms }: TaskInfo, model: SceneModel): PaintedRow['runs'] {
    const { colours, view, theme } = model;
    const names = comms.length === 0 ? [{ comm, from: ns(0) }] : comms;
    return names.map((name, i) => {
      const next = names[i + 1];
      const colour = toRgb(colours.ofRun(view, pid, name.comm));
      const faded = packColour(mix(colour, toRgb(theme.background), DIM));
      const isLeftOut = view.highlighted.length > 0 && !view.highlighted.includes(name.comm);
      const until = next ? Math.floor(this.#scale.timeToDevPx(next.from)) : Number.POSITIVE_INFINITY;
      return { until, ink: isLeftOut ? faded : packColour(colour), faded };
    });
  }

  #drawOverlay(model: SceneModel): void {
    const { frame } = this;
    const context = frame.clearOverlay();
    if (context === null || model.trace === null) return;
    const cursor = this.#cursor.get();
    const [lanes, scale, layout] = [this.#lanes, this.#scale, this.#layout];
    inPlot(context, frame.axisHeight, frame.width, frame.height, () => {
      paintGrid(context, axisTicks(model, frame.width).ticks, scale, frame.height, model.theme.grid);
      this.#counts.cpus = paintRunCpus(context, this.#runs.runs, lanes, scale, layout, model, this.#strip);
      this.#counts.calls = this.strips.paintLabels(context, model, lanes, scale, layout, this.#strip);
      if (model.range !== null) paintRange(context, model.range, scale, frame.height, model);
      paintTaskOutlines(context, lanes, scale, layout, model, cursor);
      this.#counts.arrows = paintTaskArrows(context, lanes, scale, layout, model);
      paintMoments(context, model.view, scale, frame.height, model.theme);
      paintTimeMarks(context, model.view.timeMarks, scale, frame.height, model.theme);
    });
    context.save();
    context.beginPath();
    context.rect(0, 0, GUTTER, TOP + frame.height);
    context.clip();
    context.translate(0, TOP);
    this.#counts.names = paintTaskNames(context, lanes, layout, model, cursor);
    context.restore();
  }

  /** Places the elements that follow the pointer. */
  drawHover(model: SceneModel): void {
    const { crosshair, outline, chip, width } = this.frame;
    const { hover, theme, trace } = model;
    const x = hover.at === null ? -1 : this.#scale.timeToCssPx(hover.at);
    const shown = trace !== null && x >= 0 && x <= width;
    crosshair.place(shown ? GUTTER + x : null, theme);
    const call = hover.task !== null && hover.call?.task === hover.task ? hover.call : null;
    const state = call ?? (hover.task !== null && hover.state?.task === hover.task ? hover.state : null);
    const lane = state === null ? undefined : this.#lanes.laneOf.get(state.task);
    const visible = shown && state !== null && lane !== undefined;
    if (!visible) {
      outline.place(null, theme);
      chip.say(null, theme);
      return;
    }
    const left = Math.max(-4, this.#scale.timeToCssPx(state.start));
    const right = Math.min(width + 4, Math.max(this.#scale.timeToCssPx(state.end), left + 2));
    const isCall = 'span' in state;
    const full = this.#layout.pitch;
    const height = isCall ? this.#strip + 3 : full - (this.#strip === 0 ? 0 : this.#strip + 1);
    const top = TOP + laneTop(this.#layout, lane) + (isCall ? full - height : 0) - 1;
    outline.place({ left: GUTTER + left - 1, top, width: right - left + 2, height }, theme);
    const clock = { isNs: trace.clockIsNs };
    const text = isCall ? callInWords(state, clock, model.origin) : stateInWords(state, clock, model.origin);
    chip.say(text, theme);
    this.#placeChip(cssPx(x), cssPx(TOP + laneTop(this.#layout, lane)));
  }

  /** Places the chip below the lane, or above it where it would leave the pane; within the plot. */
  #placeChip(x: CssPx, top: CssPx): void {
    const { chip, width, height } = this.frame;
    const left = Math.max(0, Math.min(x + 10, width - 2 - chip.width));
    const below = top + this.#layout.pitch + 2;
    const y = below + CHIP_HEIGHT <= TOP + height ? below : Math.max(0, top - CHIP_HEIGHT - 2);
    chip.place(GUTTER + left, y);
  }
}

/** Whether commands are highlighted and the task never ran under one of them. */
function isDimmed({ comm, comms }: TaskInfo, { view }: SceneModel): boolean {
  const { highlighted } = view;
  return (
    highlighted.length > 0 && ![comm, ...comms.map((name) => name.comm)].some((name) => highlighted.includes(name))
  );
}

function taskInks(theme: SceneTheme, dim: number): TaskInks {
  const background = toRgb(theme.background);
  const ink = (colour: string): number => packColour(mix(toRgb(colour), background, dim));
  return {
    background: packColour(background),
    runnable: ink(theme.runnable),
    runnableFill: ink(theme.overloadFill),
    blocked: ink(theme.blocked),
    blockedFill: ink(theme.blockedFill),
    throttled: ink(theme.quiet),
    throttledFill: ink(theme.hatch),
    stopped: ink(theme.quiet),
    sleeping: ink(theme.hatch),
    hatch: ink(theme.hatch),
  };
}
