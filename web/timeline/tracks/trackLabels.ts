/** The runs that are wide enough for a text. They are asked for where the view goes; old ones stay until then. */
import { type Ns, ns, type TimeWindow } from '../../base/units';
import type { Outcome } from '../../engine/client';
import { type LaneLayout, lanesShown } from '../frame/laneLayout';
import type { SceneModel } from '../frame/sceneModel';
import { canAsk } from '../frame/traceInfo';

/** Asks for the runs of lanes `first` to `end` that are at least `minWidth` long. */
type AskRuns<Run> = (window: TimeWindow, minWidth: Ns, first: number, end: number) => Promise<Outcome<readonly Run[]>>;

export interface LabelSpec {
  /** The least height of a lane and width of a run, in CSS pixels. */
  readonly lane: number;
  readonly run: number;
  /** Whether to ask while the trace is still loading. */
  readonly early?: boolean;
}

export class TrackLabels<Run> {
  readonly #ask: AskRuns<Run>;
  readonly #arrived: () => void;
  readonly #spec: LabelSpec;
  #runs: readonly Run[] = [];
  /** The requests that `#runs` answers, that is under way, and that is wanted now. */
  #held = '';
  #asked: string | null = null;
  #wanted = '';
  #generation = 0;

  constructor(spec: LabelSpec, ask: AskRuns<Run>, arrived: () => void) {
    this.#spec = spec;
    this.#ask = ask;
    this.#arrived = arrived;
  }

  get runs(): readonly Run[] {
    return this.#runs;
  }

  get idle(): boolean {
    return this.#asked === null;
  }

  /** Called for another trace. */
  reset(): void {
    this.#generation++;
    this.#runs = [];
    this.#held = '';
    this.#asked = null;
  }

  /**
   * Asks for half a window more on each side, so that a pan finds texts already there. `width`: of the plot, in CSS
   * pixels; `lanes`: a text that is different for other lanes.
   */
  request({ trace, target, revision }: SceneModel, layout: LaneLayout, width: number, lanes = ''): void {
    const { early, lane, run } = this.#spec;
    if (trace === null || !canAsk(trace, early)) return;
    if (layout.pitch < lane) {
      this.#runs = [];
      this.#held = '';
      return;
    }
    const half = (target.end - target.start) / 2;
    const window: TimeWindow = { start: ns(target.start - half), end: ns(target.end + half) };
    const first = Math.max(0, Math.floor(-layout.top / layout.pitch));
    const end = Math.min(layout.count, first + Math.ceil(lanesShown(layout)) + 1);
    // A plot of another width has room for other runs.
    this.#wanted = `${revision} ${window.start} ${window.end} ${width} ${first} ${end} ${lanes}`;
    if (this.#asked !== null || this.#held === this.#wanted) return;
    const asked = this.#wanted;
    const generation = this.#generation;
    this.#asked = asked;
    const minWidth = ns((run * 2 * half) / Math.max(1, width));
    this.#ask(window, minWidth, first, end).then((outcome) => {
      if (generation !== this.#generation) return;
      this.#asked = null;
      if (outcome.kind === 'superseded') return;
      this.#held = asked;
      this.#runs = outcome.kind === 'answer' ? outcome.answer : [];
      // A frame paints these, and asks again if the view has moved on meanwhile.
      this.#arrived();
    });
  }
}
