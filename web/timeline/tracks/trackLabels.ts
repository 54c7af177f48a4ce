/** The runs that are wide enough for a text: asked for where the view goes; the last ones stay until newer arrive. */
import { type Ns, ns, type TimeWindow } from '../../base/units';
import type { Outcome } from '../../engine/client';
import { type LaneLayout, lanesShown } from '../frame/laneLayout';
import type { SceneModel } from '../frame/sceneModel';

/** Asks for the runs of lanes `first` to `end` that are `minWidth` long at least. */
type AskRuns<Run> = (window: TimeWindow, minWidth: Ns, first: number, end: number) => Promise<Outcome<readonly Run[]>>;

export interface LabelRoom {
  /** CSS pixels that a lane and a run have at least. */
  readonly lane: number;
  readonly run: number;
}

export class TrackLabels<Run> {
  readonly #ask: AskRuns<Run>;
  readonly #arrived: () => void;
  readonly #least: LabelRoom;
  #runs: readonly Run[] = [];
  /** What `#runs` answers, what is asked, and what is wanted now. */
  #held = '';
  #asked: string | null = null;
  #wanted = '';
  #generation = 0;

  constructor(least: LabelRoom, ask: AskRuns<Run>, arrived: () => void) {
    this.#least = least;
    this.#ask = ask;
    this.#arrived = arrived;
  }

  get runs(): readonly Run[] {
    return this.#runs;
  }

  get idle(): boolean {
    return this.#asked === null;
  }

  /** Another trace. */
  reset(): void {
    this.#generation++;
    this.#runs = [];
    this.#held = '';
    this.#asked = null;
  }

  /**
   * Half a window more on each side, so that a pan finds texts already there. `width`: of the plot, CSS pixels; `lanes`:
   * tells apart which lanes there are.
   */
  request({ trace, target, revision }: SceneModel, layout: LaneLayout, width: number, lanes = ''): void {
    if (trace === null || trace.stage !== 'opened') return;
    if (layout.pitch < this.#least.lane) {
      this.#runs = [];
      this.#held = '';
      return;
    }
    const half = (target.end - target.start) / 2;
    const window: TimeWindow = { start: ns(target.start - half), end: ns(target.end + half) };
    const first = Math.max(0, Math.floor(-layout.top / layout.pitch));
    const end = Math.min(layout.count, first + Math.ceil(lanesShown(layout)) + 1);
    this.#wanted = `${revision} ${window.start} ${window.end} ${first} ${end} ${lanes}`;
    if (this.#asked !== null || this.#held === this.#wanted) return;
    const asked = this.#wanted;
    const generation = this.#generation;
    this.#asked = asked;
    const minWidth = ns((this.#least.run * 2 * half) / Math.max(1, width));
    this.#ask(window, minWidth, first, end).then((outcome) => {
      if (generation !== this.#generation) return;
      this.#asked = null;
      if (outcome.kind === 'superseded') return;
      this.#held = asked;
      this.#runs = outcome.kind === 'answer' ? outcome.answer : [];
      // A frame paints these, and asks again when the view has gone on meanwhile.
      this.#arrived();
    });
  }
}
