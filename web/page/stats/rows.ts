/** Turns answers of numbers into rows of tables. Pure. */
import { ns, type TimeWindow } from '../../base/units';
import type { Summary } from '../../engine/protocol';
import { CPU_COLUMNS, type CpuNumbers, TASK_COLUMNS, type TaskNumbers } from '../../engine/protocolTables';

export interface TaskRow extends TaskNumbers {
  readonly pid: number;
  /** The latest comm. */
  readonly comm: string;
  readonly comm_id: number;
  /** The PID, with the generation where that is not the first: `1234.1`. */
  readonly name: string;
}

export interface CpuRow extends CpuNumbers {
  /** The length of the window, as far as the trace covers it. */
  readonly wall_ns: number;
}

export function taskRows(values: Float64Array, { tasks, comms }: Pick<Summary, 'tasks' | 'comms'>): TaskRow[] {
  return records(values, TASK_COLUMNS).map((numbers) => {
    const pid = tasks.pid[numbers.task] ?? 0;
    const commId = tasks.comm[numbers.task] ?? 0;
    const name = numbers.generation === 0 ? `${pid}` : `${pid}.${numbers.generation}`;
    return { ...numbers, pid, comm_id: commId, comm: comms[commId] ?? '', name };
  });
}

export function cpuRows(values: Float64Array): CpuRow[] {
  return records(values, CPU_COLUMNS).map((numbers) => ({
    ...numbers,
    wall_ns: numbers.busy_ns + numbers.idle_ns + numbers.unknown_ns,
  }));
}

function records<Name extends string>(values: Float64Array, names: readonly Name[]): Record<Name, number>[] {
  return Array.from({ length: Math.floor(values.length / names.length) }, (_, row) => {
    const record = {} as Record<Name, number>;
    for (const [column, name] of names.entries()) record[name] = values[row * names.length + column] ?? 0;
    return record;
  });
}

/**
 * The window in whole ns. One that reaches the trace's end includes what happens at its very last ns, as the command
 * line counts.
 */
export const closed = ({ start, end }: TimeWindow, span: number): TimeWindow => ({
  start: ns(Math.max(0, Math.round(start))),
  end: ns(end >= span ? span + 1 : Math.round(end)),
});
