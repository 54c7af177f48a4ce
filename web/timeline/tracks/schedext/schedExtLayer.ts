/**
 * Lanes below those of CPUs: what sched_ext's core did (bypasses, exits, dumps), and the dispatch queues: how long each is as
 * steps, and the waits in it as points.
 */
import { cssPx, type DevPx, ns } from '../../../base/units';
import type { EngineClient } from '../../../engine/client';
import { queueName } from '../../../state/queueNames';
import { dispatchQueues, schedExtEvents } from '../../../state/schedExtFacts';
import { type LaneLayout, laneTop } from '../../frame/laneLayout';
import type { SceneModel } from '../../frame/sceneModel';
import type { SceneTheme } from '../../frame/theme';
import type { Timescale } from '../../frame/timescale';
import type { LanePainter, PaintedLane } from '../lanePainter';
import { pointColumns, stepColumns } from './queueColumns';

type Events = NonNullable<ReturnType<typeof schedExtEvents>>;

/** A queue's lane. */
interface QueueLane {
  readonly name: string;
  /** Instants and values, one after the other. */
  readonly waits: Float64Array;
  readonly lengths: Float64Array;
  readonly longest: number;
  readonly most: number;
}

/** The most queues that have lanes: those with most waits. */
const MOST_LANES = 16;
/** Room above and below a lane's content, in CSS pixels. */
const GAP = 2;
const NO_LANES: readonly QueueLane[] = [];

export class SchedExtLayer implements LanePainter {
  readonly kind = 'sched_ext';
  readonly #engine: EngineClient;
  readonly #arrived: () => void;
  readonly #ask: () => void;
  #queues: { readonly session: number; readonly lanes: readonly QueueLane[] } | null = null;
  #painted: readonly PaintedLane[] = [];

  constructor(engine: EngineClient, arrived: () => void, ask: () => void) {
    this.#engine = engine;
    this.#arrived = arrived;
    this.#ask = ask;
  }

  /** Its questions are asked once; the engine counts them. */
  get idle(): boolean {
    return true;
  }

  get inFlight(): number {
    return 0;
  }

  get painted(): readonly PaintedLane[] {
    return this.#painted;
  }

  names(model: SceneModel): readonly string[] {
    const lanes = this.#lanesOf(model).map(({ name }) => name);
    return this.#hasEvents(model) ? ['sched_ext', ...lanes] : lanes;
  }

  reset(): void {
    this.#queues = null;
    this.#painted = [];
  }

  request(model: SceneModel, _width: DevPx): void {
    if (this.#hasEvents(model)) this.#events();
    this.#lanesOf(model);
  }

  paint(context: CanvasRenderingContext2D, model: SceneModel, scale: Timescale, layout: LaneLayout): void {
    this.#painted = [];
    if (this.names(model).length === 0) return;
    const painted: PaintedLane[] = [];
    let lane = 0;
    if (this.#hasEvents(model)) {
      painted.push(paintEvents(context, this.#events(), model, scale, layout));
      lane++;
    }
    for (const queue of this.#lanesOf(model)) {
      painted.push({ cpu: lane, ...paintQueue(context, queue, model, scale, layout, lane) });
      lane++;
    }
    this.#painted = painted;
  }

  #hasEvents({ trace }: SceneModel): boolean {
    return trace?.stage === 'opened' && this.#engine.systems.get().includes('sched_ext');
  }

  #events(): Events | null {
    return schedExtEvents(this.#engine, this.#arrived);
  }

  #lanesOf({ trace }: SceneModel): readonly QueueLane[] {
    if (trace?.stage !== 'opened' || !trace.hasQueues) return NO_LANES;
    const { session } = this.#engine;
    if (this.#queues?.session === session) return this.#queues.lanes;
    const answer = dispatchQueues(this.#engine, this.#ask);
    if (answer === null) return NO_LANES;
    const lanes = answer.queues.map((queue, i) => ({
      name: queueName(queue.id),
      waits: answer.numbers[2 * i] ?? new Float64Array(),
      lengths: answer.numbers[2 * i + 1] ?? new Float64Array(),
      longest: queue.latency_us_max ?? 0,
      most: queue.nr_queued_max ?? 0,
    }));
    lanes.sort((a, b) => b.waits.length - a.waits.length);
    this.#queues = { session, lanes: lanes.slice(0, MOST_LANES) };
    return this.#queues.lanes;
  }
}

/** The core's bypasses as bands, exits and lines of dumps as strokes. */
function paintEvents(
  context: CanvasRenderingContext2D,
  events: Events | null,
  { theme, window }: SceneModel,
  scale: Timescale,
  layout: LaneLayout,
): PaintedLane {
  const top = laneTop(layout, 0) + GAP;
  const height = Math.max(1, layout.pitch - 2 * GAP);
  if (events === null) return { cpu: 0, columns: 0, most: 0 };
  let bands = 0;
  context.fillStyle = theme.softirq;
  for (const { start, end } of events.bypasses) {
    const until = end ?? window.end;
    if (until < window.start || start > window.end) continue;
    bands++;
    const left = Math.max(-1, scale.timeToCssPx(start));
    const right = Math.min(scale.width / scale.pixelRatio + 1, scale.timeToCssPx(ns(until)));
    // A short one is seen at any zoom.
    context.fillRect(left, top, Math.max(1, right - left), height);
  }
  let strokes = 0;
  const stroke = (lines: Events['exits'], colour: string, share: number): void => {
    context.fillStyle = colour;
    for (const { at } of lines) {
      if (at < window.start || at >= window.end) continue;
      strokes++;
      context.fillRect(scale.timeToCssPx(at) - 0.5, top, 1.5, height * share);
    }
  };
  stroke(events.dumps, theme.quiet, 0.5);
  stroke(events.exits, theme.hardirq, 1);
  return { cpu: 0, columns: bands, most: strokes };
}

function paintQueue(
  context: CanvasRenderingContext2D,
  queue: QueueLane,
  { theme, window }: SceneModel,
  scale: Timescale,
  layout: LaneLayout,
  lane: number,
): Omit<PaintedLane, 'cpu'> {
  const top = cssPx(laneTop(layout, lane) + GAP);
  const height = Math.max(1, layout.pitch - 2 * GAP);
  const { width, pixelRatio } = scale;
  const lengths = stepColumns(queue.lengths, window, width);
  const waits = pointColumns(queue.waits, window, width);
  const column = 1 / pixelRatio;
  let [columns, most] = [0, 0];
  context.fillStyle = theme.runningFill;
  for (const [x, length] of lengths.entries()) {
    if (!(length > 0)) continue;
    columns++;
    most = Math.max(most, length);
    const high = (length / Math.max(1, queue.most)) * height;
    context.fillRect(x * column, top + height - high, column, high);
  }
  paintPoints(context, waits, queue.longest, { top, height, column }, theme);
  return { columns, most };
}

function paintPoints(
  context: CanvasRenderingContext2D,
  waits: Float64Array,
  longest: number,
  { top, height, column }: { readonly top: number; readonly height: number; readonly column: number },
  theme: SceneTheme,
): void {
  context.fillStyle = theme.runnable;
  const size = Math.min(2, height / 2);
  for (const [x, wait] of waits.entries()) {
    if (Number.isNaN(wait)) continue;
    const y = top + (height - size) * (1 - wait / Math.max(1, longest));
    context.fillRect(x * column - size / 2, y, size, size);
  }
}
