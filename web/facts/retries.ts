/**
 * When the page asks the same question again: at once, after a failure or when the worker that knew the answer stopped, and at
 * most `AGAIN` times, because the worker may stop at that very question. Another question or another trace begins anew.
 */
import type { Outcome } from '../engine/client';

const AGAIN = 2;

export class Retries {
  #left = AGAIN;

  /** Another question. */
  reset(): void {
    this.#left = AGAIN;
  }

  /** Whether the same question may be asked again. */
  take(): boolean {
    return this.#left-- > 0;
  }
}

/** Asks until there is an answer, as long as it is wanted. */
export async function insist<A>(ask: () => Promise<Outcome<A>>, isWanted: () => boolean): Promise<Outcome<A>> {
  const retries = new Retries();
  for (;;) {
    const outcome = await ask();
    if (outcome.kind !== 'failed' || !isWanted() || !retries.take()) return outcome;
  }
}
