/** The columns of the table of system calls. In CSV they have the names that `corelane syscalls --csv` has. */
import type { ReactNode } from 'react';
import { exactDuration, formatCount, formatDuration, formatPercent } from '../../base/format';
import type { TraceClock } from '../../base/traceTime';
import type { Column } from '../../components/Table';
import type { CallRow, CallsBy, CallThread } from '../../engine/protocol';
import {
  DOING_WORDS,
  DOINGS,
  type Doing,
  doingsOf,
  partOf,
  pidText,
  splitInWords,
  whoseText,
} from '../../page/calls/rows';
import { numberColumn } from '../stats/numberColumn';

const WHOSE: Readonly<Record<Exclude<CallsBy, 'call'>, { readonly text: string; readonly title: string }>> = {
  command: { text: 'Command', title: 'What the thread was called when it entered the call' },
  task: { text: 'Thread', title: 'Thread id; where the kernel used it again, which of its tasks' },
  process: { text: 'Process', title: 'The PID of its first thread' },
};

/**
 * `net`: whether the time on CPU is without interrupts; `textOf`: what another profiler says of a row's time, null where there is
 * none.
 */
export function callColumns(
  clock: TraceClock,
  by: CallsBy,
  net: boolean,
  textOf: ((row: CallRow) => number | null) | null,
): readonly Column<CallRow>[] {
  return [
    {
      id: 'call',
      text: 'Call',
      title: 'A click goes to the longest',
      width: 104,
      grows: true,
      cell: ({ call, nr }) => <span title={`${call}, number ${nr}`}>{call}</span>,
      sortBy: ({ call }) => call,
      copy: { text: ({ call }) => call, name: 'call', value: ({ call }) => call },
    },
    ...(by === 'call' ? [] : [whoseColumn(by)]),
    count('calls', 'Calls', 'How many returned', ({ calls }) => calls),
    count('errors', 'Errors', 'Of these, failed', ({ errors }) => errors),
    {
      ...duration(clock, 'sum', 'Total', 'Their wall time', (row) => row.duration_ns.sum),
      optional: false,
    },
    ...(textOf === null || (by !== 'call' && by !== 'task') ? [] : textColumns(clock, textOf)),
    {
      id: 'split',
      text: 'Split',
      title: 'What the threads did meanwhile',
      width: 84,
      optional: textOf !== null,
      cell: (row) => <SplitBar row={row} net={net} />,
      sortBy: (row) => (row.oncpu_ns ?? 0) / Math.max(1, row.duration_ns.sum),
    },
    duration(clock, 'max', 'Max', 'The longest', (row) => row.duration_ns.max),
    duration(clock, 'mean', 'Mean', 'Their mean', (row) => row.duration_ns.mean),
    duration(clock, 'p50', 'p50', 'Half are at most this', (row) => row.duration_ns.p50),
    duration(clock, 'p99', 'p99', '99 % are at most this', (row) => row.duration_ns.p99),
    ...DOINGS.map((doing) => part(clock, doing, net)),
    duration(
      clock,
      'irq',
      'Irq',
      net ? 'What interrupts took, apart from On CPU' : 'The part on CPU that interrupts took',
      (row) => row.irq_ns,
    ),
    optionalCount('unfinished', 'Unfinished', 'Never returned, or not before the end', (row) => row.unfinished),
    duration(clock, 'unfinished_ns', 'Their time', 'How long those took at least', (row) => row.unfinished_ns, ''),
    optionalCount('interrupted', 'Interrupted', 'Of the errors, by a signal', (row) => row.interrupted),
    duration(clock, 'min', 'Min', 'The shortest', (row) => row.duration_ns.min),
    duration(clock, 'p90', 'p90', '90 % are at most this', (row) => row.duration_ns.p90),
    duration(clock, 'p999', 'p99.9', '99.9 % are at most this', (row) => row.duration_ns.p999),
  ];
}

/** A row's time by another profiler, and how much more that is. */
function textColumns(clock: TraceClock, textOf: (row: CallRow) => number | null): readonly Column<CallRow>[] {
  const more = (row: CallRow): number | null => {
    const ns = textOf(row);
    return ns === null ? null : ns - row.duration_ns.sum;
  };
  const signed = (row: CallRow): string => {
    const ns = more(row);
    return ns === null ? '–' : `${ns < 0 ? '−' : '+'}${formatDuration(clock, Math.abs(ns))}`;
  };
  return [
    { ...duration(clock, 'staktau', 'STaKTAU', 'Their wall time by the text', textOf), optional: false },
    {
      ...duration(clock, 'staktau_difference', 'Diff.', 'How much more the text has', more),
      width: 84,
      optional: false,
      cell: signed,
    },
  ];
}

function whoseColumn(by: Exclude<CallsBy, 'call'>): Column<CallRow> {
  const name = { command: 'comm', task: 'pid', process: 'process' }[by];
  return {
    id: 'whose',
    ...WHOSE[by],
    width: by === 'command' ? 96 : 62,
    ...(by !== 'command' && { numeric: true }),
    cell: whoseText,
    sortBy: (row) =>
      'pid' in row ? row.pid + row.generation / 1e6 : 'process' in row ? (row.process ?? -1) : whoseText(row),
    copy: { text: whoseText, name, value: whoseText },
  };
}

const count = (id: string, text: string, title: string, of: (row: CallRow) => number): Column<CallRow> =>
  numberColumn({ id, text, title, width: 56, of, format: formatCount, name: id });

const optionalCount = (id: string, text: string, title: string, of: (row: CallRow) => number): Column<CallRow> => ({
  ...count(id, text, title, of),
  width: 74,
  optional: true,
});

function duration(
  clock: TraceClock,
  id: string,
  text: string,
  title: string,
  of: (row: CallRow) => number | null,
  unit = clock.isNs ? '_ns' : '_ticks',
): Column<CallRow> {
  const inWords = (row: CallRow): string => {
    const value = of(row);
    return value === null ? '–' : formatDuration(clock, value);
  };
  return {
    id,
    text,
    title,
    width: 74,
    numeric: true,
    optional: true,
    cell: (row) => {
      const value = of(row);
      return value === null ? '–' : <span title={exactDuration(clock, value)}>{formatDuration(clock, value)}</span>;
    },
    sortBy: (row) => of(row) ?? -1,
    copy: { text: inWords, name: `${id}${unit}`, value: (row) => of(row) ?? '' },
  };
}

function part(clock: TraceClock, doing: Doing, net: boolean): Column<CallRow> {
  const words = DOING_WORDS[doing];
  const title =
    doing === 'runnable'
      ? 'Waiting for a CPU'
      : doing === 'unknown'
        ? 'No event says'
        : `The threads were ${words}${net && doing === 'oncpu' ? ', without interrupts' : ''}`;
  return duration(clock, doing, `${words.charAt(0).toUpperCase()}${words.slice(1)}`, title, (row) =>
    partOf(row, doing),
  );
}

/** The parts of a time, side by side; each that is there has at least a pixel. */
function SplitBar({ row, net }: { readonly row: CallRow; readonly net: boolean }): ReactNode {
  if (row.oncpu_ns === null) return <span className="muted">not known</span>;
  const total = row.duration_ns.sum;
  return (
    <span className="call-split" title={splitInWords(row, total, net, formatPercent)}>
      {doingsOf(net).map((doing) => {
        const ns = partOf(row, doing) ?? 0;
        return ns === 0 ? null : (
          <span key={doing} className={`doing ${doing}`} style={{ flexGrow: ns / Math.max(1, total) }} />
        );
      })}
    </span>
  );
}

export function threadColumns(clock: TraceClock): readonly Column<CallThread>[] {
  const time = (
    id: string,
    text: string,
    title: string,
    of: (row: CallThread) => number | null,
    name: string,
  ): Column<CallThread> => ({
    ...numberColumn<CallThread>({
      id,
      text,
      title,
      width: 84,
      of: (row) => of(row) ?? -1,
      format: (value) => (value < 0 ? '–' : formatDuration(clock, value)),
      name,
      value: (row) => of(row) ?? '',
    }),
  });
  const share = (row: CallThread): number => row.in_calls_ns / Math.max(1, row.last_ns - row.first_ns);
  return [
    {
      id: 'comm',
      text: 'Command',
      title: 'What it was called',
      width: 96,
      grows: true,
      cell: ({ comms }) => <span title={comms.join(', ')}>{comms.at(-1) ?? ''}</span>,
      sortBy: ({ comms }) => comms.at(-1) ?? '',
      copy: { text: ({ comms }) => comms.join(' '), name: 'comms', value: ({ comms }) => comms.join(' ') },
    },
    {
      id: 'pid',
      text: 'Thread',
      title: 'Thread id; where the kernel used it again, which of its tasks',
      width: 62,
      numeric: true,
      cell: pidText,
      sortBy: ({ pid, generation }) => pid + generation / 1e6,
      copy: { text: pidText, name: 'pid', value: pidText },
    },
    time('in_calls', 'In calls', 'Wall time in calls', (row) => row.in_calls_ns, 'in_calls_ns'),
    numberColumn({
      id: 'share',
      text: 'Share',
      title: 'In calls, of its time here',
      width: 56,
      of: share,
      format: formatPercent,
      name: 'in_calls_share',
    }),
    time('running', 'Running', 'Time on a CPU', (row) => row.running_ns, 'running_ns'),
    {
      ...time('irq', 'Irq', 'The part of Running that interrupts took', (row) => row.irq_ns, 'irq_ns'),
      optional: true,
    },
    time('oncpu', 'In calls', 'On CPU in calls', (row) => row.oncpu_in_calls_ns, 'oncpu_in_calls_ns'),
    time(
      'outside',
      'Outside',
      'On CPU outside of calls: user code, but page faults, signals and interrupts too',
      (row) => row.outside_oncpu_ns,
      'outside_oncpu_ns',
    ),
  ];
}
