/** The columns of the tables of commands. In CSV they have the names that `corelane stats --json` has. */
import { formatCount, formatTime } from '../../base/format';
import type { TraceClock } from '../../base/traceTime';
import type { Ns } from '../../base/units';
import type { Column } from '../../components/Table';
import type { CommandRow } from '../../engine/protocol';
import { durations, NAME_WIDTH, Named, numberColumn } from './numberColumn';

/** `withTimes`: also when commands first and last ran. */
export function commandColumns(
  clock: TraceClock,
  origin: Ns,
  swatchOf: (row: CommandRow) => string,
  withTimes: boolean,
): readonly Column<CommandRow>[] {
  const duration = durations(clock);
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
      width: NAME_WIDTH,
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
      of: (row) => row.execution_ns,
      ...duration,
      name: 'execution_ns',
    }),
    numberColumn({
      id: 'waiting',
      text: 'Waiting',
      title: 'Total time that its tasks were runnable and not on a CPU',
      width: 74,
      of: (row) => row.waiting_ns,
      ...duration,
      name: 'waiting_ns',
    }),
    numberColumn({
      id: 'switches',
      optional: true,
      text: 'Switches',
      title: 'Context switches to the command',
      width: 66,
      of: (row) => row.switches_to,
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
