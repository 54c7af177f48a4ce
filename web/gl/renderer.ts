/**
 * What draws on a pane's canvas: WebGL 2 where the browser has it, else 2D. A WebGL context may be lost at any time. Most
 * come back at once, as after a suspend; one that does not within `GRACE_MS` is given up for a 2D canvas, and for good:
 * 2D draws the same, and a graphics process that failed once is likely to fail again.
 */
import { createContext, type GlContext, watchContext } from './context';
import { afterSeen } from './seen';

export type Graphics = 'webgl' | '2d';

/** Time for a lost context to come back, in ms. */
const GRACE_MS = 2000;

interface Surface {
  readonly kind: 'webgl2' | '2d';
  dispose(): void;
}

export interface RendererOptions<S extends Surface> {
  readonly graphics: Graphics;
  readonly canvas: HTMLCanvasElement;
  /** Puts another canvas into the place of the one that is there: a canvas has one kind of context for ever. */
  readonly renewCanvas: () => HTMLCanvasElement;
  readonly webgl: (canvas: HTMLCanvasElement, context: GlContext) => S;
  readonly flat: (canvas: HTMLCanvasElement, context: CanvasRenderingContext2D) => S;
  /** The surface is another one, or none: what it held is gone, and all is to be drawn again. */
  readonly changed: () => void;
}

export class Renderer<S extends Surface> {
  readonly #options: RendererOptions<S>;
  #surface: S | null = null;
  #lost = false;
  #endGrace: () => void = () => {};
  #unwatch: () => void = () => {};

  constructor(options: RendererOptions<S>) {
    this.#options = options;
    const { canvas, graphics } = options;
    const context = graphics === 'webgl' ? createContext(canvas) : null;
    if (context === null) {
      this.#surface = this.#flatOn(canvas);
      return;
    }
    this.#unwatch = watchContext(
      canvas,
      () => {
        this.#lose();
        options.changed();
      },
      () => {
        this.#start(context);
        options.changed();
      },
    );
    this.#start(context);
  }

  /** null while the context is lost, and where a canvas has neither kind. */
  get surface(): S | null {
    return this.#surface;
  }

  get kind(): 'webgl2' | '2d' | 'lost' | 'none' {
    return this.#surface?.kind ?? (this.#lost ? 'lost' : 'none');
  }

  /** From now on in 2D. */
  goFlat(): void {
    if (this.#surface?.kind === '2d') return;
    this.#stop();
    this.#lost = false;
    this.#surface = this.#flatOn(this.#options.renewCanvas());
    this.#options.changed();
  }

  dispose(): void {
    this.#stop();
    this.#surface = null;
  }

  #flatOn(canvas: HTMLCanvasElement): S | null {
    const context = canvas.getContext('2d', { alpha: false });
    return context === null ? null : this.#options.flat(canvas, context);
  }

  /** A context that is lost again meanwhile makes nothing; it says so with an event, or has said so. */
  #start(context: GlContext): void {
    this.#endGrace();
    this.#lost = false;
    try {
      this.#surface = this.#options.webgl(this.#options.canvas, context);
    } catch (error) {
      if (!context.gl.isContextLost()) throw error;
    }
    if (context.gl.isContextLost()) this.#lose();
  }

  #lose(): void {
    this.#surface = null;
    this.#lost = true;
    this.#endGrace();
    this.#endGrace = afterSeen(GRACE_MS, () => this.goFlat());
  }

  #stop(): void {
    this.#endGrace();
    this.#unwatch();
    this.#surface?.dispose();
  }
}
