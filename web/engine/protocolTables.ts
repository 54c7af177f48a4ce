/**
 * Tables of a time window, by task and by CPU. All answered from sums made beforehand, whatever the window. Commands are `CommandRow` in `protocol.ts`.
 */
import type { TimeWindow } from '../base/units';
import type { Cpu, TaskId } from './protocol';

export type TablesQuery =
  /** `null`: the whole trace, with what happens at its very last ns. */
  | { readonly type: 'task_table'; readonly window: TimeWindow | null }
  | { readonly type: 'cpu_table'; readonly window: TimeWindow | null };

export type TablesAnswer =
  /** `values[TASK_COLUMNS.length * row + column]`; a row for each task to which anything happens in the window. */
  | { readonly type: 'task_table'; readonly values: Float64Array<ArrayBuffer> }
  /** `values[CPU_COLUMNS.length * row + column]`; a row for each CPU, ascending. */
  | { readonly type: 'cpu_table'; readonly values: Float64Array<ArrayBuffer> };

/** The numbers of a task in a window. `task` is its id; its names are in `Summary`. Times in ns. */
export const TASK_COLUMNS = [
  'task',
  'generation',
  'execution_ns',
  'waiting_ns',
  'switches_to',
  /** Wakeups whose clock starts in the window and that led to a switch-in; the sum and the greatest of their latencies. */
  'wakeups',
  'latency_ns',
  'max_latency_ns',
  /** `sched_migrate_task` events, by kind. */
  'placement',
  'load_balance',
  'numa',
  'other',
  /** Off its runqueue, a deadline task, until its next period and the switch-in in it. */
  'throttled_ns',
] as const;

/** The numbers of a CPU in a window. Times in ns; busy, idle and unknown add up to the window. */
export const CPU_COLUMNS = [
  'cpu',
  'busy_ns',
  'idle_ns',
  'unknown_ns',
  /** `sched_switch` events to a task. */
  'switches_to',
  /** How long tasks waited on the CPU's runqueue, all together, and how many at most at one time. */
  'waiting_ns',
  'max_waiting',
] as const;

export type TaskNumbers = Readonly<Record<(typeof TASK_COLUMNS)[number], number>> & { readonly task: TaskId };
export type CpuNumbers = Readonly<Record<(typeof CPU_COLUMNS)[number], number>> & { readonly cpu: Cpu };
