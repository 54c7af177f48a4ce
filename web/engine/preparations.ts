/**
 * Indexes that only some queries need: made when such a query first waits, in slices that are short enough for no other
 * query to wait.
 */

/** The part of the wasm side's trace that is used. Each call works for a millisecond or so; true once the index is there. */
export interface Preparing {
  prepareRunqueues(): boolean;
  prepareWaits(): boolean;
  prepareConservation(): boolean;
}

/** An index, by what makes it. */
export type Preparation = keyof Preparing;

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

  /** Nothing is needed, or it is there. */
  isReady(need: Preparation | undefined): boolean {
    return need === undefined || this.#done.has(need);
  }

  /** A slice of the work. */
  turn(trace: Preparing, need: Preparation): void {
    const end = this.#now() + SLICE;
    do {
      if (trace[need]()) {
        this.#done.add(need);
        return;
      }
    } while (this.#now() < end);
  }
}
