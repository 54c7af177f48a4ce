/** The colours of PIDs as bytes, for the palettes of the lanes. */
import { packColour } from '../../gl/columns';
import { channelsOf, pidRgb } from './colours';
import type { ThemeName } from './theme';

/** The most that Linux has as PIDs (`PID_MAX_LIMIT` of `include/linux/threads.h`). */
const PIDS = 1 << 22;

/**
 * Of one theme. A PID's colour is the same in all traces, and while one loads, all its tasks come again with each preview: so each is made
 * once.
 */
export class PidWords {
  readonly #make: (pid: number) => ReturnType<typeof pidRgb>;
  /** By PID; 0: not made yet. */
  #words = new Uint32Array(1 << 12);

  constructor(theme: ThemeName, make = (pid: number) => pidRgb(pid, theme)) {
    this.#make = make;
  }

  /** A little-endian RGBA word. */
  of(pid: number): number {
    const known = this.#words[pid];
    if (known) return known;
    const word = packColour(channelsOf(this.#make(pid)));
    if (0 <= pid && pid < PIDS) {
      if (this.#words.length <= pid) this.#grow(pid);
      this.#words[pid] = word;
    }
    return word;
  }

  #grow(pid: number): void {
    const words = new Uint32Array(2 ** Math.ceil(Math.log2(pid + 1)));
    words.set(this.#words);
    this.#words = words;
  }
}
