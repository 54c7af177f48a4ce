/**
 * A scene's part for one trace: what is known about the trace, its colours, its selected run, and its panes. The panes
 * draw in the trace's own time, which is the view's minus `offset`.
 */
import type { Observable } from '../base/observable';
import { cssPx, type Ns, ns, type TimeWindow } from '../base/units';
import type { Cpu, Interval } from '../engine/protocol';
import { FIRST_TRACE, type TraceId } from '../engine/protocolTracks';
import { busiestCpus } from '../facts/facts';
import type { GraphicsChoice } from '../gl/choice';
import type { ArrowsOf } from '../state/findings';
import type { Hover, HoverStore } from '../state/hover';
import { hasSchedExtEvents } from '../state/schedExt';
import { presentInterval, type SelectedRun } from '../state/selectedRun';
import type { Store } from '../state/store';
import type { Layer } from './frame/frameLoop';
import { lanesShown } from './frame/laneLayout';
import { GUTTER } from './frame/plotFrame';
import { type ColouredTrace, RunColours } from './frame/runColours';
import type { SceneModel } from './frame/sceneModel';
import type { ThemeName } from './frame/theme';
import { arranged, type TraceInfo, traceInfoOf } from './frame/traceInfo';
import { Actions } from './input/actions';
import type { Effect } from './input/gestures';
import type { AxisCommand } from './input/keys';
import type { RestingPointer } from './input/restingPointer';
import { type Arrow, cascadeArrows, chainArrows } from './overlay/arrows';
import { chainTaskArrows, type TaskArrow } from './overlay/taskArrows';
import { type Emphasis, emphasisOf, sameEmphasis } from './tracks/cpu/emphasis';
import { LanesPane } from './tracks/cpu/lanesPane';
import { RunningPane } from './tracks/curve/runningPane';
import { listenToOverview } from './tracks/overview/overviewHands';
import { OverviewPane } from './tracks/overview/overviewPane';
import { TaskScene } from './tracks/task/taskScene';
import type { SceneTrace } from './tracks/track';

/** What the traces of a scene share. */
export interface SceneParts {
  readonly store: Store;
  readonly hover: HoverStore;
  readonly pointer: RestingPointer;
  /** How all panes draw: by WebGL or by 2D. */
  readonly graphics: Observable<GraphicsChoice>;
  readonly theme: () => ThemeName;
  readonly invalidate: (...layers: readonly Layer[]) => void;
  /** Makes the next change of the window show at once, without an animation. */
  readonly jump: () => void;
  /** Passes on the range that is being dragged; null when the drag has ended. */
  readonly draft: (range: TimeWindow | null) => void;
  /** Says in text what nothing on the screen shows. */
  readonly announce: (text: string) => void;
  /** Whether the view was set by a URL, the history or undo: then nothing scrolls by itself. */
  readonly isRestored: () => boolean;
}

/** What all traces draw in a frame, in the view's time. */
export type FrameModel = Omit<
  SceneModel,
  'trace' | 'revision' | 'colours' | 'selected' | 'arrows' | 'taskLanes' | 'taskArrows'
>;

export class TraceScene {
  readonly id: TraceId;
  /** The task lanes. */
  readonly tasks: TaskScene;
  readonly #source: SceneTrace;
  readonly #parts: SceneParts;
  readonly #actions: Actions;
  readonly #endings: (() => void)[] = [];
  #lanes: LanesPane | null = null;
  #running: RunningPane | null = null;
  #overview: OverviewPane | null = null;
  #colours: RunColours;
  /** What is known about the trace, with its lanes by CPU number. */
  #learnt: TraceInfo | null = null;
  #trace: TraceInfo | null = null;
  #arrangement: readonly unknown[] = [];
  /** Called when it is known which CPUs are the busiest. */
  readonly #rearrange = (): void => this.#arrange();
  #selected: Interval | null = null;
  #arrows: Arrows = noArrows;
  #emphasis: Emphasis | null = null;

  constructor(source: SceneTrace, parts: SceneParts) {
    const { engine, session, topology, selected, offset, id } = source;
    const { store, hover, pointer, invalidate, jump, draft, theme, announce } = parts;
    this.id = id;
    this.#source = source;
    this.#parts = parts;
    this.#colours = new RunColours(NO_TASKS, theme());
    this.#actions = new Actions({
      engine,
      store,
      hover,
      trace: { id, offset },
      jump,
      draft,
      announce,
      overMark: (mark) => this.#lanes?.showMark(mark),
      selected: () => this.#selected,
      selectKnown: selected.selectKnown,
      cpus: () => this.#trace?.cpus ?? [],
      firstCpu: () => this.#lanes?.firstCpu(this.#trace?.cpus ?? []) ?? null,
    });
    this.tasks = new TaskScene({
      trace: id,
      engine,
      store,
      hover,
      invalidate,
      showCpu: (cpu) => this.showCpu(cpu),
      selectKnown: selected.selectKnown,
      act: (effect, touched) => this.#actions.act(effect, touched),
      pointer,
    });
    this.#endings.push(
      session.subscribe(() => this.#learn(traceInfoOf(session.get()))),
      topology.subscribe(() => this.#arrange()),
      selected.subscribe(() => this.#select()),
      engine.onRevision(() => invalidate('window')),
      // The list of events is there, some time after the trace is open: only those of sched_ext have lanes.
      engine.systems.subscribe(() => {
        if (hasSchedExtEvents(engine.systems.get())) invalidate('window');
      }),
    );
    this.#learn(traceInfoOf(session.get()));
  }

  get trace(): TraceInfo | null {
    return this.#trace;
  }

  get lanes(): LanesPane | null {
    return this.#lanes;
  }

  get running(): RunningPane | null {
    return this.#running;
  }

  get overview(): OverviewPane | null {
    return this.#overview;
  }

  get colours(): RunColours {
    return this.#colours;
  }

  get idle(): boolean {
    return (
      this.#source.selected.get().status !== 'asking' &&
      this.#actions.idle &&
      this.tasks.idle &&
      this.#lanes?.idle !== false &&
      this.#running?.idle !== false &&
      this.#overview?.idle !== false
    );
  }

  get inFlight(): number {
    const panes = [this.#lanes, this.#running, this.#overview, this.tasks];
    return panes.reduce((sum, pane) => sum + (pane?.inFlight ?? 0), 0);
  }

  /** Mounts the lanes of CPUs on an element, which determines their size; returns a function that unmounts them. */
  mountLanes(element: HTMLElement): () => void {
    const { store, graphics, invalidate, pointer } = this.#parts;
    const pane = new LanesPane(element, this.#source.engine, graphics, invalidate, (name, at, done) =>
      store.dispatch({ type: 'timeMark', name, at: ns(at + this.#source.offset), dragging: !done }),
    );
    this.#lanes = pane;
    const act = (effect: Effect): void => {
      const layout = pane.laneLayout(effect);
      const { scale, bands } = pane;
      // The lens covers the flags.
      const marks = layout === pane.layout ? pane.marks : [];
      const keys = this.#trace?.cpus ?? [];
      this.#actions.act(effect, { scale, marks, bands, tracks: { trace: this.id, kind: 'cpu', keys, layout, scale } });
    };
    const edgeAt = (x: number) => this.#actions.edgeAt(x, pane.scale);
    const unlisten = pointer.listen(element, { x: GUTTER, y: pane.frame.axisHeight }, act, edgeAt);
    return () => {
      unlisten();
      pane.dispose();
      if (this.#lanes === pane) this.#lanes = null;
    };
  }

  /** Mounts the running/waiting pane on an element; returns a function that unmounts it. */
  mountRunning(element: HTMLElement): () => void {
    const { graphics, invalidate, pointer } = this.#parts;
    const pane = new RunningPane(element, this.#source.engine, graphics, invalidate);
    this.#running = pane;
    const unlisten = pointer.listen(
      element,
      { x: GUTTER, y: pane.frame.axisHeight },
      (effect) => {
        const { scale } = pane;
        if (effect.type === 'click' && pane.isOnStrip(effect.y)) {
          // The pixel and its neighbours, as on the lanes.
          const [start, end] = [effect.x - 1, effect.x + 2].map((x) => scale.cssPxToTime(cssPx(x)));
          if (start !== undefined && end !== undefined) this.#source.goToOverload?.({ start, end });
        } else this.#actions.act(effect, { scale, marks: [], bands: null, tracks: null });
      },
      (x) => this.#actions.edgeAt(x, pane.scale),
    );
    return () => {
      unlisten();
      pane.dispose();
      if (this.#running === pane) this.#running = null;
    };
  }

  /** Mounts the overview of the whole trace on an element; returns a function that unmounts it. */
  mountOverview(element: HTMLElement): () => void {
    const { store, hover, jump, invalidate } = this.#parts;
    const pane = new OverviewPane(element, this.#source.engine, invalidate);
    this.#overview = pane;
    const unlisten = listenToOverview(element, { store, hover, jump, scale: () => pane.scale });
    return () => {
      unlisten();
      pane.dispose();
      if (this.#overview === pane) this.#overview = null;
    };
  }

  key(command: AxisCommand): Promise<void> {
    return this.#actions.key(command);
  }

  themeChanged(): void {
    this.#colours = new RunColours(this.#trace ?? NO_TASKS, this.#parts.theme());
  }

  /** Called when the view has changed. */
  viewChanged(): void {
    this.#arrange();
    this.#select();
    this.tasks.update(this.#trace);
  }

  /** Scrolls the lanes if that of the CPU is out of sight. */
  showCpu(cpu: Cpu): void {
    const { store } = this.#parts;
    const { laneScale, laneScroll, cpus } = store.getState();
    // What the view goes to gets a lane.
    if (cpus.length > 0 && !cpus.includes(cpu)) store.dispatch({ type: 'cpus', cpus: [...cpus, cpu] });
    const lane = this.#trace?.laneOf.get(cpu);
    if (lane === undefined || this.#lanes === null) return;
    const shown = lanesShown(this.#lanes.layout);
    if (lane >= laneScroll && lane + 1 <= laneScroll + shown) return;
    store.dispatch({ type: 'lanes', scale: laneScale, scroll: lane + 0.5 - shown / 2 });
  }

  /** Called when something else is hovered. No cell is redrawn for that; the crosshair is a separate element. */
  hovered(): void {
    const { store, hover, invalidate } = this.#parts;
    const emphasis = emphasisOf(store.getState(), this.#trace, this.#own(hover.get()));
    if (sameEmphasis(emphasis, this.#emphasis)) return;
    this.#emphasis = emphasis;
    invalidate('emphasis');
  }

  /** What this trace draws of a frame, in its own time. */
  model(frame: FrameModel): SceneModel {
    return {
      ...(this.id === FIRST_TRACE ? frame : this.#shifted(frame)),
      hover: this.#own(frame.hover),
      trace: this.#trace,
      revision: this.#source.engine.revision,
      colours: this.#colours,
      selected: this.#selected,
      arrows: this.#arrows.cpus,
      taskLanes: this.tasks.roster.lanes.get(),
      taskArrows: this.#arrows.tasks,
    };
  }

  /** Asks for what a frame will need. */
  request(model: SceneModel): void {
    this.#lanes?.request(model);
    this.#running?.request(model);
    this.#overview?.request(model);
    this.tasks.request(model);
  }

  draw(model: SceneModel, layers: ReadonlySet<Layer>): void {
    this.#lanes?.draw(model, layers);
    this.#running?.draw(model, layers);
    this.#overview?.draw(model, layers);
    this.tasks.draw(model, layers);
  }

  /** Places the elements that follow the pointer. */
  drawHover(model: SceneModel): void {
    this.#lanes?.drawHover(model);
    this.#running?.drawHover(model);
    this.#overview?.drawHover(model);
    this.tasks.drawHover(model);
  }

  dispose(): void {
    for (const end of this.#endings) end();
    this.#lanes?.dispose();
    this.#running?.dispose();
    this.#overview?.dispose();
    this.tasks.dispose();
    this.#lanes = null;
    this.#running = null;
    this.#overview = null;
  }

  #learn(learnt: TraceInfo | null): void {
    if (learnt === this.#learnt) return;
    const { theme, jump, invalidate } = this.#parts;
    const other = learnt?.session !== this.#learnt?.session;
    const { comms, span } = this.#learnt ?? {};
    this.#learnt = learnt;
    // As long as the time range is not known, there is nothing from which to glide.
    if (span === 0) jump();
    if (learnt?.comms !== comms) this.#colours = new RunColours(learnt ?? NO_TASKS, theme());
    if (other) {
      jump();
      this.tasks.reset();
      this.#lanes?.reset();
      this.#running?.reset();
      this.#overview?.reset();
    }
    this.viewChanged();
    invalidate('window');
  }

  /** Puts the lanes into the view's order. Data of lanes are stored by lane, so another order makes them useless. */
  #arrange(): void {
    const { store, invalidate } = this.#parts;
    const topology = this.#source.topology.get();
    const { cpus, topology: chosen } = store.getState();
    const isByActivity = chosen.order === 'activity' && this.#learnt?.stage === 'opened';
    const activity = isByActivity ? busiestCpus(this.#source.engine, this.#rearrange) : null;
    const arrangement = [this.#learnt, topology, chosen.order, cpus, activity];
    if (arrangement.every((part, index) => part === this.#arrangement[index])) return;
    this.#arrangement = arrangement;
    const before = this.#trace;
    this.#trace = this.#learnt && arranged(this.#learnt, topology, chosen.order, cpus, activity);
    if (before?.session === this.#trace?.session && `${before?.cpus}` !== `${this.#trace?.cpus}`) this.#lanes?.reset();
    invalidate('window');
  }

  /** Shows the selected interval, of which the view holds no end, and its arrows. */
  #select(): void {
    const { store, invalidate, isRestored } = this.#parts;
    const run = this.#source.selected.get();
    const [before, arrows] = [this.#selected, this.#arrows];
    this.#selected = presentInterval(run);
    this.#arrows = arrowsOf(run, store.getState().arrows, this.#arrows);
    const task = this.#selected?.task;
    const isOther = before?.cpu !== this.#selected?.cpu || before?.start !== this.#selected?.start;
    if (isOther && task !== undefined && !isRestored()) this.tasks.showTask(task);
    if (before !== this.#selected || arrows !== this.#arrows) invalidate('overlay');
  }

  /** What is hovered, for this trace: lanes and tasks belong to the trace under the pointer. */
  #own(hover: Hover): Hover {
    const at = hover.at === null ? null : this.#time(hover.at);
    if (hover.trace === this.id) return this.#source.offset === 0 ? hover : { ...hover, at };
    return { ...hover, at, cpu: null, interval: null, waiting: null, task: null, state: null, irqs: null };
  }

  /** A frame in this trace's own time, without marked events and a current event, which belong to the first trace. */
  #shifted(frame: FrameModel): FrameModel {
    const { view, window, target, everything, origin, range } = frame;
    const timeMarks = {
      a: view.timeMarks.a === null ? null : this.#time(view.timeMarks.a),
      b: view.timeMarks.b === null ? null : this.#time(view.timeMarks.b),
    };
    return {
      ...frame,
      view: { ...view, event: null, marks: [], timeMarks },
      window: this.#window(window),
      target: this.#window(target),
      everything: this.#window(everything),
      origin: this.#time(origin),
      range: range && this.#window(range),
    };
  }

  readonly #time = (at: Ns): Ns => ns(at - this.#source.offset);

  readonly #window = ({ start, end }: TimeWindow): TimeWindow => ({ start: this.#time(start), end: this.#time(end) });
}

/** The arrows of the selected run, between the lanes of CPUs and between those of tasks. */
interface Arrows {
  /** The chain or cascade from which they are made. */
  readonly of: SelectedRun['chain'] | SelectedRun['cascade'];
  readonly cpus: readonly Arrow[];
  readonly tasks: readonly TaskArrow[];
}

const NO_TASKS: ColouredTrace = { comms: [], pids: new Int32Array(0), prios: new Int16Array(0) };

const noArrows: Arrows = { of: null, cpus: [], tasks: [] };

/** The arrows; the object `before` if nothing has changed. */
function arrowsOf({ chain, cascade }: SelectedRun, kind: ArrowsOf, before: Arrows): Arrows {
  const of = kind === 'cascade' ? cascade : chain;
  if (of === before.of) return before;
  return kind === 'cascade'
    ? { of, cpus: cascadeArrows(cascade), tasks: [] }
    : { of, cpus: chainArrows(chain), tasks: chainTaskArrows(chain) };
}
