/**
 * Figures of what the page shows: the user's choices for one, and the question to the engine that they and the view
 * make. The choices are not part of the view. Pure.
 */
import { ns, type TimeWindow } from '../base/units';
import type { CounterGrid, Cpu, Figure, FigurePart, FigureQuery, Summary, TaskInfo } from '../engine/protocol';
import { chosenCpus } from './cpus';
import { FIGURE_WIDTHS, type FigureChoice } from './figureChoice';
import { CHAIN_HOPS } from './findings';
import { TIME_MARKS } from './marks';
import { type Limits, timeOrigin, type ViewState } from './viewState';

/** What the view shows, as far as figures need it. */
export interface FigureScene {
  readonly limits: Limits;
  /** The lanes from top to bottom. */
  readonly lanes: readonly Cpu[];
  /** Whether the lanes show which runs came from another CPU. */
  readonly moves: boolean;
  /** The tasks that have lanes. The view may name others, which this trace does not have. */
  readonly tasks: readonly Pick<TaskInfo, 'pid' | 'comms'>[];
  /** Whether the lanes of tasks show calls, and all lanes interrupts. */
  readonly calls: boolean;
  readonly interrupts: boolean;
  /** The filter that runs pass where they count; null: all count. */
  readonly filter: string | null;
}

/** The CPUs whose lanes are at least partly in sight; null: all. */
export function cpusInSight(view: ViewState, lanes: readonly Cpu[]): readonly Cpu[] | null {
  const chosen = chosenCpus(view.cpus, lanes);
  const { laneScale, laneScroll } = view;
  const shown = chosen.slice(Math.floor(laneScroll), Math.ceil(laneScroll + chosen.length / laneScale));
  return shown.length < lanes.length && shown.length > 0 ? [...shown].sort((a, b) => a - b) : null;
}

/** Whether the lanes stand in the order of the machine. */
const isOrdered = ({ topology }: ViewState): boolean => topology.text !== '' && topology.order === 'topology';

/** The marks and notes within the window, on these CPUs. */
function notesOf(view: ViewState, window: TimeWindow | null, cpus: readonly Cpu[] | null): Figure['notes'] {
  const timeMarks = TIME_MARKS.flatMap((name) => {
    const at = view.timeMarks[name];
    return at === null ? [] : [{ cpu: null, at, text: name.toUpperCase() }];
  });
  const notes = view.marks.map(({ cpu, at, note }) => ({ cpu, at, text: note }));
  return [...timeMarks, ...notes].filter(
    ({ cpu, at }) =>
      (window === null || (at >= window.start && at <= window.end)) &&
      (cpu === null || cpus === null || cpus.includes(cpu)),
  );
}

function arrowsOf({ selection, arrows }: ViewState): Figure['arrows'] {
  if (selection === null) return null;
  const place = { cpu: selection.cpu, at: selection.start };
  return arrows === 'cascade' ? { of: 'cascade', ...place } : { of: 'chain', ...place, hops: CHAIN_HOPS };
}

/** The fewest names that give all these lanes. */
function taskLanesOf({ tasks }: ViewState, lanes: FigureScene['tasks']): Figure['task_lanes'] {
  const pids = new Set(lanes.map(({ pid }) => pid));
  const comms = new Set(lanes.flatMap((lane) => lane.comms.map(({ comm }) => comm)));
  return {
    pids: [...new Set(tasks.tasks.map(({ pid }) => pid))].filter((pid) => pids.has(pid)),
    comms: tasks.comms.filter((comm) => comms.has(comm)),
  };
}

/** The view, in whole ns, and the choices as a figure. */
export function figureOf(view: ViewState, scene: FigureScene, choice: FigureChoice): Figure {
  const { limits, lanes, moves, tasks } = scene;
  const { kind } = choice;
  const onLanes = kind === 'timeline';
  const origin = timeOrigin(view, limits);
  const window = view.window && {
    start: ns(Math.max(origin, Math.round(view.window.start))),
    end: ns(Math.round(view.window.end)),
  };
  const cpus = onLanes && !choice.allCpus ? cpusInSight(view, lanes) : null;
  const withTasks = onLanes && choice.tasks && tasks.length > 0;
  const parts: FigurePart[] = [];
  if (withTasks) parts.push('tasks');
  if (onLanes && choice.running) parts.push('running-waiting');
  const coloured = kind !== 'running-waiting';
  const isTarget = view.colour === 'target' && view.target !== '';
  return {
    kind,
    with: parts,
    // The extract of a wakeup has its own window.
    window: kind === 'wakeup' ? null : window,
    forked: view.forked,
    after_sleep: view.afterSleep && limits.afterSleep !== null,
    filter: kind === 'wakeup' ? null : scene.filter,
    target: coloured && isTarget ? view.target : null,
    cpus,
    color_by: coloured && view.colour === 'command' ? 'command' : 'pid',
    legend: choice.legend,
    topology: coloured && isOrdered(view) ? view.topology.text : null,
    width: choice.width === FIGURE_WIDTHS.text ? null : choice.width,
    height: choice.height,
    title: choice.title.trim() === '' ? null : choice.title.trim(),
    highlight: coloured ? view.highlighted : [],
    moves: onLanes && choice.moves && moves,
    notes: choice.marks && kind !== 'wakeup' ? notesOf(view, window, cpus) : [],
    arrows: onLanes && choice.arrows ? arrowsOf(view) : null,
    runqueues: onLanes && choice.runqueues && view.depth,
    calls: withTasks && choice.calls && scene.calls,
    interrupts: onLanes && choice.interrupts && scene.interrupts,
    // As the command line names it.
    counter: onLanes && choice.counter && view.counter !== '' ? view.counter.replace(/:([^:]*)$/, '.$1') : null,
    task_lanes: withTasks ? taskLanesOf(view, tasks) : { pids: [], comms: [] },
    wakeup: kind === 'wakeup' && view.selection ? { cpu: view.selection.cpu, at: view.selection.start } : null,
    top_down: coloured,
  };
}

/** The most buckets of a window, as `MOST_COUNTER_BUCKETS` of crates/schedfigure/src/choices/counter.rs. */
const MOST_BUCKETS = 2 ** 13;

/** The buckets of time in which a figure has the values of a counter, as `CounterGrid::of` there. */
export function counterGrid({ start, end }: TimeWindow): CounterGrid {
  let level = 0;
  while (MOST_BUCKETS * 2 ** level < end - start) level++;
  const first = Math.floor(start / 2 ** level);
  return { level, first, buckets: Math.max(0, Math.ceil(end / 2 ** level) - first) };
}

/** The part of the trace that a figure shows. */
export function figureWindow({ window }: Figure, view: ViewState, limits: Limits): TimeWindow {
  const { start, end } = window ?? { start: timeOrigin(view, limits), end: limits.span };
  const clipped = ns(Math.min(end, limits.span));
  return { start: ns(Math.min(start, clipped)), end: clipped };
}

/** The greatest size in CSS pixels in which the dialog shows a figure. */
const PREVIEW_BOX = [900, 560] as const;

/**
 * The question for the file, and for a picture of it on a screen with a given number of device pixels for each CSS
 * pixel.
 */
export function figureQuery(
  figure: Figure,
  choice: FigureChoice,
  counter: FigureQuery['counter'],
  { name, fingerprint, clock_is_ns: clockIsNs }: Pick<Summary, 'name' | 'fingerprint' | 'clock_is_ns'>,
  pixelRatio: number,
): FigureQuery {
  const [width, height] = PREVIEW_BOX.map((side) => Math.round(side * pixelRatio)) as [number, number];
  const stem = name.replace(/\.dat$/, '');
  return {
    type: 'figure',
    figure,
    counter,
    file: name,
    fingerprint,
    clock_is_ns: clockIsNs,
    out: `${stem}-${figure.kind}.${choice.format}`,
    formats: [choice.format],
    dpi: choice.dpi,
    preview: [width, height],
  };
}
