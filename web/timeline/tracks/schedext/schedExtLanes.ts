/**
 * Lanes below those of CPUs: what sched_ext's core did (bypasses, exits, dumps), and the dispatch queues: how long each is as
 * steps, and the waits in it as points.
 */
import { type DevPx, ns } from '../../../base/units';
import type { EngineClient } from '../../../engine/client';
import { dispatchQueues, schedExtEvents } from '../../../facts/facts';
import { packColour } from '../../../gl/columns';
import { queueName } from '../../../state/queueNames';
import { hasSchedExtEvents } from '../../../state/schedExt';
import { toRgb } from '../../frame/colours';
import { type LaneLayout, laneTop } from '../../frame/laneLayout';
import type { SceneModel } from '../../frame/sceneModel';
import type { Timescale } from '../../frame/timescale';
import type { LanePainter, MakeLanePainter, PaintedLane } from '../lanePainter';
import { LaneRows, NO_ROW, paintedRow } from '../laneRows';
import { Points, paintBars, paintDots, pointColumns, stepColumns } from './queueColumns';

type Events = NonNullable<ReturnType<typeof schedExtEvents>>;

/** A queue's lane. */
interface QueueLane {
  readonly name: string;
  readonly waits: Points;
  readonly lengths: Points;
  readonly longest: number;
  readonly most: number;
}

/** The most queues that have lanes: those with most waits. */
const MOST_LANES = 16;
/** Room above and below a lane's content, in CSS pixels. */
const GAP = 2;
/** How large a wait is, in CSS pixels. */
const DOT = 2;
const NO_LANES: readonly QueueLane[] = [];
const NONE = new Float64Array();

export const schedExtLanes: MakeLanePainter = (engine, arrived, ask) => new SchedExtLanes(engine, arrived, ask);

class SchedExtLanes implements LanePainter {
  readonly kind = 'sched_ext';
  readonly #engine: EngineClient;
  readonly #arrived: () => void;
  readonly #ask: () => void;
  readonly #rows = new LaneRows();
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
    painted.push(...this.#paintQueues(context, lane, model, scale, layout));
    this.#painted = painted;
  }

  /** Paints the queues, whose lanes begin at `first`. */
  #paintQueues(
    context: CanvasRenderingContext2D,
    first: number,
    model: SceneModel,
    scale: Timescale,
    layout: LaneLayout,
  ): PaintedLane[] {
    const queues = this.#lanesOf(model);
    if (queues.length === 0) return [];
    const { theme, window } = model;
    const { width, pixelRatio: ratio } = scale;
    const rows = Math.max(1, Math.round((layout.pitch - 2 * GAP) * ratio));
    const [bar, dot] = [theme.runningFill, theme.runnable].map((colour) => packColour(toRgb(colour)));
    const size = Math.max(1, Math.min(Math.round(DOT * ratio), rows >> 1));
    const painted = this.#rows.paint(
      context,
      scale,
      { first: 0, end: queues.length },
      (lane) => ({ top: Math.round((laneTop(layout, first + lane) + GAP) * ratio), height: rows, rows }),
      (lane, out) => {
        const queue = queues[lane];
        if (queue === undefined) return NO_ROW;
        const lengths = stepColumns(queue.lengths, window, width);
        paintBars(lengths, Math.max(1, queue.most), bar ?? 0, out);
        const waits = pointColumns(queue.waits, window, width);
        paintDots(waits, Math.max(1, queue.longest), size, dot ?? 0, out);
        return paintedRow(lengths);
      },
    );
    return painted.map((row, lane) => ({ cpu: first + lane, ...row }));
  }

  #hasEvents({ trace }: SceneModel): boolean {
    return trace?.stage === 'opened' && hasSchedExtEvents(this.#engine.systems.get());
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
    const numbers = answer.queues.map((queue, i) => ({
      queue,
      waits: answer.numbers[2 * i] ?? NONE,
      lengths: answer.numbers[2 * i + 1] ?? NONE,
    }));
    numbers.sort((a, b) => b.waits.length - a.waits.length);
    const lanes = numbers.slice(0, MOST_LANES).map(({ queue, waits, lengths }) => ({
      name: queueName(queue.id),
      waits: new Points(waits),
      lengths: new Points(lengths),
      longest: queue.latency_us_max ?? 0,
      most: queue.nr_queued_max ?? 0,
    }));
    this.#queues = { session, lanes };
    return lanes;
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
  if (events === null) return { cpu: 0, ...NO_ROW };
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
