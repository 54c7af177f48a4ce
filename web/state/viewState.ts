/**
 * The view: everything that, with the trace, reproduces the screen. Small, serialisable, changed only by the pure
 * transitions in this file.
 */
import type { Ns, TimeWindow } from '../base/units';
import type { Cpu } from '../engine/protocol';

export type ColourMode = 'pid' | 'command' | 'target';

/** An interval, by its stable identity. */
export interface Selection {
  readonly cpu: Cpu;
  readonly start: Ns;
}

export interface ViewState {
  /** null: the whole trace (after the leading sleep, when `afterSleep`). */
  readonly window: TimeWindow | null;
  readonly selection: Selection | null;
  readonly colour: ColourMode;
  /** Comm prefix; used when `colour` is `target`. */
  readonly target: string;
  /** Commands that stand out in every pane. */
  readonly highlighted: readonly string[];
  readonly forked: boolean;
  readonly afterSleep: boolean;
  /** Height of a lane as a multiple of the height at which all lanes fit. */
  readonly laneScale: number;
  /** First visible lane, in lanes (fractions allowed). */
  readonly laneScroll: number;
}
