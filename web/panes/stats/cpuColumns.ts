/** The columns of the table of CPUs. In CSV they have the names that `corelane stats --json` has. */
import { formatCount, formatPercent } from '../../base/format';
import type { TraceClock } from '../../base/traceTime';
import type { Column } from '../../components/Table';
import type { CpuRow } from '../../page/stats/rows';
import { durations, numberColumn } from './numberColumn';

const percentOf = (of: number, all: number): string => (all > 0 ? formatPercent(of / all) : '–');

export function cpuColumns(clock: TraceClock): readonly Column<CpuRow>[] {
  const duration = durations(clock);
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
      cell: (row) => percentOf(row.busy_ns, row.wall_ns),
      sortBy: (row) => row.busy_ns / row.wall_ns,
      copy: {
        text: (row) => percentOf(row.busy_ns, row.wall_ns),
        name: 'utilisation',
        value: (row) => (row.wall_ns > 0 ? row.busy_ns / row.wall_ns : 0),
      },
    },
    numberColumn({
      id: 'busy',
      text: 'Busy',
      title: 'Time in which a task ran',
      width: 74,
      of: (row) => row.busy_ns,
      ...duration,
      name: 'busy_ns',
    }),
    numberColumn({
      id: 'switches',
      text: 'Switches',
      title: 'Context switches to a task',
      width: 68,
      of: (row) => row.switches_to,
      format: formatCount,
      name: 'switches_to',
    }),
    numberColumn({
      id: 'waiting',
      text: 'Waiting',
      title: 'Time that tasks waited on the CPU’s runqueue, all together',
      width: 74,
      of: (row) => row.waiting_ns,
      ...duration,
      name: 'waiting_ns',
    }),
    numberColumn({
      id: 'queue',
      text: 'Max queue',
      title: 'Most tasks that waited on the CPU’s runqueue at one time',
      width: 84,
      of: (row) => row.max_waiting,
      format: formatCount,
      name: 'max_waiting',
    }),
    numberColumn({
      id: 'idle',
      text: 'Idle',
      title: 'Time in which the idle task ran',
      width: 74,
      of: (row) => row.idle_ns,
      ...duration,
      name: 'idle_ns',
    }),
    numberColumn({
      id: 'unknown',
      text: 'Unknown',
      title: 'Time of which the trace shows nothing: events were lost, or the CPU had no switch',
      width: 74,
      of: (row) => row.unknown_ns,
      ...duration,
      name: 'unknown_ns',
    }),
  ];
}
