/** The transitions of the view. Pure. */
import { type Ns, ns, type TimeWindow } from '../base/units';
import { withCalls } from './calls';
import { type EventPlace, type EventsView, samePlace, withMark } from './events';
import { withLatency } from './latency';
import { withTimeMark } from './marks';
import { withPairs } from './pairs';
import { settledTasks, type TasksView, withTaskLayout } from './tasks';
import type { TopologyView } from './topology';
import { freeText, MAX_FREE_TEXT } from './url/fields';
import {
  type Action,
  type Limits,
  MAX_HIGHLIGHTED,
  MAX_LANE_SCALE,
  MIN_WINDOW,
  type RunRef,
  timeBounds,
  type ViewState,
  visibleWindow,
} from './viewState';

/** The next view. Returns `view` itself if nothing changes, or if the change would not fit into a URL. */
export function reduce(view: ViewState, action: Action, limits: Limits): ViewState {
  const next = transition(view, action, limits);
  const isWhole = action.type === 'restore' || action.type === 'recall';
  return !isWhole && freeText(next) > Math.max(MAX_FREE_TEXT, freeText(view)) ? view : next;
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
      return { ...view, range, tab: range && !action.keepsTab ? 'range' : view.tab };
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
    case 'cpus':
      return `${view.cpus}` === `${action.cpus}` ? view : { ...view, cpus: action.cpus, laneScroll: 0 };
    case 'lanes':
      return withLanes(view, action.scale, action.scroll, limits);
    case 'counter':
      return { ...view, counter: action.counter };
    case 'filter':
      return view.filter === action.filter ? view : { ...view, filter: action.filter };
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
    case 'pairs':
      return { ...view, pairs: withPairs(view.pairs, action.change) };
    case 'relations':
      return { ...view, relations: { ...view.relations, ...action.change } };
    case 'latency':
      return { ...view, latency: withLatency(view.latency, action.change) };
    case 'schedExt':
      return { ...view, schedExt: { ...view.schedExt, ...action.change } };
    case 'calls': {
      const calls = withCalls(view.calls, action.change);
      return calls === view.calls ? view : { ...view, calls };
    }
    case 'showCall':
      return showCall(view, action, limits);
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

/** Clamps the window. A window over everything becomes null, so that it stays "everything" when the trace grows. */
function withWindow(view: ViewState, window: TimeWindow | null, limits: Limits): ViewState {
  const clamped = window && clampWindow(window, timeBounds(view, limits));
  if (view.window?.start === clamped?.start && view.window?.end === clamped?.end) {
    return view;
  }
  return { ...view, window: clamped };
}

/** The window inside the bounds, and not too narrow; null: that is all of them. */
export function clampWindow(window: TimeWindow, bounds: TimeWindow): TimeWindow | null {
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

/** Selects a run; the details then show it. */
function selected(view: ViewState, selection: RunRef | null): ViewState {
  return { ...view, selection, arrows: 'chain', tab: selection ? 'selection' : view.tab };
}

/** Keeps the window's width if the interval fits into it and is wide enough to be seen; otherwise zooms to it. */
function reveal(view: ViewState, action: Extract<Action, { type: 'reveal' }>, limits: Limits): ViewState {
  const { selection, end, highlighted } = action;
  const next = highlighted
    ? {
        ...selected(
          { ...view, event: null, highlighted: highlighted.length > 0 ? highlighted : view.highlighted },
          selection,
        ),
        tab: view.tab,
      }
    : action.along === 'cascade'
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

/** Keeps the zoom; moves the window only if the event is out of sight. */
function showEvent(
  view: ViewState,
  event: EventPlace,
  selection: RunRef | null | undefined,
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

/** Shows the interval in about a third of the window, with as much before it as after it. */
function showFinding(view: ViewState, action: Extract<Action, { type: 'showFinding' }>, limits: Limits): ViewState {
  const { interval, selection, highlighted, arrows } = action;
  const length = Math.max(Math.ceil(MIN_WINDOW / 3), interval.end - interval.start);
  const window = { start: ns(interval.start - length), end: ns(interval.start + 2 * length) };
  const range = ordered(interval, timeBounds(view, limits));
  return withWindow({ ...view, range, selection, highlighted, arrows, event: null }, window, limits);
}

/** Shows a call in about a third of the window, as `showFinding` shows an interval. */
function showCall(view: ViewState, action: Extract<Action, { type: 'showCall' }>, limits: Limits): ViewState {
  const { call, row, interval, selection } = action;
  const length = Math.max(Math.ceil(MIN_WINDOW / 3), interval.end - interval.start);
  const window = { start: ns(interval.start - length), end: ns(interval.start + 2 * length) };
  const range = action.range === null ? view.range : ordered(action.range, timeBounds(view, limits));
  const calls = { ...view.calls, row, at: call };
  return withWindow({ ...view, range, selection, calls, arrows: 'chain', event: null }, window, limits);
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
  const lanes = view.cpus.length > 0 ? Math.min(view.cpus.length, limits.lanes) : limits.lanes;
  const laneScroll = Math.min(Math.max(scroll, 0), lanes - lanes / laneScale);
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

function sameSelection(a: RunRef | null, b: RunRef | null): boolean {
  return a === b || (a !== null && b !== null && a.cpu === b.cpu && a.start === b.start);
}
