/** Finds the run under the pointer by asking the engine, by time and CPU; no pixel is read back. */
import { type Ns, ns, type TimeWindow } from '../../base/units';
import type { EngineClient } from '../../engine/client';
import type { Cpu, Interval } from '../../engine/protocol';
import { cpuAt } from '../../engine/protocolTracks';
import type { TrackPlace } from './trackPlace';

/** What is on a CPU's lane at an instant; null also where the engine cannot say. */
export async function intervalAt(
  engine: EngineClient,
  key: string,
  cpu: Cpu,
  at: Ns,
): Promise<Interval | null | 'superseded'> {
  const outcome = await engine.query(key, cpuAt(cpu, at));
  if (outcome.kind === 'superseded') return 'superseded';
  return outcome.kind === 'answer' ? outcome.answer.item : null;
}

/**
 * The interval of a lane at the pointer. A pixel may cover many intervals: if its middle is idle, the first run that
 * begins within `around` (the pixel and its neighbours) is meant, because that is what can be seen there.
 */
export async function pickRun(
  engine: EngineClient,
  key: string,
  cpu: Cpu,
  around: TimeWindow,
): Promise<Interval | null | 'superseded'> {
  const at = ns(Math.floor((around.start + around.end) / 2));
  const interval = await intervalAt(engine, key, cpu, at);
  if (interval === null || interval === 'superseded' || interval.kind === 'run') return interval;
  if (interval.start <= around.start && around.end <= interval.end) return interval;
  const from = ns(Math.max(0, Math.floor(around.start)));
  const edge = await intervalAt(engine, key, cpu, from);
  if (edge === 'superseded' || edge?.kind === 'run') return edge;
  const next = await engine.query(key, { type: 'step', kind: 'cpu', key: cpu, at: from, direction: 1 });
  if (next.kind === 'superseded') return 'superseded';
  const found = next.kind === 'answer' ? next.answer.item : null;
  return found !== null && found.start < around.end ? found : interval;
}

/** What is on a CPU's lane at the pointer. */
export interface OnLane {
  readonly interval: Interval | null;
  /** How many tasks wait on the CPU; null if that was not asked. */
  readonly waiting: number | null;
}

/** `countsWaiting`: whether to ask also how many tasks wait on the CPU. */
export async function pickLane(
  engine: EngineClient,
  { track: { key: cpu }, around }: TrackPlace,
  countsWaiting: boolean,
): Promise<OnLane | 'superseded'> {
  const interval = await pickRun(engine, 'scene/hover', cpu, around);
  if (interval === 'superseded') return 'superseded';
  if (!countsWaiting) return { interval, waiting: null };
  const at = ns(Math.floor((around.start + around.end) / 2));
  const outcome = await engine.query('scene/waiting', { type: 'at', kind: 'runqueue', key: cpu, at });
  return { interval, waiting: outcome.kind === 'answer' ? outcome.answer.item : null };
}

/** Asks what is under the pointer, one question at a time; the next one is for where the pointer is by then. */
export class HoverPicker<Place, Found> {
  readonly #ask: (place: Place) => Promise<Found | null | 'superseded'>;
  readonly #sameLane: (a: Place, b: Place) => boolean;
  readonly #found: (found: Found | null) => void;
  #next: Place | null = null;
  #asking = false;
  /** Whether the pointer has left the lanes: an answer that is still under way then comes too late. */
  #left = true;

  constructor(
    ask: (place: Place) => Promise<Found | null | 'superseded'>,
    sameLane: (a: Place, b: Place) => boolean,
    found: (found: Found | null) => void,
  ) {
    this.#ask = ask;
    this.#sameLane = sameLane;
    this.#found = found;
  }

  get idle(): boolean {
    return !this.#asking;
  }

  /** The pointer has moved; null: it left the lanes. */
  move(place: Place | null): void {
    this.#next = place;
    this.#left = place === null;
    if (place === null) this.#found(null);
    else if (!this.#asking) void this.#follow();
  }

  async #follow(): Promise<void> {
    this.#asking = true;
    while (this.#next !== null) {
      const place = this.#next;
      this.#next = null;
      const found = await this.#ask(place);
      if (found === 'superseded') break;
      if (this.#left) continue;
      // The pointer is still over that lane, or has stopped there.
      if (this.#next === null || this.#sameLane(this.#next, place)) this.#found(found);
    }
    this.#asking = false;
  }
}
