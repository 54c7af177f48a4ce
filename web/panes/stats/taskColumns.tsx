/** The columns of the table of tasks. In CSV they have the names that `corelane stats --json` has. */
import { exactDuration, formatCount, formatDuration } from '../../base/format';
import type { TraceClock } from '../../base/traceTime';
import type { Column } from '../../components/Table';
import type { TaskRow } from '../../page/stats/rows';
import { durations, NAME_WIDTH, Named, numberColumn } from './numberColumn';

/** `throttled`: whether some task is throttled, as only deadline tasks can be. */
export function taskColumns(
  clock: TraceClock,
  swatchOf: (row: TaskRow) => string,
  throttled: boolean,
): readonly Column<TaskRow>[] {
  return [...nameColumns(swatchOf), ...timeColumns(clock, throttled), ...wakeupColumns(clock), ...MIGRATIONS];
}

function nameColumns(swatchOf: (row: TaskRow) => string): readonly Column<TaskRow>[] {
  const inCsv = (name: string, value: (row: TaskRow) => string | number) => ({
    text: (row: TaskRow) => `${value(row)}`,
    name,
    value,
  });
  return [
    {
      id: 'task',
      text: 'Task',
      title: 'Latest name of the task',
      width: NAME_WIDTH,
      grows: true,
      cell: (row) => <Named swatch={swatchOf(row)} name={row.comm} />,
      sortBy: (row) => row.comm,
      copy: inCsv('comm', (row) => row.comm),
    },
    {
      id: 'pid',
      text: 'PID',
      title: 'Thread id; where the kernel used it again, which of its tasks',
      width: 62,
      numeric: true,
      cell: (row) => row.name,
      // Tasks with the same PID are sorted by generation.
      sortBy: (row) => row.pid + row.generation / 1e6,
      copy: inCsv('pid', (row) => row.pid),
    },
  ];
}

function timeColumns(clock: TraceClock, throttled: boolean): readonly Column<TaskRow>[] {
  const duration = durations(clock);
  return [
    numberColumn({
      id: 'execution',
      text: 'Execution',
      title: 'Time on a CPU',
      width: 90,
      of: (row) => row.execution_ns,
      ...duration,
      name: 'execution_ns',
    }),
    numberColumn({
      id: 'waiting',
      text: 'Waiting',
      title: 'Time that it was runnable and not on a CPU',
      width: 74,
      of: (row) => row.waiting_ns,
      ...duration,
      name: 'waiting_ns',
    }),
    ...(throttled
      ? [
          numberColumn<TaskRow>({
            id: 'throttled',
            text: 'Throttled',
            title: 'Time that a deadline task was off its runqueue until its next period, and from there to its run',
            width: 74,
            of: (row) => row.throttled_ns,
            ...duration,
            name: 'throttled_ns',
          }),
        ]
      : []),
  ];
}

function wakeupColumns(clock: TraceClock): readonly Column<TaskRow>[] {
  const latency = (value: number): string => (value < 0 ? '–' : formatDuration(clock, value));
  const exact = (value: number): string => (value < 0 ? '' : exactDuration(clock, value));
  return [
    numberColumn({
      id: 'switches',
      text: 'Switches',
      title: 'Context switches to the task',
      width: 68,
      of: (row) => row.switches_to,
      format: formatCount,
      name: 'switches_to',
    }),
    numberColumn({
      id: 'wakeups',
      text: 'Wakeups',
      title: 'Wakeups of the task that led to a switch-in',
      width: 68,
      of: (row) => row.wakeups,
      format: formatCount,
      name: 'wakeups',
    }),
    numberColumn({
      id: 'latency',
      text: 'Mean lat.',
      title: 'Mean wake-up latency: from sched_waking (without one, sched_wakeup) to the switch-in',
      width: 74,
      of: (row) => (row.wakeups > 0 ? row.latency_ns / row.wakeups : -1),
      format: latency,
      exact,
      name: 'latency_ns',
      value: (row) => row.latency_ns,
    }),
    numberColumn({
      id: 'max-latency',
      text: 'Max lat.',
      title: 'Greatest wake-up latency, from sched_waking (without one, sched_wakeup) to the switch-in',
      width: 74,
      of: (row) => (row.wakeups > 0 ? row.max_latency_ns : -1),
      format: latency,
      exact,
      name: 'max_latency_ns',
      value: (row) => row.max_latency_ns,
    }),
  ];
}

const MIGRATIONS: readonly Column<TaskRow>[] = [
  numberColumn({
    id: 'placement',
    text: 'Placed',
    title: 'Migrations by placement: another CPU chosen at a wakeup',
    width: 56,
    of: (row) => row.placement,
    format: formatCount,
    name: 'placement',
  }),
  numberColumn({
    id: 'balanced',
    text: 'Balanced',
    title: 'Migrations by load balance: moved while runnable',
    width: 68,
    of: (row) => row.load_balance,
    format: formatCount,
    name: 'load_balance',
  }),
  numberColumn({
    id: 'numa',
    text: 'NUMA',
    title: 'Migrations by NUMA balancing',
    width: 52,
    of: (row) => row.numa,
    format: formatCount,
    name: 'numa',
  }),
  numberColumn({
    id: 'other',
    text: 'Other',
    title: 'Other migrations: affinity changes, hotplug, or a state that is not known',
    width: 52,
    of: (row) => row.other,
    format: formatCount,
    name: 'other',
  }),
];
