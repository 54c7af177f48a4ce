/** From what the hands mean to actions on the view. */
import { cssPx, ns, type TimeWindow } from '../../base/units';
import type { EngineClient } from '../../engine/client';
import type { Cpu, Interval } from '../../engine/protocol';
import type { HoverStore } from '../../state/hover';
import type { Store } from '../../state/store';
import { timeBounds, visibleWindow } from '../../state/viewState';
import { type LaneLayout, laneAt } from '../frame/laneLayout';
import type { Timescale } from '../frame/timescale';
import { flagAt, type PlacedMark } from '../overlay/eventMarks';
import type { Effect } from './gestures';
import type { KeyCommand } from './keys';
import { HoverPicker, type OnLane, pickLane, pickRun } from './picker';

/** What the hands find on the screen. */
export interface Touched {
  readonly scale: Timescale;
  /** Of the pane with the lanes; null in the other. */
  readonly lanes: {
    readonly layout: LaneLayout;
    readonly cpus: readonly Cpu[];
    readonly marks: readonly PlacedMark[];
  } | null;
}

export interface HandsOptions {
  readonly engine: EngineClient;
  readonly store: Store;
  readonly hover: HoverStore;
  /** The next change of the window shows at once, without an animation. */
  readonly jump: () => void;
  /** A range is being dragged; null when that is over. */
  readonly draft: (range: TimeWindow | null) => void;
  /** The pointer is over the flag of a mark; null when it is over none. */
  readonly overMark: (mark: PlacedMark | null) => void;
  readonly selected: () => Interval | null;
  /** An interval that is selected next is known. */
  readonly offer: (interval: Interval) => void;
  /** Of the first lane on the screen; null while there is none. */
  readonly firstCpu: () => Cpu | null;
}

/** On a CPU's lane, the pixel and its neighbours. */
interface LanePlace {
  readonly cpu: Cpu;
  readonly around: TimeWindow;
}

/** CSS pixels around the pointer in which a run is meant. */
export const REACH = 1.5;

export class Hands {
  readonly #options: HandsOptions;
  readonly #picker: HoverPicker<LanePlace, OnLane>;

  constructor(options: HandsOptions) {
    this.#options = options;
    this.#picker = new HoverPicker(
      (place) => pickLane(options.engine, place, options.store.getState().depth),
      (a, b) => a.cpu === b.cpu,
      (found) => options.hover.set(found ?? { interval: null, waiting: null }),
    );
  }

  get idle(): boolean {
    return this.#picker.idle;
  }

  act(effect: Effect, touched: Touched): void {
    const { store, draft } = this.#options;
    switch (effect.type) {
      case 'zoom': {
        if (!effect.smooth) this.#options.jump();
        // Where the pointer is in the window that the view goes to: an animation may be on its way there.
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
        if (touched.lanes) this.#scroll(-effect.by / touched.lanes.layout.pitch);
        return;
      case 'laneHeight':
        if (touched.lanes) this.#laneHeight(touched.lanes.layout, effect.y, effect.factor);
        return;
      case 'range': {
        const time = (x: number) => touched.scale.cssPxToTime(cssPx(x));
        const [from, to] = [Math.min(effect.from, effect.to), Math.max(effect.from, effect.to)];
        const range = from === to ? null : { start: time(from), end: time(to) };
        draft(effect.done ? null : range);
        if (effect.done) store.dispatch({ type: 'range', range });
        return;
      }
      case 'click':
        void this.#click(effect.x, effect.y, touched);
        return;
      case 'hover':
        this.#hover(effect.x, effect.y, touched);
        return;
      case 'leave':
        this.#leave();
        return;
    }
  }

  /** Does what a key means. */
  async key(command: KeyCommand): Promise<void> {
    const { store } = this.#options;
    const { start, end } = this.#window();
    const width = end - start;
    const view = store.getState();
    switch (command.type) {
      case 'zoom': {
        // At the hovered instant when there is one, else in the middle.
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
        else this.#focusSelection();
        return;
      case 'focus':
        if (view.range && !isShown(view.range, { start, end })) {
          store.dispatch({ type: 'showWindow', window: view.range });
        } else if (view.range || !this.#focusSelection()) {
          store.dispatch({ type: 'showWindow', window: null });
        }
        return;
      case 'step':
        await this.#step(command.direction);
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

  /** The lane under the pointer stays there. */
  #laneHeight(layout: LaneLayout, y: number, factor: number): void {
    const { store } = this.#options;
    const scale = Math.max(1, store.getState().laneScale * factor);
    const lane = (y - layout.top) / layout.pitch;
    const pitch = (layout.pitch * scale) / store.getState().laneScale;
    store.dispatch({ type: 'lanes', scale, scroll: lane - y / pitch });
  }

  #placeAt(x: number, y: number, { scale, lanes }: Touched): LanePlace | null {
    const lane = lanes && x >= 0 ? laneAt(lanes.layout, cssPx(y)) : null;
    const cpu = lane === null ? undefined : lanes?.cpus[lane];
    if (cpu === undefined) return null;
    return { cpu, around: { start: scale.cssPxToTime(cssPx(x - REACH)), end: scale.cssPxToTime(cssPx(x + REACH)) } };
  }

  #leave(): void {
    this.#options.hover.set({ at: null, cpu: null });
    this.#options.overMark(null);
    this.#picker.move(null);
  }

  #hover(x: number, y: number, touched: Touched): void {
    const { hover, store } = this.#options;
    if (x < 0) {
      this.#leave();
      return;
    }
    const mark = touched.lanes && flagAt(touched.lanes.marks, x, y);
    this.#options.overMark(mark);
    if (mark) {
      // What is meant is the marked event, wherever its flag flies.
      hover.set({ at: mark.at, cpu: mark.cpu });
      this.#picker.move(null);
      return;
    }
    const bounds = timeBounds(store.getState(), store.getLimits());
    const time = touched.scale.cssPxToTime(cssPx(x));
    const place = this.#placeAt(x, y, touched);
    hover.set({ at: ns(Math.min(Math.max(time, bounds.start), bounds.end)), cpu: place?.cpu ?? null });
    this.#picker.move(place);
  }

  async #click(x: number, y: number, touched: Touched): Promise<void> {
    const mark = touched.lanes && flagAt(touched.lanes.marks, x, y);
    if (mark) {
      const event = { cpu: mark.cpu, at: mark.at };
      this.#options.store.dispatch({ type: 'showEvent', event, selection: undefined });
      return;
    }
    const place = this.#placeAt(x, y, touched);
    if (place === null) return;
    const interval = await pickRun(this.#options.engine, 'scene/click', place.cpu, place.around);
    if (interval === 'superseded') return;
    const selection = interval?.kind === 'run' ? { cpu: interval.cpu, start: interval.start } : null;
    if (selection && interval) this.#options.offer(interval);
    this.#options.store.dispatch({ type: 'select', selection });
  }

  /** False when nothing is selected, or when it is what the window shows already. */
  #focusSelection(): boolean {
    const selected = this.#options.selected();
    if (selected === null) return false;
    const margin = (selected.end - selected.start) / 2;
    const window = { start: ns(selected.start - margin), end: ns(selected.end + margin) };
    if (isShown(window, this.#window())) return false;
    this.#options.store.dispatch({ type: 'showWindow', window });
    return true;
  }

  async #step(direction: -1 | 1): Promise<void> {
    const { engine, store, hover } = this.#options;
    const { selection } = store.getState();
    const { start, end } = this.#window();
    const { at: hovered, cpu: hoveredCpu } = hover.get();
    const at = selection?.start ?? hovered ?? ns((start + end) / 2);
    const cpu = selection?.cpu ?? hoveredCpu ?? this.#options.firstCpu();
    if (cpu === null) return;
    const outcome = await engine.query('scene/step', { type: 'step', kind: 'cpu', key: cpu, at, direction });
    const found = outcome.kind === 'answer' ? outcome.answer.item : null;
    if (found === null) return;
    this.#options.offer(found);
    store.dispatch({ type: 'reveal', selection: { cpu: found.cpu, start: found.start }, end: found.end });
  }
}

/** Whether `shown` is `wanted`, but for what clamping to the trace and rounding changes. */
function isShown(wanted: TimeWindow, shown: TimeWindow): boolean {
  const width = shown.end - shown.start;
  const slack = width * 0.02;
  const inside = wanted.start >= shown.start - slack && wanted.end <= shown.end + slack;
  return inside && width <= (wanted.end - wanted.start) * 1.1;
}
