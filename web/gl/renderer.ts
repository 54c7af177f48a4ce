/**
 * What draws on a pane's canvas: WebGL 2 if the browser has it, else 2D. A WebGL context may be lost at any time. Most
 * come back at once, as after a suspend. If one does not within `GRACE_MS`, a 2D canvas replaces it for good: 2D draws
 * the same, and a graphics process that failed once is likely to fail again.
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
  /** Replaces the canvas: one canvas has the same kind of context for ever. */
  readonly renewCanvas: () => HTMLCanvasElement;
  readonly webgl: (canvas: HTMLCanvasElement, context: GlContext) => S;
  readonly flat: (canvas: HTMLCanvasElement, context: CanvasRenderingContext2D) => S;
  /** Called when there is another surface, or none: what it held is gone, and everything has to be redrawn. */
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

  /** null while the context is lost, and if a canvas offers neither kind. */
  get surface(): S | null {
    return this.#surface;
  }

  get kind(): 'webgl2' | '2d' | 'lost' | 'none' {
    return this.#surface?.kind ?? (this.#lost ? 'lost' : 'none');
  }

  /** Draws in 2D from now on. */
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

  /** Creates the surface. If the context is lost again meanwhile, none is made; an event says so, or has said so. */
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
