/** The time of threads in calls by another profiler's text: rows of tables. Pure. */
import { formatCount, plural } from '../../base/format';
import type { CallRow, ComparedThread, ComparedTime, StaktauText } from '../../engine/protocol';

/** A call of a thread; `call` null: the thread itself, from its first record to its last. */
export interface ComparedRow extends ComparedTime {
  readonly pid: number;
  readonly call: string | null;
}

export const comparedRows = (threads: readonly ComparedThread[]): ComparedRow[] =>
  threads.flatMap(({ pid, application_ns: application, calls }) => [
    { pid, call: null, ...application },
    ...calls.map(({ call, ns }) => ({ pid, call, ...ns })),
  ]);

/** A text alone, in the shape of a comparison. */
export const aloneRows = ({ threads }: StaktauText): ComparedRow[] =>
  threads.flatMap(({ tid: pid, application_ns: text, calls }) => [
    ...(text === null ? [] : [{ pid, call: null, trace: null, text }]),
    ...calls.map(({ name, ns }) => ({ pid, call: name, trace: null, text: ns })),
  ]);

/** How much more the text has; null where one of both has nothing. */
export const difference = ({ trace, text }: ComparedTime): number | null =>
  trace === null || text === null ? null : text - trace;

/** The text's time for rows of the table of calls by call or by thread; null where it has none. */
export function textTimes(threads: readonly ComparedThread[]): (row: CallRow) => number | null {
  const times = new Map<string, number>();
  const add = (key: string, ns: number): void => void times.set(key, (times.get(key) ?? 0) + ns);
  for (const { pid, calls } of threads) {
    for (const { call, ns } of calls) {
      if (ns.text === null) continue;
      add(call, ns.text);
      add(`${pid} ${call}`, ns.text);
    }
  }
  return (row) => {
    // The text does not tell tasks with the same thread id apart.
    if ('pid' in row) return row.generation === 0 ? (times.get(`${row.pid} ${row.call}`) ?? null) : null;
    return 'comm' in row || 'process' in row ? null : (times.get(row.call) ?? null);
  };
}

/** What of a text is not in its sums; empty if all of it is. */
export function leftOut({ repeated, unmatched_exits: exits, left_open: open, damaged }: StaktauText): string {
  const parts = [
    [repeated, 'repeated record', ''],
    [exits, 'exit', ' without an enter'],
    [open, 'call', ' that did not return'],
    [damaged, 'line', ' that could not be read'],
  ] as const;
  return parts.flatMap(([count, noun, rest]) => (count === 0 ? [] : [`${plural(count, noun)}${rest}`])).join(', ');
}

/** `line 3: the time is not a number of ns`, the first of them. */
export const damageLines = ({ damage, damaged }: StaktauText, most: number): string[] => [
  ...damage.slice(0, most).map(({ line, reason }) => `line ${formatCount(line)}: ${reason}`),
  ...(damaged > most ? [`${formatCount(damaged - Math.min(most, damage.length))} more`] : []),
];
