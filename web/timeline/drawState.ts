/** What is on the screen, in numbers, for tests, which cannot rely on pixels alone. */
import type { Ns, TimeWindow } from '../base/units';
import type { Cpu } from '../engine/protocol';
import type { GraphicsChoice } from '../gl/choice';
import { mergeColumn, newColumn } from '../gl/mergeColumn';
import { PATTERNS } from '../gl/shaders';
import { laneTop } from './frame/laneLayout';
import { GUTTER } from './frame/plotFrame';
import type { PlacedEvent, PlacedMark } from './overlay/eventMarks';
import type { PlacedTimeMarks } from './overlay/timeMarks';
import type { Bracket } from './tracks/cpu/brackets';
import { AXIS_HEIGHT, type LanesPane } from './tracks/cpu/lanesPane';
import type { LensPlace } from './tracks/cpu/lens';
import { type CpuStep, cpuSteps } from './tracks/curve/curveColumns';
import type { RunningPane } from './tracks/curve/runningPane';
import type { PaintedLane } from './tracks/lanePainter';
import type { OverviewPane } from './tracks/overview/overviewPane';
import type { TasksDrawState } from './tracks/task/taskScene';

/** The state of one lane, in device-pixel columns. Positions are CSS pixels from the pane's corner. */
export interface LaneState {
  readonly cpu: Cpu;
  readonly top: number;
  readonly height: number;
  /** How many columns have something running, something unknown, something inferred, and a highlighted run. */
  readonly busy: number;
  readonly unknown: number;
  readonly inferred: number;
  readonly highlighted: number;
  /** The sum of how full the columns are, as a share of the lane. */
  readonly fill: number;
}

export interface DrawState {
  /** `lost`: the context was lost, and nothing has been drawn in its place yet. */
  readonly mode: 'webgl2' | '2d' | 'lost' | 'none';
  readonly software: boolean;
  /** Why this mode was chosen, and what was measured for that. */
  readonly graphics: GraphicsChoice;
  /** How often the lanes' cells, the curves and the lanes' overlay were drawn. */
  readonly drawn: { readonly cells: number; readonly curve: number; readonly overlay: number };
  /** How many patches of the hovered task's or command's colour stand out. */
  readonly patches: number;
  readonly window: TimeWindow;
  /** log2 of the bucket width in ns: the one that the window wants, and those on the screen. */
  readonly level: number;
  readonly shownLevels: readonly number[];
  readonly nsPerDevicePixel: number;
  /** The plot's place in the pane, in CSS pixels. */
  readonly plot: { readonly left: number; readonly top: number; readonly width: number; readonly height: number };
  readonly lanes: readonly LaneState[];
  /** The lanes that the lens shows, and its place in the plot, in CSS pixels; null: there is none. */
  readonly lens: LensPlace | null;
  /** What the lanes on the screen show of their CPUs' runqueues; empty while that is hidden. */
  readonly depth: readonly PaintedLane[];
  /** What the lanes on the screen show of interrupts; empty while they are hidden. */
  readonly irqs: readonly PaintedLane[];
  /** The lanes of sched_ext below those of CPUs: its strip, then its dispatch queues; `cpu` is their number. */
  readonly schedExt: readonly PaintedLane[];
  /** The lines of the counter on the lanes on the screen. */
  readonly counter: readonly PaintedLane[];
  /** The events that pass the filter on the lanes on the screen, and those of all CPUs on the overview. */
  readonly hits: { readonly lanes: readonly PaintedLane[]; readonly overview: PaintedLane | null };
  readonly cpuLabels: number;
  readonly runLabels: number;
  readonly arrows: number;
  /** How many runs are marked because their task came from another CPU. */
  readonly moves: number;
  /** The brackets in the gutter; CSS pixels in the plot. */
  readonly brackets: readonly Bracket[];
  /** The current event and the marked ones; CSS pixels in the plot. */
  readonly event: PlacedEvent | null;
  readonly marks: readonly PlacedMark[];
  /** A, B and their distance; CSS pixels in the plot. */
  readonly timeMarks: PlacedTimeMarks;
  readonly frames: number;
  readonly queriesInFlight: number;
  /** The state of the running/waiting pane; null where it is not on the page. */
  readonly curve: {
    readonly mode: DrawState['mode'];
    readonly mostRunning: number;
    readonly mostRunnable: number;
    /** Columns in which some task waits behind another while some CPU idles. */
    readonly violated: number;
    /** Columns in which some task waits for its idle CPU. */
    readonly leavingIdle: number;
    /** Columns in which the trace does not tell for any CPU what it does. */
    readonly untold: number;
    /** The dotted line, in device pixels: for how many CPUs it is known what they do. */
    readonly cpus: readonly CpuStep[];
  } | null;
  /** The window's edges on the overview, in CSS pixels of its plot, and how often its trace was painted. */
  readonly overview: { readonly from: number; readonly to: number; readonly drawn: number } | null;
  /** null where no task lanes are on the page. */
  readonly tasks: TasksDrawState | null;
  /** The hovered instant, as the crosshairs show it. */
  readonly hovered: Ns | null;
}

/** The state of the lanes, found by merging the cells again as the screen did. */
export function laneStates(pane: LanesPane, cpus: readonly Cpu[]): LaneState[] {
  const { layout } = pane;
  const { segments } = pane.cells;
  const tiles = pane.cells.shown;
  const column = newColumn();
  const shown = segments.map((segment) => ({ segment, cells: segment.slots.map((slot) => tiles.get(slot)) }));
  return cpus.map((cpu, lane) => {
    let busy = 0;
    let unknown = 0;
    let inferred = 0;
    let highlighted = 0;
    let fill = 0;
    for (const { segment, cells } of shown) {
      for (let x = segment.x0; x < segment.x1; x++) {
        mergeColumn(segment, cells, lane, x, column);
        if (column.full > 0) busy++;
        if (column.pattern === PATTERNS.unknown) unknown++;
        if (column.pattern === PATTERNS.inferred) inferred++;
        if (column.highlight) highlighted++;
        fill += column.full;
      }
    }
    const top = AXIS_HEIGHT + laneTop(layout, lane);
    return { cpu, top, height: layout.pitch, busy, unknown, inferred, highlighted, fill: fill / pane.scale.width };
  });
}

export function plotPlace(pane: LanesPane): DrawState['plot'] {
  return { left: GUTTER, top: AXIS_HEIGHT, width: pane.frame.width, height: pane.frame.height };
}

/** `cpus`: how many CPUs the trace has. */
export function curveState(pane: RunningPane | null, cpus: number): DrawState['curve'] {
  if (pane === null) return null;
  const { known, untold, mostRunning, mostRunnable } = pane.columns;
  const { behind, leavingIdle } = pane.conservation;
  const most = (values: Uint32Array): number =>
    values.reduce((top, value, x) => Math.max(top, known[x] ? value : 0), 0);
  return {
    mode: pane.kind,
    mostRunning: most(mostRunning),
    mostRunnable: most(mostRunnable),
    violated: behind.filter((share) => share > 0).length,
    leavingIdle: leavingIdle.filter((share) => share > 0).length,
    untold: untold.filter((is) => is === 1).length,
    cpus: cpuSteps(pane.columns, cpus),
  };
}

export function overviewState(pane: OverviewPane | null): DrawState['overview'] {
  return pane && { ...pane.brush, drawn: pane.drawn };
}
