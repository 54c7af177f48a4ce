/**
 * The panes that share the time axis. They are mounted on elements, fed by the traces, the view and the hover store,
 * drawn in one frame loop, and turn gestures into actions on the view. Knows nothing of React.
 */
import { type Observable, observable } from '../base/observable';
import type { TimeWindow } from '../base/units';
import { FIRST_TRACE, type TraceId } from '../engine/protocolTracks';
import { firstChoice, type GraphicsChoice } from '../gl/choice';
import type { HoverStore } from '../state/hover';
import type { Store } from '../state/store';
import { timeBounds, timeOrigin, type ViewState, visibleWindow } from '../state/viewState';
import { curveState, type DrawState, laneStates, overviewState, plotPlace } from './drawState';
import { changedLayers } from './frame/drawnView';
import { FrameLoop, type Layer } from './frame/frameLoop';
import { Glide } from './frame/glide';
import type { RunColours } from './frame/runColours';
import { sceneThemes, type ThemeName } from './frame/theme';
import { keepsKey, keyCommand } from './input/keys';
import { RestingPointer } from './input/restingPointer';
import { levelFor } from './tiles/tiles';
import { type FrameModel, TraceScene } from './traceScene';
import type { TaskScene } from './tracks/task/taskScene';
import type { MakeTasksPane } from './tracks/task/tasksPane';
import type { SceneTrace } from './tracks/track';

export interface SceneOptions {
  /** The first trace, which is always there. */
  readonly first: SceneTrace;
  readonly store: Store;
  readonly hover: HoverStore;
  readonly theme: ThemeName;
  /** The value of `?graphics=`: `webgl` or `2d`; with any other, the faster one is chosen. */
  readonly graphics: string | null;
  /** Says in text what nothing on the screen shows. */
  readonly announce: (text: string) => void;
}

/** What moves what is hovered, or changes what is said of it. */
const HOVERED: readonly Layer[] = ['window', 'curve', 'hover'];

export class Scene {
  readonly #announce: (text: string) => void;
  readonly #store: Store;
  readonly #hover: HoverStore;
  readonly #loop = new FrameLoop((now, layers) => this.#frame(now, layers));
  readonly #glide = new Glide();
  readonly #endings: (() => void)[] = [];
  /** The traces in the order of their lanes. */
  readonly #traces = new Map<TraceId, TraceScene>();
  readonly #first: TraceScene;
  #theme: ThemeName;
  readonly #graphics: Observable<GraphicsChoice>;
  readonly #pointer = new RestingPointer();
  /** The view that the frames show, or for which one is asked. */
  #view: ViewState;
  #draft: TimeWindow | null = null;
  #gliding = false;
  #restored = false;
  #waiting: (() => void)[] = [];

  constructor({ first, store, hover, theme, graphics, announce }: SceneOptions) {
    this.#graphics = observable(firstChoice(graphics));
    this.#announce = announce;
    this.#store = store;
    this.#view = store.getState();
    this.#hover = hover;
    this.#theme = theme;
    this.#first = this.#add(first);
    const onKey = (event: KeyboardEvent): void => {
      if (!event.defaultPrevented && this.handleKey(event)) event.preventDefault();
    };
    window.addEventListener('keydown', onKey);
    this.#endings.push(
      () => window.removeEventListener('keydown', onKey),
      store.subscribe((action) => {
        // Another trace, or a whole view from the history, has no continuous way from the present one.
        if (action?.type === 'restore') this.#glide.jump();
        if (action) this.#restored = action.type === 'restore' || action.type === 'recall';
        if (action?.type === 'reveal') this.#first.showCpu(action.selection.cpu);
        if (action?.type === 'showFinding' && action.selection) this.#first.showCpu(action.selection.cpu);
        if (action?.type === 'showEvent') this.#first.showCpu(action.event.cpu);
        for (const trace of this.#traces.values()) trace.viewChanged();
        this.#redraw(action === null);
      }),
      hover.subscribe(() => {
        for (const trace of this.#traces.values()) trace.hovered();
        this.#loop.invalidate('hover');
      }),
    );
  }

  /** The task lanes of the first trace. */
  get tasks(): TaskScene {
    return this.#first.tasks;
  }

  /** The colours of runs, PIDs and commands in the present theme and the first trace. */
  get colours(): RunColours {
    return this.#first.colours;
  }

  /** Draws another trace as well, once its panes are mounted; returns a function that removes it. */
  addTrace(trace: SceneTrace): () => void {
    const added = this.#add(trace);
    added.viewChanged();
    this.#loop.invalidate('window');
    return () => {
      added.dispose();
      this.#traces.delete(trace.id);
      this.#loop.invalidate('window');
    };
  }

  /** Mounts a trace's lanes on an element, which determines their size; returns a function that unmounts them. */
  mountLanes(element: HTMLElement, trace: TraceId = FIRST_TRACE): () => void {
    return this.#mount(this.#traces.get(trace)?.mountLanes(element));
  }

  /** Mounts a trace's running/waiting pane on an element; returns a function that unmounts it. */
  mountRunning(element: HTMLElement, trace: TraceId = FIRST_TRACE): () => void {
    return this.#mount(this.#traces.get(trace)?.mountRunning(element));
  }

  /** Mounts the overview of the first trace on an element; returns a function that unmounts it. */
  mountOverview(element: HTMLElement): () => void {
    return this.#mount(this.#first.mountOverview(element));
  }

  /** Mounts a trace's task lanes on an element; returns a function that unmounts them. */
  mountTasks(element: HTMLElement, makePane: MakeTasksPane, trace: TraceId = FIRST_TRACE): () => void {
    const unmount = this.#traces.get(trace)?.tasks.mount(element, makePane);
    this.#loop.invalidate('window');
    return () => unmount?.();
  }

  setTheme(theme: ThemeName): void {
    if (theme === this.#theme) return;
    this.#theme = theme;
    for (const trace of this.#traces.values()) trace.themeChanged();
    this.#loop.invalidate('window');
  }

  /** True if the key is one of the time axis and was handled. The window's keys are listened to already. */
  handleKey(event: KeyboardEvent): boolean {
    if (this.#first.trace === null || keepsKey(event.target, event.key)) return false;
    const command = keyCommand({
      key: event.key,
      ctrl: event.ctrlKey,
      alt: event.altKey,
      meta: event.metaKey,
      shift: event.shiftKey,
    });
    if (command === null) return false;
    if (command.type === 'lens') void this.#toggleLens();
    else void this.#first.key(command);
    return true;
  }

  /** Resolves when the screen shows the view: no query is under way, and nothing moves. */
  idle(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#loop.invalidate();
    });
  }

  /** What is drawn of a trace. */
  drawState(id: TraceId = FIRST_TRACE): DrawState {
    const scene = this.#traces.get(id);
    const lanes = scene?.lanes;
    const running = scene?.running ?? null;
    const cpus = scene?.trace?.cpus ?? [];
    const scale = lanes?.scale;
    return {
      mode: lanes?.cells.kind ?? 'none',
      software: lanes?.cells.software ?? false,
      graphics: this.#graphics.get(),
      drawn: { cells: lanes?.cells.drawn ?? 0, curve: running?.drawn ?? 0, overlay: lanes?.overlays ?? 0 },
      patches: lanes?.patches ?? 0,
      window: this.#glide.shown,
      level: scale ? levelFor(scale.nsPerDevPx) : 0,
      shownLevels: lanes?.cells.levels ?? [],
      nsPerDevicePixel: scale?.nsPerDevPx ?? 0,
      plot: lanes ? plotPlace(lanes) : { left: 0, top: 0, width: 0, height: 0 },
      lanes: lanes ? laneStates(lanes, cpus) : [],
      depth: lanes?.painted('runqueue') ?? [],
      irqs: lanes?.painted('cpu_irqs') ?? [],
      schedExt: lanes?.painted('sched_ext') ?? [],
      counter: lanes?.painted('counter') ?? [],
      hits: { lanes: lanes?.painted('hits') ?? [], overview: scene?.overview?.painted('all_hits')[0] ?? null },
      cpuLabels: lanes?.counts.cpuLabels ?? 0,
      runLabels: lanes?.counts.runLabels ?? 0,
      arrows: lanes?.counts.arrows ?? 0,
      moves: lanes?.counts.moves ?? 0,
      brackets: lanes?.brackets ?? [],
      event: lanes?.event ?? null,
      marks: lanes?.marks ?? [],
      timeMarks: lanes?.timeMarks ?? { marks: [], distance: null },
      frames: this.#loop.frames,
      queriesInFlight: scene?.inFlight ?? 0,
      tasks: scene?.tasks.drawState() ?? null,
      lens: lanes?.lens ?? null,
      curve: curveState(running, scene?.trace?.cpuCount ?? 0),
      overview: overviewState(scene?.overview ?? null),
      hovered: this.#hover.get().at,
    };
  }

  dispose(): void {
    this.#loop.stop();
    for (const end of this.#endings) end();
    for (const trace of this.#traces.values()) trace.dispose();
    this.#traces.clear();
  }

  /** Puts a lens below the pointer, wherever it comes to lanes that are too thin, or takes it away. */
  async #toggleLens(): Promise<void> {
    await Promise.all([...this.#traces.values()].map(({ lanes }) => lanes?.toggleLens()));
    this.#pointer.follow();
    const missing = this.#first.lanes?.missingLens ?? null;
    if (missing !== null) this.#announce(missing);
    this.#loop.invalidate('lens', 'hover');
  }

  #add(source: SceneTrace): TraceScene {
    const trace = new TraceScene(source, {
      store: this.#store,
      hover: this.#hover,
      pointer: this.#pointer,
      graphics: this.#graphics,
      theme: () => this.#theme,
      invalidate: (...layers) => this.#loop.invalidate(...layers),
      jump: () => this.#glide.jump(),
      draft: (range) => {
        this.#draft = range;
        this.#loop.invalidate('overlay');
      },
      announce: this.#announce,
      isRestored: () => this.#restored,
    });
    this.#traces.set(source.id, trace);
    return trace;
  }

  #mount(unmount: (() => void) | undefined): () => void {
    this.#glide.jump();
    this.#loop.invalidate('window');
    return () => unmount?.();
  }

  /** Redraws what the view's last changes concern; `all`: the limits changed. */
  #redraw(all: boolean): void {
    const before = this.#view;
    this.#view = this.#store.getState();
    const layers = all ? (['window'] as const) : changedLayers(before, this.#view);
    if (layers.length > 0) this.#loop.invalidate(...layers);
  }

  #frame(now: number, layers: ReadonlySet<Layer>): void {
    const view = this.#store.getState();
    const limits = this.#store.getLimits();
    const target = visibleWindow(view, limits);
    if (layers.has('window')) {
      if (matchMedia('(prefers-reduced-motion: reduce)').matches) this.#glide.jump();
      const width = (this.#first.lanes ?? this.#first.running)?.frame.deviceWidth;
      if (width !== undefined) this.#gliding = this.#glide.advance(now, target, width);
    }
    const frame: FrameModel = {
      view,
      hover: this.#hover.get(),
      window: this.#glide.shown,
      target,
      everything: timeBounds(view, limits),
      origin: timeOrigin(view, limits),
      theme: sceneThemes[this.#theme],
      range: this.#draft ?? view.range,
    };
    for (const trace of this.#traces.values()) {
      const model = trace.model(frame);
      if (layers.has('window') || layers.has('request')) trace.request(model);
      trace.draw(model, layers);
    }
    if (layers.has('window') && this.#first.trace !== null) this.#pointer.follow();
    // Elements come last: a text painted after one has changed would make the browser look at its style first.
    if (HOVERED.some((layer) => layers.has(layer))) {
      for (const trace of this.#traces.values()) trace.drawHover(trace.model({ ...frame, hover: this.#hover.get() }));
    }
    if (this.#gliding) this.#loop.invalidate('window');
    this.#settle();
  }

  #settle(): void {
    if (this.#waiting.length === 0) return;
    if (this.#loop.pending || [...this.#traces.values()].some((trace) => !trace.idle)) {
      // Whatever is under way asks for a frame when it ends; only tests need to look again in each frame.
      this.#loop.invalidate();
      return;
    }
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}
