/** Turns gestures and key commands into actions on the view. */
import { cssPx, type Ns, ns, type TimeWindow } from '../../base/units';
import type { EngineClient } from '../../engine/client';
import type { Cpu, Interval } from '../../engine/protocol';
import { FIRST_TRACE, type TraceId } from '../../engine/protocolTracks';
import type { Hover, HoverStore } from '../../state/hover';
import { clampWindow } from '../../state/reduce';
import type { SelectKnown } from '../../state/selectedRun';
import type { Store } from '../../state/store';
import { type RunRef, timeBounds, visibleWindow } from '../../state/viewState';
import type { LaneLayout } from '../frame/laneLayout';
import type { Timescale } from '../frame/timescale';
import { flagAt, type PlacedMark } from '../overlay/eventMarks';
import type { BandHands } from '../tracks/lanePainter';
import type { Effect, RangeEdge } from './gestures';
import type { AxisCommand } from './keys';
import { HoverPicker, intervalAt, type OnLane, pickLane, pickRun } from './picker';
import { Steps } from './steps';
import { sameTrack, type TouchedTracks, type TrackPlace, trackAt } from './trackPlace';

/** What is on the screen where a gesture happens. */
export interface Touched {
  readonly scale: Timescale;
  readonly marks: readonly PlacedMark[];
  /** The lanes of CPUs; null in panes that have none. */
  readonly tracks: TouchedTracks<'cpu'> | null;
  /** The pointer on what painters add to the lanes. */
  readonly bands: BandHands | null;
}

export interface ActionsOptions {
  readonly engine: EngineClient;
  readonly store: Store;
  readonly hover: HoverStore;
  /** `offset`: where the trace's time 0 is in the view's time. */
  readonly trace: { readonly id: TraceId; readonly offset: Ns };
  /** Makes the next change of the window show at once, without an animation. */
  readonly jump: () => void;
  /** Passes on the range that is being dragged; null when the drag has ended. */
  readonly draft: (range: TimeWindow | null) => void;
  /** Says which mark's flag the pointer is over; null: none. */
  readonly overMark: (mark: PlacedMark | null) => void;
  readonly selected: () => Interval | null;
  readonly selectKnown: SelectKnown;
  /** The CPUs of the lanes, from top to bottom. */
  readonly cpus: () => readonly Cpu[];
  /** The CPU of the first lane on the screen; null while there is none. */
  readonly firstCpu: () => Cpu | null;
  /** Says what a key has done that nothing on the screen shows. */
  readonly announce: (text: string) => void;
}

/** How near the pointer must be to an edge of the range to drag it, in CSS pixels. */
const EDGE_REACH = 4;

export class Actions {
  readonly #options: ActionsOptions;
  readonly #picker: HoverPicker<TrackPlace, OnLane>;
  readonly #steps = new Steps();
  /** Those that the pointer was on last. */
  #bands: BandHands | null = null;
  /** The selection that steps from lane to lane have made, and the instant at which they cross. */
  #crossing: { readonly selection: RunRef | null; readonly at: Ns } | null = null;

  constructor(options: ActionsOptions) {
    this.#options = options;
    this.#picker = new HoverPicker(
      // Before the trace is open nobody knows what waits.
      (place) => pickLane(options.engine, place, options.store.getState().depth && options.engine.isOpen),
      sameTrack,
      (found) => options.hover.set(found ?? { interval: null, waiting: null }),
    );
  }

  get idle(): boolean {
    return this.#picker.idle && this.#bands?.idle !== false;
  }

  act(effect: Effect, touched: Touched): void {
    const { store, draft } = this.#options;
    switch (effect.type) {
      case 'zoom': {
        if (!effect.smooth) this.#options.jump();
        // The pointer's place in the window that the view goes to: an animation may be on its way there.
        const { start, end } = this.#window();
        const share = Math.max(0, effect.x) / (touched.scale.width / touched.scale.pixelRatio);
        store.dispatch({ type: 'zoom', at: ns(start + share * (end - start)), factor: effect.factor });
        return;
      }
      case 'pan':
        if (!effect.smooth) this.#options.jump();
        store.dispatch({ type: 'pan', by: ns(-effect.by * touched.scale.nsPerCssPx) });
        return;
      case 'scroll':
        if (touched.tracks) this.#scroll(-effect.by / touched.tracks.layout.pitch);
        return;
      case 'laneHeight':
        if (touched.tracks) this.#laneHeight(touched.tracks.layout, effect.y, effect.factor);
        return;
      case 'range': {
        const time = (x: number) => this.#viewTime(x, touched.scale);
        const [from, to] = [Math.min(effect.from, effect.to), Math.max(effect.from, effect.to)];
        const range = from === to ? null : { start: time(from), end: time(to) };
        draft(effect.done ? null : range);
        if (effect.done) store.dispatch({ type: 'range', range });
        return;
      }
      case 'rangeEdge': {
        const { range } = store.getState();
        if (range === null) return;
        const at = this.#viewTime(effect.x, touched.scale);
        // The other edge stays where it is, to the ns.
        const other = effect.edge === 'start' ? range.end : range.start;
        const dragged = at < other ? { start: at, end: other } : { start: other, end: at };
        draft(effect.done ? null : dragged);
        if (effect.done) store.dispatch({ type: 'range', range: dragged, keepsTab: true });
        return;
      }
      case 'click':
        void this.#click(effect.x, effect.y, touched);
        return;
      case 'doubleClick':
        void this.#doubleClick(effect.x, effect.y, touched);
        return;
      case 'hover':
        this.#hover(effect.x, effect.y, touched);
        return;
      case 'leave':
        this.#leave();
        return;
    }
  }

  /** Which edge of the range is at `x`, and can be dragged there; null: none. */
  edgeAt(x: number, scale: Timescale): RangeEdge | null {
    const { range } = this.#options.store.getState();
    if (range === null || x < 0) return null;
    const { offset } = this.#options.trace;
    const distance = (at: Ns): number => Math.abs(scale.timeToCssPx(ns(at - offset)) - x);
    const [start, end] = [distance(range.start), distance(range.end)];
    if (Math.min(start, end) > EDGE_REACH) return null;
    return start < end ? 'start' : 'end';
  }

  /** Performs the command of a key. */
  async key(command: AxisCommand): Promise<void> {
    const { store } = this.#options;
    const { start, end } = this.#window();
    const width = end - start;
    const view = store.getState();
    switch (command.type) {
      case 'zoom': {
        // At the hovered instant if there is one, else in the middle.
        const { at } = this.#options.hover.get();
        const anchor = at !== null && at >= start && at <= end ? at : ns(start + width / 2);
        store.dispatch({ type: 'zoom', at: anchor, factor: command.factor });
        return;
      }
      case 'pan':
        store.dispatch({ type: 'pan', by: ns(command.share * width) });
        return;
      case 'scroll':
        this.#scroll(command.lanes);
        return;
      case 'fit':
        store.dispatch({ type: 'showWindow', window: null });
        return;
      case 'zoomToRange':
        if (view.range) store.dispatch({ type: 'showWindow', window: view.range });
        else {
          const [window] = this.#fitted([this.#aroundSelection()]);
          if (!window) this.#options.announce('Select a run or a range first.');
          if (window && !isShown(window, { start, end })) store.dispatch({ type: 'showWindow', window });
        }
        return;
      case 'focus':
        store.dispatch({ type: 'showWindow', window: this.#nextFocus({ start, end }, view.range) });
        return;
      case 'step':
        await this.#steps.take(() => this.#step(command.direction));
        return;
      case 'lane':
        await this.#steps.take(() => this.#lane(command.direction));
        return;
    }
  }

  #window(): TimeWindow {
    const { store } = this.#options;
    return visibleWindow(store.getState(), store.getLimits());
  }

  #scroll(lanes: number): void {
    const { store } = this.#options;
    const { laneScale, laneScroll } = store.getState();
    store.dispatch({ type: 'lanes', scale: laneScale, scroll: laneScroll + lanes });
  }

  /** Changes the height of lanes; the lane under the pointer stays there. */
  #laneHeight(layout: LaneLayout, y: number, factor: number): void {
    const { store } = this.#options;
    const scale = Math.max(1, store.getState().laneScale * factor);
    const lane = (y - layout.top) / layout.pitch;
    const pitch = (layout.pitch * scale) / store.getState().laneScale;
    store.dispatch({ type: 'lanes', scale, scroll: lane - y / pitch });
  }

  /** The instant at `x`, in the view's time. */
  #viewTime(x: number, scale: Timescale): Ns {
    return ns(scale.cssPxToTime(cssPx(x)) + this.#options.trace.offset);
  }

  #leave(): void {
    this.#options.hover.set({ at: null, trace: FIRST_TRACE, cpu: null });
    this.#options.overMark(null);
    this.#picker.move(null);
    this.#offBands();
  }

  #offBands(): void {
    this.#options.hover.set({ irqs: null });
    this.#bands = null;
  }

  #hover(x: number, y: number, touched: Touched): void {
    const { hover, store, trace } = this.#options;
    if (x < 0) {
      this.#leave();
      return;
    }
    const mark = flagAt(touched.marks, x, y);
    this.#options.overMark(mark);
    if (mark) {
      // A flag may fly away from its event: the event is what is hovered.
      hover.set({ at: mark.at, trace: trace.id, cpu: mark.cpu });
      this.#picker.move(null);
      this.#offBands();
      return;
    }
    const bounds = timeBounds(store.getState(), store.getLimits());
    const time = this.#viewTime(x, touched.scale);
    const place = touched.tracks && trackAt(touched.tracks, x, y);
    const at = ns(Math.min(Math.max(time, bounds.start), bounds.end));
    hover.set({ at, trace: trace.id, cpu: place?.track.key ?? null });
    this.#picker.move(place);
    if (touched.tracks) {
      this.#bands = touched.bands;
      this.#bands?.move(place, touched.tracks.layout, y, hover);
    }
  }

  async #click(x: number, y: number, touched: Touched): Promise<void> {
    const mark = flagAt(touched.marks, x, y);
    if (mark) {
      const event = { cpu: mark.cpu, at: mark.at };
      this.#options.store.dispatch({ type: 'showEvent', event, selection: undefined });
      return;
    }
    const place = touched.tracks && trackAt(touched.tracks, x, y);
    // The view's selection names a run of the first trace.
    if (touched.tracks === null || place === null || place.track.trace !== FIRST_TRACE) return;
    if ((await touched.bands?.click(place, touched.tracks.layout, y, this.#options.store)) != null) return;
    const interval = await pickRun(this.#options.engine, 'scene/click', place.track.key, place.around);
    if (interval === 'superseded') return;
    const selection = interval?.kind === 'run' ? { cpu: interval.cpu, start: interval.start } : null;
    this.#options.selectKnown(interval, { type: 'select', selection });
  }

  /** Zooms to the run that the clicks mean, of whichever trace; its own margins make it easy to aim at again. */
  async #doubleClick(x: number, y: number, touched: Touched): Promise<void> {
    const place = touched.tracks && trackAt(touched.tracks, x, y);
    if (place === null || flagAt(touched.marks, x, y)) return;
    const interval = await pickRun(this.#options.engine, 'scene/doubleClick', place.track.key, place.around);
    if (interval === null || interval === 'superseded' || interval.kind !== 'run') return;
    const { start, end } = around(interval);
    const { offset } = this.#options.trace;
    this.#options.store.dispatch({
      type: 'showWindow',
      window: { start: ns(start + offset), end: ns(end + offset) },
    });
  }

  /** The hovered instant, and the hovered CPU if it is one of the first trace, which has the selection. */
  #hovered(): Pick<Hover, 'at' | 'cpu'> {
    const { at, cpu, trace } = this.#options.hover.get();
    return { at, cpu: trace === FIRST_TRACE ? cpu : null };
  }

  /** The window that shows the selection; null: nothing is selected. */
  #aroundSelection(): TimeWindow | null {
    const selected = this.#options.selected();
    return selected && around(selected);
  }

  /** What comes after what is shown, of the selection, the range and everything (null), as far as there are such. */
  #nextFocus(shown: TimeWindow, range: TimeWindow | null): TimeWindow | null {
    const all = this.#fitted([this.#aroundSelection(), range]);
    const present = all.findLastIndex((window) => isShown(window, shown));
    return all[present + 1] ?? null;
  }

  /** Windows as the view would show them: inside the trace, and not narrower than windows may be. */
  #fitted(windows: readonly (TimeWindow | null)[]): readonly TimeWindow[] {
    const { store } = this.#options;
    const bounds = timeBounds(store.getState(), store.getLimits());
    return windows.flatMap((window) => (window === null ? [] : [clampWindow(window, bounds) ?? bounds]));
  }

  /** Selects what runs at the same time on the next lane; where nothing does, what runs there next, or ran last. */
  async #lane(direction: -1 | 1): Promise<void> {
    const { engine, store, cpus } = this.#options;
    const lanes = cpus();
    const { selection } = store.getState();
    const { start, end } = this.#window();
    const { at: hovered, cpu: hoveredCpu } = this.#hovered();
    // Several steps keep the instant of the first one.
    const kept = this.#crossing?.selection === selection && selection !== null ? this.#crossing.at : null;
    const at = kept ?? selection?.start ?? hovered ?? ns(Math.round((start + end) / 2));
    const from = selection?.cpu ?? hoveredCpu ?? this.#options.firstCpu();
    const place = from === null ? -1 : lanes.indexOf(from);
    const cpu = lanes[selection ? Math.min(Math.max(place + direction, 0), lanes.length - 1) : Math.max(place, 0)];
    if (cpu === undefined) return;
    let found = await intervalAt(engine, 'scene/step', cpu, at);
    for (const step of [1, -1] as const) {
      if (found === 'superseded' || found?.kind === 'run') break;
      const outcome = await engine.query('scene/step', { type: 'step', kind: 'cpu', key: cpu, at, direction: step });
      if (outcome.kind === 'superseded') return;
      found = outcome.kind === 'answer' ? (outcome.answer.item ?? found) : found;
    }
    if (found === 'superseded') return;
    if (found?.kind !== 'run') {
      this.#options.announce(`No run is known on CPU ${cpu}.`);
      return;
    }
    if (cpu === selection?.cpu) this.#options.announce(`CPU ${cpu} has the ${direction < 0 ? 'first' : 'last'} lane.`);
    this.#options.selectKnown(found, {
      type: 'reveal',
      selection: { cpu: found.cpu, start: found.start },
      end: found.end,
    });
    this.#crossing = { selection: store.getState().selection, at };
  }

  async #step(direction: -1 | 1): Promise<void> {
    const { engine, store } = this.#options;
    const { selection } = store.getState();
    const { start, end } = this.#window();
    const { at: hovered, cpu: hoveredCpu } = this.#hovered();
    const at = selection?.start ?? hovered ?? ns((start + end) / 2);
    const cpu = selection?.cpu ?? hoveredCpu ?? this.#options.firstCpu();
    if (cpu === null) return;
    const outcome = await engine.query('scene/step', { type: 'step', kind: 'cpu', key: cpu, at, direction });
    const found = outcome.kind === 'answer' ? outcome.answer.item : null;
    if (outcome.kind === 'superseded') return;
    if (found === null) {
      this.#options.announce(`No ${direction < 0 ? 'earlier' : 'later'} run on CPU ${cpu}.`);
      return;
    }
    this.#options.selectKnown(found, {
      type: 'reveal',
      selection: { cpu: found.cpu, start: found.start },
      end: found.end,
    });
  }
}

/** A window that shows an interval, with half of its length on either side. */
function around({ start, end }: TimeWindow): TimeWindow {
  const margin = (end - start) / 2;
  return { start: ns(start - margin), end: ns(end + margin) };
}

/** Whether they are the same in whole ns, to which the view rounds when it rests. */
const isShown = (a: TimeWindow, b: TimeWindow): boolean =>
  Math.round(a.start) === Math.round(b.start) && Math.round(a.end) === Math.round(b.end);
