/** Makes the window on the screen follow the view's window, at once or smoothly. */
import { type DevPx, ns, type TimeWindow } from '../../base/units';
import { between, looksLike } from './timescale';

/** Time constant of the approach in ms: after three of them, 95 % of the way is done. */
const TAU = 55;
/** Longer gaps between frames count as this many ms, so that a tab that was hidden does not jump. */
const LONGEST_STEP = 64;

export class Glide {
  #shown: TimeWindow = { start: ns(0), end: ns(1) };
  #last: number | null = null;
  #jump = true;

  /** The window on the screen. */
  get shown(): TimeWindow {
    return this.#shown;
  }

  /** Makes the next `advance` arrive at once. */
  jump(): void {
    this.#jump = true;
  }

  /** Moves towards `target`; true until it has arrived. */
  advance(now: number, target: TimeWindow, width: DevPx): boolean {
    if (this.#jump || looksLike(this.#shown, target, width)) {
      this.#shown = target;
      this.#jump = false;
      this.#last = null;
      return false;
    }
    const elapsed = this.#last === null ? 16 : Math.min(LONGEST_STEP, now - this.#last);
    this.#last = now;
    this.#shown = between(this.#shown, target, 1 - Math.exp(-elapsed / TAU));
    return true;
  }
}
