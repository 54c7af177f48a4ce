/** The task lanes' part of the scene: the lanes, the cursor that keys move, the pane and its gestures. */
import { observable } from '../../../base/observable';
import type { EngineClient } from '../../../engine/client';
import type { Cpu, TaskId } from '../../../engine/protocol';
import type { TraceId } from '../../../engine/protocolTracks';
import type { HoverStore } from '../../../state/hover';
import type { SelectKnown } from '../../../state/selectedRun';
import type { Store } from '../../../state/store';
import type { Layer } from '../../frame/frameLoop';
import { GUTTER } from '../../frame/plotFrame';
import type { SceneModel } from '../../frame/sceneModel';
import type { TraceInfo } from '../../frame/traceInfo';
import type { Touched } from '../../input/actions';
import type { Effect } from '../../input/gestures';
import type { RestingPointer } from '../../input/restingPointer';
import { TaskActions, type TaskCursor } from './taskActions';
import type { TaskLaneState } from './taskDrawState';
import { scrollTo } from './taskLayout';
import { TaskRoster } from './taskRoster';
import type { MakeTasksPane, TasksPane } from './tasksPane';

interface TaskSceneOptions {
  readonly trace: TraceId;
  readonly engine: EngineClient;
  readonly store: Store;
  readonly hover: HoverStore;
  readonly invalidate: (...layers: readonly Layer[]) => void;
  /** Scrolls the CPU lanes to the lane of a CPU. */
  readonly showCpu: (cpu: Cpu) => void;
  readonly selectKnown: SelectKnown;
  /** Performs gestures that are the same in every pane of the time axis. */
  readonly act: (effect: Effect, touched: Touched) => void;
  readonly pointer: RestingPointer;
}

/** What is drawn in the task lanes. */
export interface TasksDrawState {
  readonly lanes: readonly TaskLaneState[];
  readonly plot: { readonly left: number; readonly top: number; readonly width: number; readonly height: number };
  readonly names: number;
  readonly cpus: number;
  readonly arrows: number;
  /** How many calls are named. */
  readonly calls: number;
}

export class TaskScene {
  readonly roster: TaskRoster;
  readonly cursor = observable<TaskCursor | null>(null);
  readonly #options: TaskSceneOptions;
  readonly #actions: TaskActions;
  readonly #unsubscribe: () => void;
  #pane: TasksPane | null = null;

  constructor(options: TaskSceneOptions) {
    const { engine, store, hover, showCpu, selectKnown, invalidate } = options;
    this.#options = options;
    this.roster = new TaskRoster(engine, store);
    this.#actions = new TaskActions({ engine, store, hover, cursor: this.cursor, showCpu, selectKnown });
    this.roster.lanes.subscribe(() => invalidate('window'));
    this.cursor.subscribe(() => invalidate('overlay'));
    this.#unsubscribe = store.subscribe((action) => {
      if (action?.type === 'clear') this.cursor.set(null);
    });
  }

  get idle(): boolean {
    return this.roster.idle && this.#actions.idle && this.#pane?.idle !== false;
  }

  get inFlight(): number {
    const pane = this.#pane;
    return pane === null ? 0 : pane.tiles.inFlight + pane.strips.inFlight + pane.counter.inFlight;
  }

  /**
   * Mounts the task lanes on an element; returns a function that unmounts them. `makePane`: from whoever shows the lanes,
   * so that a page without task lanes need not load what draws them.
   */
  mount(element: HTMLElement, makePane: MakeTasksPane): () => void {
    const { trace, engine, invalidate, act, pointer } = this.#options;
    const pane = makePane(element, engine, this.cursor, invalidate);
    this.#pane = pane;
    const unlisten = pointer.listen(element, { x: GUTTER, y: pane.frame.axisHeight }, (effect) => {
      act(effect, { scale: pane.scale, marks: [], bands: null, tracks: null });
      this.#actions.act(effect, pane.touched(trace));
      if (effect.type === 'hover' || effect.type === 'leave') {
        pane.showFacts(effect.type === 'hover' && effect.x < 0 ? effect.y : null);
      }
    });
    const onKey = (event: KeyboardEvent): void => {
      const plain = !(event.ctrlKey || event.metaKey || event.altKey || event.shiftKey);
      if (plain && event.target === element && this.#actions.key(event.key, pane.touched(trace)))
        event.preventDefault();
    };
    element.addEventListener('keydown', onKey);
    return () => {
      unlisten();
      element.removeEventListener('keydown', onKey);
      pane.dispose();
      if (this.#pane === pane) this.#pane = null;
    };
  }

  /** Called when another trace is open, or none. */
  reset(): void {
    this.cursor.set(null);
    this.#pane?.reset();
  }

  /** Called when the view or what is known about the trace has changed. */
  update(trace: TraceInfo | null): void {
    this.roster.update(trace);
  }

  /** Scrolls to the lane of a task, if it has one that is out of sight. */
  showTask(task: TaskId): void {
    const lane = this.roster.lanes.get().laneOf.get(task);
    const layout = this.#pane?.layout;
    if (lane === undefined || layout === undefined || layout.height <= 0) return;
    this.#options.store.dispatch({ type: 'taskLanes', pitch: layout.pitch, scroll: scrollTo(layout, lane) });
  }

  request(model: SceneModel): void {
    this.#pane?.request(model);
  }

  draw(model: SceneModel, layers: ReadonlySet<Layer>): void {
    this.#pane?.draw(model, layers);
  }

  drawHover(model: SceneModel): void {
    this.#pane?.drawHover(model);
  }

  /** What is drawn; null if the task lanes are not on the page. */
  drawState(): TasksDrawState | null {
    const pane = this.#pane;
    if (pane === null) return null;
    const { frame, counts } = pane;
    return {
      lanes: pane.states(),
      plot: { left: GUTTER, top: frame.axisHeight, width: frame.width, height: frame.height },
      ...counts,
    };
  }

  dispose(): void {
    this.#unsubscribe();
    this.#pane?.dispose();
    this.#pane = null;
  }
}
