/**
 * Tables of a time window, by task and by CPU, as rows of numbers. They are computed from sums made beforehand, so any
 * window is fast. Times are in ns.
 */
import type { Cpu, TaskId } from './protocol';
import type { CPU_COLUMNS, TASK_COLUMNS } from './protocol/generated';

export { CPU_COLUMNS, TASK_COLUMNS } from './protocol/generated';

/** The numbers of a task in a window; its names are in `Summary`. */
export type TaskNumbers = Readonly<Record<(typeof TASK_COLUMNS)[number], number>> & { readonly task: TaskId };
/** The numbers of a CPU in a window; busy, idle and unknown add up to the window. */
export type CpuNumbers = Readonly<Record<(typeof CPU_COLUMNS)[number], number>> & { readonly cpu: Cpu };
