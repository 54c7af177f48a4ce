/** Figures for papers and mails: what the page asks the engine for. Lengths are mm. */
import type { Ns, TimeWindow } from '../base/units';
import type { Cpu } from './protocol';

export type FigureFormat = 'svg' | 'pdf' | 'png';
export type FigureKind = 'timeline' | 'running-waiting' | 'wakeup';
/** A panel below a timeline. */
export type FigurePart = 'running-waiting' | 'tasks';
/** What the legend of commands counts; `to-end`: from time 0 to the figure's right end. */
export type LegendOf = 'window' | 'to-end' | 'trace' | 'none';

export interface FigurePlace {
  readonly cpu: Cpu;
  readonly at: Ns;
}

/** Everything that decides a figure of a trace, at whole ns since its first record. */
export interface Figure {
  readonly kind: FigureKind;
  readonly with: readonly FigurePart[];
  /** null: the whole trace, after the leading sleep where `afterSleep`. */
  readonly window: TimeWindow | null;
  readonly forked: boolean;
  readonly after_sleep: boolean;
  /** Tasks whose command begins so are coloured, all others black. */
  readonly target: string | null;
  readonly cpus: readonly Cpu[] | null;
  readonly color_by: 'pid' | 'command';
  readonly legend: LegendOf;
  /** `Topology.canonical`, by which the lanes are ordered. */
  readonly topology: string | null;
  /** null: the text's width of a two-column page. */
  readonly width: number | null;
  /** null: what the lanes need. */
  readonly height: number | null;
  readonly title: string | null;
  readonly highlight: readonly string[];
  readonly moves: boolean;
  /** A and B are marks; on all lanes where there is no CPU. */
  readonly notes: readonly { readonly cpu: Cpu | null; readonly at: Ns; readonly text: string }[];
  readonly arrows:
    | (FigurePlace & { readonly of: 'chain'; readonly hops: number })
    | (FigurePlace & { readonly of: 'cascade' })
    | null;
  readonly runqueues: boolean;
  readonly task_lanes: { readonly pids: readonly number[]; readonly comms: readonly string[] };
  /** The run that a `wakeup` figure is about. */
  readonly wakeup: FigurePlace | null;
  /** The first CPU on top, as in the page; else it is the lowest, as in papers. */
  readonly top_down: boolean;
}

/** A job: a later one of its key drops it. */
export interface FigureQuery {
  readonly type: 'figure';
  readonly figure: Figure;
  /** The trace, as the command line names it. */
  readonly file: string;
  readonly fingerprint: string;
  readonly clock_is_ns: boolean;
  /** The file that the command line writes. */
  readonly out: string;
  readonly formats: readonly FigureFormat[];
  /** Of PNG. */
  readonly dpi: number;
  /** Width and height in device pixels of the box that the figure is shown in. */
  readonly preview: readonly [number, number];
}

export interface FigureAnswer {
  readonly type: 'figure';
  readonly query: FigureQuery;
  /** The command line that makes the same file. */
  readonly command: string;
  /** Of the figure, in mm. */
  readonly width: number;
  readonly height: number;
  /** In the order of the query's formats. */
  readonly files: readonly Uint8Array<ArrayBuffer>[];
  /** The figure as a PNG that fits into the query's box. */
  readonly preview: Uint8Array<ArrayBuffer>;
  /** Dots an inch of the preview. */
  readonly preview_dpi: number;
}
