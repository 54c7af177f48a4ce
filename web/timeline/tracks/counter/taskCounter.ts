/** The view's counter as a line on the lane of each task that has values. */
import type { DevPx } from '../../../base/units';
import type { EngineClient } from '../../../engine/client';
import { counterOf } from '../../../facts/counters';
import type { SceneModel } from '../../frame/sceneModel';
import type { Timescale } from '../../frame/timescale';
import { TrackTiles } from '../../tiles/trackTiles';
import { NO_ROW, type PaintedRow } from '../laneRows';
import type { TaskLanes } from '../task/taskRoster';
import { tilesParts } from '../tilesPainter';
import { CounterBrush, type CounterValues, counterTiles, knownCounter, wantedCounter } from './counterBrush';

/** A picture in device pixels, and the rows of a lane in it. */
interface LanePicture {
  readonly pixels: Uint32Array;
  readonly width: number;
  readonly height: number;
}

/** The line of a lane in one frame. */
type PaintLine = (picture: LanePicture, lane: number, top: number, rows: number) => void;

export class TaskCounter {
  readonly dispose: () => void;
  readonly #engine: EngineClient;
  readonly #tiles: TrackTiles<'task_counter', CounterValues>;
  #lanes: TaskLanes | null = null;
  #pids: readonly number[] = [];
  readonly #painted = new Map<number, PaintedRow>();

  /** `arrived`: called when there is more to paint. `ask`: called when there is more to ask for. */
  constructor(engine: EngineClient, arrived: () => void, ask: () => void) {
    this.#engine = engine;
    this.#tiles = new TrackTiles(engine, counterTiles('task_counter'), arrived);
    this.dispose = counterOf(engine, 'task').state.subscribe(ask);
  }

  get idle(): boolean {
    return this.#tiles.idle;
  }

  get inFlight(): number {
    return this.#tiles.inFlight;
  }

  reset(): void {
    this.#tiles.reset();
    this.#lanes = null;
  }

  /** What was painted last on a lane. */
  painted(lane: number): PaintedRow {
    return this.#painted.get(lane) ?? NO_ROW;
  }

  /** Asks for what the lanes will need. */
  request(model: SceneModel, lanes: TaskLanes, width: DevPx): void {
    if (lanes !== this.#lanes) {
      this.#lanes = lanes;
      this.#pids = lanes.lanes.map(({ pid }) => pid);
      this.#tiles.reset();
    }
    const known = model.view.counter === '' ? null : wantedCounter(this.#engine, 'task', model);
    if (known === null) this.#tiles.rest();
    else this.#tiles.request({ ...model, revision: known.revision }, this.#pids, width, known.counter);
  }

  /** What paints the lines of a frame; null if there are none. */
  painter(model: SceneModel, scale: Timescale): PaintLine | null {
    this.#painted.clear();
    const known = model.view.counter === '' ? null : knownCounter(this.#engine, 'task');
    if (known === null || this.#tiles.slots === 0) return null;
    const brush = new CounterBrush(scale.width, known.info, model);
    const parts = tilesParts(this.#tiles, model, scale, known.counter);
    return ({ pixels, width, height }, lane, top, rows) => {
      const [first, end] = [Math.max(0, -top), Math.min(rows, height - top)];
      if (end <= first) return;
      if (first === 0 && end === rows) {
        this.#painted.set(lane, brush.paint(parts, lane, { out: pixels, offset: top * width, rows }));
        return;
      }
      // A lane that is cut by the edge of the pane is painted whole beside it.
      const seen = pixels.subarray((top + first) * width, (top + end) * width);
      const whole = new Uint32Array(rows * width);
      whole.set(seen, first * width);
      this.#painted.set(lane, brush.paint(parts, lane, { out: whole, offset: 0, rows }));
      seen.set(whole.subarray(first * width, end * width));
    };
  }
}
