import type { ReactNode } from 'react';
import { exactDuration, formatCount, formatDuration } from '../../base/format';
import type { TraceClock } from '../../base/traceTime';
import type { Measured } from '../../engine/protocol';
import { PERCENTILES, percentilesOf } from '../../page/latency/histogram';
import { meanOf } from '../../page/latency/measures';

export interface NumbersColumn {
  readonly id: string;
  readonly text: string;
  readonly title: string;
  readonly measured: Measured;
  /** Whether its histogram is the one that is shown. */
  readonly isShown: boolean;
  /** Shows its histogram; null: it cannot be chosen. */
  readonly show: (() => void) | null;
}

interface NumbersTableProps {
  readonly label: string;
  readonly clock: TraceClock;
  readonly columns: readonly NumbersColumn[];
}

/** Counts, means and percentiles side by side; exact values as tooltips. */
export function NumbersTable({ label, clock, columns }: NumbersTableProps): ReactNode {
  const duration = (value: number | null): ReactNode =>
    value === null ? '–' : <span title={exactDuration(clock, value)}>{formatDuration(clock, value)}</span>;
  const row = (name: string, cell: (measured: Measured) => ReactNode): ReactNode => (
    <tr key={name}>
      <th scope="row">{name}</th>
      {columns.map(({ id, measured, isShown }) => (
        <td key={id} className={isShown ? 'shown' : undefined}>
          {cell(measured)}
        </td>
      ))}
    </tr>
  );
  return (
    <div className="numbers-scroll">
      <table className="numbers" aria-label={label}>
        <thead>
          <tr>
            <td />
            {columns.map(({ id, text, title, isShown, show }) => (
              <th key={id} scope="col" className={isShown ? 'shown' : undefined}>
                {show ? (
                  <button type="button" className="link" title={title} aria-pressed={isShown} onClick={show}>
                    {text}
                  </button>
                ) : (
                  <span title={title}>{text}</span>
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {row('Count', ({ count }) => formatCount(count))}
          {row('Mean', (measured) => duration(meanOf(measured)))}
          {PERCENTILES.map((name) =>
            row(name, ({ ns }) => duration(percentilesOf(ns).find(({ text }) => text === name)?.duration ?? null)),
          )}
        </tbody>
      </table>
    </div>
  );
}
