/** One `requestAnimationFrame` for everything: whatever changes asks for a frame and says what has to be redrawn. */

/** What a frame redraws. `window`: everything; `request`: nothing, but other data are asked for; `patches`: what is still missing of the emphasis. */
export type Layer =
  | 'window'
  | 'request'
  | 'cells'
  | 'curve'
  | 'overview'
  | 'overlay'
  | 'emphasis'
  | 'patches'
  | 'lens'
  | 'hover';

export class FrameLoop {
  readonly #frame: (now: number, layers: ReadonlySet<Layer>) => void;
  #layers = new Set<Layer>();
  #request = 0;
  #frames = 0;

  constructor(frame: (now: number, layers: ReadonlySet<Layer>) => void) {
    this.#frame = frame;
  }

  /** How many frames were drawn. */
  get frames(): number {
    return this.#frames;
  }

  get pending(): boolean {
    return this.#request !== 0;
  }

  invalidate(...layers: readonly Layer[]): void {
    for (const layer of layers) this.#layers.add(layer);
    if (this.#request === 0) this.#request = requestAnimationFrame(this.#run);
  }

  stop(): void {
    cancelAnimationFrame(this.#request);
    this.#request = 0;
  }

  readonly #run = (now: number): void => {
    this.#request = 0;
    const layers = this.#layers;
    this.#layers = new Set();
    this.#frames++;
    this.#frame(now, layers);
  };
}
