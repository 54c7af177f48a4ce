import { type ReactNode, type RefObject, useMemo } from 'react';
import { exactDuration, formatCount, formatDuration } from '../../base/format';
import type { TraceClock } from '../../base/traceTime';
import { type Column, Table } from '../../components/Table';
import type { LatencyGroup } from '../../engine/protocol';
import { GROUPING_TEXTS, groupId, groupOrder, groupText, measured } from '../../page/latency/measures';
import type { Grouping, Measure } from '../../state/latency';

interface GroupsTableProps {
  readonly clock: TraceClock;
  readonly by: Grouping;
  readonly measure: Measure;
  readonly groups: readonly LatencyGroup[];
  readonly group: string | null;
  readonly busy: boolean;
  /** Receives the rows in the order in which they are listed. */
  readonly listed: RefObject<readonly LatencyGroup[]>;
  /** The user has chosen a group; null: none any longer. */
  readonly onPick: (group: string | null) => void;
}

/** The durations by command, task or CPU; a click compares a group with all. */
export function GroupsTable({ clock, by, measure, groups, group, busy, listed, onPick }: GroupsTableProps): ReactNode {
  const rows = useMemo(() => groups.filter((one) => measured(one, measure).count > 0), [groups, measure]);
  const columns = useMemo(() => groupColumns(clock, by, measure), [clock, by, measure]);
  const toggle = (row: LatencyGroup): void => onPick(groupId(row) === group ? null : groupId(row));
  return (
    <div className="latency-table">
      <Table
        label={`${GROUPING_TEXTS[by].many} by latency`}
        columns={columns}
        rows={rows}
        keyOf={groupId}
        initialSort={{ column: 'count', descending: true }}
        isSelected={(row) => groupId(row) === group}
        onPick={toggle}
        onOpen={toggle}
        listed={listed}
        busy={busy}
        empty={busy ? 'Counting…' : 'There are none of these here.'}
      />
    </div>
  );
}

export function groupColumns(clock: TraceClock, by: Grouping, measure: Measure): readonly Column<LatencyGroup>[] {
  const spread = (id: 'p50' | 'p90' | 'p99' | 'max', title: string): Column<LatencyGroup> => {
    const of = (row: LatencyGroup): number | null => measured(row, measure).ns[id];
    const told = (row: LatencyGroup, as: typeof formatDuration): string | null => {
      const value = of(row);
      return value === null ? null : as(clock, value);
    };
    const text = (row: LatencyGroup): string => told(row, formatDuration) ?? '–';
    return {
      id,
      text: id,
      title,
      width: 72,
      numeric: true,
      ...(id === 'p90' && { optional: true }),
      cell: (row) => <span title={told(row, exactDuration) ?? undefined}>{text(row)}</span>,
      sortBy: (row) => of(row) ?? -1,
      copy: { text, name: clock.isNs ? `${id}_ns` : `${id}_ticks`, value: (row) => of(row) ?? '' },
    };
  };
  const count = (row: LatencyGroup): number => measured(row, measure).count;
  return [
    {
      id: 'name',
      text: GROUPING_TEXTS[by].one,
      title: 'A click compares it with all',
      width: 112,
      grows: true,
      cell: (row) => <span title={groupText(row)}>{groupText(row)}</span>,
      sortBy: groupOrder,
      copy: { text: groupText, name: by, value: groupText },
    },
    {
      id: 'count',
      text: 'Count',
      title: 'How many',
      width: 70,
      numeric: true,
      cell: (row) => formatCount(count(row)),
      sortBy: count,
      copy: { text: (row) => formatCount(count(row)), name: 'count', value: count },
    },
    spread('p50', 'Half are at most this'),
    spread('p90', '90 % are at most this'),
    spread('p99', '99 % are at most this'),
    spread('max', 'The longest'),
  ];
}
