/**
 * Indexes that only some queries need: made when such a query first waits, in slices that are short enough for no other
 * query to wait.
 */
import type { TraceQuery } from './protocol';

/** The part of the wasm side's trace that is used. Each call works for a millisecond or so; true once the index is there. */
export interface Preparing {
  prepareRunqueues(): boolean;
  prepareWaits(): boolean;
  prepareConservation(): boolean;
}
type Preparation = keyof Preparing;

const NEEDS: Partial<Record<TraceQuery['type'], Preparation>> = {
  commands: 'prepareWaits',
  taskTable: 'prepareWaits',
  cpuTable: 'prepareRunqueues',
  depth: 'prepareRunqueues',
  waitingAt: 'prepareRunqueues',
  conservation: 'prepareConservation',
  stats: 'prepareConservation',
  wait: 'prepareConservation',
};

/** Milliseconds of a slice. */
const SLICE = 12;

export class Preparations {
  readonly #now: () => number;
  #done = new Set<Preparation>();

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Another view may need other indexes. */
  reset(): void {
    this.#done = new Set();
  }

  /** A query of this type can be answered at once. */
  isReady(type: TraceQuery['type']): boolean {
    const need = NEEDS[type];
    return need === undefined || this.#done.has(need);
  }

  /** A slice of the work for a query of this type. */
  turn(trace: Preparing, type: TraceQuery['type']): void {
    const need = NEEDS[type];
    if (need === undefined) return;
    const end = this.#now() + SLICE;
    do {
      if (trace[need]()) {
        this.#done.add(need);
        return;
      }
    } while (this.#now() < end);
  }
}
