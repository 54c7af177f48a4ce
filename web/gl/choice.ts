/** Whether WebGL or 2D draws the page, by measuring: where the CPU plays the GPU, 2D is several times as fast. Pure. */
import type { Graphics } from './renderer';

export interface GraphicsChoice {
  readonly graphics: Graphics;
  /** `start`: not chosen yet. `url`: the address says so. */
  readonly by: 'start' | 'url' | 'measure';
  /** Milliseconds for a frame of the lanes; null if it was not measured. */
  readonly webglMs: number | null;
  readonly flatMs: number | null;
}

/** If WebGL draws a frame within this many ms, no alternative is needed. GPUs do. */
export const QUICK_MS = 5;
/** How many times faster 2D has to be, so that small differences change nothing. */
export const MARGIN = 1.25;

/** The choice at the start; `asked`: the value of `?graphics=`, if any. */
export function firstChoice(asked: string | null): GraphicsChoice {
  const forced = asked === 'webgl' || asked === '2d' ? asked : null;
  return { graphics: forced ?? 'webgl', by: forced === null ? 'start' : 'url', webglMs: null, flatMs: null };
}

/** `webgl` and `flat` draw the same frame and return how long that took, in ms. Of two turns the better one counts. */
export function choose(webgl: () => number, flat: () => number): GraphicsChoice {
  const first = webgl();
  if (first < QUICK_MS) return { graphics: 'webgl', by: 'measure', webglMs: first, flatMs: null };
  const firstFlat = flat();
  const webglMs = Math.min(first, webgl());
  const flatMs = Math.min(firstFlat, flat());
  const graphics = webglMs >= QUICK_MS && flatMs * MARGIN < webglMs ? '2d' : 'webgl';
  return { graphics, by: 'measure', webglMs, flatMs };
}
