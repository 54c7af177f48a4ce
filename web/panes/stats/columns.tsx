/** The columns of the tables of commands, tasks and CPUs. In CSV they have the names that `corelane stats --json` has. */
import type { ReactNode } from 'react';
import { formatCount, formatDuration, formatPercent, formatTime } from '../../base/format';
import type { TraceClock } from '../../base/traceTime';
import type { Ns } from '../../base/units';
import type { Column } from '../../components/Table';
import type { CommandRow } from '../../engine/protocol';
import type { CpuRow, TaskRow } from '../../page/stats/rows';

/** With its swatch, room for 15 letters of usual width: as many as a command has. */
const NAME = 128;

interface NumberColumn<Row> {
  readonly id: string;
  readonly text: string;
  readonly title: string;
  readonly width: number;
  readonly optional?: boolean;
  readonly of: (row: Row) => number;
  readonly format: (value: number) => string;
  /** In CSV; `value` where that is not the number itself. */
  readonly name: string;
  readonly value?: (row: Row) => string | number;
}

function numberColumn<Row>({ of, format, name, value, ...head }: NumberColumn<Row>): Column<Row> {
  const text = (row: Row): string => format(of(row));
  return { ...head, numeric: true, cell: text, sortBy: of, copy: { text, name, value: value ?? of } };
}

/** A name with the colour in which the lanes show it. */
function Named({ swatch, name }: { readonly swatch: string; readonly name: string }): ReactNode {
  return (
    <>
      <span className="swatch" style={{ background: swatch }} />
      <span className="comm" title={name}>
        {name}
      </span>
    </>
  );
}

const percentOf = (of: number, all: number): string => (all > 0 ? formatPercent(of / all) : '–');

/** `withTimes`: when commands first and last ran too. */
export function commandColumns(
  clock: TraceClock,
  origin: Ns,
  swatchOf: (row: CommandRow) => string,
  withTimes: boolean,
): readonly Column<CommandRow>[] {
  const duration = (value: number): string => formatDuration(clock, value);
  const time = (value: number): string => formatTime(clock, value as Ns, origin, 3);
  const absolute = (at: Ns): string => (clock.baseNs + BigInt(at)).toString();
  const times: readonly Column<CommandRow>[] = [
    numberColumn({
      id: 'first',
      optional: true,
      text: 'First',
      title: 'When it first ran, from time 0',
      width: 72,
      of: (row) => row.first,
      format: time,
      name: 'first_ns',
      value: (row) => absolute(row.first),
    }),
    numberColumn({
      id: 'last',
      optional: true,
      text: 'Last',
      title: 'When it last ran, from time 0',
      width: 72,
      of: (row) => row.last,
      format: time,
      name: 'last_ns',
      value: (row) => absolute(row.last),
    }),
  ];
  return [
    {
      id: 'comm',
      text: 'Command',
      title: 'Name of the task while it ran',
      width: NAME,
      grows: true,
      cell: (row) => <Named swatch={swatchOf(row)} name={row.comm} />,
      sortBy: (row) => row.comm,
      copy: { text: (row) => row.comm, name: 'comm', value: (row) => row.comm },
    },
    numberColumn({
      id: 'execution',
      text: 'Execution',
      title: 'Total time on a CPU',
      width: 90,
      of: (row) => row.executionNs,
      format: duration,
      name: 'execution_ns',
    }),
    numberColumn({
      id: 'waiting',
      text: 'Waiting',
      title: 'Total time that its tasks were runnable and not on a CPU',
      width: 74,
      of: (row) => row.waitingNs,
      format: duration,
      name: 'waiting_ns',
    }),
    numberColumn({
      id: 'switches',
      optional: true,
      text: 'Switches',
      title: 'Context switches to the command',
      width: 66,
      of: (row) => row.switchesTo,
      format: formatCount,
      name: 'switches_to',
    }),
    numberColumn({
      id: 'pids',
      optional: true,
      text: 'PIDs',
      title: 'Number of tasks that ran under this name',
      width: 40,
      of: (row) => row.pids,
      format: formatCount,
      name: 'pids',
    }),
    ...(withTimes ? times : []),
  ];
}

/** `throttled`: some task is, which only deadline tasks are. */
export function taskColumns(
  clock: TraceClock,
  swatchOf: (row: TaskRow) => string,
  throttled: boolean,
): readonly Column<TaskRow>[] {
  const duration = (value: number): string => formatDuration(clock, value);
  const latency = (value: number): string => (value < 0 ? '–' : duration(value));
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
      width: NAME,
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
      // Tasks of one PID in their order.
      sortBy: (row) => row.pid + row.generation / 1e6,
      copy: inCsv('pid', (row) => row.pid),
    },
    numberColumn({
      id: 'execution',
      text: 'Execution',
      title: 'Time on a CPU',
      width: 90,
      of: (row) => row.executionNs,
      format: duration,
      name: 'execution_ns',
    }),
    numberColumn({
      id: 'waiting',
      text: 'Waiting',
      title: 'Time that it was runnable and not on a CPU',
      width: 74,
      of: (row) => row.waitingNs,
      format: duration,
      name: 'waiting_ns',
    }),
    ...(throttled
      ? [
          numberColumn<TaskRow>({
            id: 'throttled',
            text: 'Throttled',
            title: 'Time that a deadline task was off its runqueue until its next period, and from there to its run',
            width: 74,
            of: (row) => row.throttledNs,
            format: duration,
            name: 'throttled_ns',
          }),
        ]
      : []),
    numberColumn({
      id: 'switches',
      text: 'Switches',
      title: 'Context switches to the task',
      width: 68,
      of: (row) => row.switchesTo,
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
      title: 'Mean wake-up latency: from these wakeups to the switch-in',
      width: 74,
      of: (row) => (row.wakeups > 0 ? row.latencyNs / row.wakeups : -1),
      format: latency,
      name: 'latency_ns',
      value: (row) => row.latencyNs,
    }),
    numberColumn({
      id: 'max-latency',
      text: 'Max lat.',
      title: 'Greatest wake-up latency',
      width: 74,
      of: (row) => (row.wakeups > 0 ? row.maxLatencyNs : -1),
      format: latency,
      name: 'max_latency_ns',
      value: (row) => row.maxLatencyNs,
    }),
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
      of: (row) => row.loadBalance,
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
}

export function cpuColumns(clock: TraceClock): readonly Column<CpuRow>[] {
  const duration = (value: number): string => formatDuration(clock, value);
  return [
    numberColumn({
      id: 'cpu',
      text: 'CPU',
      title: 'Logical CPU',
      width: 60,
      of: (row) => row.cpu,
      format: String,
      name: 'cpu',
    }),
    {
      id: 'utilisation',
      text: 'Utilisation',
      title: 'Share of the time in which a task ran',
      width: 84,
      numeric: true,
      cell: (row) => percentOf(row.busyNs, row.wallNs),
      sortBy: (row) => row.busyNs / row.wallNs,
      copy: {
        text: (row) => percentOf(row.busyNs, row.wallNs),
        name: 'utilisation',
        value: (row) => (row.wallNs > 0 ? row.busyNs / row.wallNs : 0),
      },
    },
    numberColumn({
      id: 'busy',
      text: 'Busy',
      title: 'Time in which a task ran',
      width: 74,
      of: (row) => row.busyNs,
      format: duration,
      name: 'busy_ns',
    }),
    numberColumn({
      id: 'switches',
      text: 'Switches',
      title: 'Context switches to a task',
      width: 68,
      of: (row) => row.switchesTo,
      format: formatCount,
      name: 'switches_to',
    }),
    numberColumn({
      id: 'waiting',
      text: 'Waiting',
      title: 'Time that tasks waited on the CPU’s runqueue, all together',
      width: 74,
      of: (row) => row.waitingNs,
      format: duration,
      name: 'waiting_ns',
    }),
    numberColumn({
      id: 'queue',
      text: 'Max queue',
      title: 'Most tasks that waited on the CPU’s runqueue at one time',
      width: 84,
      of: (row) => row.maxWaiting,
      format: formatCount,
      name: 'max_waiting',
    }),
    numberColumn({
      id: 'idle',
      text: 'Idle',
      title: 'Time in which the idle task ran',
      width: 74,
      of: (row) => row.idleNs,
      format: duration,
      name: 'idle_ns',
    }),
    numberColumn({
      id: 'unknown',
      text: 'Unknown',
      title: 'Time of which the trace tells nothing: events were lost, or the CPU had no switch',
      width: 74,
      of: (row) => row.unknownNs,
      format: duration,
      name: 'unknown_ns',
    }),
  ];
}
