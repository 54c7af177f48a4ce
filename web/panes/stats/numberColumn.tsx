/** Code that the columns of the tables of commands, tasks and CPUs share. */
import type { ReactNode } from 'react';
import { exactDuration, formatDuration } from '../../base/format';
import type { TraceClock } from '../../base/traceTime';
import type { Column } from '../../components/Table';
import type { Summary } from '../../engine/protocol';
import { isIncomplete } from '../../page/words';
import '../doubt.css';

/** Room for the swatch and 15 letters of usual width, the greatest length of a command. */
export const NAME_WIDTH = 128;

interface NumberColumn<Row> {
  readonly id: string;
  readonly text: string;
  readonly title: string;
  readonly width: number;
  readonly optional?: boolean;
  readonly of: (row: Row) => number;
  readonly format: (value: number) => string;
  /** The value in full, for what `format` shortens. */
  readonly exact?: (value: number) => string;
  /** The column's name in CSV, and `value` if it is not the number itself. */
  readonly name: string;
  readonly value?: (row: Row) => string | number;
}

export function numberColumn<Row>({ of, format, exact, name, value, ...head }: NumberColumn<Row>): Column<Row> {
  const text = (row: Row): string => format(of(row));
  const cell = exact ? (row: Row) => <span title={exact(of(row))}>{text(row)}</span> : text;
  return { ...head, numeric: true, cell, sortBy: of, copy: { text, name, value: value ?? of } };
}

/** How a column of durations shows its numbers: short, and in full where the pointer rests. */
export const durations = (clock: TraceClock): Pick<NumberColumn<unknown>, 'format' | 'exact'> => ({
  format: (value) => formatDuration(clock, value),
  exact: (value) => exactDuration(clock, value),
});

/** A name beside the colour in which the lanes show it. */
export function Named({ swatch, name }: { readonly swatch: string; readonly name: string }): ReactNode {
  return (
    <>
      <span className="swatch" style={{ background: swatch }} />
      <span className="comm" title={name}>
        {name}
      </span>
    </>
  );
}

/** Hatches the waiting of tables, as lanes hatch what is unknown, if records of the trace are missing. */
export function withDoubt<Row>(columns: readonly Column<Row>[], summary: Summary): readonly Column<Row>[] {
  if (!isIncomplete(summary)) return columns;
  const title = 'Uncertain: records are missing, so some of it may be time in which the task ran unseen';
  return columns.map((column) => {
    if (column.id !== 'waiting') return column;
    const cell = (row: Row): ReactNode => (
      <span className="uncertain" title={title}>
        {column.cell(row)}
      </span>
    );
    return { ...column, cell, title: `${column.title}. ${title}` };
  });
}
