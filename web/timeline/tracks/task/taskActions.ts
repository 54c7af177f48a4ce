/** Gestures and keys of the task lanes, in addition to those of every pane of the time axis. */

import type { Observable } from '../../../base/observable';
import { cssPx, type Ns, ns } from '../../../base/units';
import type { EngineClient } from '../../../engine/client';
import type { CallItem, Cpu, TaskId, TaskInfo, TaskInterval } from '../../../engine/protocol';
import type { HoverStore } from '../../../state/hover';
import type { SelectKnown } from '../../../state/selectedRun';
import type { Store } from '../../../state/store';
import { visibleWindow } from '../../../state/viewState';
import { type LaneLayout, laneAt } from '../../frame/laneLayout';
import type { Effect } from '../../input/gestures';
import { HoverPicker, intervalAt } from '../../input/picker';
import { Steps } from '../../input/steps';
import { sameTrack, type TouchedTracks, type TrackPlace, trackAt } from '../../input/trackPlace';
import type { BandHands } from '../lanePainter';
import { scrollTo } from './taskLayout';
import { pickState } from './taskPick';

/** The lane that keys act on, and the state that they have reached there; null until the engine has answered. */
export interface TaskCursor {
  readonly task: TaskId;
  readonly at: Ns;
  readonly state: TaskInterval | null;
}

/** What is on the screen where a gesture happens. */
export interface TouchedTasks {
  readonly tracks: TouchedTracks<'task'>;
  readonly lanes: readonly TaskInfo[];
  /** The height of the strips of calls at the lanes' feet. */
  readonly strip: number;
  /** The pointer on the bands of interrupts at their upper edges. */
  readonly bands: BandHands | null;
}

export interface TaskActionsOptions {
  readonly engine: EngineClient;
  readonly store: Store;
  readonly hover: HoverStore;
  readonly cursor: Observable<TaskCursor | null>;
  /** Scrolls the CPU lanes to the lane of a CPU. */
  readonly showCpu: (cpu: Cpu) => void;
  readonly selectKnown: SelectKnown;
}

export class TaskActions {
  readonly #options: TaskActionsOptions;
  readonly #picker: HoverPicker<TrackPlace, TaskInterval>;
  readonly #calls: HoverPicker<TrackPlace, CallItem>;
  readonly #steps = new Steps();
  /** Those that the pointer was on last. */
  #bands: BandHands | null = null;
  #asking = 0;

  constructor(options: TaskActionsOptions) {
    this.#options = options;
    this.#picker = new HoverPicker(
      ({ track, around }) => pickState(options.engine, 'scene/taskHover', track.key, around),
      sameTrack,
      (state) => options.hover.set({ state }),
    );
    this.#calls = new HoverPicker(
      (place) => callAt(options.engine, 'scene/callHover', place),
      sameTrack,
      (call) => options.hover.set({ call }),
    );
  }

  get idle(): boolean {
    return this.#picker.idle && this.#calls.idle && this.#bands?.idle !== false && this.#asking === 0;
  }

  act(effect: Effect, touched: TouchedTasks): void {
    switch (effect.type) {
      case 'scroll':
        this.#scroll(touched.tracks.layout, -effect.by / touched.tracks.layout.pitch);
        return;
      case 'laneHeight': {
        // The lane under the pointer stays there.
        const { pitch, top } = touched.tracks.layout;
        const taller = pitch * effect.factor;
        const lane = (effect.y - top) / pitch;
        this.#options.store.dispatch({ type: 'taskLanes', pitch: taller, scroll: lane - effect.y / taller });
        return;
      }
      case 'click':
        void this.#click(effect.x, effect.y, touched);
        return;
      case 'hover': {
        const place = trackAt(touched.tracks, effect.x, effect.y);
        this.#options.hover.set({ trace: touched.tracks.trace, task: place?.track.key ?? null });
        this.#picker.move(place);
        this.#calls.move(place !== null && isOnStrip(touched, effect.y) ? place : null);
        this.#bands = touched.bands;
        this.#bands?.move(place, touched.tracks.layout, effect.y, this.#options.hover);
        return;
      }
      case 'leave':
        this.#options.hover.set({ task: null });
        this.#picker.move(null);
        this.#calls.move(null);
        this.#options.hover.set({ irqs: null });
        this.#bands = null;
        return;
      case 'zoom':
      case 'pan':
      case 'range':
        return;
    }
  }

  /** True if the key is one of the task lanes and was handled. `key` as in `KeyboardEvent`. */
  key(key: string, touched: TouchedTasks): boolean {
    const { lanes, tracks } = touched;
    const { layout } = tracks;
    if (lanes.length === 0) return false;
    const page = Math.max(1, Math.floor(layout.height / layout.pitch) - 1);
    switch (key) {
      case 'ArrowUp':
      case 'ArrowDown':
        this.#moveTo(this.#lane(touched) + (key === 'ArrowUp' ? -1 : 1), touched);
        return true;
      case 'PageUp':
      case 'PageDown':
        this.#moveTo(this.#lane(touched) + (key === 'PageUp' ? -page : page), touched);
        return true;
      case 'Home':
        this.#moveTo(0, touched);
        return true;
      case 'End':
        this.#moveTo(lanes.length - 1, touched);
        return true;
      case ',':
      case '.':
        void this.#steps.take(() => this.#step(key === ',' ? -1 : 1, touched));
        return true;
      case 'Enter':
        void this.#enter();
        return this.#options.cursor.get()?.state?.run != null;
      default:
        return false;
    }
  }

  #scroll(layout: LaneLayout, by: number): void {
    const most = Math.max(0, layout.count - layout.height / layout.pitch);
    const scroll = Math.min(most, Math.max(0, -layout.top / layout.pitch + by));
    this.#options.store.dispatch({ type: 'taskLanes', pitch: layout.pitch, scroll });
  }

  /** Selects the run that a click means: the clicked run, the run that follows a wait, or the one before a sleep. */
  async #click(x: number, y: number, touched: TouchedTasks): Promise<void> {
    const { engine } = this.#options;
    const place = trackAt(touched.tracks, x, y);
    if (place === null) {
      const lane = laneAt(touched.tracks.layout, cssPx(y));
      if (lane !== null) this.#moveTo(lane, touched);
      return;
    }
    const { store, showCpu } = this.#options;
    const handler = await this.#asked(async () => touched.bands?.click(place, touched.tracks.layout, y, store));
    if (handler === 'superseded') return;
    if (handler) {
      showCpu(handler.cpu);
      return;
    }
    if (isOnStrip(touched, y)) {
      const call = await this.#asked(() => callAt(engine, 'scene/taskClick', place));
      if (call !== null && call !== 'superseded' && this.#selectCall(call, touched)) return;
    }
    const state = await this.#asked(() => pickState(engine, 'scene/taskClick', place.track.key, place.around));
    if (state === 'superseded') return;
    const at = touched.tracks.scale.cssPxToTime(cssPx(x));
    if (state) this.#select(state);
    this.#options.cursor.set({ task: place.track.key, at, state });
  }

  /** Makes a call the current one and selects the run whose wakeup ended it; false if it is no call that is known. */
  #selectCall({ task, call, start, run }: CallItem, { lanes }: TouchedTasks): boolean {
    const { store, showCpu } = this.#options;
    const info = lanes.find((lane) => lane.task === task);
    if (info === undefined || call === null) return false;
    const { pid, generation } = info;
    store.dispatch({ type: 'select', selection: run && { cpu: run.cpu, start: run.start_ns } });
    store.dispatch({
      type: 'calls',
      change: { by: 'call', list: 'calls', row: call, at: { pid, generation, at: start } },
    });
    store.dispatch({ type: 'tab', tab: 'syscalls' });
    if (run) showCpu(run.cpu);
    return true;
  }

  #select({ run }: TaskInterval): void {
    const { store, showCpu } = this.#options;
    store.dispatch({ type: 'select', selection: run });
    if (run) showCpu(run.cpu);
  }

  /** The cursor's lane; before there is one, the lane under the pointer, else the first on the screen. */
  #lane({ lanes, tracks }: TouchedTasks): number {
    const { cursor, hover } = this.#options;
    const task = cursor.get()?.task ?? hover.get().task;
    const lane = lanes.findIndex((info) => info.task === task);
    return lane >= 0 ? lane : Math.ceil(-tracks.layout.top / tracks.layout.pitch) - 1;
  }

  /** The instant where keys look: where they looked last, at the selected run, or in the middle of the window. */
  #at(): Ns {
    const { cursor, store } = this.#options;
    const view = store.getState();
    const { start, end } = visibleWindow(view, store.getLimits());
    const wanted = cursor.get()?.at ?? view.selection?.start;
    return wanted !== undefined && wanted >= start && wanted < end ? wanted : ns(Math.floor((start + end) / 2));
  }

  #moveTo(lane: number, { lanes, tracks }: TouchedTasks): void {
    const index = Math.min(lanes.length - 1, Math.max(0, lane));
    const info = lanes[index];
    if (info === undefined) return;
    this.#options.store.dispatch({
      type: 'taskLanes',
      pitch: tracks.layout.pitch,
      scroll: scrollTo(tracks.layout, index),
    });
    void this.#look(info.task, this.#at());
  }

  async #look(task: TaskId, at: Ns): Promise<void> {
    const { cursor, engine } = this.#options;
    cursor.set({ task, at, state: null });
    const outcome = await this.#asked(() =>
      engine.query('scene/taskCursor', { type: 'at', kind: 'task', key: task, at: ns(Math.floor(at)) }),
    );
    if (outcome.kind === 'answer') cursor.set({ task, at, state: outcome.answer.item });
  }

  /** Goes to the state before or after; the window follows, and runs are selected. */
  async #step(direction: -1 | 1, touched: TouchedTasks): Promise<void> {
    const { cursor, engine, store, showCpu } = this.#options;
    const info = touched.lanes[Math.max(0, this.#lane(touched))];
    if (info === undefined) return;
    const { task } = info;
    const at = ns(Math.floor(cursor.get()?.state?.start ?? this.#at()));
    const outcome = await this.#asked(() =>
      engine.query('scene/taskCursor', { type: 'step', kind: 'task', key: task, at, direction }),
    );
    const state = outcome.kind === 'answer' ? outcome.answer.item : null;
    if (state === null) return;
    const { start, end } = visibleWindow(store.getState(), store.getLimits());
    if (state.state === 'running' && state.run) {
      store.dispatch({ type: 'reveal', selection: state.run, end: state.end });
      showCpu(state.run.cpu);
    } else if (state.start < start || state.start >= end) {
      const half = (end - start) / 2;
      store.dispatch({ type: 'showWindow', window: { start: ns(state.start - half), end: ns(state.start + half) } });
    }
    // Behind the selection: the state is what is said of it.
    cursor.set({ task, at: state.start, state });
  }

  /** Selects the run of the state that keys have reached, and brings it on the screen. */
  async #enter(): Promise<void> {
    const { cursor, engine, showCpu, selectKnown } = this.#options;
    const run = cursor.get()?.state?.run;
    if (!run) return;
    const found = await this.#asked(() => intervalAt(engine, 'scene/taskCursor', run.cpu, run.start));
    const interval = found === 'superseded' ? null : found;
    selectKnown(interval, { type: 'reveal', selection: run, end: interval?.end ?? run.start });
    showCpu(run.cpu);
  }

  async #asked<T>(ask: () => Promise<T>): Promise<T> {
    this.#asking++;
    try {
      return await ask();
    } finally {
      this.#asking--;
    }
  }
}

/** Whether a point of the plot is on a lane's strip of calls. */
function isOnStrip({ tracks: { layout }, strip }: TouchedTasks, y: number): boolean {
  const within = (y - layout.top) % layout.pitch;
  return strip > 0 && within >= layout.pitch - strip - 3;
}

/** What call a task is in at the middle of a place. */
async function callAt(
  engine: EngineClient,
  key: string,
  { track, around }: TrackPlace,
): Promise<CallItem | null | 'superseded'> {
  const at = ns(Math.max(0, Math.floor((around.start + around.end) / 2)));
  const outcome = await engine.query(key, { type: 'at', kind: 'calls', key: track.key, at });
  if (outcome.kind === 'superseded') return 'superseded';
  return outcome.kind === 'answer' ? outcome.answer.item : null;
}
