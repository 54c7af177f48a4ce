/**
 * Tables of a time window, by task and by CPU. All answered from sums made beforehand, whatever the window. Commands are `CommandRow` in `protocol.ts`.
 */
import type { TimeWindow } from '../base/units';
import type { Cpu, TaskId } from './protocol';

export type TablesQuery =
  /** `null`: the whole trace, with what happens at its very last ns. */
  | { readonly type: 'taskTable'; readonly window: TimeWindow | null }
  | { readonly type: 'cpuTable'; readonly window: TimeWindow | null };

export type TablesAnswer =
  /** `values[TASK_COLUMNS.length * row + column]`; a row for each task to which anything happens in the window. */
  | { readonly type: 'taskTable'; readonly values: Float64Array<ArrayBuffer> }
  /** `values[CPU_COLUMNS.length * row + column]`; a row for each CPU, ascending. */
  | { readonly type: 'cpuTable'; readonly values: Float64Array<ArrayBuffer> };

/** The numbers of a task in a window. `task` is its id; its names are in `Summary`. Times in ns. */
export const TASK_COLUMNS = [
  'task',
  'generation',
  'executionNs',
  'waitingNs',
  'switchesTo',
  /** Wakeups whose clock starts in the window and that led to a switch-in; the sum and the greatest of their latencies. */
  'wakeups',
  'latencyNs',
  'maxLatencyNs',
  /** `sched_migrate_task` events, by kind. */
  'placement',
  'loadBalance',
  'numa',
  'other',
  /** Off its runqueue, a deadline task, until its next period and the switch-in in it. */
  'throttledNs',
] as const;

/** The numbers of a CPU in a window. Times in ns; busy, idle and unknown add up to the window. */
export const CPU_COLUMNS = [
  'cpu',
  'busyNs',
  'idleNs',
  'unknownNs',
  /** `sched_switch` events to a task. */
  'switchesTo',
  /** How long tasks waited on the CPU's runqueue, all together, and how many at most at one time. */
  'waitingNs',
  'maxWaiting',
] as const;

export type TaskNumbers = Readonly<Record<(typeof TASK_COLUMNS)[number], number>> & { readonly task: TaskId };
export type CpuNumbers = Readonly<Record<(typeof CPU_COLUMNS)[number], number>> & { readonly cpu: Cpu };
