/**
 * What the pointer is over. It is kept apart from the view, so that React never renders per mouse move: scenes redraw
 * an overlay, and the few texts that follow the pointer are written into the DOM directly.
 */
import type { Ns, TimeWindow } from '../base/units';
import type { CallItem, Cpu, Interval, Stolen, StolenOf, TaskId, TaskInterval } from '../engine/protocol';
import { FIRST_TRACE, type TraceId } from '../engine/protocolTracks';

/** What interrupts took of the place under the pointer. */
export interface IrqsHere {
  readonly of: StolenOf;
  /** The CPU, or the task's id. */
  readonly key: number;
  /** The time that the pointer covers. */
  readonly window: TimeWindow;
  readonly stolen: Stolen;
  /** Whether the pointer is on the band of interrupts. */
  readonly onBand: boolean;
}

export interface Hover {
  /** The hovered instant in the view's time, in every pane; null when the pointer is elsewhere. */
  readonly at: Ns | null;
  /** The trace that `cpu`, `task` and what is there belong to. */
  readonly trace: TraceId;
  /** The CPU of the hovered lane; null outside the lanes. */
  readonly cpu: Cpu | null;
  /** What is on that lane at that instant; null until the engine has answered. */
  readonly interval: Interval | null;
  /**
   * How many tasks wait on that lane's CPU at that instant; null unless the lanes show it and the engine has answered.
   */
  readonly waiting: number | null;
  /** The task of the hovered task lane; null outside them. */
  readonly task: TaskId | null;
  /** What that task does at that instant; null until the engine has answered. */
  readonly state: TaskInterval | null;
  /** What call that task is in at that instant, where the pointer is on the strip of its calls. */
  readonly call: CallItem | null;
  /** What interrupts took of the CPU or the task there; null: nothing, or the lanes do not show it. */
  readonly irqs: IrqsHere | null;
  /** The hovered command (a row of the table); null when none is. */
  readonly comm: string | null;
}

export const noHover: Hover = {
  at: null,
  trace: FIRST_TRACE,
  cpu: null,
  interval: null,
  waiting: null,
  task: null,
  state: null,
  call: null,
  irqs: null,
  comm: null,
};

export interface HoverStore {
  get(): Hover;
  /** Merges a change; listeners are called only if something differs. */
  set(change: Partial<Hover>): void;
  subscribe(listener: () => void): () => void;
}

export function createHoverStore(): HoverStore {
  let hover = noHover;
  const listeners = new Set<() => void>();
  return {
    get: () => hover,
    set(change) {
      const next = { ...hover, ...change };
      if (
        next.at === hover.at &&
        next.trace === hover.trace &&
        next.cpu === hover.cpu &&
        next.interval === hover.interval &&
        next.waiting === hover.waiting &&
        next.task === hover.task &&
        next.state === hover.state &&
        next.call === hover.call &&
        next.irqs === hover.irqs &&
        next.comm === hover.comm
      ) {
        return;
      }
      hover = next;
      for (const listener of listeners) {
        listener();
      }
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
