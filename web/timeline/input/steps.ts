/** Steps of keys that come faster than answers do. */

/** As many steps wait at most: a key that is held while answers are slow does not go on for long after it was let go. */
const MOST_WAITING = 8;

/** Takes steps one after another, so that each begins where the one before has led. */
export class Steps {
  #last: Promise<void> = Promise.resolve();
  #waiting = 0;

  /** Takes a step after those that were asked for before; leaves it out if too many wait. `step` never rejects. */
  take(step: () => Promise<void>): Promise<void> {
    if (this.#waiting === MOST_WAITING) return this.#last;
    this.#waiting++;
    this.#last = this.#last.then(step).finally(() => {
      this.#waiting--;
    });
    return this.#last;
  }
}
