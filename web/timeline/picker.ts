/** Which run is under the pointer: asked of the engine, by time and CPU; no pixel is read back. */
import { ns, type TimeWindow } from '../base/units';
import type { EngineClient } from '../engine/client';
import type { Cpu, Interval } from '../engine/protocol';

/**
 * The interval of a lane at the pointer. A pixel may cover many intervals: where its middle is idle the first run that
 * begins within `around` (the pixel and its neighbours) is meant, for that is what can be seen there.
 */
export async function pickRun(
  engine: EngineClient,
  key: string,
  cpu: Cpu,
  around: TimeWindow,
): Promise<Interval | null | 'superseded'> {
  const at = ns(Math.floor((around.start + around.end) / 2));
  const middle = await engine.query(key, { type: 'pick', cpu, at });
  if (middle.kind === 'superseded') return 'superseded';
  const interval = middle.kind === 'answer' ? middle.answer.interval : null;
  if (interval === null || interval.kind === 'run') return interval;
  if (interval.start <= around.start && around.end <= interval.end) return interval;
  const from = ns(Math.max(0, Math.floor(around.start)));
  const edge = await engine.query(key, { type: 'pick', cpu, at: from });
  if (edge.kind === 'superseded') return 'superseded';
  if (edge.kind === 'answer' && edge.answer.interval?.kind === 'run') return edge.answer.interval;
  const next = await engine.query(key, { type: 'step', cpu, at: from, direction: 1 });
  if (next.kind === 'superseded') return 'superseded';
  const found = next.kind === 'answer' ? next.answer.interval : null;
  return found !== null && found.start < around.end ? found : interval;
}

/** Asks for what the pointer is over: one question at a time, then for where it is by then. */
export class HoverPicker {
  readonly #engine: EngineClient;
  readonly #found: (interval: Interval | null, waiting: number | null) => void;
  readonly #countsWaiting: () => boolean;
  #next: { readonly cpu: Cpu; readonly around: TimeWindow } | null = null;
  #asking = false;

  /** `countsWaiting`: whether it is also asked how many tasks wait on the CPU. */
  constructor(
    engine: EngineClient,
    countsWaiting: () => boolean,
    found: (interval: Interval | null, waiting: number | null) => void,
  ) {
    this.#engine = engine;
    this.#countsWaiting = countsWaiting;
    this.#found = found;
  }

  get idle(): boolean {
    return !this.#asking;
  }

  /** null: the pointer left the lanes. */
  move(place: { readonly cpu: Cpu; readonly around: TimeWindow } | null): void {
    this.#next = place;
    if (place === null) this.#found(null, null);
    else if (!this.#asking) void this.#ask();
  }

  async #ask(): Promise<void> {
    this.#asking = true;
    while (this.#next !== null) {
      const { cpu, around } = this.#next;
      this.#next = null;
      const interval = await pickRun(this.#engine, 'scene/hover', cpu, around);
      if (interval === 'superseded') break;
      const waiting = await this.#waiting(cpu, around);
      if (this.#isFor(cpu)) this.#found(interval, waiting);
    }
    this.#asking = false;
  }

  async #waiting(cpu: Cpu, around: TimeWindow): Promise<number | null> {
    if (!this.#countsWaiting()) return null;
    const at = ns(Math.floor((around.start + around.end) / 2));
    const outcome = await this.#engine.query('scene/waiting', { type: 'waitingAt', cpu, at });
    return outcome.kind === 'answer' ? outcome.answer.waiting : null;
  }

  /** The pointer is still over that CPU, or has stopped there. */
  #isFor(cpu: Cpu): boolean {
    return this.#next === null || this.#next.cpu === cpu;
  }
}
