/**
 * The runs in sight that began on another CPU than their task's last run. They are asked for where the view goes, if
 * they are few.
 */
import { ns, type TimeWindow } from '../../../base/units';
import type { EngineClient } from '../../../engine/client';
import type { CpuMove } from '../../../engine/protocol';
import { type LaneLayout, lanesShown } from '../../frame/laneLayout';
import type { SceneModel } from '../../frame/sceneModel';

/** More hide the lanes, and each takes some microseconds to paint. */
export const MOST_MOVES = 1000;

export class ArrivalMarks {
  readonly #engine: EngineClient;
  readonly #arrived: () => void;
  #moves: readonly CpuMove[] = [];
  /** The requests that `#moves` answers, that is under way, and that is wanted now. */
  #held = '';
  #asked: string | null = null;
  #generation = 0;

  constructor(engine: EngineClient, arrived: () => void) {
    this.#engine = engine;
    this.#arrived = arrived;
  }

  get moves(): readonly CpuMove[] {
    return this.#moves;
  }

  get idle(): boolean {
    return this.#asked === null;
  }

  /** Called for another trace, or for lanes in another order. */
  reset(): void {
    this.#generation++;
    this.#forget();
    this.#asked = null;
  }

  request({ trace, target, revision, view }: SceneModel, layout: LaneLayout): void {
    if (trace?.topology == null || !view.topology.moves) {
      this.#forget();
      return;
    }
    const window: TimeWindow = { start: ns(Math.floor(target.start)), end: ns(Math.ceil(target.end)) };
    const first = Math.max(0, Math.floor(-layout.top / layout.pitch));
    const cpus = trace.cpus.slice(first, first + Math.ceil(lanesShown(layout)) + 1);
    const wanted = `${revision} ${window.start} ${window.end} ${first} ${cpus.length}`;
    if (this.#asked !== null || this.#held === wanted) return;
    const generation = this.#generation;
    this.#asked = wanted;
    this.#engine.query('scene/moves', { type: 'moves', window, cpus, most: MOST_MOVES }).then((outcome) => {
      if (generation !== this.#generation) return;
      this.#asked = null;
      if (outcome.kind === 'superseded') return;
      this.#held = wanted;
      this.#moves = (outcome.kind === 'answer' ? outcome.answer.moves : null) ?? [];
      // A frame paints these, and asks again if the view has moved on meanwhile.
      this.#arrived();
    });
  }

  #forget(): void {
    this.#moves = [];
    this.#held = '';
  }
}
