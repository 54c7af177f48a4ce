import { formatCount, formatDuration, formatTime } from '../../base/format';
import type { TraceClock } from '../../base/traceTime';
import type { Ns } from '../../base/units';
import type { Column } from '../../components/Table';
import type { LongestPair, PairAnswer, PairGroup, PairTimes } from '../../engine/protocol';
import { eventsOf, longestTask } from '../../page/pairs/words';

/** What pairs and their groups have in common. */
type Counted = Pick<PairAnswer, 'count' | 'ns'>;

/** A pair may last less than nothing: a timer may expire before its time. */
const signed = (clock: TraceClock, value: number): string =>
  value < 0 ? `−${formatDuration(clock, -value)}` : formatDuration(clock, value);

function numbers<Row extends Counted>(clock: TraceClock): readonly Column<Row>[] {
  const duration = (
    id: keyof PairTimes & ('mean' | 'p50' | 'p99' | 'max' | 'sum' | 'min'),
    text: string,
    title: string,
    optional = false,
  ): Column<Row> => {
    const of = (row: Row): number | null => (row.count === 0 ? null : row.ns[id]);
    const shown = (row: Row): string => {
      const value = of(row);
      return value === null ? '–' : signed(clock, value);
    };
    return {
      id,
      text,
      title,
      width: 72,
      numeric: true,
      optional,
      cell: shown,
      sortBy: (row) => of(row) ?? -1,
      copy: { text: shown, name: clock.isNs ? `${id}_ns` : `${id}_ticks`, value: (row) => of(row) ?? '' },
    };
  };
  return [
    {
      id: 'count',
      text: 'Count',
      title: 'How many',
      width: 70,
      numeric: true,
      cell: (row) => formatCount(row.count),
      sortBy: (row) => row.count,
      copy: { text: (row) => formatCount(row.count), name: 'count', value: (row) => row.count },
    },
    duration('sum', 'Total', 'All of them together'),
    duration('min', 'Min', 'The shortest', true),
    duration('mean', 'Mean', 'The mean', true),
    duration('p50', 'p50', 'Half are at most this', true),
    duration('p99', 'p99', '99 % are at most this'),
    duration('max', 'Max', 'The longest'),
  ];
}

export const pairColumns = (clock: TraceClock): readonly Column<PairAnswer>[] => [
  {
    id: 'name',
    text: 'Pair',
    title: 'A click shows its numbers below',
    width: 110,
    grows: true,
    cell: (row) => <span title={eventsOf(row)}>{row.name}</span>,
    sortBy: (row) => row.name,
    copy: { text: (row) => row.name, name: 'pair', value: (row) => row.name },
  },
  ...numbers<PairAnswer>(clock),
];

export const groupColumns = (clock: TraceClock, what: string): readonly Column<PairGroup>[] => [
  {
    id: 'group',
    text: what,
    title: what,
    width: 110,
    grows: true,
    cell: (row) => <span title={row.group}>{row.group}</span>,
    sortBy: (row) => (/^\d+$/.test(row.group) ? Number(row.group) : row.group),
    copy: { text: (row) => row.group, name: 'group', value: (row) => row.group },
  },
  ...numbers<PairGroup>(clock),
];

export function longestColumns(clock: TraceClock, origin: Ns): readonly Column<LongestPair>[] {
  const text = (
    id: 'group' | 'task',
    head: string,
    title: string,
    of: (row: LongestPair) => string,
  ): Column<LongestPair> => ({
    id,
    text: head,
    title,
    width: 90,
    grows: true,
    cell: (row) => <span title={of(row)}>{of(row)}</span>,
    sortBy: of,
    copy: { text: of, name: id, value: of },
  });
  const at = (row: LongestPair): string => formatTime(clock, row.at_ns, origin);
  const unit = clock.isNs ? 'ns' : 'ticks';
  return [
    {
      id: 'ns',
      text: 'Lasted',
      title: 'From the start to the end, or the value',
      width: 76,
      numeric: true,
      cell: (row) => signed(clock, row.ns),
      sortBy: (row) => row.ns,
      copy: { text: (row) => signed(clock, row.ns), name: `lasted_${unit}`, value: (row) => row.ns },
    },
    {
      id: 'at',
      text: 'Since',
      title: 'When it began; a click goes there',
      width: 110,
      numeric: true,
      cell: at,
      sortBy: (row) => row.at_ns,
      copy: { text: at, name: `at_${unit}`, value: (row) => row.at_ns },
    },
    text('group', 'Group', 'Its group', (row) => row.group),
    text('task', 'Task', 'The task that had the CPU as it began', longestTask),
    {
      id: 'cpu',
      text: 'CPU',
      title: 'Where it began',
      width: 44,
      numeric: true,
      cell: (row) => row.cpu,
      sortBy: (row) => row.cpu,
      copy: { text: (row) => `${row.cpu}`, name: 'cpu', value: (row) => row.cpu },
    },
  ];
}
