/** The hands on the overview: they move the window, its edges, or draw another. */
import { cssPx, type Ns, ns, type TimeWindow } from '../../../base/units';
import type { HoverStore } from '../../../state/hover';
import type { Store } from '../../../state/store';
import { timeBounds, visibleWindow } from '../../../state/viewState';
import { GUTTER } from '../../frame/plotFrame';
import type { Timescale } from '../../frame/timescale';
import { wheelFactor } from '../../input/gestures';
import { wheelPixels } from '../../input/listen';
import { brushed, centred, type Grip, gripAt } from './brush';

/** A press that moves less than this is a click. */
const CLICK_SLOP = 3;

const CURSORS: Readonly<Record<Grip, string>> = {
  window: 'grab',
  start: 'ew-resize',
  end: 'ew-resize',
  outside: 'crosshair',
};

interface Held {
  readonly grip: Grip;
  readonly x: number;
  readonly down: Ns;
  readonly before: TimeWindow;
  moved: boolean;
}

export interface OverviewHandsOptions {
  readonly store: Store;
  readonly hover: HoverStore;
  /** The overview's scale, from the whole trace to its pixels. */
  readonly scale: () => Timescale;
  /** Makes the next change of the window show at once, without an animation. */
  readonly jump: () => void;
}

/** Listens to the hands on an element; returns a function that stops it. */
export function listenToOverview(element: HTMLElement, options: OverviewHandsOptions): () => void {
  const { store, hover, scale, jump } = options;
  let held: Held | null = null;
  const place = (event: MouseEvent): { x: number; at: Ns } => {
    const x = event.clientX - element.getBoundingClientRect().left - GUTTER;
    return { x, at: scale().cssPxToTime(cssPx(x)) };
  };
  const bounds = (): TimeWindow => timeBounds(store.getState(), store.getLimits());
  const shown = (): TimeWindow => visibleWindow(store.getState(), store.getLimits());
  const gripOf = (x: number): Grip => {
    const { start, end } = shown();
    return gripAt(x, scale().timeToCssPx(start), scale().timeToCssPx(end), store.getState().window === null);
  };
  const show = (window: TimeWindow): void => {
    jump();
    store.dispatch({ type: 'moveTo', window });
  };
  const listeners: { readonly [type: string]: (event: PointerEvent) => void } = {
    pointerdown: (event) => {
      if (event.button !== 0) return;
      element.setPointerCapture(event.pointerId);
      const { x, at } = place(event);
      held = { grip: gripOf(x), x, down: at, before: shown(), moved: false };
      if (held.grip === 'window') element.style.cursor = 'grabbing';
    },
    pointermove: (event) => {
      const { x, at } = place(event);
      const { start, end } = bounds();
      hover.set({ at: x < 0 ? null : ns(Math.min(Math.max(at, start), end)), cpu: null });
      if (held === null) {
        element.style.cursor = x < 0 ? '' : CURSORS[gripOf(x)];
        return;
      }
      held.moved ||= Math.abs(x - held.x) >= CLICK_SLOP;
      if (held.moved) show(brushed(held.grip, held.before, held.down, at, bounds()));
    },
    pointerup: (event) => {
      const { grip, moved } = held ?? { grip: 'window', moved: true };
      held = null;
      element.style.cursor = CURSORS[grip];
      if (moved || grip !== 'outside' || store.getState().window === null) return;
      store.dispatch({ type: 'showWindow', window: centred(shown(), place(event).at, bounds()) });
    },
    pointercancel: () => {
      held = null;
    },
    pointerleave: () => hover.set({ at: null }),
    dblclick: () => store.dispatch({ type: 'showWindow', window: null }),
  };
  const wheel = (event: WheelEvent): void => {
    event.preventDefault();
    jump();
    store.dispatch({ type: 'zoom', at: place(event).at, factor: wheelFactor(wheelPixels(event).deltaY) });
  };
  for (const [type, listener] of Object.entries(listeners)) element.addEventListener(type, listener as EventListener);
  element.addEventListener('wheel', wheel, { passive: false });
  return () => {
    for (const [type, listener] of Object.entries(listeners)) {
      element.removeEventListener(type, listener as EventListener);
    }
    element.removeEventListener('wheel', wheel);
  };
}
