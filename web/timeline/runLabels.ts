/** The runs that are wide enough for a text: asked for where the view goes; the last ones stay until newer arrive. */
import { ns, type TimeWindow } from '../base/units';
import type { EngineClient } from '../engine/client';
import type { LabelRun } from '../engine/protocol';
import { LABEL_LANE, LABEL_LEAST } from './labels';
import { type LaneLayout, lanesShown } from './laneLayout';
import type { SceneModel } from './sceneModel';

export class RunLabels {
  readonly #engine: EngineClient;
  readonly #arrived: () => void;
  #runs: readonly LabelRun[] = [];
  /** What `#runs` answers, what is asked, and what is wanted now. */
  #held = '';
  #asked: string | null = null;
  #wanted = '';
  #generation = 0;

  constructor(engine: EngineClient, arrived: () => void) {
    this.#engine = engine;
    this.#arrived = arrived;
  }

  get runs(): readonly LabelRun[] {
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

  /** Half a window more on each side, so that a pan finds texts already there. `width`: of the plot, CSS pixels. */
  request({ trace, target, revision }: SceneModel, layout: LaneLayout, width: number): void {
    if (trace === null || trace.stage !== 'opened') return;
    if (layout.pitch < LABEL_LANE) {
      this.#runs = [];
      this.#held = '';
      return;
    }
    const half = (target.end - target.start) / 2;
    const window: TimeWindow = { start: ns(target.start - half), end: ns(target.end + half) };
    const first = Math.max(0, Math.floor(-layout.top / layout.pitch));
    const cpus = trace.cpus.slice(first, first + Math.ceil(lanesShown(layout)) + 1);
    this.#wanted = `${revision} ${window.start} ${window.end} ${first} ${cpus.length}`;
    if (this.#asked !== null || this.#held === this.#wanted) return;
    const asked = this.#wanted;
    const generation = this.#generation;
    this.#asked = asked;
    const minWidth = ns((LABEL_LEAST * 2 * half) / Math.max(1, width));
    this.#engine.query('scene/labels', { type: 'labels', window, minWidth, cpus }).then((outcome) => {
      if (generation !== this.#generation) return;
      this.#asked = null;
      if (outcome.kind === 'superseded') return;
      this.#held = asked;
      this.#runs = outcome.kind === 'answer' ? outcome.answer.runs : [];
      // A frame paints these, and asks again when the view has gone on meanwhile.
      this.#arrived();
    });
  }
}
