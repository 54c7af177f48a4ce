/** The tab of system calls, and what lanes show of calls and interrupts, as a part of the view. Pure. */
import type { Ns } from '../base/units';
import type { CallFacts, CallsBy } from '../engine/protocol';

export const CALLS_BY: readonly CallsBy[] = ['call', 'command', 'task', 'process'];

/** The table of the tab: rows of calls, or of threads. */
export const CALLS_LISTS = ['calls', 'threads'] as const;
export const CALLS_SPANS = ['whole', 'window'] as const;
/** What lanes can be without. */
export const HIDEABLE = ['calls', 'irqs'] as const;
export type Hideable = (typeof HIDEABLE)[number];

/** A call, by its thread and when it was entered. */
export interface CallRef {
  readonly pid: number;
  readonly generation: number;
  readonly at: Ns;
}

export interface CallsView {
  readonly by: CallsBy;
  readonly list: (typeof CALLS_LISTS)[number];
  /** `window`: the range, else the window on the screen. */
  readonly span: (typeof CALLS_SPANS)[number];
  /** Whether only calls that failed are counted. */
  readonly errors: boolean;
  /** Whether time on CPU is without what interrupts took of it. */
  readonly net: boolean;
  /** The machine by whose table calls are named; empty: that of the trace. */
  readonly arch: string;
  /** Thread ids and commands whose calls are read by the table of 32-bit tasks. */
  readonly compat: readonly string[];
  /** Beginnings of the calls that are listed, with commas between; empty: all. */
  readonly names: string;
  /** The row whose calls are shown, as `rowId` names it; null: none. */
  readonly row: string | null;
  /** The current call. */
  readonly at: CallRef | null;
  /** What lanes do not show. */
  readonly hidden: readonly Hideable[];
}

export const initialCalls: CallsView = {
  by: 'call',
  list: 'calls',
  span: 'whole',
  errors: false,
  net: false,
  arch: '',
  compat: [],
  names: '',
  row: null,
  at: null,
  hidden: [],
};

export const MAX_CALL_NAMES = 64;
/** A machine's name. */
export const MAX_ARCH = 16;
/** Tasks that are read by the table of 32-bit tasks. */
export const MAX_COMPAT = 8;
/** A command, or a thread id. */
export const MAX_COMPAT_NAME = 15;
/** A call and a command; longer than any of the kernel's. */
export const MAX_CALL_ROW = 64;

/** Reads a task's calls by the table of 32-bit tasks, or no longer. */
export const toggleCompat = (compat: readonly string[], task: string): readonly string[] =>
  compat.includes(task) ? compat.filter((other) => other !== task) : [...compat, task].slice(-MAX_COMPAT);

/** Changes the tab; with other rows, the chosen one no longer applies. */
export function withCalls(view: CallsView, change: Partial<CallsView>): CallsView {
  const row = change.by !== undefined && change.by !== view.by ? null : view.row;
  const next = { ...view, row, ...change };
  return JSON.stringify(next) === JSON.stringify(view) ? view : next;
}

type Words = Pick<CallsView, 'by' | 'list' | 'span' | 'errors' | 'net'>;

/** Prints only the words that differ from the initial tab. */
export const printCalls = ({ by, list, span, errors, net }: Words): string =>
  [
    ...(by === initialCalls.by ? [] : [by]),
    ...(list === initialCalls.list ? [] : [list]),
    ...(span === initialCalls.span ? [] : [span]),
    ...(errors ? ['errors'] : []),
    ...(net ? ['net'] : []),
  ].join(',');

export function parseCalls(text: string): Words | null {
  const words = text.split(',');
  const one = <T extends string>(values: readonly T[], first: T): T =>
    values.find((word) => words.includes(word)) ?? first;
  const found: Words = {
    by: one(CALLS_BY.slice(1), initialCalls.by),
    list: one(CALLS_LISTS.slice(1), initialCalls.list),
    span: one(CALLS_SPANS.slice(1), initialCalls.span),
    errors: words.includes('errors'),
    net: words.includes('net'),
  };
  // All words are known, and none says what another one does.
  const said = new Set(printCalls(found).split(','));
  return words.every((word) => word !== '' && said.delete(word)) ? found : null;
}

/** Whether there are events of interrupts; false as long as it is not known. */
export const hasInterrupts = (facts: Pick<CallFacts, 'hardirqs' | 'softirqs' | 'vectors'> | null): boolean =>
  facts !== null && (facts.hardirqs || facts.softirqs || facts.vectors);
