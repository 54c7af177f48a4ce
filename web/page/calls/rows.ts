/** Rows of the table of system calls: how they are named, asked about and listed. Pure. */
import type { CallArgument, CallBucket, CallRow, CallsRowQuestion, ModelSelection } from '../../engine/protocol';
import type { CallRef, CallsView } from '../../state/calls';

/** What threads did in calls. */
export type CallSplit = Omit<CallBucket, 'from' | 'count'>;

/** The most rows that are asked for. */
export const MOST_ROWS = 2000;
/** How many of a row's longest calls are listed. */
export const LONGEST = 50;

/** The parts of a call's time, in the order in which they are drawn. */
export const DOINGS = ['oncpu', 'runnable', 'sleeping', 'blocked', 'stopped', 'unknown'] as const;
/** The same where the time on CPU is without interrupts. */
const NET_DOINGS = ['oncpu', 'irq', ...DOINGS.slice(1)] as const;
export type Doing = (typeof NET_DOINGS)[number];

/** `net`: whether the time on CPU is without interrupts, which are then a part of their own. */
export const doingsOf = (net: boolean): readonly Doing[] => (net ? NET_DOINGS : DOINGS);

export const DOING_WORDS: Readonly<Record<Doing, string>> = {
  oncpu: 'on CPU',
  irq: 'interrupts',
  runnable: 'runnable',
  sleeping: 'sleeping',
  blocked: 'blocked',
  stopped: 'stopped',
  unknown: 'unknown',
};

export const partOf = (split: CallSplit, doing: Doing): number | null => split[`${doing}_ns`];

/** A thread id, with the generation where that is not the first: `1234.1`. */
export const pidText = ({ pid, generation }: Pick<CallRef, 'pid' | 'generation'>): string =>
  generation === 0 ? `${pid}` : `${pid}.${generation}`;

/** Whose calls a row counts; empty for those of all threads. */
export function whoseText(row: CallRow): string {
  if ('comm' in row) return row.comm;
  if ('pid' in row) return pidText(row);
  return 'process' in row ? `${row.process ?? 'unknown'}` : '';
}

/** What identifies a row in any trace, among rows of the same kind. */
export const rowId = (row: CallRow): string => `${row.call} ${whoseText(row)}`.trimEnd();

/** The question about a row's calls. */
export function questionOf(
  row: CallRow,
  selection: ModelSelection,
  { by, errors, net }: Pick<CallsView, 'by' | 'errors' | 'net'>,
): CallsRowQuestion {
  return {
    selection,
    by,
    errors,
    net,
    call: row.call,
    nr: row.nr,
    comm: 'comm' in row ? row.comm : null,
    pid: 'pid' in row ? row.pid : null,
    generation: 'pid' in row ? row.generation : null,
    process: 'process' in row ? row.process : null,
  };
}

/** The rows whose call begins with one of `names`, which have commas between; all if there are none. */
export function named(rows: readonly CallRow[], names: string): readonly CallRow[] {
  const wanted = names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  return wanted.length === 0 ? rows : rows.filter(({ call }) => wanted.some((name) => call.startsWith(name)));
}

/** `fd: 3, buf: 0x7f00, count: 10`, or only values where no format tells names. */
export const argumentsText = (args: readonly CallArgument[]): string =>
  args.length === 0
    ? 'nothing'
    : args.map(({ name, value }) => (name === null ? value : `${name}: ${value}`)).join(', ');

/** `on CPU 12 %, sleeping 88 %`: the parts that are there, of a time. */
export function splitInWords(
  split: CallSplit,
  total: number,
  net: boolean,
  percent: (share: number) => string,
): string {
  const parts = doingsOf(net).flatMap((doing) => {
    const ns = partOf(split, doing);
    return ns === null || ns === 0 ? [] : [`${DOING_WORDS[doing]} ${percent(ns / Math.max(1, total))}`];
  });
  return parts.join(', ');
}
