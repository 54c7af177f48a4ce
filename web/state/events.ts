/** The list of events as a part of the view: whether it is open, what it lists, and which events are marked. Pure. */
import type { Ns } from '../base/units';
import type { Cpu, EventTextMode } from '../engine/protocol';

/** An event, identified by its place, which a URL can name without the list. */
export interface EventPlace {
  readonly cpu: Cpu;
  readonly at: Ns;
}

/** An event that stays visible on the lanes. */
export interface EventMark extends EventPlace {
  readonly note: string;
}

/** By what the selected run narrows the list: nothing, its CPU or its task. */
export type FollowSelection = 'off' | 'cpu' | 'task';

export interface EventsView {
  readonly open: boolean;
  /** The CPUs that are listed; empty: all. */
  readonly cpus: readonly Cpu[];
  /** PIDs and beginnings of command names, as typed: `1234, hack`. */
  readonly task: string;
  /** The names that are listed; empty: all. */
  readonly names: readonly string[];
  /** A text that lines hold, or an expression of the filter language. */
  readonly text: string;
  readonly followWindow: boolean;
  readonly followSelection: FollowSelection;
  readonly mode: EventTextMode;
  /** Whether times are absolute, as trace-cmd prints them, instead of counted from time 0. */
  readonly absoluteTime: boolean;
}

export const initialEvents: EventsView = {
  open: false,
  cpus: [],
  task: '',
  names: [],
  text: '',
  followWindow: false,
  followSelection: 'off',
  mode: 'trace-cmd',
  absoluteTime: false,
};

export const MAX_FILTER_TEXT = 64;
export const MAX_EXPRESSION = 300;
export const MAX_EVENT_NAMES = 32;
export const MAX_MARKS = 24;
export const MAX_NOTE = 40;

/** The list without its filters. */
export const unfiltered = (events: EventsView): EventsView => ({
  ...events,
  cpus: initialEvents.cpus,
  task: '',
  names: initialEvents.names,
  text: '',
  followWindow: false,
  followSelection: 'off',
});

export const isFiltered = (events: EventsView): boolean =>
  events.cpus.length > 0 ||
  events.task !== '' ||
  events.names.length > 0 ||
  events.text !== '' ||
  events.followWindow ||
  events.followSelection !== 'off';

/**
 * Whether a text is an expression of the filter language: a name with an operator behind it, maybe after events and a
 * colon. All else is searched for in the lines, such as `S ==> swapper`.
 */
export const isExpression = (text: string): boolean =>
  /^\s*(?:[\w*?./:, -]+:)?[\s!(]*[A-Za-z_]\w*(?:\.function)?\s*(?:==(?!>)|!=|[<>]=?|!?~|=~|&(?!&))/.test(text);

export const samePlace = (a: EventPlace | null, b: EventPlace | null): boolean =>
  a === b || (a !== null && b !== null && a.cpu === b.cpu && a.at === b.at);

/** Adds a mark, or changes the note of the mark that is there. The result is in time order. */
export function withMark(marks: readonly EventMark[], mark: EventMark): readonly EventMark[] {
  const cut = { ...mark, note: Array.from(mark.note).slice(0, MAX_NOTE).join('') };
  const others = marks.filter((other) => !samePlace(other, mark));
  if (others.length >= MAX_MARKS) {
    return marks;
  }
  return [...others, cut].sort((a, b) => a.at - b.at || a.cpu - b.cpu);
}
