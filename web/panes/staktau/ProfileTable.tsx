import { type ReactNode, useMemo } from 'react';
import { exactDuration, formatCount, formatDuration, plural } from '../../base/format';
import { type Column, Table } from '../../components/Table';
import { type ComparedRow, damageLines, difference, leftOut } from '../../page/calls/compared';
import type { Profile } from '../../page/calls/profile';
import './staktau.css';

/** How many damaged lines are told. */
const MOST_LINES = 5;

/** The texts' times are ns, whatever clock a trace has. */
const NS = { isNs: true } as const;

interface ProfileTableProps {
  readonly profile: Profile;
  readonly rows: readonly ComparedRow[];
  readonly columns: readonly Column<ComparedRow>[];
  readonly listed: { current: readonly ComparedRow[] };
  readonly busy: boolean;
}

/** The times of a text of STaKTAU by thread and call, and what of it is not in them. */
export function ProfileTable({ profile, rows, columns, listed, busy }: ProfileTableProps): ReactNode {
  const { text } = profile;
  const out = leftOut(text);
  const lines = damageLines(text, MOST_LINES);
  return (
    <>
      <p className="hint small">
        {text.layout === 'raw' ? plural(text.records, 'record') : 'Tables'} of {plural(text.threads.length, 'thread')}
        {out !== '' && `. Not added up: ${out}`}.
      </p>
      {lines.length > 0 && (
        <ul className="damaged-lines" aria-label="Lines that could not be read">
          {lines.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
      <div className="latency-table">
        <Table
          label={`Threads in calls by ${profile.name}`}
          columns={columns}
          rows={rows}
          keyOf={({ pid, call }) => `${pid} ${call ?? ''}`}
          initialSort={{ column: 'text', descending: true }}
          isSelected={() => false}
          onPick={() => {}}
          onOpen={() => {}}
          listed={listed}
          busy={busy}
          empty={busy ? 'Comparing…' : 'It holds no call.'}
        />
      </div>
    </>
  );
}

const time = (
  id: 'trace' | 'text' | 'difference',
  text: string,
  title: string,
  of: (row: ComparedRow) => number | null,
): Column<ComparedRow> => {
  const inWords = (row: ComparedRow): string => {
    const ns = of(row);
    const sign = ns !== null && ns < 0 ? '−' : id === 'difference' && ns !== null && ns > 0 ? '+' : '';
    return ns === null ? '–' : `${sign}${formatDuration(NS, Math.abs(ns))}`;
  };
  const exact = (row: ComparedRow): string => exactDuration(NS, Math.abs(of(row) ?? 0));
  return {
    id,
    text,
    title,
    width: 84,
    numeric: true,
    cell: (row) => <span title={of(row) === null ? '' : exact(row)}>{inWords(row)}</span>,
    sortBy: (row) => of(row) ?? Number.NEGATIVE_INFINITY,
    copy: { text: inWords, name: `${id}_ns`, value: (row) => of(row) ?? '' },
  };
};

const callText = ({ call }: ComparedRow): string => call ?? '(first to last record)';

/** `beside`: with the trace's times. */
function profileColumns(beside: boolean): readonly Column<ComparedRow>[] {
  const text = time('text', 'STaKTAU', 'Wall time by the text', (row) => row.text);
  return [
    {
      id: 'pid',
      text: 'Thread',
      title: 'Thread id',
      width: 62,
      numeric: true,
      cell: ({ pid }) => pid,
      sortBy: ({ pid }) => pid,
      copy: { text: ({ pid }) => formatCount(pid), name: 'pid', value: ({ pid }) => pid },
    },
    {
      id: 'call',
      text: 'Call',
      title: beside ? 'By its canonical name' : 'As the text names it',
      width: 120,
      grows: true,
      cell: callText,
      sortBy: callText,
      copy: { text: callText, name: 'call', value: callText },
    },
    ...(beside ? [time('trace', 'Trace', 'Wall time by the trace', (row) => row.trace)] : []),
    text,
    ...(beside ? [time('difference', 'Difference', 'How much more the text has', difference)] : []),
  ];
}

export const useProfileColumns = (beside: boolean): readonly Column<ComparedRow>[] =>
  useMemo(() => profileColumns(beside), [beside]);
