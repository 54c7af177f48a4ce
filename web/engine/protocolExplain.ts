/**
 * What explains a trace: findings, latency, overload, waits, cascades, placements. The answers have the shapes and names
 * of the command line's `--json` (crates/schedquery/src/query); their `*_ns` times are ns since the trace's first event.
 *
 * Most of them walk over the whole trace and are answered as *jobs*: in slices, with progress, between other queries.
 */
import type { Ns, TimeWindow } from '../base/units';
import type { Cpu, WakerContext, WakeupEvent } from './protocol';
import type { FigureAnswer, FigureQuery } from './protocolFigure';

/** The part of the trace that is asked about; all of it must hold. */
export interface ModelSelection {
  readonly window: TimeWindow | null;
  /** Only tasks that were forked in the trace. */
  readonly forked: boolean;
  /** Only tasks that ran on at least two CPUs: the others may be pinned. */
  readonly movable: boolean;
  /** Only runs whose comm starts so. */
  readonly target: string | null;
  /** Only runs with one of these comms; empty for all. */
  readonly comms: readonly string[];
  /** Only tasks with one of these pids; empty for all. */
  readonly pids: readonly number[];
  readonly cpus: readonly Cpu[] | null;
}

export type JobQuery =
  /** The costliest findings, at most `top` of each kind. Answered several times, `done` last. */
  | { readonly type: 'findings'; readonly selection: ModelSelection; readonly top: number }
  | {
      readonly type: 'latency';
      readonly selection: ModelSelection;
      readonly by: 'command' | 'task' | 'cpu';
      /** How many of the worst. */
      readonly top: number;
    }
  | {
      readonly type: 'overload';
      readonly selection: ModelSelection;
      readonly min_duration: Ns;
      readonly top: number;
    }
  /** Overload within each socket and last-level cache; null where the machine is not known. */
  | { readonly type: 'domains'; readonly selection: ModelSelection }
  | { readonly type: 'cascades'; readonly selection: ModelSelection; readonly top: number }
  /** The cascade that the run of a CPU at an instant is part of. */
  | { readonly type: 'cascade_of'; readonly cpu: Cpu; readonly at: Ns }
  | { readonly type: 'waits'; readonly selection: ModelSelection; readonly top: number }
  | FigureQuery;

const JOBS: Readonly<Record<JobQuery['type'], true>> = {
  findings: true,
  latency: true,
  overload: true,
  domains: true,
  cascades: true,
  cascade_of: true,
  waits: true,
  figure: true,
};

export const isJobQuery = (query: { readonly type: string }): query is JobQuery => Object.hasOwn(JOBS, query.type);

/** What is answered at once. */
export type ExplainQuery =
  /** The wait before the run of a CPU at an instant: who took my CPU. */
  | { readonly type: 'wait'; readonly cpu: Cpu; readonly at: Ns }
  /** The placement of the wakeup that led to the run of a CPU at an instant. */
  | { readonly type: 'placement'; readonly cpu: Cpu; readonly at: Ns };

export type JobAnswer =
  /** While not `done`, some kinds are still missing. */
  | { readonly type: 'findings'; readonly findings: readonly Finding[]; readonly done: boolean }
  | { readonly type: 'latency'; readonly report: LatencyReport }
  | { readonly type: 'overload'; readonly report: OverloadReport }
  | { readonly type: 'domains'; readonly report: DomainReport | null }
  | { readonly type: 'cascades'; readonly report: CascadeReport }
  | { readonly type: 'cascade_of'; readonly cascade: Cascade | null }
  | { readonly type: 'waits'; readonly report: WaitReport }
  | FigureAnswer;

export type ExplainAnswer =
  | { readonly type: 'wait'; readonly wait: WaitInfo | null }
  | { readonly type: 'placement'; readonly placement: Placement | null };

/** A task under its comm at that time, or its last. */
export interface TaskName {
  readonly pid: number;
  readonly generation: number;
  readonly comm: string;
}

/** A run on a lane, to select: its identity is where and when it began. */
export interface RunPlace {
  readonly cpu: Cpu;
  readonly start_ns: Ns;
}

export type FindingKind =
  | 'overload'
  | 'wait'
  | 'gap'
  | 'moved_off_idle'
  | 'cascade'
  | 'latency'
  | 'kernel_preemption'
  | 'preemption';

/** Something to look at. The list is ranked. */
export interface Finding {
  /**
   * `overload`: tasks waited behind others while CPUs were idle with nobody on their runqueues. Cost: integral of min(those
   *   tasks, those CPUs). `cpu`: the one that idled longest; `cpus`: all that did; `tasks`: who waited, longest first; `run`: what the first one's wait ended with.
   * `wait`: a task waited behind others while some such CPU idled. Cost: how long that was. `tasks`: it, and who had its CPU longest.
   * `gap`: a command that is busy otherwise hardly ran. Cost: what usually would have run. `cpu`, `run`: null.
   * `moved_off_idle`: a wakeup left a free last CPU. Cost: its latency. `cpu`: the one left; `cpus`: it and the chosen one.
   * `cascade`: one move drove out the next. Cost: the waits of all. `cpu`: where the first task was put; `cpus`:
   *   the longest way, from where the first task was.
   * `latency`: a long wake-up latency.
   * `kernel_preemption`, `preemption`: a command (of kernel threads) took CPUs from others. Cost: how long it then ran.
   *   `tasks`: in the longest, who took the CPU from whom.
   */
  readonly kind: FindingKind;
  readonly cost_ns: number;
  readonly start_ns: Ns;
  readonly end_ns: Ns;
  readonly cpu: Cpu | null;
  /** CPUs to have in sight, the most important first. */
  readonly cpus: readonly Cpu[];
  /** Tasks, preemptions or moves of it; else 1. */
  readonly count: number;
  readonly comm: string;
  readonly tasks: readonly TaskName[];
  /** The run to select. */
  readonly run: RunPlace | null;
  /** Findings of lesser cost that tell the same story and are not listed. */
  readonly folded: number;
  /** Records are missing where it says that something did not happen: it may be none. Ranked behind the others. */
  readonly uncertain: boolean;
}

/** Nearest-rank percentiles, null when there is nothing; all in ns. */
export interface Spread {
  readonly p50: number | null;
  readonly p90: number | null;
  readonly p99: number | null;
  readonly p999: number | null;
  readonly max: number | null;
  readonly sum: number;
  /** (from, count) of each bucket that is not empty: values of at least `from` and less than twice it; of 0: zeros. */
  readonly histogram: readonly (readonly [number, number])[];
}

export interface Measured {
  readonly count: number;
  readonly ns: Spread;
}

/** Waits that a switch-in ended. */
export interface Waits {
  readonly all: Measured;
  readonly woken: Measured;
  readonly preempted: Measured;
}

/** Runs by why they ended. The mean length of all is not the time slice. */
export interface RunLengths {
  readonly all: Measured;
  readonly preempted: Measured;
  readonly slept: Measured;
  readonly exited: Measured;
  /** Not measured: their begin or end is not in the trace. */
  readonly cut: number;
}

/** Named by what the groups were asked by. */
export type LatencyGroup = ({ readonly comm: string } | TaskName | { readonly cpu: Cpu }) & {
  readonly wakeups: Measured;
  readonly waits: Waits;
  readonly runs: RunLengths;
};

export interface LatencyReport {
  readonly count: number;
  /** Wakeups by the event that started their clock. */
  readonly clock: Readonly<Record<WakeupEvent, number>>;
  readonly latency_ns: Spread;
  readonly worst: readonly WorstLatency[];
  readonly waits: Waits;
  readonly runs: RunLengths;
  /** Most wakeups first, at most 500; CPUs by number. */
  readonly groups: readonly LatencyGroup[];
  readonly groups_total: number;
}

/** `running_ns` and `cpu` are the run that it led to. */
export interface WorstLatency {
  readonly at_ns: Ns;
  readonly latency_ns: number;
  readonly event: WakeupEvent;
  readonly woken_ns: Ns | null;
  readonly running_ns: Ns;
  readonly wakee_pid: number;
  readonly wakee_generation: number;
  readonly wakee_comm: string;
  /** -1 when not known, 0 for idle. */
  readonly waker_pid: number;
  readonly waker_comm: string;
  readonly waker_context: WakerContext;
  readonly waker_cpu: Cpu;
  readonly previous_cpu: Cpu | null;
  readonly chosen_cpu: Cpu | null;
  readonly cpu: Cpu;
  readonly idle_cpus: readonly Cpu[];
  readonly previous_was_free: boolean | null;
  /** Records are missing meanwhile: it may be none. */
  readonly uncertain: boolean;
}

/** Work conservation within the parts of a machine. */
export interface DomainReport {
  /** `Topology.canonical`. */
  readonly topology: string;
  readonly domains: readonly DomainOverload[];
  /** Task time of waits whose runqueue is not known: in no domain. */
  readonly unplaced_wait_ns: number;
  readonly unknown_cpus: readonly Cpu[];
}

export interface DomainOverload {
  readonly domain: 'socket' | 'llc';
  readonly number: number;
  readonly cpus: readonly Cpu[];
  /** Task time of waits on its runqueues. */
  readonly wait_ns: number;
  /** A task waits on the runqueue of one of its CPUs, and one of its CPUs is idle. */
  readonly intervals: number;
  readonly violation_ns: number;
  readonly cost_task_ns: number;
  /** The same of tasks that wait behind somebody there, and idle CPUs of it with nobody on their runqueues. */
  readonly behind_intervals: number;
  readonly behind_ns: number;
  readonly behind_cost_task_ns: number;
  /** Tasks wait for their idle CPU, one of these. */
  readonly leaving_idle_ns: number;
  readonly leaving_idle_task_ns: number;
}

export interface OverloadReport {
  readonly count: number;
  readonly violation_ns: number;
  readonly cost_task_ns: number;
  /** The costliest, costliest first. */
  readonly intervals: readonly Violation[];
  /** The same of waits behind somebody while some CPU is idle with nobody on its runqueue. */
  readonly behind_count: number;
  readonly behind_ns: number;
  readonly behind_cost_task_ns: number;
  readonly behind: readonly Violation[];
  /** Waits for an idle CPU, of any duration. */
  readonly leaving_idle_ns: number;
  readonly leaving_idle_task_ns: number;
  /** What the numbers cannot know: affinity. */
  readonly caveat: string;
}

export interface Violation {
  readonly start_ns: Ns;
  readonly end_ns: Ns;
  readonly duration_ns: number;
  readonly cost_task_ns: number;
  readonly waiting_max: number;
  /** Longest first, at most 200. */
  readonly tasks: readonly Waited[];
  readonly tasks_total: number;
  readonly idle_cpus: readonly { readonly cpu: Cpu; readonly idle_ns: number }[];
  /** Records are missing meanwhile: it may be none. */
  readonly uncertain: boolean;
}

export interface Waited extends TaskName {
  readonly waited_ns: number;
  /** What its (last) wait ended with; null when the trace has no such run. */
  readonly run: RunPlace | null;
}

export interface CascadeReport {
  readonly count: number;
  /** Longest first. */
  readonly cascades: readonly Cascade[];
}

export interface Cascade {
  /** Moves on the longest way from the first to a last. */
  readonly length: number;
  readonly moves_total: number;
  readonly start_ns: Ns;
  readonly end_ns: Ns;
  /** How long the moved tasks had waited, together, when they ran. */
  readonly cost_ns: number;
  /** Records are missing meanwhile: it may be none. */
  readonly uncertain: boolean;
  /** In order of time, at most 1000. */
  readonly moves: readonly CascadeMove[];
}

/** `to_cpu` and `running_ns` are the run that the move led to. */
export interface CascadeMove extends TaskName {
  readonly at_ns: Ns;
  readonly running_ns: Ns;
  readonly wait_ns: number;
  /** Null for a fork. */
  readonly from_cpu: Cpu | null;
  readonly to_cpu: Cpu;
  readonly kind: 'placement' | 'load_balance' | 'numa' | 'other' | 'fork';
  /** Which move took the CPU that it left, by index in `moves`; null for the first. */
  readonly displaced_by: number | null;
}

export interface WaitReport {
  readonly count: number;
  readonly longest: readonly WaitInfo[];
}

/** A wait, explained. `cpu` and `until_ns` are the run that it ended with. */
export interface WaitInfo extends TaskName {
  readonly since_ns: Ns;
  readonly until_ns: Ns;
  readonly wait_ns: number;
  readonly cause: 'wakeup' | 'preempted';
  readonly cpu: Cpu;
  /** On which CPUs' runqueues it waited, in order of time. */
  readonly queues: readonly { readonly cpu: Cpu; readonly from_ns: Ns; readonly to_ns: Ns }[];
  /** Who ran there meanwhile, longest first, at most 1000 (50 in a report); `run`: its first run there meanwhile. */
  readonly took: readonly (TaskName & { readonly ran_ns: number; readonly run: RunPlace })[];
  /** How many ran there. */
  readonly took_total: number;
  /** How long the CPU that it waited for was idle meanwhile: leaving idle for it. */
  readonly own_idle_ns: number;
  /** How long it waited behind somebody while some CPU was idle with nobody on its runqueue. */
  readonly behind_ns: number;
  /** How long it is not known who had the CPU. */
  readonly unknown_ns: number;
  /** How long any CPU was idle meanwhile. */
  readonly any_idle_ns: number;
  /** Records are missing meanwhile: it may be none. */
  readonly uncertain: boolean;
}

/** A wakeup's placement. `cpu` and `running_ns` are the run that it led to. */
export interface Placement {
  /** Start of the wakeup's clock. */
  readonly at_ns: Ns;
  readonly latency_ns: number;
  readonly running_ns: Ns;
  readonly wakee: TaskName;
  /** -1 when not known, 0 for idle. */
  readonly waker_pid: number;
  readonly waker_comm: string;
  readonly waker_context: WakerContext;
  readonly previous_cpu: Cpu | null;
  readonly waker_cpu: Cpu;
  readonly chosen_cpu: Cpu | null;
  readonly cpu: Cpu;
  readonly idle_cpus: readonly Cpu[];
  /** Idle, and nothing on its way there; null where the last CPU is not known. */
  readonly previous_was_free: boolean | null;
  readonly chosen_was_free: boolean | null;
  /** Records are missing meanwhile: it may be none. */
  readonly uncertain: boolean;
}
