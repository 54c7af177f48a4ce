/** Columns of the tables of relations. */
import { formatCount } from '../../base/format';
import type { TraceClock } from '../../base/traceTime';
import type { Column } from '../../components/Table';
import type { RelatedPair, SpareCpu } from '../../engine/protocol';
import { endText } from '../../page/relations/words';
import type { RelationsView } from '../../state/relations';
import { durations, numberColumn } from '../stats/numberColumn';

type Side = 'from' | 'to';

export function pairColumns(
  clock: TraceClock,
  isWakes: boolean,
  by: RelationsView['by'],
): readonly Column<RelatedPair>[] {
  const unit = clock.isNs ? 'ns' : 'ticks';
  const end = (side: Side, text: string, title: string): Column<RelatedPair> => {
    const name = (pair: RelatedPair): string => endText(pair[side]);
    return {
      id: side,
      text,
      title,
      width: 92,
      grows: true,
      cell: (pair) => <span title={name(pair)}>{name(pair)}</span>,
      sortBy: (pair) => pair[side].cpu ?? name(pair),
      copy: { text: name, name: side, value: name },
    };
  };
  const time = (id: string, text: string, title: string, of: (pair: RelatedPair) => number, optional = false) =>
    numberColumn<RelatedPair>({
      ...{ id, text, title, width: 74, optional, of, ...durations(clock) },
      name: `${id.replace(/^ns$/, 'total')}_${unit}`,
    });
  const count = numberColumn<RelatedPair>({
    id: 'count',
    text: isWakes ? 'Wakeups' : 'Waits',
    title: isWakes ? 'Wakeups that led to a run' : 'Waits in which this was so',
    width: 66,
    of: (pair) => pair.count,
    format: formatCount,
    name: 'count',
  });
  const longest = time(
    'longest',
    'Longest',
    isWakes
      ? 'The longest latency; a click goes to the run that it led to'
      : 'The longest of its runs meanwhile; a click goes there',
    (pair) => pair.longest_ns,
  );
  if (isWakes) {
    return [
      end('from', by === 'cpu' ? 'On' : 'Waker', by === 'cpu' ? 'Where the wakeup was made' : 'Who made the wakeup'),
      end('to', by === 'cpu' ? 'Ran on' : 'Woken', 'Who ran then'),
      count,
      time('p50', 'p50', 'Half of the latencies are at most this', (pair) => pair.latency?.ns.p50 ?? 0),
      time('p99', 'p99', '99 % are at most this', (pair) => pair.latency?.ns.p99 ?? 0, true),
      longest,
      time('ns', 'Sum', 'All latencies together', (pair) => pair.ns, true),
    ];
  }
  return [
    end('from', by === 'cpu' ? 'Waited on' : 'Had the CPU', 'Who ran there'),
    end('to', by === 'cpu' ? 'Ran on' : 'Waited', 'Who waited on its runqueue'),
    time('ns', 'Time', 'How long, summed over all that waited', (pair) => pair.ns),
    time(
      'behind',
      'CPUs spare',
      'Of this, while some CPU was idle with an empty runqueue',
      (pair) => pair.behind_ns ?? 0,
    ),
    count,
    longest,
  ];
}

export function spareColumns(clock: TraceClock): readonly Column<SpareCpu>[] {
  const unit = clock.isNs ? 'ns' : 'ticks';
  const time = (id: keyof SpareCpu & `${string}_ns`, text: string, title: string, optional = false): Column<SpareCpu> =>
    numberColumn<SpareCpu>({
      ...{ id, text, title, width: 84, optional, of: (row) => row[id] },
      ...durations(clock),
      name: id.replace(/ns$/, unit),
    });
  return [
    {
      id: 'cpu',
      text: 'CPU',
      title: 'A click gives it a lane, another takes it back',
      width: 46,
      numeric: true,
      cell: (row) => `${row.cpu}`,
      sortBy: (row) => row.cpu,
      copy: { text: (row) => `${row.cpu}`, name: 'cpu', value: (row) => row.cpu },
    },
    time('spare_ns', 'Spare', 'How long it was idle, with an empty runqueue, while some task waited behind another'),
    time('behind_ns', 'Behind', 'How long some task waited behind another on its runqueue while some CPU was spare'),
    time('behind_task_ns', '× tasks', 'The same, summed over these tasks'),
    time('waiting_task_ns', 'Waiting', 'All waiting on its runqueue, summed over tasks', true),
    time('leaving_idle_task_ns', 'Waking up', 'Of this, while the CPU was waking up for them', true),
    time('idle_ns', 'Idle', 'How long it was idle', true),
  ];
}
