/**
 * The view: everything that, with the trace, reproduces the screen. It is small and serialisable, and only the pure
 * transitions of `reduce.ts` change it.
 */
import { type Ns, ns, type TimeWindow } from '../base/units';
import type { Cpu, IndexSpec } from '../engine/protocol';
import { type CallRef, type CallsView, initialCalls } from './calls';
import type { DetailsTab } from './details';
import { type EventMark, type EventPlace, type EventsView, initialEvents } from './events';
import { type ArrowsOf, type FindingsView, initialFindings } from './findings';
import { initialLatency, type LatencyView } from './latency';
import { noTimeMarks, type TimeMarkName, type TimeMarks } from './marks';
import { initialPairs, type PairsView } from './pairs';
import { initialRelations, type RelationsView } from './relations';
import { initialSchedExt, type SchedExtView } from './schedExt';
import { initialTasks, type TasksView } from './tasks';
import { initialTopology, type TopologyView } from './topology';

/** What colours of runs say; by `state` they are pale, and idle time while some task waits behind another is not. */
export const COLOUR_MODES = ['pid', 'command', 'target', 'state', 'load', 'priority'] as const;
export type ColourMode = (typeof COLOUR_MODES)[number];

export const RANGE_TABLES = ['commands', 'tasks', 'cpus'] as const;
export type RangeTable = (typeof RANGE_TABLES)[number];

/** An interval, by its stable identity. */
export interface RunRef {
  readonly cpu: Cpu;
  readonly start: Ns;
}

export interface ViewState {
  /** null: the whole trace (after the leading sleep, when `afterSleep`). */
  readonly window: TimeWindow | null;
  readonly selection: RunRef | null;
  /** The time range whose statistics are shown, chosen by the user; null when there is none. */
  readonly range: TimeWindow | null;
  readonly colour: ColourMode;
  /** Comm prefix; used when `colour` is `target`. */
  readonly target: string;
  /** Commands that stand out in every pane. */
  readonly highlighted: readonly string[];
  readonly forked: boolean;
  readonly afterSleep: boolean;
  /** The CPUs that have lanes; empty: all of them. */
  readonly cpus: readonly Cpu[];
  /** Height of a lane as a multiple of the height at which all lanes fit. */
  readonly laneScale: number;
  /** First visible lane, in lanes (fractions allowed). */
  readonly laneScroll: number;
  /** A text that events hold, or an expression that they pass: those are marked on the lanes. Empty: none. */
  readonly filter: string;
  /** The number that lines on the lanes show, `system:event:field`; empty: none. */
  readonly counter: string;
  readonly events: EventsView;
  /** The event that is shown on the lanes: the current row of the list. */
  readonly event: EventPlace | null;
  /** The marked events in time order. */
  readonly marks: readonly EventMark[];
  /** Which tab of the details is open. */
  readonly tab: DetailsTab;
  readonly findings: FindingsView;
  readonly arrows: ArrowsOf;
  /** Which tasks have lanes, and how they are laid out. */
  readonly tasks: TasksView;
  /** The marks A and B. */
  readonly timeMarks: TimeMarks;
  readonly latency: LatencyView;
  readonly calls: CallsView;
  readonly schedExt: SchedExtView;
  readonly pairs: PairsView;
  readonly relations: RelationsView;
  /** The topology of the machine, which is not in the trace. */
  readonly topology: TopologyView;
  /** Whether the lanes show how many tasks wait on each CPU's runqueue. */
  readonly depth: boolean;
  /** The content of the range's table. */
  readonly table: RangeTable;
}

/** The bounds that a trace sets; transitions clamp to them. They grow while the trace loads. */
export interface Limits {
  /** End of the trace; 0 while none is open. */
  readonly span: Ns;
  /** `Summary.afterSleep`. */
  readonly afterSleep: Ns | null;
  /** How many CPUs the trace has. */
  readonly lanes: number;
}

export type Action =
  /** Changes the window's width by `factor` (< 1 zooms in) and keeps `at` where it is on the screen. */
  | { readonly type: 'zoom'; readonly at: Ns; readonly factor: number }
  | { readonly type: 'pan'; readonly by: Ns }
  /** A continuous move to a window, as an animation does it. */
  | { readonly type: 'moveTo'; readonly window: TimeWindow }
  /** A jump to a window, which is a separate step in the history. */
  | { readonly type: 'showWindow'; readonly window: TimeWindow | null }
  | { readonly type: 'select'; readonly selection: RunRef | null }
  /**
   * Selects an interval and, if it is out of sight or too small to see, moves the window to it. `along`: a step of a
   * cascade, whose arrows and list stay. `highlighted`: the commands that it is about; then the tab stays.
   */
  | {
      readonly type: 'reveal';
      readonly selection: RunRef;
      readonly end: Ns;
      readonly along?: ArrowsOf;
      readonly highlighted?: readonly string[];
    }
  /** `keepsTab`: the details go on showing what they show, with this range. */
  | { readonly type: 'range'; readonly range: TimeWindow | null; readonly keepsTab?: boolean }
  | { readonly type: 'colour'; readonly colour: ColourMode }
  | { readonly type: 'target'; readonly target: string }
  | { readonly type: 'toggleHighlight'; readonly comm: string }
  | { readonly type: 'clearHighlight' }
  /** Makes a command the target. It is then not highlighted as well. */
  | { readonly type: 'targetCommand'; readonly comm: string }
  | { readonly type: 'forked'; readonly on: boolean }
  | { readonly type: 'afterSleep'; readonly on: boolean }
  /** Chooses the CPUs that have lanes; none: all of them. */
  | { readonly type: 'cpus'; readonly cpus: readonly Cpu[] }
  | { readonly type: 'lanes'; readonly scale: number; readonly scroll: number }
  /** Changes which events are marked on the lanes; `typing`: one character of many. */
  | { readonly type: 'filter'; readonly filter: string; readonly typing?: boolean }
  /** Chooses the number that the lanes show over time; empty: none. */
  | { readonly type: 'counter'; readonly counter: string }
  /** Changes what the list of events shows, and how; `typing`: one character of many. */
  | { readonly type: 'events'; readonly change: Partial<EventsView>; readonly typing?: boolean }
  /** Makes another event the current one, as when arrow keys step through the list. */
  | { readonly type: 'event'; readonly event: EventPlace | null }
  /** Goes to an event, and selects the run that it belongs to; `undefined` leaves the selection as it is. */
  | { readonly type: 'showEvent'; readonly event: EventPlace; readonly selection: RunRef | null | undefined }
  /** Marks an event; `note`: only its note changes. */
  | { readonly type: 'mark' | 'note'; readonly mark: EventMark }
  | { readonly type: 'unmark'; readonly place: EventPlace }
  | { readonly type: 'tab'; readonly tab: DetailsTab }
  /** Changes what the list of findings lists. */
  | { readonly type: 'findings'; readonly change: Partial<FindingsView> }
  /** Chooses the arrows that the lanes draw for the selected run. */
  | { readonly type: 'arrows'; readonly arrows: ArrowsOf }
  /** Goes to a finding and what happens around it: its interval becomes the range; the list stays. */
  | {
      readonly type: 'showFinding';
      readonly interval: TimeWindow;
      readonly selection: RunRef | null;
      readonly highlighted: readonly string[];
      readonly arrows: ArrowsOf;
    }
  /** Chooses which tasks have lanes, and their order. */
  | { readonly type: 'tasks'; readonly change: Partial<TasksView> }
  /** Sets the height of the task lanes in CSS pixels, and the first visible one. */
  | { readonly type: 'taskLanes'; readonly pitch: number; readonly scroll: number }
  /** Changes what the latency pane shows. */
  | { readonly type: 'latency'; readonly change: Partial<LatencyView> }
  /** Changes what the tab of system calls shows, or what lanes show of them; `typing`: one character of many. */
  | { readonly type: 'calls'; readonly change: Partial<CallsView>; readonly typing?: boolean }
  /** Goes to a call, and selects the run whose wakeup ended it; the tab stays. */
  | {
      readonly type: 'showCall';
      readonly call: CallRef;
      readonly row: string | null;
      readonly interval: TimeWindow;
      readonly selection: RunRef | null;
      /** Becomes the range, so that a table of the window stays what it is. */
      readonly range: TimeWindow | null;
    }
  /** Changes what the tab of sched_ext shows; `typing`: one character of many. */
  | { readonly type: 'schedExt'; readonly change: Partial<SchedExtView>; readonly typing?: boolean }
  /** Changes what the tab of pairs shows. */
  | { readonly type: 'pairs'; readonly change: Partial<PairsView>; readonly typing?: boolean }
  /** Changes what the tab of relations shows. */
  | { readonly type: 'relations'; readonly change: Partial<RelationsView> }
  /** Changes the machine's topology, or what the lanes show of it. */
  | { readonly type: 'topology'; readonly change: Partial<TopologyView> }
  /** Sets A or B, or removes it; `dragging`: one place of many. */
  | { readonly type: 'timeMark'; readonly name: TimeMarkName; readonly at: Ns | null; readonly dragging?: boolean }
  | { readonly type: 'depth'; readonly on: boolean }
  | { readonly type: 'table'; readonly table: RangeTable }
  /** Drops the selection, the current event, the range and the highlighted commands. */
  | { readonly type: 'clear' }
  /** Rounds times to whole ns, as the URL holds them. */
  | { readonly type: 'settle' }
  /** Replaces the whole view: by one of the URL or the history, or by one that was undone or redone. */
  | { readonly type: 'restore' | 'recall'; readonly view: ViewState };

export const initialView: ViewState = {
  window: null,
  selection: null,
  range: null,
  colour: 'pid',
  target: '',
  highlighted: [],
  forked: false,
  afterSleep: false,
  cpus: [],
  laneScale: 1,
  laneScroll: 0,
  filter: '',
  counter: '',
  events: initialEvents,
  event: null,
  marks: [],
  tab: 'findings',
  findings: initialFindings,
  arrows: 'chain',
  tasks: initialTasks,
  timeMarks: noTimeMarks,
  latency: initialLatency,
  calls: initialCalls,
  schedExt: initialSchedExt,
  pairs: initialPairs,
  relations: initialRelations,
  topology: initialTopology,
  depth: false,
  table: 'commands',
};

export const noLimits: Limits = { span: ns(0), afterSleep: null, lanes: 0 };

/** The narrowest window. */
export const MIN_WINDOW = ns(1000);
export const MAX_LANE_SCALE = 64;
export const MAX_HIGHLIGHTED = 16;

/** Where time 0 of the axis is: the end of the leading sleep if that is left out, else the first event. */
export function timeOrigin(view: ViewState, limits: Limits): Ns {
  return view.afterSleep && limits.afterSleep !== null ? limits.afterSleep : ns(0);
}

/** Everything that can be shown. */
export function timeBounds(view: ViewState, limits: Limits): TimeWindow {
  const start = timeOrigin(view, limits);
  return { start, end: ns(Math.max(limits.span, start + 1)) };
}

/** The window on the screen. */
export function visibleWindow(view: ViewState, limits: Limits): TimeWindow {
  return view.window ?? timeBounds(view, limits);
}

/** Which runs exist in this view, and which are highlighted. Chosen commands take precedence over the target. */
export function indexSpec(view: ViewState): IndexSpec {
  return { forked: view.forked, movable: view.findings.movable, highlight: highlight(view) };
}

function highlight(view: ViewState): IndexSpec['highlight'] {
  if (view.highlighted.length > 0) {
    return { kind: 'comms', comms: view.highlighted };
  }
  return view.colour === 'target' && view.target !== '' ? { kind: 'prefix', prefix: view.target } : { kind: 'none' };
}
