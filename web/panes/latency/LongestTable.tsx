import { type ReactNode, type RefObject, useMemo } from 'react';
import { exactDuration, formatDuration, formatTime } from '../../base/format';
import type { TraceClock } from '../../base/traceTime';
import type { Ns } from '../../base/units';
import { type Column, Table } from '../../components/Table';
import type { WaitInfo, WakeupEdge } from '../../engine/protocol';
import { type Cpu, isInterrupt } from '../../engine/protocol';
import { goTo } from '../../page/navigate';
import { contextInWords, taskName, wakerInWords } from '../../page/words';
import { usePage, useView } from '../context';
import { Doubt } from '../Doubt';

/** A wake-up latency or a wait, with the run that ended it. */
export interface Longest {
  readonly ns: number;
  readonly from: Ns;
  readonly task: string;
  /** The task that made it wait: the waker, or the task that had the CPU longest. */
  readonly other: string;
  readonly otherTitle: string;
  /** The CPUs on its way: where it last ran, where it was placed, and where it ran. */
  readonly cpus: string;
  readonly cpu: Cpu;
  readonly running: Ns;
  /** Whether records are missing meanwhile. */
  readonly uncertain: boolean;
}

export function fromLatency(row: WakeupEdge): Longest {
  const way = [row.previous_cpu, row.chosen_cpu, row.cpu].filter((cpu, i, all) => cpu !== null && cpu !== all[i - 1]);
  const interrupt = isInterrupt(row.context);
  const waker = wakerInWords(row);
  return {
    ns: row.latency_ns ?? 0,
    from: row.at_ns,
    task: taskName(row.wakee.comm, row.wakee.pid),
    other: interrupt ? `${row.context} on CPU ${row.waker_cpu}` : waker,
    otherTitle: `Woken by ${waker} ${contextInWords[row.context]} on CPU ${row.waker_cpu} (${row.event})`,
    cpus: way.join(' → '),
    cpu: row.cpu ?? row.waker_cpu,
    running: row.running_ns ?? row.at_ns,
    uncertain: row.uncertain,
  };
}

export function fromWait(row: WaitInfo): Longest {
  const [most] = row.took;
  return {
    ns: row.wait_ns,
    from: row.since_ns,
    task: taskName(row.comm, row.pid),
    other: most ? taskName(most.comm, most.pid) : '–',
    otherTitle: most ? 'Had the CPU longest meanwhile' : 'No task is known to have had the CPU meanwhile',
    cpus: row.queues.map(({ cpu }) => cpu).join(' → ') || `${row.cpu}`,
    cpu: row.cpu,
    running: row.until_ns,
    uncertain: row.uncertain,
  };
}

interface LongestTableProps {
  readonly label: string;
  readonly clock: TraceClock;
  readonly origin: Ns;
  /** The head of the column `other`. */
  readonly other: string;
  readonly rows: readonly Longest[];
  readonly busy: boolean;
  /** Receives the rows in the order in which they are listed. */
  readonly listed: RefObject<readonly Longest[]>;
}

/** The table of the longest ones: a click goes to the run that ended each. */
export function LongestTable({ label, clock, origin, other, rows, busy, listed }: LongestTableProps): ReactNode {
  const page = usePage();
  const selection = useView((view) => view.selection);
  const columns = useMemo(() => longestColumns(clock, origin, other), [clock, origin, other]);
  const go = (row: Longest): void => void goTo(page, row.cpu, row.running);
  return (
    <div className="latency-table">
      <Table
        label={label}
        columns={columns}
        rows={rows}
        keyOf={({ cpu, running }) => `${cpu}@${running}`}
        initialSort={{ column: 'ns', descending: true }}
        isSelected={({ cpu, running }) => selection?.cpu === cpu && selection.start === running}
        onPick={go}
        onOpen={go}
        listed={listed}
        busy={busy}
        empty={busy ? 'Looking…' : 'There are none here.'}
      />
    </div>
  );
}

export function longestColumns(clock: TraceClock, origin: Ns, other: string): readonly Column<Longest>[] {
  const name = (text: string): string => (clock.isNs ? `${text}_ns` : `${text}_ticks`);
  const words = (
    id: 'task' | 'other',
    text: string,
    title: string,
    hint: (row: Longest) => string,
  ): Column<Longest> => ({
    id,
    text,
    title,
    width: 100,
    grows: true,
    cell: (row) => (
      <span title={hint(row)}>
        {id === 'task' && row.uncertain && <Doubt />}
        {row[id]}
      </span>
    ),
    sortBy: (row) => row[id],
    copy: { text: (row) => row[id], name: id === 'task' ? 'task' : 'other', value: (row) => row[id] },
  });
  return [
    {
      id: 'ns',
      text: 'Time',
      title: 'How long',
      width: 74,
      numeric: true,
      cell: (row) => <span title={exactDuration(clock, row.ns)}>{formatDuration(clock, row.ns)}</span>,
      sortBy: (row) => row.ns,
      copy: { text: (row) => formatDuration(clock, row.ns), name: name('duration'), value: (row) => row.ns },
    },
    words('task', 'Task', 'Delayed task', (row) => row.task),
    words(
      'other',
      other,
      other === 'Waker'
        ? 'Its waker: what was on the CPU that wrote sched_waking, a task or an interrupt'
        : 'The task that had its CPU longest meanwhile',
      (row) => row.otherTitle,
    ),
    {
      id: 'cpus',
      text: 'CPUs',
      title: other === 'Waker' ? 'Where it last ran, was put, and ran' : 'On whose runqueues it waited',
      width: 74,
      cell: (row) => row.cpus,
      sortBy: (row) => row.cpu,
      copy: { text: (row) => row.cpus, name: 'cpus', value: (row) => row.cpus },
    },
    {
      id: 'from',
      text: 'At',
      title: 'When it began, from time 0',
      width: 96,
      numeric: true,
      cell: (row) => formatTime(clock, row.from, origin, 6),
      sortBy: (row) => row.from,
      copy: { text: (row) => formatTime(clock, row.from, origin), name: name('at'), value: (row) => row.from - origin },
    },
  ];
}
