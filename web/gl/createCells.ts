import type { CellSurface } from './cells';
import { Cells2d } from './cells2d';
import { CellsWebgl } from './cellsWebgl';
import { createContext } from './context';

/**
 * The best cell surface that the browser gives. `restored`: the surface lost all it held and can draw again. null only
 * where a canvas has neither kind of context.
 */
export function createCells(canvas: HTMLCanvasElement, restored: () => void): CellSurface | null {
  const context = createContext(canvas);
  if (context !== null) return new CellsWebgl(canvas, context, restored);
  const flat = canvas.getContext('2d', { alpha: false });
  return flat === null ? null : new Cells2d(canvas, flat);
}
