/**
 * What the page and the engine worker say to each other; the only file that both sides import.
 * Times are `Ns` since the trace's first event. Absolute trace time = `BigInt(baseNs) + time`, for display only.
 */
import type { Ns, TimeWindow } from '../base/units';
import type { ExplainAnswer, ExplainQuery, JobAnswer, JobQuery } from './protocolExplain';
import type { TablesAnswer, TablesQuery } from './protocolTables';
import type { TaskClass, TasksAnswer, TasksQuery } from './protocolTasks';
import type { TopologyAnswer, TopologyQuery } from './protocolTopology';
import type { TracksAnswer, TracksQuery } from './protocolTracks';

/** Dense index of a task (pid and generation). While a trace loads: provisional, one for each pid. */
export type TaskId = number;
/** Dense index of a comm. */
export type CommId = number;
/** Logical CPU number. */
export type Cpu = number;

export type TraceSource =
  | { readonly kind: 'file'; readonly file: File }
  | { readonly kind: 'url'; readonly url: string };

/** Which runs exist for a view, and which of them stand out. A new spec makes a new view in the engine. */
export interface ViewSpec {
  /** Only tasks created after the trace began (children of a `sched_process_fork` in it). */
  readonly forked: boolean;
  /** Work conservation without tasks that were never seen on a second CPU, which may be pinned. */
  readonly movable: boolean;
  /** Runs that must stay visible at any zoom; `none` highlights nothing. */
  readonly highlight:
    | { readonly kind: 'none' }
    | { readonly kind: 'prefix'; readonly prefix: string }
    | { readonly kind: 'comms'; readonly comms: readonly string[] }
    | { readonly kind: 'task'; readonly task: TaskId };
}

export type EngineRequest =
  | { readonly type: 'open'; readonly session: number; readonly source: TraceSource }
  /** `key`: a later query with the same key supersedes this one (latest wins). */
  | {
      readonly type: 'query';
      readonly session: number;
      readonly id: number;
      readonly key: string;
      readonly query: Query;
    };

/** What the engine worker answers from the model. */
export type TraceQuery =
  | ExplainQuery
  | TracksQuery
  | { readonly type: 'set_view'; readonly spec: ViewSpec }
  | { readonly type: 'chain'; readonly cpu: Cpu; readonly at: Ns; readonly hops: number }
  | { readonly type: 'commands'; readonly window: TimeWindow | null }
  | { readonly type: 'stats'; readonly window: TimeWindow }
  | TablesQuery
  | TasksQuery
  | TopologyQuery;

/** What the events worker answers from the records. */
export type EventsQuery =
  /** Rows of the filtered list, as far as they are known: fewer than `count` at its end, or while a filter runs. */
  | {
      readonly type: 'event_rows';
      readonly filter: EventFilter;
      readonly mode: EventTextMode;
      readonly first: number;
      readonly count: number;
    }
  /** The first filtered row at or after `at`, on `cpu` if one is given. Answered once it is known. */
  | {
      readonly type: 'event_row_at';
      readonly filter: EventFilter;
      readonly mode: EventTextMode;
      readonly at: Ns;
      readonly cpu: Cpu | null;
    }
  /**
   * The nearest row after `from` (1) or before it (-1) whose line holds `text`, without wrapping; `from` itself is not
   * looked at, so -1 begins at the first row and the list's length at the last. Answered once it is known.
   */
  | {
      readonly type: 'event_search';
      readonly filter: EventFilter;
      readonly mode: EventTextMode;
      readonly text: string;
      readonly from: number;
      readonly direction: -1 | 1;
    }
  /** Rows as `trace-cmd report` prints them, what was lost between them included; at most `MAX_EVENT_LINES` rows. */
  | {
      readonly type: 'event_lines';
      readonly filter: EventFilter;
      readonly mode: EventTextMode;
      readonly first: number;
      readonly count: number;
    }
  /** The events of the trace, for a filter's menu. */
  | { readonly type: 'event_names' };

export const MAX_EVENT_LINES = 10_000;

export type Query = TraceQuery | JobQuery | EventsQuery;

const EVENTS_QUERIES: Readonly<Record<EventsQuery['type'], true>> = {
  event_rows: true,
  event_row_at: true,
  event_search: true,
  event_lines: true,
  event_names: true,
};

export const isEventsQuery = (query: Query): query is EventsQuery => Object.hasOwn(EVENTS_QUERIES, query.type);

/** How a record is printed: as `trace-cmd report` does with its plugins, by the kernel's `print fmt` (`-N`), or field by field (`-R`). */
export type EventTextMode = 'trace-cmd' | 'kernel' | 'raw';

/** Which events are listed: those to which all of it applies. */
export interface EventFilter {
  readonly cpus: readonly Cpu[] | null;
  /** The task that an event happened in, or one that its fields name (prev_pid, next_pid, parent_pid, child_pid, pid). */
  readonly pids: readonly number[] | null;
  /** `system:name`, or a name in any system. */
  readonly events: readonly string[] | null;
  /** In the line as it is printed (task, event and text), whatever the case; empty for any. */
  readonly text: string;
  readonly window: TimeWindow | null;
}

/** One line of the list. */
export interface EventRow {
  /** Position in the filtered list. */
  readonly row: number;
  readonly cpu: Cpu;
  /** The n-th record of its CPU: what it is, whatever the filter. */
  readonly record: number;
  readonly at: Ns;
  readonly pid: number;
  readonly comm: string;
  readonly event: string;
  readonly text: string;
  /** Events lost on this CPU just before; `some` when the kernel did not count them. */
  readonly lost: number | 'some' | null;
}

export interface EventName {
  readonly name: string;
  readonly system: string;
  readonly count: number;
}

/** How far a filter or a search is: events examined, and all there are. */
export interface EventProgress {
  readonly done: number;
  readonly all: number;
  readonly complete: boolean;
}

/** A run on a CPU that is wide enough for a label. */
export interface LabelRun {
  readonly cpu: Cpu;
  readonly start: Ns;
  readonly end: Ns;
  readonly pid: number;
  readonly comm: string;
}

export type WakeupEvent = 'sched_waking' | 'sched_wakeup' | 'sched_wakeup_new';
export type WakerContext = 'task' | 'hardirq' | 'softirq' | 'unknown';

/** Whether an interrupt made the wakeup, and not the task that it interrupted. */
export const isInterrupt = (context: WakerContext): boolean => context === 'hardirq' || context === 'softirq';

/** The interval of a lane at an instant. */
export interface Interval {
  readonly cpu: Cpu;
  readonly start: Ns;
  readonly end: Ns;
  readonly kind: 'run' | 'idle' | 'unknown';
  /** Began before the trace, or its start was not seen. */
  readonly inferred: boolean;
  /** Still going on when the trace ends. */
  readonly open: boolean;
  /** What follows is for runs only. */
  readonly task?: TaskId;
  readonly pid?: number;
  readonly generation?: number;
  readonly comm?: string;
  /** Kernel priority that it was switched in with, -1 for deadline, and the class that it tells. */
  readonly prio?: number | null;
  readonly class?: TaskClass | null;
  /** The letter(s) of `prev_state` at the end of the run, `R+` for preempted; null while open or not known. */
  readonly end_state?: string | null;
  /** The run ended so that the task, a deadline task, was off its runqueue until its next period. */
  readonly throttled?: boolean;
  /** An exec of a thread that does not lead gave it another pid in the middle of the run: the parts before and after this one. */
  readonly exec_from?: PartOfRun | null;
  readonly exec_to?: PartOfRun | null;
  /** When the task became runnable before this run, and how that is known; null when the trace does not say. */
  readonly waited_since?: Ns | null;
  readonly wait_cause?: 'wakeup' | 'preempted' | null;
  readonly wakeup?: Wakeup | null;
}

/** What a thread runs as before or after an exec changes its pid. */
export interface PartOfRun {
  readonly pid: number;
  readonly start: Ns;
}

/** A wakeup edge. */
export interface Wakeup {
  readonly event: WakeupEvent;
  /** The clock's start: `sched_waking` where it exists. */
  readonly at: Ns;
  readonly woken_at: Ns | null;
  readonly waker: { readonly task: TaskId; readonly pid: number; readonly comm: string } | null;
  readonly context: WakerContext;
  readonly waker_cpu: Cpu;
  readonly previous_cpu: Cpu | null;
  readonly chosen_cpu: Cpu | null;
  /** CPUs known to be idle at `at`. */
  readonly idle_cpus: readonly Cpu[];
}

/** One step of a wakeup chain: `wakee` was woken by `waker`. */
export interface Hop {
  readonly wakee_pid: number;
  readonly wakee_comm: string;
  readonly wakee: TaskId;
  readonly woken: Ns;
  /** When and where the wakee came onto a CPU; null when it did not. */
  readonly running: Ns | null;
  readonly cpu: Cpu | null;
  readonly latency: Ns | null;
  readonly waker_pid: number;
  readonly waker_comm: string;
  readonly waker_context: WakerContext;
  readonly waker_cpu: Cpu;
  readonly event: WakeupEvent;
  /** Start of the waker's run in which the wakeup happened (with `wakerCpu`: the link); null when not known. */
  readonly waker_run: Ns | null;
}

export interface Chain {
  readonly run: Interval;
  /** From the run back to its cause. */
  readonly back: readonly Hop[];
  readonly ends_at: 'interrupt' | 'idle' | 'trace_start' | 'unknown' | 'limit';
  /** The wakeups made by this run, in time order. */
  readonly forward: readonly Hop[];
  readonly forward_total: number;
}

export interface CommandRow {
  readonly comm: string;
  readonly comm_id: CommId;
  readonly first: Ns;
  readonly last: Ns;
  readonly execution_ns: number;
  /** How long its tasks waited before these runs. */
  readonly waiting_ns: number;
  readonly switches_to: number;
  readonly pids: number;
}

/** Time-weighted over a window. */
export interface WindowStats {
  readonly running: { readonly mean: number; readonly max: number };
  readonly waiting: { readonly mean: number; readonly max: number };
  readonly utilisation: number;
  /** Of how many CPUs it is known what they do: the mean. */
  readonly known_cpus: number;
  /** Of all waits while some CPU idles. */
  readonly violation_ns: number;
  readonly cost_task_ns: number;
  /** Of waits behind somebody while some CPU is idle with nobody on its runqueue; as `ViewSpec.movable` says. */
  readonly behind_ns: number;
  readonly behind_cost_task_ns: number;
  /** Of waits for an idle CPU. */
  readonly leaving_idle_ns: number;
  readonly leaving_idle_task_ns: number;
}

export interface Diagnostic {
  readonly kind: string;
  readonly cpu: Cpu | null;
  readonly at_ns: Ns | null;
  readonly count: number;
  /** Some more of them, a few at most. */
  readonly more_ns: readonly Ns[];
  readonly text: string;
}

/** So much of a trace is missing that every number has to be read with care. */
export interface Damage {
  /** The file ends before its data does. */
  readonly cut: boolean;
  /** Of all CPU time, how much is unknown because records are missing; from 0 to 1. */
  readonly unknown_share: number;
  /** Of which records are missing. */
  readonly cpus: readonly Cpu[];
  /** Those of them that are unknown from the first to the last record. */
  readonly without_data: readonly Cpu[];
  /** Others that are unknown from some time to the end. */
  readonly ends: readonly { readonly cpu: Cpu; readonly at_ns: Ns }[];
}

/** What is known before the first page is scanned. */
export interface Metadata {
  readonly name: string;
  readonly size: number;
  readonly fingerprint: string;
  readonly cpus: readonly Cpu[];
  /** Absolute trace time of the first event, in ns, as decimal digits. */
  readonly base_ns: string;
  /** False for clocks that count raw ticks (x86-tsc, counter): "ns" are then ticks. */
  readonly clock_is_ns: boolean;
  readonly clock: string;
  readonly version: number;
  readonly uname: string | null;
}

/** What is known when the trace is built. */
export interface Summary extends Metadata {
  readonly span: Ns;
  readonly records: number;
  readonly sched_events: number;
  readonly lost_events: number;
  readonly lost_gaps: number;
  /** Exit of the first task named `sleep`: time 0 of `--after-sleep`; null when there is none. */
  readonly after_sleep: Ns | null;
  /** Null where nothing, or little, is missing. */
  readonly damage: Damage | null;
  readonly diagnostics: readonly Diagnostic[];
  /** By `TaskId`. */
  readonly tasks: {
    readonly pid: Int32Array<ArrayBuffer>;
    readonly comm: Uint32Array<ArrayBuffer>;
    readonly forked: Uint8Array<ArrayBuffer>;
  };
  /** By `CommId`. */
  readonly comms: readonly string[];
}

export interface Progress {
  readonly bytes: number;
  readonly totalBytes: number;
  readonly events: number;
  readonly cpusDone: number;
  readonly cpus: number;
  readonly stage: 'downloading' | 'reading' | 'building';
}

/** Errors are values: what went wrong, where in the file, what to do. */
export interface EngineError {
  readonly kind: 'not_a_trace' | 'truncated' | 'unsupported' | 'malformed' | 'empty' | 'io' | 'memory' | 'internal';
  readonly what: string;
  readonly where: string | null;
  readonly advice: string;
}

export type EventsAnswer =
  /** `total`: rows found so far. `first` is the query's. */
  | (EventProgress & {
      readonly type: 'event_rows';
      readonly total: number;
      readonly first: number;
      readonly rows: readonly EventRow[];
    })
  | { readonly type: 'event_row_at'; readonly row: number | null }
  | { readonly type: 'event_search'; readonly row: number | null }
  /** Every line ends in a newline. */
  | { readonly type: 'event_lines'; readonly text: string }
  | { readonly type: 'event_names'; readonly names: readonly EventName[] };

export type TraceAnswer =
  | ExplainAnswer
  | TracksAnswer
  | { readonly type: 'set_view' }
  | { readonly type: 'chain'; readonly chain: Chain | null }
  | { readonly type: 'commands'; readonly rows: readonly CommandRow[] }
  | { readonly type: 'stats'; readonly stats: WindowStats }
  | TablesAnswer
  | TasksAnswer
  | TopologyAnswer;

export type Answer = TraceAnswer | JobAnswer | EventsAnswer;

export type EngineMessage =
  | { readonly type: 'metadata'; readonly session: number; readonly metadata: Metadata }
  | { readonly type: 'progress'; readonly session: number; readonly progress: Progress }
  /** More lanes can be drawn; `pids` by provisional `TaskId`. Only tiles of CPUs are answered until `opened`. */
  | {
      readonly type: 'preview';
      readonly session: number;
      readonly end: Ns;
      readonly cpusDone: readonly Cpu[];
      readonly pids: Int32Array<ArrayBuffer>;
    }
  | { readonly type: 'opened'; readonly session: number; readonly summary: Summary }
  /** A filter or a search goes on: `total` rows of the list of the last `eventRows` answer are known. */
  | (EventProgress & {
      readonly type: 'eventProgress';
      readonly session: number;
      readonly of: 'filter' | 'search';
      readonly total: number;
    })
  /** A job goes on. `answer`: what is known already, where that is worth telling. */
  | {
      readonly type: 'jobProgress';
      readonly session: number;
      readonly id: number;
      /** From 0 to 1. */
      readonly share: number;
      readonly answer: JobAnswer | null;
    }
  | { readonly type: 'failed'; readonly session: number; readonly error: EngineError }
  | { readonly type: 'answer'; readonly session: number; readonly id: number; readonly answer: Answer }
  | { readonly type: 'queryFailed'; readonly session: number; readonly id: number; readonly error: EngineError };
