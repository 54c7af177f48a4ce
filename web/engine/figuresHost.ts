/** The figures worker as the engine worker sees it: what it is given, and what comes back. */
import type { ModelWorker } from './modelHost';
import type { FigureAnswer, FigureQuery } from './protocol';

/** `model`: as `LoadedTrace.model` returns it. */
export interface FiguresStart {
  readonly model: Uint8Array<ArrayBuffer>;
}

export type FiguresWorker = ModelWorker<FiguresStart, FigureQuery, FigureAnswer>;

/** The buffers of a figure, which are transferred instead of copied. */
export const filesOf = ({ files, preview }: FigureAnswer): ArrayBuffer[] =>
  [...files, preview].map(({ buffer }) => buffer);
