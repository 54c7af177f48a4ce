/** Calls `send` at most once in `interval()` milliseconds, and always with the last value. */
export class Throttle<T> {
  readonly #interval: () => number;
  readonly #send: (value: T) => void;
  #next = 0;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #last: { readonly value: T } | null = null;

  constructor(interval: () => number, send: (value: T) => void) {
    this.#interval = interval;
    this.#send = send;
  }

  push(value: T): void {
    this.#last = { value };
    if (this.#timer !== null) return;
    const wait = this.#next - performance.now();
    if (wait <= 0) this.flush();
    else this.#timer = setTimeout(() => this.flush(), wait);
  }

  /** Sends the waiting value now. */
  flush(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const last = this.#last;
    this.#last = null;
    if (last === null) return;
    this.#next = performance.now() + this.#interval();
    this.#send(last.value);
  }

  /** Drops the waiting value. */
  cancel(): void {
    this.#last = null;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}
