/**
 * Tasks and their states over time. A task's states tile the trace, `[0, span)`, without gap or overlap; what they
 * mean, and what proves them, is said in `crates/schedquery/src/index/task_states.rs`.
 */
import type { Ns } from '../base/units';
import type { Cpu, TaskId } from './protocol';

/**
 * `unborn`: before its fork, or while another task had its pid. `new`: forked, not woken for the first time yet.
 * `runnable`: on a runqueue, not on a CPU. `sleeping`: S, I and other letters of who is not runnable.
 * `blocked`: D. `stopped`: T, t and P (parked). `dead`: X, Z. `throttled`: a deadline task off its
 * runqueue until its next period, though its letter is R.
 */
export type TaskState =
  | 'unknown'
  | 'unborn'
  | 'new'
  | 'running'
  | 'runnable'
  | 'sleeping'
  | 'blocked'
  | 'stopped'
  | 'dead'
  | 'throttled';

/** By the kernel priority: below 0 is deadline, 0-99 real time (the stop class included), 100-139 fair, above idle. */
export type TaskClass = 'deadline' | 'RT' | 'fair' | 'idle';

/**
 * `yes`: it is kthreadd, or kthreadd forked it in the trace. `likely`: it has a name that kernel threads have. Nothing
 * else in a trace tells kernel threads apart.
 */
export type KernelThread = 'yes' | 'likely' | 'unknown';

export interface TaskInfo {
  /** Ids ascend by first appearance: those of one pid by generation. */
  readonly task: TaskId;
  readonly pid: number;
  readonly generation: number;
  /** The last one. */
  readonly comm: string;
  /** Those it ran under, each with the start of its first run, in that order. */
  readonly comms: readonly { readonly comm: string; readonly from: Ns }[];
  readonly forked: boolean;
  readonly parent: TaskId | null;
  readonly kernel: KernelThread;
  /** Of the lowest kernel priority it was switched in with; null when the trace does not tell. */
  readonly class: TaskClass | null;
  /** Least and greatest kernel priority it was switched in with; -1 is deadline. */
  readonly prio: { readonly min: number; readonly max: number } | null;
  readonly runs: number;
  readonly execution_ns: number;
  /** First ns that it ran, and the first after its last run. */
  readonly first_run: Ns | null;
  readonly last_run: Ns | null;
}

/**
 * Where a share is in the two words of a task's bucket: which word, and its lowest bit. They say how the bucket's time is
 * shared out among the states: a byte each, 255 for all of it, rounded up so that 1 ns of a state is never 0. So a short
 * wait does not vanish beside a long sleep, however far out. What the shares leave is new, unborn or dead, or behind the
 * trace's end. Bit 16 of the second word: more than two intervals fall into the bucket, so what is drawn is an aggregate.
 */
export const TaskCellShift = {
  running: { word: 0, bit: 0 },
  runnable: { word: 0, bit: 8 },
  blocked: { word: 0, bit: 16 },
  sleeping: { word: 0, bit: 24 },
  unknown: { word: 1, bit: 0 },
  stopped: { word: 1, bit: 8 },
  throttled: { word: 1, bit: 24 },
} as const;

/** A run of a task that is wide enough for a label. */
export interface TaskRun {
  readonly task: TaskId;
  readonly cpu: Cpu;
  readonly start: Ns;
  readonly end: Ns;
  readonly comm: string;
}

/** One state of a task, and since and until when. */
export interface TaskInterval {
  readonly task: TaskId;
  readonly pid: number;
  readonly generation: number;
  readonly state: TaskState;
  readonly start: Ns;
  readonly end: Ns;
  /** Of the run; otherwise of the task's next run, or its last one where none follows. */
  readonly comm: string;
  /** Of a run: where. Of a wait: where it was then switched in; null when it was not. */
  readonly cpu: Cpu | null;
  /** The letters of `prev_state`: those that a run ended with, or those that began this state; null when not known. */
  readonly letters: string | null;
  /** With these letters the task, a deadline task, was off its runqueue until its next period. */
  readonly throttled?: boolean;
  /** What made it runnable, for `runnable` only. */
  readonly cause: 'wakeup' | 'preempted' | null;
  /** Still going on when the trace ends. */
  readonly open: boolean;
  /** The run to select: itself, the next one for `runnable`, otherwise the one before; null when there is none. */
  readonly run: { readonly cpu: Cpu; readonly start: Ns } | null;
}

/** Those with an id of `ids`, and that had `comm` at any time; null: all. By id. */
export interface TasksQuery {
  readonly type: 'tasks';
  readonly ids: readonly TaskId[] | null;
  readonly comm: string | null;
}

export interface TasksAnswer {
  readonly type: 'tasks';
  readonly tasks: readonly TaskInfo[];
}
