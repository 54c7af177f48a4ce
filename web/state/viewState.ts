/**
 * The view: everything that, with the trace, reproduces the screen. Small, serialisable, changed only by the pure
 * transitions in this file.
 */
import { type Ns, ns, type TimeWindow } from '../base/units';
import type { Cpu, ViewSpec } from '../engine/protocol';
import type { DetailsTab } from './details';
import { escapeValue } from './escape';
import {
  type EventMark,
  type EventPlace,
  type EventsView,
  eventsLength,
  initialEvents,
  samePlace,
  withMark,
} from './events';
import { type ArrowsOf, type FindingsView, initialFindings } from './findings';
import { initialLatency, type LatencyView, latencyLength, withLatency } from './latency';
import { noTimeMarks, type TimeMarkName, type TimeMarks, withTimeMark } from './marks';
import { hasTaskLanes, initialTasks, settledTasks, type TasksView, tasksLength, withTaskLayout } from './tasks';
import { initialTopology, type TopologyView, topologyLength } from './topology';

export type ColourMode = 'pid' | 'command' | 'target';

export const RANGE_TABLES = ['commands', 'tasks', 'cpus'] as const;
export type RangeTable = (typeof RANGE_TABLES)[number];

/** An interval, by its stable identity. */
export interface Selection {
  readonly cpu: Cpu;
  readonly start: Ns;
}

export interface ViewState {
  /** null: the whole trace (after the leading sleep, when `afterSleep`). */
  readonly window: TimeWindow | null;
  readonly selection: Selection | null;
  /** A time range chosen by the user, whose statistics are shown; null when there is none. */
  readonly range: TimeWindow | null;
  readonly colour: ColourMode;
  /** Comm prefix; used when `colour` is `target`. */
  readonly target: string;
  /** Commands that stand out in every pane. */
  readonly highlighted: readonly string[];
  readonly forked: boolean;
  readonly afterSleep: boolean;
  /** Height of a lane as a multiple of the height at which all lanes fit. */
  readonly laneScale: number;
  /** First visible lane, in lanes (fractions allowed). */
  readonly laneScroll: number;
  readonly events: EventsView;
  /** The event that is shown on the lanes: the current row of the list. */
  readonly event: EventPlace | null;
  /** In time order. */
  readonly marks: readonly EventMark[];
  /** Which tab of the details is open. */
  readonly tab: DetailsTab;
  readonly findings: FindingsView;
  readonly arrows: ArrowsOf;
  /** Which tasks have lanes of their own. */
  readonly tasks: TasksView;
  /** A and B. */
  readonly timeMarks: TimeMarks;
  readonly latency: LatencyView;
  /** Of the machine, which is not in the trace. */
  readonly topology: TopologyView;
  /** Whether the lanes show how many tasks wait on each CPU's runqueue. */
  readonly depth: boolean;
  /** What the range's table lists. */
  readonly table: RangeTable;
}

/** What the trace allows; transitions clamp to it. Grows while a trace loads. */
export interface Limits {
  /** End of the trace; 0 while none is open. */
  readonly span: Ns;
  /** `Summary.afterSleep`. */
  readonly afterSleep: Ns | null;
  /** Number of CPUs of the trace. */
  readonly lanes: number;
}

export type Action =
  /** Changes the window's width by `factor` (< 1 zooms in) and keeps `at` where it is on the screen. */
  | { readonly type: 'zoom'; readonly at: Ns; readonly factor: number }
  | { readonly type: 'pan'; readonly by: Ns }
  /** A continuous move to a window, as an animation does it. */
  | { readonly type: 'moveTo'; readonly window: TimeWindow }
  /** A jump to a window: a step of its own in the history. */
  | { readonly type: 'showWindow'; readonly window: TimeWindow | null }
  | { readonly type: 'select'; readonly selection: Selection | null }
  /**
   * Selects and, when the interval is out of sight or too small to see, moves the window to it. `along`: a step of a
   * cascade, whose arrows and list stay.
   */
  | { readonly type: 'reveal'; readonly selection: Selection; readonly end: Ns; readonly along?: ArrowsOf }
  | { readonly type: 'range'; readonly range: TimeWindow | null }
  | { readonly type: 'colour'; readonly colour: ColourMode }
  | { readonly type: 'target'; readonly target: string }
  | { readonly type: 'toggleHighlight'; readonly comm: string }
  | { readonly type: 'clearHighlight' }
  /** Makes a command the target. It need not stand out in a second way. */
  | { readonly type: 'targetCommand'; readonly comm: string }
  | { readonly type: 'forked'; readonly on: boolean }
  | { readonly type: 'afterSleep'; readonly on: boolean }
  | { readonly type: 'lanes'; readonly scale: number; readonly scroll: number }
  /** What the list of events shows, and how; `typing`: one character of many. */
  | { readonly type: 'events'; readonly change: Partial<EventsView>; readonly typing?: boolean }
  /** Another current event, as arrow keys step through the list. */
  | { readonly type: 'event'; readonly event: EventPlace | null }
  /** Goes to an event, and selects the run that it belongs to; `undefined` leaves the selection as it is. */
  | { readonly type: 'showEvent'; readonly event: EventPlace; readonly selection: Selection | null | undefined }
  /** Marks an event; `note`: only its note changes. */
  | { readonly type: 'mark' | 'note'; readonly mark: EventMark }
  | { readonly type: 'unmark'; readonly place: EventPlace }
  | { readonly type: 'tab'; readonly tab: DetailsTab }
  /** What the list of findings lists. */
  | { readonly type: 'findings'; readonly change: Partial<FindingsView> }
  /** Which arrows the lanes draw of the selected run. */
  | { readonly type: 'arrows'; readonly arrows: ArrowsOf }
  /** Goes to a finding, with what happens around it: its interval becomes the range; the list stays. */
  | {
      readonly type: 'showFinding';
      readonly interval: TimeWindow;
      readonly selection: Selection | null;
      readonly highlighted: readonly string[];
      readonly arrows: ArrowsOf;
    }
  /** Which tasks have lanes, and in which order. */
  | { readonly type: 'tasks'; readonly change: Partial<TasksView> }
  /** The task lanes' height in CSS pixels, and the first visible one. */
  | { readonly type: 'taskLanes'; readonly pitch: number; readonly scroll: number }
  /** What the latency pane shows. */
  | { readonly type: 'latency'; readonly change: Partial<LatencyView> }
  /** What the machine is known to be, and what the lanes show of it. */
  | { readonly type: 'topology'; readonly change: Partial<TopologyView> }
  /** Sets A or B, or takes it away; `dragging`: one place of many. */
  | { readonly type: 'timeMark'; readonly name: TimeMarkName; readonly at: Ns | null; readonly dragging?: boolean }
  | { readonly type: 'depth'; readonly on: boolean }
  | { readonly type: 'table'; readonly table: RangeTable }
  /** Drops the selection, the current event, the range and the highlighted commands. */
  | { readonly type: 'clear' }
  /** Rounds times to whole ns, as the URL holds them. */
  | { readonly type: 'settle' }
  /** A whole view: from the URL or the history; one that was undone or redone. */
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
  laneScale: 1,
  laneScroll: 0,
  events: initialEvents,
  event: null,
  marks: [],
  tab: 'findings',
  findings: initialFindings,
  arrows: 'chain',
  tasks: initialTasks,
  timeMarks: noTimeMarks,
  latency: initialLatency,
  topology: initialTopology,
  depth: false,
  table: 'commands',
};

export const noLimits: Limits = { span: ns(0), afterSleep: null, lanes: 0 };

/** The narrowest window. */
export const MIN_WINDOW = ns(1000);
export const MAX_LANE_SCALE = 64;
export const MAX_HIGHLIGHTED = 16;
/** So many characters of what the user chose and wrote fit into a URL of 2 KB, beside all the rest. */
export const MAX_FREE_TEXT = 1014;

/** Where "time 0" of the axis is: the exit of the leading sleep when that is left out, else the first event. */
export function timeOrigin(view: ViewState, limits: Limits): Ns {
  return view.afterSleep && limits.afterSleep !== null ? limits.afterSleep : ns(0);
}

/** All that can be shown. */
export function timeBounds(view: ViewState, limits: Limits): TimeWindow {
  const start = timeOrigin(view, limits);
  return { start, end: ns(Math.max(limits.span, start + 1)) };
}

/** The window on the screen. */
export function visibleWindow(view: ViewState, limits: Limits): TimeWindow {
  return view.window ?? timeBounds(view, limits);
}

/** Which runs exist in this view, and which stand out. Chosen commands go before the target. */
export function viewSpec(view: ViewState): ViewSpec {
  return { forked: view.forked, movable: view.findings.movable, highlight: highlight(view) };
}

function highlight(view: ViewState): ViewSpec['highlight'] {
  if (view.highlighted.length > 0) {
    return { kind: 'comms', comms: view.highlighted };
  }
  return view.colour === 'target' && view.target !== '' ? { kind: 'prefix', prefix: view.target } : { kind: 'none' };
}

/** The next view. Returns `view` itself when nothing changes, and when what changes would not fit into a URL. */
export function reduce(view: ViewState, action: Action, limits: Limits): ViewState {
  const next = transition(view, action, limits);
  const isWhole = action.type === 'restore' || action.type === 'recall';
  return !isWhole && freeText(next) > Math.max(MAX_FREE_TEXT, freeText(view)) ? view : next;
}

/** Characters of a URL that hold what the user chose and wrote. */
export function freeText({ highlighted, target, events, marks, tasks, latency, topology }: ViewState): number {
  if (
    highlighted.length === 0 &&
    target === '' &&
    events === initialEvents &&
    marks.length === 0 &&
    !hasTaskLanes(tasks) &&
    latency.group === null &&
    topology.text === ''
  ) {
    return 0;
  }
  const commands = highlighted.reduce((sum, comm) => sum + 11 + escapeValue(comm).length, 0);
  return (
    commands +
    escapeValue(target).length +
    eventsLength(events, marks) +
    tasksLength(tasks) +
    latencyLength(latency) +
    topologyLength(topology)
  );
}

function transition(view: ViewState, action: Action, limits: Limits): ViewState {
  switch (action.type) {
    case 'zoom':
      return withWindow(view, zoomed(visibleWindow(view, limits), action.at, action.factor), limits);
    case 'pan': {
      const { start, end } = visibleWindow(view, limits);
      return withWindow(view, { start: ns(start + action.by), end: ns(end + action.by) }, limits);
    }
    case 'moveTo':
      return withWindow(view, action.window, limits);
    case 'showWindow':
      return withWindow(view, action.window, limits);
    case 'select':
      return sameSelection(view.selection, action.selection)
        ? view
        : selected({ ...view, event: null }, action.selection);
    case 'reveal':
      return reveal(view, action, limits);
    case 'range': {
      const range = action.range && ordered(action.range, timeBounds(view, limits));
      return { ...view, range, tab: range ? 'range' : view.tab };
    }
    case 'colour':
      return view.colour === action.colour ? view : { ...view, colour: action.colour };
    case 'target':
      return view.target === action.target && view.colour === 'target'
        ? view
        : { ...view, target: action.target, colour: 'target' };
    case 'toggleHighlight':
      return toggleHighlight(view, action.comm);
    case 'clearHighlight':
      return view.highlighted.length === 0 ? view : { ...view, highlighted: [] };
    case 'targetCommand':
      return { ...view, colour: 'target', target: action.comm, highlighted: [] };
    case 'forked':
      return view.forked === action.on ? view : { ...view, forked: action.on };
    case 'afterSleep': {
      const next = { ...view, afterSleep: action.on };
      return view.window ? withWindow(next, view.window, limits) : next;
    }
    case 'lanes':
      return withLanes(view, action.scale, action.scroll, limits);
    case 'events':
      return withEvents(view, action.change);
    case 'event':
      return samePlace(view.event, action.event) ? view : { ...view, event: action.event };
    case 'showEvent':
      return showEvent(view, action.event, action.selection, limits);
    case 'mark':
    case 'note':
      return { ...view, marks: withMark(view.marks, action.mark) };
    case 'unmark':
      return { ...view, marks: view.marks.filter((mark) => !samePlace(mark, action.place)) };
    case 'tab':
      return view.tab === action.tab ? view : { ...view, tab: action.tab };
    case 'findings':
      return { ...view, findings: { ...view.findings, ...action.change } };
    case 'arrows':
      return view.arrows === action.arrows ? view : { ...view, arrows: action.arrows };
    case 'showFinding':
      return showFinding(view, action, limits);
    case 'tasks':
      return withTasks(view, { ...view.tasks, ...action.change });
    case 'taskLanes':
      return withTasks(view, withTaskLayout(view.tasks, action.pitch, action.scroll));
    case 'latency':
      return { ...view, latency: withLatency(view.latency, action.change) };
    case 'topology':
      return withTopology(view, action.change);
    case 'timeMark': {
      const timeMarks = withTimeMark(view.timeMarks, action.name, action.at, limits.span);
      return timeMarks === view.timeMarks ? view : { ...view, timeMarks };
    }
    case 'depth':
      return view.depth === action.on ? view : { ...view, depth: action.on };
    case 'table':
      return view.table === action.table ? view : { ...view, table: action.table };
    case 'clear':
      return { ...view, selection: null, event: null, range: null, highlighted: [], arrows: 'chain' };
    case 'settle':
      return settled(view);
    case 'restore':
    case 'recall':
      return action.view;
  }
}

function zoomed(window: TimeWindow, at: Ns, factor: number): TimeWindow {
  const width = Math.max(MIN_WINDOW, (window.end - window.start) * factor);
  const fraction = (at - window.start) / (window.end - window.start);
  const start = ns(at - fraction * width);
  return { start, end: ns(start + width) };
}

/** Clamps; a window as wide as all there is becomes null, so that it stays "everything" when that grows. */
function withWindow(view: ViewState, window: TimeWindow | null, limits: Limits): ViewState {
  const clamped = window && clampWindow(window, timeBounds(view, limits));
  if (view.window?.start === clamped?.start && view.window?.end === clamped?.end) {
    return view;
  }
  return { ...view, window: clamped };
}

function clampWindow(window: TimeWindow, bounds: TimeWindow): TimeWindow | null {
  const all = bounds.end - bounds.start;
  const width = Math.max(Math.min(MIN_WINDOW, all), window.end - window.start);
  if (width >= all) {
    return null;
  }
  const start = ns(Math.min(Math.max(window.start, bounds.start), bounds.end - width));
  return { start, end: ns(start + width) };
}

function ordered(range: TimeWindow, bounds: TimeWindow): TimeWindow | null {
  const start = ns(Math.round(Math.max(bounds.start, Math.min(range.start, range.end))));
  const end = ns(Math.round(Math.min(bounds.end, Math.max(range.start, range.end))));
  return end > start ? { start, end } : null;
}

/** What is selected is what the details tell of. */
function selected(view: ViewState, selection: Selection | null): ViewState {
  return { ...view, selection, arrows: 'chain', tab: selection ? 'selection' : view.tab };
}

/** Keeps the window's width when the interval fits into it and is wide enough to be seen, else zooms to it. */
function reveal(view: ViewState, action: Extract<Action, { type: 'reveal' }>, limits: Limits): ViewState {
  const { selection, end } = action;
  const next =
    action.along === 'cascade'
      ? { ...view, selection, event: null, arrows: action.along }
      : selected({ ...view, event: null }, selection);
  const shown = visibleWindow(view, limits);
  const width = shown.end - shown.start;
  const length = end - selection.start;
  const visible = selection.start >= shown.start && end <= shown.end;
  if (visible && length >= width / 400) {
    return next;
  }
  const centre = selection.start + length / 2;
  const wanted = length >= width / 400 && length <= width / 2 ? width : length * 20;
  const half = Math.max(MIN_WINDOW, wanted) / 2;
  return withWindow(next, { start: ns(centre - half), end: ns(centre + half) }, limits);
}

/** Keeps the zoom; the window moves only when the event is out of sight. */
function showEvent(
  view: ViewState,
  event: EventPlace,
  selection: Selection | null | undefined,
  limits: Limits,
): ViewState {
  const same = selection === undefined || sameSelection(selection, view.selection);
  const next = same ? { ...view, event } : selected({ ...view, event }, selection);
  const { start, end } = visibleWindow(view, limits);
  if (event.at >= start && event.at < end) {
    return next;
  }
  const half = (end - start) / 2;
  return withWindow(next, { start: ns(event.at - half), end: ns(event.at + half) }, limits);
}

/** The interval is about a third of the window, with as much before it as after it. */
function showFinding(view: ViewState, action: Extract<Action, { type: 'showFinding' }>, limits: Limits): ViewState {
  const { interval, selection, highlighted, arrows } = action;
  const length = Math.max(Math.ceil(MIN_WINDOW / 3), interval.end - interval.start);
  const window = { start: ns(interval.start - length), end: ns(interval.start + 2 * length) };
  const range = ordered(interval, timeBounds(view, limits));
  return withWindow({ ...view, range, selection, highlighted, arrows, event: null }, window, limits);
}

function withEvents(view: ViewState, change: Partial<EventsView>): ViewState {
  const events = { ...view.events, ...change };
  return JSON.stringify(events) === JSON.stringify(view.events) ? view : { ...view, events };
}

const withTasks = (view: ViewState, tasks: TasksView): ViewState =>
  JSON.stringify(tasks) === JSON.stringify(view.tasks) ? view : { ...view, tasks };

function withTopology(view: ViewState, change: Partial<TopologyView>): ViewState {
  const topology = { ...view.topology, ...change };
  return JSON.stringify(topology) === JSON.stringify(view.topology) ? view : { ...view, topology };
}

function toggleHighlight(view: ViewState, comm: string): ViewState {
  if (view.highlighted.includes(comm)) {
    return { ...view, highlighted: view.highlighted.filter((other) => other !== comm) };
  }
  return view.highlighted.length < MAX_HIGHLIGHTED ? { ...view, highlighted: [...view.highlighted, comm] } : view;
}

function withLanes(view: ViewState, scale: number, scroll: number, limits: Limits): ViewState {
  const laneScale = Math.min(Math.max(scale, 1), MAX_LANE_SCALE);
  const laneScroll = Math.min(Math.max(scroll, 0), limits.lanes - limits.lanes / laneScale);
  return laneScale === view.laneScale && laneScroll === view.laneScroll ? view : { ...view, laneScale, laneScroll };
}

function settled(view: ViewState): ViewState {
  const { window } = view;
  const rounded = window && { start: ns(Math.round(window.start)), end: ns(Math.round(window.end)) };
  const laneScale = Math.round(view.laneScale * 1000) / 1000;
  const laneScroll = Math.round(view.laneScroll * 1000) / 1000;
  const tasks = settledTasks(view.tasks);
  const same =
    rounded?.start === window?.start &&
    rounded?.end === window?.end &&
    laneScale === view.laneScale &&
    laneScroll === view.laneScroll &&
    tasks === view.tasks;
  return same ? view : { ...view, window: rounded, laneScale, laneScroll, tasks };
}

function sameSelection(a: Selection | null, b: Selection | null): boolean {
  return a === b || (a !== null && b !== null && a.cpu === b.cpu && a.start === b.start);
}
