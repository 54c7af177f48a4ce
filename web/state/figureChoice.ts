/** What the user chooses for a figure, beside the view. */
import type { FigureFormat, FigureKind, LegendOf } from '../engine/protocol';

/** The user's choices. What the view lacks is left out, whatever is chosen. */
export interface FigureChoice {
  readonly kind: FigureKind;
  readonly format: FigureFormat;
  /** The resolution of a PNG, in dots per inch. */
  readonly dpi: number;
  /** The width in mm. */
  readonly width: number;
  /** The height in mm; null: what the lanes need. */
  readonly height: number | null;
  /** The title; empty: none. */
  readonly title: string;
  /** Whether the figure has all CPUs, or those in sight. */
  readonly allCpus: boolean;
  readonly running: boolean;
  readonly tasks: boolean;
  readonly legend: LegendOf;
  readonly marks: boolean;
  readonly arrows: boolean;
  readonly moves: boolean;
  readonly runqueues: boolean;
  readonly calls: boolean;
  readonly interrupts: boolean;
  readonly counter: boolean;
}

/** Text widths in mm: of a column of a two-column page, and of the whole page. */
export const FIGURE_WIDTHS = { column: 85, text: 178 } as const;

export const firstChoice: FigureChoice = {
  kind: 'timeline',
  format: 'svg',
  dpi: 300,
  width: FIGURE_WIDTHS.text,
  height: null,
  title: '',
  allCpus: false,
  running: true,
  tasks: true,
  legend: 'window',
  marks: true,
  arrows: true,
  moves: true,
  runqueues: true,
  calls: true,
  interrupts: true,
  counter: true,
};
