/** What interrupts took in a window, as columns of the tables of commands, tasks and CPUs. */
import type { TraceClock } from '../../base/traceTime';
import type { TimeWindow } from '../../base/units';
import type { Column } from '../../components/Table';
import type { StolenIn, StolenPart } from '../../engine/protocol';
import { stolenNs } from '../../page/hover/irqLines';
import { hasInterrupts } from '../../state/calls';
import { usePage } from '../context';
import { useQuery } from '../useQuery';
import { durations, numberColumn } from './numberColumn';

/** What they took; null for a trace without events of interrupts, and as long as it is not known. */
export function useStolen(window: TimeWindow): StolenIn | null {
  const { engine } = usePage();
  const facts = useQuery(engine, 'range/callFacts', { type: 'call_facts' }).answer;
  const recorded = hasInterrupts(facts);
  return useQuery(engine, 'range/stolen', recorded ? { type: 'stolen_in', window } : null).answer?.stolen ?? null;
}

/**
 * Puts their column behind the column `after`, once it is known what to show. `keyOf`: of a row, as `parts` have them.
 */
export function withStolen<Row>(
  columns: readonly Column<Row>[],
  after: string,
  clock: TraceClock,
  parts: readonly StolenPart[] | undefined,
  keyOf: (row: Row) => number | undefined,
): readonly Column<Row>[] {
  if (parts === undefined) return columns;
  const taken = new Map(parts.map((part) => [part.key, stolenNs(part)]));
  const column = numberColumn<Row>({
    id: 'irq',
    text: 'Interrupts',
    title: 'Time that hardirqs and softirqs took, a ns once however they nest; tasks and commands are on CPU meanwhile',
    width: 80,
    of: (row) => taken.get(keyOf(row) ?? -1) ?? 0,
    ...durations(clock),
    name: 'irq_ns',
  });
  return columns.flatMap((one) => (one.id === after ? [one, column] : [one]));
}
