import type { ReactNode } from 'react';
import { formatCount } from '../../base/format';
import { useObservable } from '../../components/useObservable';
import { counterOf } from '../../facts/counters';
import { counterName } from '../../state/counter';
import { usePage } from '../context';

/** Says which counter the lines on the lanes are, and what their lower and upper edges stand for. */
export function CounterKey(): ReactNode {
  const { counter, info, error } = useObservable(counterOf(usePage().engine, 'cpu').state);
  if (counter === '') return null;
  const number = (value: number): string => (Number.isInteger(value) ? formatCount(value) : `${value}`);
  const what =
    error ??
    (info === null || (info.samples === 0 && !info.complete)
      ? 'searched'
      : info.samples === 0
        ? 'no event of the trace has it'
        : `${number(Math.min(0, info.least))} to ${number(Math.max(0, info.greatest))} on each lane${info.complete ? '' : ', still searched'}`);
  return (
    <span className="key" role="note" aria-label="Counter">
      <span className="key-mark counter" />
      {counterName(counter)}: {what}
    </span>
  );
}
