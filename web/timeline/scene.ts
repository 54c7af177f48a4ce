/**
 * The panes that share the time axis: mounted on elements, fed by the traces, the view and the hover store, drawn in one
 * frame loop, and turning what the hands do into actions on the view. Knows no React.
 */
import { type Observable, observable } from '../base/observable';
import type { TimeWindow } from '../base/units';
import type { EngineClient } from '../engine/client';
import type { Cpu, Interval } from '../engine/protocol';
import type { Topology } from '../engine/protocolTopology';
import { firstChoice, type GraphicsChoice } from '../gl/choice';
import type { ArrowsOf } from '../state/findings';
import type { HoverStore } from '../state/hover';
import { presentInterval, type SelectedRun } from '../state/selectedRun';
import type { Store } from '../state/store';
import type { Session } from '../state/traces';
import { timeBounds, timeOrigin, visibleWindow } from '../state/viewState';
import { curveState, type DrawState, laneStates, plotPlace } from './drawState';
import { FrameLoop, type Layer } from './frame/frameLoop';
import { Glide } from './frame/glide';
import { lanesShown } from './frame/laneLayout';
import { GUTTER } from './frame/plotFrame';
import { RunColours } from './frame/runColours';
import type { SceneModel } from './frame/sceneModel';
import { sceneThemes, type ThemeName } from './frame/theme';
import { arranged, type TraceInfo, traceInfoOf } from './frame/traceInfo';
import { Hands } from './input/actions';
import { keepsKey, keyCommand } from './input/keys';
import { RestingPointer } from './input/restingPointer';
import { type Arrow, cascadeArrows, chainArrows } from './overlay/arrows';
import { chainTaskArrows, type TaskArrow } from './overlay/taskArrows';
import { levelFor } from './tiles/tiles';
import { type Emphasis, emphasisOf, sameEmphasis } from './tracks/cpu/emphasis';
import { LanesPane } from './tracks/cpu/lanesPane';
import { RunningPane } from './tracks/curve/runningPane';
import { TaskScene } from './tracks/task/taskScene';

export interface SceneOptions {
  readonly engine: EngineClient;
  readonly session: Pick<Observable<Session>, 'get' | 'subscribe'>;
  readonly store: Store;
  readonly hover: HoverStore;
  readonly theme: ThemeName;
  /** The machine of the trace; null: not known. */
  readonly topology: Pick<Observable<Topology | null>, 'get' | 'subscribe'>;
  readonly selected: Pick<Observable<SelectedRun>, 'get' | 'subscribe'> & {
    /** An interval that is selected next is known. */
    readonly offer: (interval: Interval) => void;
  };
  /** The value of `?graphics=`: `webgl` or `2d`; whatever else: the faster one. */
  readonly graphics: string | null;
}

export class Scene {
  /** The task lanes. */
  readonly tasks: TaskScene;
  readonly #engine: EngineClient;
  readonly #store: Store;
  readonly #hover: HoverStore;
  readonly #hands: Hands;
  readonly #loop = new FrameLoop((now, layers) => this.#frame(now, layers));
  readonly #glide = new Glide();
  readonly #endings: (() => void)[] = [];
  #lanes: LanesPane | null = null;
  #running: RunningPane | null = null;
  #theme: ThemeName;
  #colours: RunColours;
  readonly #topology: SceneOptions['topology'];
  /** Which draws, in all panes. */
  readonly #graphics: Observable<GraphicsChoice>;
  readonly #pointer = new RestingPointer();
  /** Lanes by number. */
  #learnt: TraceInfo | null = null;
  #trace: TraceInfo | null = null;
  #arrangement: readonly unknown[] = [];
  readonly #run: SceneOptions['selected'];
  #selected: Interval | null = null;
  #arrows: Arrows = noArrows;
  #draft: TimeWindow | null = null;
  #gliding = false;
  /** The view is as a URL, the history or undo says: nothing scrolls by itself. */
  #restored = false;
  #emphasis: Emphasis | null = null;
  #waiting: (() => void)[] = [];

  constructor({ engine, session, store, hover, theme, topology, selected, graphics }: SceneOptions) {
    this.#graphics = observable(firstChoice(graphics));
    this.#topology = topology;
    this.#run = selected;
    this.#engine = engine;
    this.#store = store;
    this.#hover = hover;
    this.#theme = theme;
    this.#colours = new RunColours([], theme);
    this.#hands = new Hands({
      engine,
      store,
      hover,
      jump: () => this.#glide.jump(),
      draft: (range) => {
        this.#draft = range;
        this.#loop.invalidate('overlay');
      },
      overMark: (mark) => this.#lanes?.showMark(mark),
      selected: () => this.#selected,
      offer: selected.offer,
      firstCpu: () => this.#lanes?.firstCpu(this.#trace?.cpus ?? []) ?? null,
    });
    this.tasks = new TaskScene({
      engine,
      store,
      hover,
      invalidate: (...layers) => this.#loop.invalidate(...layers),
      showCpu: (cpu) => this.#showLane(cpu),
      offer: selected.offer,
      act: (effect, touched) => this.#hands.act(effect, touched),
      pointer: this.#pointer,
    });
    const onKey = (event: KeyboardEvent): void => {
      if (!event.defaultPrevented && this.handleKey(event)) event.preventDefault();
    };
    window.addEventListener('keydown', onKey);
    this.#endings.push(
      () => window.removeEventListener('keydown', onKey),
      session.subscribe(() => this.#learn(traceInfoOf(session.get()))),
      topology.subscribe(() => this.#arrange()),
      selected.subscribe(() => this.#select()),
      engine.onRevision(() => this.#loop.invalidate('window')),
      store.subscribe((action) => {
        // Other traces and whole views from the history are not neighbours: no way leads from one to the other.
        if (action?.type === 'restore') this.#glide.jump();
        if (action) this.#restored = action.type === 'restore' || action.type === 'recall';
        if (action?.type === 'reveal') this.#showLane(action.selection.cpu);
        if (action?.type === 'showFinding' && action.selection) this.#showLane(action.selection.cpu);
        if (action?.type === 'showEvent') this.#showLane(action.event.cpu);
        this.#arrange();
        this.#select();
        this.tasks.update(this.#trace);
        this.#loop.invalidate('window');
      }),
      hover.subscribe(() => this.#hovered()),
    );
  }

  /** The colours of runs, PIDs and commands in the present theme and trace. */
  get colours(): RunColours {
    return this.#colours;
  }

  /** Puts the lanes into an element; returns what takes them out. The element's size is the pane's. */
  mountLanes(element: HTMLElement): () => void {
    const pane = new LanesPane(
      element,
      this.#engine,
      this.#graphics,
      (...layers) => this.#loop.invalidate(...layers),
      (name, at, done) => this.#store.dispatch({ type: 'timeMark', name, at, dragging: !done }),
    );
    this.#lanes = pane;
    const unlisten = this.#pointer.listen(element, { x: GUTTER, y: pane.frame.axisHeight }, (effect) =>
      this.#hands.act(effect, {
        scale: pane.scale,
        lanes: { layout: pane.layout, cpus: this.#trace?.cpus ?? [], marks: pane.marks },
      }),
    );
    this.#mounted();
    return () => {
      unlisten();
      pane.dispose();
      if (this.#lanes === pane) this.#lanes = null;
    };
  }

  /** Puts running/waiting into an element; returns what takes it out. */
  mountRunning(element: HTMLElement): () => void {
    const invalidate = (...layers: Layer[]): void => this.#loop.invalidate(...layers);
    const pane = new RunningPane(element, this.#engine, this.#graphics, invalidate);
    this.#running = pane;
    const unlisten = this.#pointer.listen(element, { x: GUTTER, y: pane.frame.axisHeight }, (effect) =>
      this.#hands.act(effect, { scale: pane.scale, lanes: null }),
    );
    this.#mounted();
    return () => {
      unlisten();
      pane.dispose();
      if (this.#running === pane) this.#running = null;
    };
  }

  /** Puts the task lanes into an element; returns what takes them out. */
  mountTasks(element: HTMLElement): () => void {
    const unmount = this.tasks.mount(element);
    this.#loop.invalidate('window');
    return unmount;
  }

  setTheme(theme: ThemeName): void {
    if (theme === this.#theme) return;
    this.#theme = theme;
    this.#colours = new RunColours(this.#trace?.comms ?? [], theme);
    this.#loop.invalidate('window');
  }

  /** True when the key is one of the time axis, and is done. Listened to on the window already. */
  handleKey(event: KeyboardEvent): boolean {
    if (this.#trace === null || keepsKey(event.target, event.key)) return false;
    const command = keyCommand({
      key: event.key,
      ctrl: event.ctrlKey,
      alt: event.altKey,
      meta: event.metaKey,
      shift: event.shiftKey,
    });
    if (command === null) return false;
    void this.#hands.key(command);
    return true;
  }

  /** Resolves when the screen shows the view: nothing is asked of the engine, and nothing moves. */
  idle(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#loop.invalidate();
    });
  }

  drawState(): DrawState {
    const lanes = this.#lanes;
    const scale = lanes?.scale;
    return {
      mode: lanes?.cells.kind ?? 'none',
      software: lanes?.cells.software ?? false,
      graphics: this.#graphics.get(),
      drawn: { cells: lanes?.cells.drawn ?? 0, curve: this.#running?.drawn ?? 0, overlay: lanes?.overlays ?? 0 },
      patches: lanes?.patches ?? 0,
      window: this.#glide.shown,
      level: scale ? levelFor(scale.nsPerDevPx) : 0,
      shownLevels: lanes?.cells.levels ?? [],
      nsPerDevicePixel: scale?.nsPerDevPx ?? 0,
      plot: lanes ? plotPlace(lanes) : { left: 0, top: 0, width: 0, height: 0 },
      lanes: lanes && this.#trace ? laneStates(lanes, this.#trace.cpus) : [],
      depth: lanes?.runqueues.painted ?? [],
      cpuLabels: lanes?.counts.cpuLabels ?? 0,
      runLabels: lanes?.counts.runLabels ?? 0,
      arrows: lanes?.counts.arrows ?? 0,
      moves: lanes?.counts.moves ?? 0,
      brackets: lanes?.brackets ?? [],
      event: lanes?.event ?? null,
      marks: lanes?.marks ?? [],
      timeMarks: lanes?.timeMarks ?? { marks: [], distance: null },
      frames: this.#loop.frames,
      queriesInFlight:
        (lanes?.cells.inFlight ?? 0) +
        (lanes?.runqueues.inFlight ?? 0) +
        (this.#running?.inFlight ?? 0) +
        this.tasks.inFlight,
      tasks: this.tasks.drawState(),
      curve: curveState(this.#running, this.#trace?.cpus.length ?? 0),
      hovered: this.#hover.get().at,
    };
  }

  dispose(): void {
    this.#loop.stop();
    for (const end of this.#endings) end();
    this.#lanes?.dispose();
    this.#running?.dispose();
    this.tasks.dispose();
    this.#lanes = null;
    this.#running = null;
  }

  #mounted(): void {
    this.#glide.jump();
    this.#loop.invalidate('window');
  }

  #learn(learnt: TraceInfo | null): void {
    if (learnt === this.#learnt) return;
    const other = learnt?.session !== this.#learnt?.session;
    const comms = this.#learnt?.comms;
    this.#learnt = learnt;
    if (learnt?.comms !== comms) this.#colours = new RunColours(learnt?.comms ?? [], this.#theme);
    if (other) {
      this.#glide.jump();
      this.tasks.reset();
      this.#lanes?.reset();
      this.#running?.reset();
    }
    this.#arrange();
    this.#select();
    this.tasks.update(this.#trace);
    this.#loop.invalidate('window');
  }

  /** Puts the lanes into the view's order. What the lanes hold is by lane: in another order it is of no use. */
  #arrange(): void {
    const topology = this.#topology.get();
    const { order } = this.#store.getState().topology;
    const arrangement = [this.#learnt, topology, order];
    if (arrangement.every((part, index) => part === this.#arrangement[index])) return;
    this.#arrangement = arrangement;
    const before = this.#trace;
    this.#trace = this.#learnt && arranged(this.#learnt, topology, order);
    if (before?.session === this.#trace?.session && `${before?.cpus}` !== `${this.#trace?.cpus}`) this.#lanes?.reset();
    this.#loop.invalidate('window');
  }

  /** Shows the selected interval, whose end the view does not hold, and its arrows. */
  #select(): void {
    const run = this.#run.get();
    const before = this.#selected;
    this.#selected = presentInterval(run);
    this.#arrows = arrowsOf(run, this.#store.getState().arrows, this.#arrows);
    const task = this.#selected?.task;
    const isOther = before?.cpu !== this.#selected?.cpu || before?.start !== this.#selected?.start;
    if (isOther && task !== undefined && !this.#restored) this.tasks.showTask(task);
    this.#loop.invalidate('overlay');
  }

  /** Scrolls the lanes when that of the CPU is out of sight. */
  #showLane(cpu: Cpu): void {
    const lane = this.#trace?.laneOf.get(cpu);
    const { laneScale, laneScroll } = this.#store.getState();
    if (lane === undefined || this.#lanes === null) return;
    const shown = lanesShown(this.#lanes.layout);
    if (lane >= laneScroll && lane + 1 <= laneScroll + shown) return;
    this.#store.dispatch({ type: 'lanes', scale: laneScale, scroll: lane + 0.5 - shown / 2 });
  }

  /** No cell is drawn anew for what is hovered; the crosshair is an element of its own. */
  #hovered(): void {
    const emphasis = emphasisOf(this.#store.getState(), this.#trace, this.#hover.get());
    if (!sameEmphasis(emphasis, this.#emphasis)) {
      this.#emphasis = emphasis;
      this.#loop.invalidate('emphasis');
    }
    this.#loop.invalidate('hover');
  }

  #frame(now: number, layers: ReadonlySet<Layer>): void {
    const view = this.#store.getState();
    const limits = this.#store.getLimits();
    const target = visibleWindow(view, limits);
    if (layers.has('window')) {
      if (matchMedia('(prefers-reduced-motion: reduce)').matches) this.#glide.jump();
      const width = (this.#lanes ?? this.#running)?.frame.deviceWidth;
      if (width !== undefined) this.#gliding = this.#glide.advance(now, target, width);
    }
    const model: SceneModel = {
      trace: this.#trace,
      view,
      hover: this.#hover.get(),
      window: this.#glide.shown,
      target,
      everything: timeBounds(view, limits),
      origin: timeOrigin(view, limits),
      revision: this.#engine.revision,
      theme: sceneThemes[this.#theme],
      colours: this.#colours,
      selected: this.#selected,
      arrows: this.#arrows.cpus,
      taskLanes: this.tasks.roster.lanes.get(),
      taskArrows: this.#arrows.tasks,
      range: this.#draft ?? view.range,
    };
    if (layers.has('window')) {
      this.#lanes?.request(model);
      this.#running?.request(model);
      this.tasks.request(model);
    }
    this.#draw(model, layers);
    if (layers.has('window') && this.#trace !== null) {
      this.#pointer.follow();
      const hover = this.#hover.get();
      if (hover !== model.hover) this.#draw({ ...model, hover }, new Set<Layer>(['hover']));
    }
    if (this.#gliding) this.#loop.invalidate('window');
    this.#settle();
  }

  #draw(model: SceneModel, layers: ReadonlySet<Layer>): void {
    this.#lanes?.draw(model, layers);
    this.#running?.draw(model, layers);
    this.tasks.draw(model, layers);
  }

  #settle(): void {
    if (this.#waiting.length === 0) return;
    const busy =
      this.#loop.pending ||
      this.#run.get().status === 'asking' ||
      !this.#hands.idle ||
      !this.tasks.idle ||
      this.#lanes?.idle === false ||
      this.#running?.idle === false;
    if (busy) {
      // What is under way ends in a frame of its own; looking once more each frame is for tests only.
      this.#loop.invalidate();
      return;
    }
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}

/** Of the selected run: between the lanes of CPUs, and between those of tasks. */
interface Arrows {
  /** What they are made of. */
  readonly of: SelectedRun['chain'] | SelectedRun['cascade'];
  readonly cpus: readonly Arrow[];
  readonly tasks: readonly TaskArrow[];
}

const noArrows: Arrows = { of: null, cpus: [], tasks: [] };

/** `before`, where nothing has changed. */
function arrowsOf({ chain, cascade }: SelectedRun, kind: ArrowsOf, before: Arrows): Arrows {
  const of = kind === 'cascade' ? cascade : chain;
  if (of === before.of) return before;
  return kind === 'cascade'
    ? { of, cpus: cascadeArrows(cascade), tasks: [] }
    : { of, cpus: chainArrows(chain), tasks: chainTaskArrows(chain) };
}
