/**
 * What crosses between the page and the engine, written from the Rust types by `crates/it/tests/it/contract.rs`:
 * change those, not this file. Times are ns since the trace's first event, durations are ns.
 */
import type { Ns, TimeWindow } from '../../base/units';

/** The interval of a CPU at an instant; what is said of a run is there for runs only, and while a trace loads no more than its name. */
export type Interval = IntervalFrame & Partial<RunDetails>;

/** An answer; its type is its question's. */
export type Answer =
  | {
      readonly type: 'set_view';
    }
  | {
      readonly type: 'filter_runs';
      readonly runs: number | null;
    }
  | ({
      readonly type: 'parse_topology';
    } & TopologySummary)
  | ({
      readonly type: 'set_topology';
    } & TopologySummary)
  | ({
      readonly type: 'tile';
    } & TileAnswer)
  | {
      readonly type: 'labels';
      readonly kind: TrackKind;
      readonly labels: ReadonlyArray<Label>;
    }
  | {
      readonly type: 'at';
      readonly kind: TrackKind;
      readonly item: Item | null;
    }
  | {
      readonly type: 'step';
      readonly kind: TrackKind;
      readonly item: Item | null;
    }
  | {
      readonly type: 'chain';
      readonly chain: Chain | null;
    }
  | {
      readonly type: 'commands';
      readonly rows: ReadonlyArray<CommandRow>;
    }
  | {
      readonly type: 'stats';
      readonly stats: WindowStats;
    }
  | {
      readonly type: 'task_table';
      readonly values: Numbers;
    }
  | {
      readonly type: 'cpu_table';
      readonly values: Numbers;
    }
  | {
      readonly type: 'tasks';
      readonly tasks: ReadonlyArray<TaskInfo>;
    }
  | ({
      readonly type: 'moves';
    } & CpuMoves)
  | {
      readonly type: 'wait';
      readonly wait: WaitInfo | null;
    }
  | {
      readonly type: 'placement';
      readonly placement: WakeupEdge | null;
    }
  | {
      readonly type: 'findings';
      readonly findings: ReadonlyArray<Finding>;
      readonly done: boolean;
    }
  | {
      readonly type: 'latency';
      readonly report: LatencyReport;
      readonly groups: ReadonlyArray<GroupName>;
      readonly values: Numbers;
    }
  | {
      readonly type: 'overload';
      readonly report: OverloadReport;
    }
  | {
      readonly type: 'behind';
      readonly behind_ns: number;
      readonly worst: Violation | null;
    }
  | {
      readonly type: 'domains';
      readonly report: DomainReport | null;
    }
  | {
      readonly type: 'cascades';
      readonly report: CascadeReport;
    }
  | {
      readonly type: 'cascade_of';
      readonly cascade: Cascade | null;
    }
  | {
      readonly type: 'waits';
      readonly report: WaitReport;
    };

/** Arrivals by the distance between the two CPUs. */
export type ArrivalCounts = {
  /** From a thread of the same core. */
  readonly core: number;
  /** From another core with the same last-level cache. */
  readonly llc: number;
  /** From another last-level cache of the same socket. */
  readonly socket: number;
  /** From another socket. */
  readonly machine: number;
  /** The distance is not known. */
  readonly unknown: number;
};

/** A bypass. */
export type Bypass = {
  /** Its begin. */
  readonly start: Ns;
  /** Its end; null: it lasts to the trace's end. */
  readonly end: Ns | null;
};

/** An argument of a system call. */
export type CallArgument = {
  /** Its name; null if no format tells. */
  readonly name: string | null;
  /** Hexadecimal (`0x1f`) if it is a pointer, an `unsigned long`, a set of bits or not known what, else decimal. */
  readonly value: string;
};

/** Calls that took at least `from` and less than twice `from`. */
export type CallBucket = {
  /** The least time. */
  readonly from: number;
  /** How many. */
  readonly count: number;
  /** It ran, on any CPU. */
  readonly oncpu_ns: number | null;
  /** It waited for a CPU. */
  readonly runnable_ns: number | null;
  /** It slept. */
  readonly sleeping_ns: number | null;
  /** It slept uninterruptibly. */
  readonly blocked_ns: number | null;
  /** It was stopped. */
  readonly stopped_ns: number | null;
  /** No event tells. */
  readonly unknown_ns: number | null;
  /** The part of `oncpu_ns` that interrupts took; null without their events. */
  readonly irq_ns: number | null;
};

/** What a thread does in a call. */
export type CallDoing = 'oncpu' | 'runnable' | 'sleeping' | 'blocked' | 'stopped' | 'unknown';

/** What there is of calls and interrupts. */
export type CallFacts = {
  /** Which events tell of calls; null if there are none. */
  readonly events: Recorded | null;
  /** Whose table names them; null if that is not known. */
  readonly arch: string | null;
  /** Whose table is that of its 32-bit tasks; null if there is none. */
  readonly arch_compat: string | null;
  /** The machine that the trace tells of, whatever was asked for; null if it tells of none. */
  readonly arch_told: string | null;
  /** All machines whose tables are known. */
  readonly machines: ReadonlyArray<string>;
  /** What became of their events. */
  readonly totals: CallTotals;
  /** Whether events tell what threads do in calls. */
  readonly has_sched: boolean;
  /** Whether there are hardirqs. */
  readonly hardirqs: boolean;
  /** Whether there are softirqs. */
  readonly softirqs: boolean;
  /** Whether there are interrupt vectors of x86. */
  readonly vectors: boolean;
  /** Whether it is told which thread belongs to which process, and not only guessed from the flags of clones. */
  readonly processes_told: boolean;
  /**
   * The calls by the indexes that tiles have; where some tasks are read by the table of 32-bit tasks, followed by all of
   * these as that names them.
   */
  readonly names: ReadonlyArray<CallName>;
  /** Ids of the tasks that made calls. */
  readonly tasks: ReadonlyArray<number>;
};

/** What a thread is in at an instant. */
export type CallItem = {
  /** Task id. */
  readonly task: number;
  /** When it began. */
  readonly start: Ns;
  /** When it ended. */
  readonly end: Ns;
  /** What it is. */
  readonly span: CallSpan;
  /** The call's name, where it is known. */
  readonly call: string | null;
  /** Its number. */
  readonly nr: number | null;
  /** What it returned. */
  readonly ret: number | null;
  /** The error that this is. */
  readonly error: string | null;
  /** The same for people: with the error's name, and addresses in hexadecimal. */
  readonly returned: string | null;
  /** As for [`CallPlace`](super::CallPlace). */
  readonly run: RunPlace | null;
  /** It ran, on any CPU. */
  readonly oncpu_ns: number | null;
  /** It waited for a CPU. */
  readonly runnable_ns: number | null;
  /** It slept. */
  readonly sleeping_ns: number | null;
  /** It slept uninterruptibly. */
  readonly blocked_ns: number | null;
  /** It was stopped. */
  readonly stopped_ns: number | null;
  /** No event tells. */
  readonly unknown_ns: number | null;
  /** The part of `oncpu_ns` that interrupts took; null without their events. */
  readonly irq_ns: number | null;
};

/** A call that is long enough for a text. */
export type CallLabel = {
  /** Task id. */
  readonly task: number;
  /** When it began. */
  readonly start: Ns;
  /** When it ended. */
  readonly end: Ns;
  /** Its name. */
  readonly call: string;
  /** As in a tile's cell: 1 + its index, or 0. */
  readonly index: number;
  /** The error that it returned. */
  readonly error: string | null;
};

/** A number, and what it is called. */
export type CallName = {
  /** The number. */
  readonly nr: number;
  /** Its name. */
  readonly call: string;
};

/** A call that returned, and where to look for why it took so long. */
export type CallPlace = {
  /** Its thread's task. */
  readonly task: number | null;
  /**
   * The run with which the thread went on after it had waited for the last time, or else the one in which it entered: the
   * wakeup chain of that run is what ended the call.
   */
  readonly run: RunPlace | null;
  /** When it was entered. */
  readonly at_ns: Ns;
  /** How long it took. */
  readonly duration_ns: number;
  /** The CPU on which it was entered. */
  readonly cpu: number;
  /** Its thread. */
  readonly pid: number;
  /** Which of the tasks that had this pid. */
  readonly generation: number;
  /** What the thread was called. */
  readonly comm: string;
  /** Its name. */
  readonly call: string;
  /** Its number. */
  readonly nr: number;
  /** Whether it is named by the table of 32-bit tasks. */
  readonly compat: boolean;
  /** What it returned. */
  readonly ret: number;
  /** The name of the error that it returned; null if it returned none, or one without a name. */
  readonly error: string | null;
  /** The same for people: with the error's name, and addresses in hexadecimal. */
  readonly returned: string;
  /** It ran, on any CPU. */
  readonly oncpu_ns: number | null;
  /** It waited for a CPU. */
  readonly runnable_ns: number | null;
  /** It slept. */
  readonly sleeping_ns: number | null;
  /** It slept uninterruptibly. */
  readonly blocked_ns: number | null;
  /** It was stopped. */
  readonly stopped_ns: number | null;
  /** No event tells. */
  readonly unknown_ns: number | null;
  /** The part of `oncpu_ns` that interrupts took; null without their events. */
  readonly irq_ns: number | null;
};

/** Calls that were entered at about the same time and took about as long: the longest of them, and how many there are. */
export type CallPoint = {
  /** When it was entered. */
  readonly at_ns: Ns;
  /** How long it took. */
  readonly duration_ns: number;
  /** Its thread. */
  readonly pid: number;
  /** Which of the tasks that had this pid. */
  readonly generation: number;
  /** What its thread did for most of the time. */
  readonly doing: CallDoing;
  /** How many there are. */
  readonly count: number;
  /** Of these, failed. */
  readonly errors: number;
};

/** The tables of a trace's calls. */
export type CallReport = {
  /** Whose table names the calls; null if that is not known. */
  readonly arch: string | null;
  /** Which events tell of them; null if there are none. */
  readonly events: Recorded | null;
  /** Begin of the window. */
  readonly first_ns: Ns;
  /** End of the window. */
  readonly last_ns: Ns;
  /** What became of the events, of the whole trace. */
  readonly totals: CallTotals;
  /** By total time, longest first, then by name. */
  readonly rows: ReadonlyArray<CallRow>;
  /** By pid and generation. */
  readonly threads: ReadonlyArray<CallThread>;
};

/** A row: one call. */
export type CallRow = {
  /** Its name. */
  readonly call: string;
  /** Its number. */
  readonly nr: number;
  /** How many returned. */
  readonly calls: number;
  /** Of these, failed: they returned -4095 to -1. */
  readonly errors: number;
  /** Of these, interrupted by a signal. */
  readonly interrupted: number;
  /** How many did not return. */
  readonly unfinished: number;
  /** How long they took at least. */
  readonly unfinished_ns: number;
  /** How long those that returned took. */
  readonly duration_ns: CallSpread;
  /** The longest; null if none returned. */
  readonly longest: LongestCall | null;
} & (
  | Record<symbol, never>
  | {
      /** The name. */
      readonly comm: string;
    }
  | {
      /** Its thread id. */
      readonly pid: number;
      /** Which of the tasks that had this pid. */
      readonly generation: number;
    }
  | {
      /** The pid of its first thread; null if it is not known which that is. */
      readonly process: number | null;
    }
) & {
    /** It ran, on any CPU. */
    readonly oncpu_ns: number | null;
    /** It waited for a CPU. */
    readonly runnable_ns: number | null;
    /** It slept. */
    readonly sleeping_ns: number | null;
    /** It slept uninterruptibly. */
    readonly blocked_ns: number | null;
    /** It was stopped. */
    readonly stopped_ns: number | null;
    /** No event tells. */
    readonly unknown_ns: number | null;
    /** The part of `oncpu_ns` that interrupts took; null without their events. */
    readonly irq_ns: number | null;
  };

/** What a thread is in. */
export type CallSpan = 'call' | 'unfinished' | 'begun' | 'unknown' | 'outside';

/** Distribution of durations. Percentiles are nearest-rank; null if there is no value. */
export type CallSpread = {
  /** The sum of all. */
  readonly sum: number;
  /** The shortest. */
  readonly min: number | null;
  /** The mean. */
  readonly mean: number | null;
  /** Half are at most this. */
  readonly p50: number | null;
  /** 90 % are at most this. */
  readonly p90: number | null;
  /** 99 % are at most this. */
  readonly p99: number | null;
  /** 99.9 % are at most this. */
  readonly p999: number | null;
  /** The longest. */
  readonly max: number | null;
  /** (from, count) for each bucket that is not empty: values of at least `from` and less than twice `from`. */
  readonly histogram: ReadonlyArray<[number, number]>;
};

/** Which call to go to, from one that is known. */
export type CallStep = 'longer' | 'error' | 'next' | 'previous';

/** A thread in the window: from its first to its last instant there. */
export type CallThread = {
  /** Its thread id. */
  readonly pid: number;
  /** Which of the tasks that had this pid. */
  readonly generation: number;
  /** What it was called. */
  readonly comms: ReadonlyArray<string>;
  /** Its birth, or the begin of the trace or the window. */
  readonly first_ns: Ns;
  /** Its death, or the end of the trace or the window. */
  readonly last_ns: Ns;
  /** How long it ran; null without scheduling events. */
  readonly running_ns: number | null;
  /** The part of this that interrupts took; null without their events. */
  readonly irq_ns: number | null;
  /** How long it was in calls. */
  readonly in_calls_ns: number;
  /** How long it ran in calls. */
  readonly oncpu_in_calls_ns: number | null;
  /** How long it ran outside of calls: user code, but page faults, signals and interrupts too. */
  readonly outside_oncpu_ns: number | null;
};

/** As [`TileQuestion`](crate::ask::TileQuestion). */
export type CallTileQuestion = {
  /** What kind of tracks. */
  readonly kind: CallTrack;
  /** Tracks from top to bottom. */
  readonly keys: ReadonlyArray<number>;
  /** The width of a bucket, as a power of two. */
  readonly level: number;
  /** The first bucket. */
  readonly first_bucket: number;
  /** How many buckets. */
  readonly buckets: number;
};

/** A call in which a thread was. */
export type CallTime = {
  /** Its name as the text has it; see [`canonical`]. */
  readonly name: string;
  /** Wall time in it, ns. */
  readonly ns: number;
};

/**
 * Counts of a whole trace: `enters` = `calls` + `unfinished` + `lost_exits`, `exits` = `calls` + `child_returns` +
 * `before_trace` + `exit_only`.
 */
export type CallTotals = {
  /** Events that begin a call. */
  readonly enters: number;
  /** Events that end one. */
  readonly exits: number;
  /** Complete calls: both are there. */
  readonly calls: number;
  /** Of these, those whose exit does not say of which number. */
  readonly exits_without_id: number;
  /** Exits of calls that the parent made: `clone`, `fork` and `vfork` return a second time, in the child. */
  readonly child_returns: number;
  /** Exits of calls that began before the trace. */
  readonly before_trace: number;
  /** Exits without an enter: it was lost, or the call never ran, since a filter or a tracer answered it. */
  readonly exit_only: number;
  /** Enters whose exit was lost. */
  readonly lost_exits: number;
  /** Calls in which the thread died. */
  readonly never_returned: number;
  /** Calls in which the trace ends. */
  readonly open_at_end: number;
  /** Both of these. */
  readonly unfinished: number;
  /** Complete calls that are in doubt, because events of some CPU were lost between enter and exit. */
  readonly across_loss: number;
};

/** What is told on lanes of its own, or over others. */
export type CallTrack = 'calls' | 'cpu_irqs' | 'task_irqs';

/** An answer; its type is its question's. */
export type CallsAnswer =
  | {
      readonly type: 'set_call_names';
      readonly error: string | null;
    }
  | ({
      readonly type: 'call_facts';
    } & CallFacts)
  | {
      readonly type: 'call_table';
      readonly report: CallReport;
      /** How many rows there are, if not all are given. */
      readonly rows_total: number;
    }
  | {
      readonly type: 'calls_of_row';
      readonly of_row: CallsOfRow;
    }
  | {
      readonly type: 'call_at';
      readonly place: CallPlace | null;
    }
  | {
      readonly type: 'call_step';
      readonly place: CallPlace | null;
    }
  | {
      readonly type: 'call_compare';
      readonly threads: ReadonlyArray<ComparedThread>;
    }
  | {
      readonly type: 'stolen';
      readonly stolen: Stolen | null;
    }
  | {
      readonly type: 'stolen_in';
      readonly stolen: StolenIn;
    }
  | {
      readonly type: 'call_findings';
      readonly findings: ReadonlyArray<Finding>;
    }
  | {
      readonly type: 'tile';
      readonly kind: CallTrack;
      readonly values: Words;
      readonly most: number;
    }
  | {
      readonly type: 'labels';
      readonly labels: ReadonlyArray<CallLabel>;
    }
  | {
      readonly type: 'at';
      readonly item: CallItem | null;
    };

/** What rows tell apart besides calls. */
export type CallsBy = 'call' | 'command' | 'task' | 'process';

/** Calls of at least `min_width` that overlap a window. */
export type CallsLabelsQuestion = {
  /** Task ids from top to bottom. */
  readonly keys: ReadonlyArray<number>;
  /** The window. */
  readonly window: TimeWindow;
  /** The shortest. */
  readonly min_width: Ns;
};

/** The calls of a row. */
export type CallsOfRow = {
  /** How many there are. */
  readonly count: number;
  /** Of these, failed. */
  readonly errors: number;
  /** Begin of the time in which they were entered. */
  readonly first_ns: Ns;
  /** Its end. */
  readonly last_ns: Ns;
  /** The longest, longest first. */
  readonly longest: ReadonlyArray<CallPlace>;
  /** All of them, near ones as one. */
  readonly points: ReadonlyArray<CallPoint>;
  /** How long they took; buckets that are not empty. */
  readonly histogram: ReadonlyArray<CallBucket>;
};

/** An instant of a task. */
export type CallsPointQuestion = {
  /** Its id. */
  readonly key: number;
  /** The instant. */
  readonly at: Ns;
};

/** A question about the calls and interrupts of an open trace. */
export type CallsQuestion =
  | {
      readonly type: 'set_call_names';
      /** By the table of this machine; null: of what the trace tells. */
      readonly arch: string | null;
      /** Thread ids and commands whose calls are read by the table of 32-bit tasks. */
      readonly compat: ReadonlyArray<string>;
    }
  | {
      readonly type: 'call_facts';
    }
  | {
      readonly type: 'call_table';
      /** The part of the trace. */
      readonly selection: ModelSelection;
      /** What rows tell apart. */
      readonly by: CallsBy;
      /** Only calls that failed. */
      readonly errors: boolean;
      /** Without interrupts in the time on CPU. */
      readonly net: boolean;
      /** Without percentiles and histograms, which take longest: for a window that moves. */
      readonly sums_only?: boolean;
      /** At most so many rows. */
      readonly top: number;
    }
  | {
      readonly type: 'calls_of_row';
      /** Which row. */
      readonly row: CallsRowQuestion;
      /** How many of the longest. */
      readonly top: number;
      /** Over how many columns of time points are told apart. */
      readonly columns: number;
    }
  | {
      readonly type: 'call_at';
      /** Its thread id. */
      readonly pid: number;
      /** Which of the tasks that had this pid. */
      readonly generation: number;
      /** When. */
      readonly at: Ns;
      /** Without interrupts in the time on CPU. */
      readonly net: boolean;
    }
  | {
      readonly type: 'call_step';
      /** Which row. */
      readonly row: CallsRowQuestion;
      /** Which call. */
      readonly step: CallStep;
      /** When the present one was entered. */
      readonly at: Ns;
      /** How long it took. */
      readonly ns: number;
      /** Its thread. */
      readonly pid: number;
      /** Which of the tasks that had this pid. */
      readonly generation: number;
    }
  | {
      readonly type: 'call_compare';
      /** The part of the trace. */
      readonly selection: ModelSelection;
      /** The text's threads. */
      readonly text: ReadonlyArray<ThreadTimes>;
    }
  | {
      readonly type: 'stolen';
      /** Whose time. */
      readonly of: StolenOf;
      /** The CPU's number, or the task's id. */
      readonly key: number;
      /** The time. */
      readonly window: TimeWindow;
    }
  | {
      readonly type: 'stolen_in';
      /** The time; null: all of it. */
      readonly window: TimeWindow | null;
    }
  | {
      readonly type: 'call_findings';
      /** The part of the trace. */
      readonly selection: ModelSelection;
      /** How many of each kind. */
      readonly top: number;
    }
  | ({
      readonly type: 'tile';
    } & CallTileQuestion)
  | ({
      readonly type: 'labels';
    } & CallsLabelsQuestion)
  | ({
      readonly type: 'at';
    } & CallsPointQuestion);

/** A row of the table of a part of the trace. */
export type CallsRowQuestion = {
  /** The part of the trace. */
  readonly selection: ModelSelection;
  /** What rows tell apart. */
  readonly by: CallsBy;
  /** Only calls that failed. */
  readonly errors: boolean;
  /** Without interrupts in the time on CPU. */
  readonly net: boolean;
  /** The call's name. */
  readonly call: string;
  /** Its number. */
  readonly nr: number;
  /** By command: which. */
  readonly comm: string | null;
  /** By task: its thread id. */
  readonly pid: number | null;
  /** By task: which of the tasks that had this pid. */
  readonly generation: number | null;
  /** By process: which; null if it is not known. */
  readonly process: number | null;
};

/** A move and all moves that it caused, directly or not. */
export type Cascade = {
  /** Number of moves on the longest path from the first move. */
  readonly length: number;
  /** Number of moves. */
  readonly moves_total: number;
  /** When the first move was decided. */
  readonly start_ns: Ns;
  /** When the last of the moved tasks runs. */
  readonly end_ns: Ns;
  /** How long the moved tasks had waited, in total. */
  readonly cost_ns: number;
  /** Records are missing while one of the tasks waited, so it may have run before, unseen. */
  readonly uncertain: boolean;
  /** The moves in order of time. */
  readonly moves: ReadonlyArray<CascadeMove>;
};

/** One move of a cascade. */
export type CascadeMove = {
  /** When the kernel decided the move. */
  readonly at_ns: Ns;
  /** When the task ran there. */
  readonly running_ns: Ns;
  /** How long it had waited until then; 0 if the trace does not tell. */
  readonly wait_ns: number;
  /** The CPU that it left, as `sched_migrate_task` has it; without such an event, where it ran before. Null for a fork. */
  readonly from_cpu: number | null;
  /** Where it was put, as the event has it; without an event, where it then ran. */
  readonly to_cpu: number;
  /** `placement`, `load_balance`, `numa`, `other` or `fork`. */
  readonly kind: CascadeMoveKind;
  /** Index, in the list, of the move that took the CPU which this one left; null for the first. */
  readonly displaced_by: number | null;
  /** Thread id. */
  readonly pid: number;
  /** Generation of the pid, from 0. */
  readonly generation: number;
  /** Its comm at that time, or its last. */
  readonly comm: string;
};

export type CascadeMoveKind = 'fork' | 'placement' | 'load_balance' | 'numa' | 'other';

/** JSON of `corelane cascades`, which prints instants as absolute trace times; durations are in ns. */
export type CascadeReport = {
  /** Number of cascades with at least two moves. */
  readonly count: number;
  /** The longest cascades, in descending order. */
  readonly cascades: ReadonlyArray<Cascade>;
};

/** A run, the wakeups that led to it, and the wakeups that it made. */
export type Chain = {
  /** The run. */
  readonly run: Interval;
  /** The hops from the run back to its cause. */
  readonly back: ReadonlyArray<WakeupEdge>;
  /** Why it ends there. */
  readonly ends_at: ChainEnd;
  /** The first wakeups made by this run, in time order. */
  readonly forward: ReadonlyArray<WakeupEdge>;
  /** How many wakeups it made. */
  readonly forward_total: number;
};

export type ChainEnd = 'interrupt' | 'idle' | 'trace_start' | 'unknown' | 'limit';

/** Kinds of changes. */
export type ChangeKind = 'switch' | 'waking' | 'runnable' | 'migration';

/** Wakeups by the event that their latency starts at. */
export type ClockCounts = {
  /** `sched_waking`. */
  readonly sched_waking: number;
  /** `sched_wakeup` without a `sched_waking`. */
  readonly sched_wakeup: number;
  /** `sched_wakeup_new`: the first wakeup of a forked task. */
  readonly sched_wakeup_new: number;
};

/** What the colour of a run shows. With `Selection::target`, runs of other commands are black. */
export type ColorBy = 'pid' | 'command' | 'parent';

/** A comm, and the start of its first run. */
export type CommFrom = {
  /** The name. */
  readonly comm: string;
  /** Start of the first run in ns. */
  readonly from: Ns;
};

/** The numbers of a command in one trace. */
export type CommandNumbers = {
  /** How long it ran. */
  readonly execution_ns: number;
  /** How long its tasks waited. */
  readonly waiting_ns: number;
  /** Of this, behind another while some CPU was spare. */
  readonly behind_ns: number;
  /** Runs. */
  readonly runs: number;
  /** Migrations. */
  readonly migrations: number;
  /** Wake-up latencies. */
  readonly latency: Spot;
  /** Waits. */
  readonly wait: Spot;
};

/** A row of the commands table. */
export type CommandRow = {
  /** The command. */
  readonly comm: string;
  /** Its comm id. */
  readonly comm_id: number;
  /** First ns that it ran. */
  readonly first: Ns;
  /** End of the last ns that it ran. */
  readonly last: Ns;
  /** How long it ran. */
  readonly execution_ns: number;
  /** How long its tasks were runnable but did not run. */
  readonly waiting_ns: number;
  /** `sched_switch` events to it. */
  readonly switches_to: number;
  /** Distinct thread ids. */
  readonly pids: number;
};

/** A command in a window. */
export type CommandRuns = {
  /** Its name. */
  readonly comm: string;
  /** Runs that ended with the task still runnable; known yields are left out. */
  readonly preempted: Measured;
  /** That ended by sleeping, blocking or stopping. */
  readonly slept: Measured;
  /** That ended by exiting. */
  readonly exited: Measured;
  /** Preempted runs from the slice to a tick more. */
  readonly slice: SliceCounts;
  /** Preempted runs by length. */
  readonly histogram: ReadonlyArray<number>;
  /** Its tasks' migrations. */
  readonly moves: MoveCounts;
};

/** A call of a thread. */
export type ComparedCall = {
  /** Its canonical name. */
  readonly call: string;
  /** Wall time in it. */
  readonly ns: ComparedTime;
};

/** A command in both traces. */
export type ComparedCommand = {
  /** Its comm. */
  readonly comm: string;
  /** In the first trace; all 0 where it is not there. */
  readonly first: CommandNumbers;
  /** In the other one. */
  readonly other: CommandNumbers;
  /** How wake-up latencies differ; null if there are fewer than eight in one of them. */
  readonly latency: Shift | null;
  /** How waits differ. */
  readonly wait: Shift | null;
};

/** A thread of the trace, the text, or both. */
export type ComparedThread = {
  /** Its thread id; of several generations all together. */
  readonly pid: number;
  /** From its first record to its last. */
  readonly application_ns: ComparedTime;
  /** Its calls, by canonical names, in the order of their first enters. */
  readonly calls: ReadonlyArray<ComparedCall>;
};

/** A time in the trace, and in the text; null where it has none. */
export type ComparedTime = {
  /** In the trace. */
  readonly trace: number | null;
  /** In the text. */
  readonly text: number | null;
};

/** JSON of `corelane compare`; durations are in ns. */
export type Comparison = {
  /** The first trace. */
  readonly first: SideTotals;
  /** The other one. */
  readonly other: SideTotals;
  /** The commands of both; those whose waiting differs most come first, then those whose execution does. */
  readonly commands: ReadonlyArray<ComparedCommand>;
};

/** Whose values a counter has. */
export type CounterBy = 'cpu' | 'task';

/** Buckets of time: the n-th is `[(first + n) * 2^level, (first + n + 1) * 2^level)` ns since the trace's first record. */
export type CounterGrid = {
  /** The width of a bucket, as a power of two. */
  readonly level: number;
  /** The first bucket. */
  readonly first: number;
  /** How many. */
  readonly buckets: number;
};

/** What the scheduler could choose from, and what it chose. The time is that of the edge. */
export type CpuChoice = {
  /** CPUs known to be idle. */
  readonly idle_cpus: ReadonlyArray<number>;
  /**
   * Whether the last CPU was free: idle, with no task on its runqueue and none on its way to it. Null if the trace does
   * not tell, or does not tell the CPU.
   */
  readonly previous_was_free: boolean | null;
  /** The same of the chosen CPU. */
  readonly chosen_was_free: boolean | null;
};

/** Distance between two CPUs: the smallest part of the machine that they share. */
export type CpuDistance = 'cpu' | 'core' | 'llc' | 'socket' | 'machine';

/** From when on a CPU is unknown until the end. */
export type CpuEnd = {
  /** The CPU. */
  readonly cpu: number;
  /** When its known part ends. */
  readonly at_ns: Ns;
};

/** A run that begins on another CPU than its task's previous run. Times are in ns since the trace's first record. */
export type CpuMove = {
  /** The CPU of the run. */
  readonly cpu: number;
  /** When the run begins. */
  readonly at: Ns;
  /** The CPU of the previous run. */
  readonly from: number;
  /** When the previous run ended. */
  readonly left: Ns;
  /** Distance between the CPUs; `None` if the topology does not have both. */
  readonly distance: CpuDistance | null;
};

/** Their number by distance, and the runs themselves if there are few. */
export type CpuMoves = {
  /** Number by distance between the CPUs. */
  readonly counts: ArrivalCounts;
  /** Sorted by CPU as requested, then by time; `None` if there are too many. */
  readonly moves: ReadonlyArray<CpuMove> | null;
};

/** What a CPU does. */
export type CpuState = 'run' | 'idle' | 'unknown';

/** What is missing. Times have the same origin as the trace's other answers. */
export type Damage = {
  /** Whether the file ends before its data does. */
  readonly cut: boolean;
  /** Share of all CPU time that is unknown because records are missing, from 0 to 1. */
  readonly unknown_share: number;
  /** CPUs with missing records, ascending. */
  readonly cpus: ReadonlyArray<number>;
  /** Those that are unknown from the first to the last record of the trace. */
  readonly without_data: ReadonlyArray<number>;
  /** Others that are unknown from some time to the end, by CPU. */
  readonly ends: ReadonlyArray<CpuEnd>;
};

/** A line that was not read. */
export type DamagedLine = {
  /** Its number, from 1 on. */
  readonly line: number;
  /** What is wrong with it. */
  readonly reason: string;
};

/** A diagnostic, with its times relative to the trace's first record. */
export type Diagnostic = {
  /** Its kind. */
  readonly kind: string;
  /** The CPU, if it belongs to one. */
  readonly cpu: number | null;
  /** When it first happened. */
  readonly at_ns: Ns | null;
  /** How many times it happened. */
  readonly count: number;
  /** When some of the others happened; a few at most. */
  readonly more_ns: ReadonlyArray<Ns>;
  /** A text for people. */
  readonly text: string;
};

/** A part of the machine within which tasks are balanced. */
export type Domain = 'socket' | 'llc';

/** Violations within one domain. */
export type DomainOverload = {
  /** `socket` or `llc`. */
  readonly domain: Domain;
  /** Its number. */
  readonly number: number;
  /** Its CPUs that are in the trace and selected. */
  readonly cpus: ReadonlyArray<number>;
  /** Task time of waits on its runqueues. */
  readonly wait_ns: number;
  /** Maximal intervals in which a task waits in the domain and one of its CPUs is idle. */
  readonly intervals: number;
  /** Their total length. */
  readonly violation_ns: number;
  /** Integral of min(waiting tasks, idle CPUs) of the domain. */
  readonly cost_task_ns: number;
  /** The same three for tasks that wait behind another, and spare CPUs of the domain. */
  readonly behind_intervals: number;
  /** Their total length. */
  readonly behind_ns: number;
  /** Their total cost. */
  readonly behind_cost_task_ns: number;
  /** How long some task waits for its own CPU, one of these, to leave idle. */
  readonly leaving_idle_ns: number;
  /** Integral of how many do. */
  readonly leaving_idle_task_ns: number;
};

/** Overload within the domains of a machine. */
export type DomainReport = {
  /** The machine's shortest description. */
  readonly topology: string;
  /** Sockets, then LLCs if there is not just one per socket; by number. */
  readonly domains: ReadonlyArray<DomainOverload>;
  /** Task time of waits whose runqueue is unknown. */
  readonly unplaced_wait_ns: number;
  /** CPUs of the trace that the topology does not have; they are in no domain. */
  readonly unknown_cpus: ReadonlyArray<number>;
};

/** Kinds of ends. */
export type EndKind = 'command' | 'task' | 'cpu' | 'hardirq' | 'softirq' | 'idle' | 'unknown' | 'others';

/** An end and its share of a matrix. */
export type EndSum = {
  /** Which. */
  readonly end: RelationEnd;
  /** The sum of counts of its row or column. */
  readonly count: number;
  /** The sum of durations, in ns. */
  readonly ns: number;
};

/** Errors are values: what went wrong, where in the file, what to do. */
export type EngineError = {
  /** What kind of error it is. */
  readonly kind: EngineErrorKind;
  /** What went wrong. */
  readonly what: string;
  /** Where in the file. */
  readonly where: string | null;
  /** What to do. */
  readonly advice: string;
};

/** Kinds of errors: those of sources, and of what reads them. */
export type EngineErrorKind =
  | 'not_a_trace'
  | 'truncated'
  | 'unsupported'
  | 'malformed'
  | 'io'
  | 'empty'
  | 'memory'
  | 'internal';

/** A system call that was entered. */
export type EnteredCall = {
  /** When. */
  readonly at: Ns;
  /** On which CPU. */
  readonly cpu: number;
  /** By which thread. */
  readonly pid: number;
  /** Its name. */
  readonly call: string;
  /** Whether it is named by the table of 32-bit tasks. */
  readonly compat: boolean;
};

/** What is known of a number's values. */
export type EventCounterInfo = {
  /** Events that were looked at. */
  readonly done: number;
  /** Events there are to look at. */
  readonly all: number;
  /** Whether that is all. */
  readonly complete: boolean;
  /** How many values there are. */
  readonly samples: number;
  /** The least of them. */
  readonly least: number;
  /** The greatest. */
  readonly greatest: number;
};

/** A name that an expression may have. */
export type EventField = {
  /** The name. */
  readonly name: string;
  /** Recorded events that have the field; 0 for what every event has. */
  readonly events: number;
};

/** Which events are listed: those to which all of it applies. */
export type EventFilter = {
  /** By number. */
  readonly cpus: ReadonlyArray<number> | null;
  /** The task that an event happened in, or one that its fields name. */
  readonly pids: ReadonlyArray<number> | null;
  /** `system:name`, or a name in any system. */
  readonly events: ReadonlyArray<string> | null;
  /** In the line as it is printed: `comm-pid name: text`. ASCII letters are the same in either case. */
  readonly text: string;
  /** An expression of the filter language; nothing passes one that is wrong. */
  readonly expression?: string;
  /** Half-open. */
  readonly window: TimeWindow | null;
};

/** What is wrong with an expression. */
export type EventFilterError = {
  /** The first character that is wrong, as JavaScript counts them. */
  readonly start: number;
  /** The first one behind it; the same where something is missing. */
  readonly end: number;
  /** What is wrong, and what was expected. */
  readonly message: string;
};

/** An event that passes an expression. */
export type EventHit = {
  /** How many come before it. */
  readonly number: number;
  /** The CPU's number. */
  readonly cpu: number;
  /** When. */
  readonly at: Ns;
  /** `common_pid`. */
  readonly pid: number;
  /** That task's name, as far as it is known. */
  readonly comm: string;
  /** The event's name. */
  readonly event: string;
  /** What is printed behind it. */
  readonly text: string;
};

/** An event of the trace. */
export type EventName = {
  /** Its name. */
  readonly name: string;
  /** The system it belongs to. */
  readonly system: string;
  /** Records of it. */
  readonly count: number;
};

/** A number in a field of an event. */
export type EventNumber = {
  /** The event's system. */
  readonly system: string;
  /** Its name. */
  readonly event: string;
  /** The field. */
  readonly field: string;
};

/** How far a filter or a search is. */
export type EventProgress = {
  /** Events that were looked at. */
  readonly done: number;
  /** Events there are to look at. */
  readonly all: number;
  /** Whether that is all. */
  readonly complete: boolean;
};

/** One line of the list. */
export type EventRow = {
  /** Number in the filtered list. */
  readonly row: number;
  /** The CPU's number. */
  readonly cpu: number;
  /** Which record of its CPU it is. */
  readonly record: number;
  /** When. */
  readonly at: Ns;
  /** `common_pid`. */
  readonly pid: number;
  /** That task's name, as far as it is known. */
  readonly comm: string;
  /** The event's name. */
  readonly event: string;
  /** What is printed behind it. */
  readonly text: string;
  /** Events that were lost on the CPU just before. */
  readonly lost: number | 'some' | null;
};

/** How a record is printed. */
export type EventTextMode = 'trace-cmd' | 'kernel' | 'raw';

/** As the model's `TileQuestion`. */
export type EventTileQuestion = {
  /** What kind of tracks. */
  readonly kind: EventTrack;
  /** The expression. */
  readonly variant: string;
  /** Tracks from top to bottom. */
  readonly keys: ReadonlyArray<number>;
  /** The width of a bucket, as a power of two. */
  readonly level: number;
  /** The first bucket; JavaScript's number. */
  readonly first_bucket: number;
  /** How many buckets; no more than [`MAX_BUCKETS`] are given. */
  readonly buckets: number;
};

/** Tracks of which the records tell. */
export type EventTrack = 'hits' | 'all_hits' | 'counter' | 'task_counter';

/** An answer. */
export type EventsAnswer =
  | {
      readonly type: 'event_rows';
      /** Rows known so far. */
      readonly total: number;
      /** As asked. */
      readonly first: number;
      /** Fewer than requested if there are no more. */
      readonly rows: ReadonlyArray<EventRow>;
      /** Events that were looked at. */
      readonly done: number;
      /** Events there are to look at. */
      readonly all: number;
      /** Whether that is all. */
      readonly complete: boolean;
    }
  | {
      readonly type: 'event_row_at';
      /** Its number in the filtered list. */
      readonly row: number | null;
    }
  | {
      readonly type: 'event_search';
      /** Its number in the filtered list. */
      readonly row: number | null;
    }
  | {
      readonly type: 'event_lines';
      /** Each ends with a newline. */
      readonly text: string;
    }
  | {
      readonly type: 'event_names';
      /** By system and name. */
      readonly names: ReadonlyArray<EventName>;
    }
  | {
      readonly type: 'event_filter_check';
      /** What is wrong. */
      readonly error: EventFilterError | null;
    }
  | {
      readonly type: 'event_fields';
      /** In the order of the alphabet. */
      readonly fields: ReadonlyArray<EventField>;
    }
  | {
      readonly type: 'event_hits';
      /** Events that pass, of those. */
      readonly total: number;
      /** What is wrong with the expression: nothing passes then. */
      readonly error: EventFilterError | null;
      /** Events that were looked at. */
      readonly done: number;
      /** Events there are to look at. */
      readonly all: number;
      /** Whether that is all. */
      readonly complete: boolean;
    }
  | {
      readonly type: 'event_hit_runs';
      /** The CPU; null: there are no more. */
      readonly cpu: number | null;
      /** How many. */
      readonly count: number;
      /** There are more. */
      readonly more: boolean;
    }
  | {
      readonly type: 'event_hit_at';
      /** The hit; null where there is none. */
      readonly hit: EventHit | null;
    }
  | {
      readonly type: 'event_numbers';
      /** By system, event and field. */
      readonly numbers: ReadonlyArray<EventNumber>;
    }
  | ({
      readonly type: 'event_counter';
    } & EventCounterInfo)
  | {
      readonly type: 'tile';
      /** 0: there is no scale. */
      readonly most: number;
    }
  | {
      readonly type: 'call_arguments';
      /** Of each call; null where no record tells of any. */
      readonly arguments: ReadonlyArray<ReadonlyArray<CallArgument> | null>;
    }
  | {
      readonly type: 'pairs';
      /** Those that are there. */
      readonly pairs: ReadonlyArray<PairAnswer>;
      /** What is wrong with the user's pair. */
      readonly error: OwnPairError | null;
    };

/** A question. */
export type EventsQuery =
  | {
      readonly type: 'event_rows';
      /** The first one's number in the filtered list. */
      readonly first: number;
      /** How many. */
      readonly count: number;
      /** Which rows it has. */
      readonly filter: EventFilter;
      /** How the rows are printed. */
      readonly mode: EventTextMode;
    }
  | {
      readonly type: 'event_row_at';
      /** The time. */
      readonly at: Ns;
      /** Only rows of this CPU. */
      readonly cpu: number | null;
      /** Which rows it has. */
      readonly filter: EventFilter;
      /** How the rows are printed. */
      readonly mode: EventTextMode;
    }
  | {
      readonly type: 'event_search';
      /** ASCII letters are the same in either case. */
      readonly text: string;
      /** Is not looked at itself; -1 is before the first row. */
      readonly from: number;
      /** 1 or -1. */
      readonly direction: -1 | 1;
      /** Which rows it has. */
      readonly filter: EventFilter;
      /** How the rows are printed. */
      readonly mode: EventTextMode;
    }
  | {
      readonly type: 'event_lines';
      /** The first one's number in the filtered list. */
      readonly first: number;
      /** How many; no more than [`MAX_LINES`] are given. */
      readonly count: number;
      /** Which rows it has. */
      readonly filter: EventFilter;
      /** How the rows are printed. */
      readonly mode: EventTextMode;
    }
  | {
      readonly type: 'event_names';
    }
  | {
      readonly type: 'event_filter_check';
      /** The expression. */
      readonly expression: string;
    }
  | {
      readonly type: 'event_fields';
    }
  | {
      readonly type: 'event_hits';
      /** The expression. */
      readonly expression: string;
    }
  | {
      readonly type: 'event_hit_runs';
      /** The expression. */
      readonly expression: string;
      /** Which of the CPUs, from 0 on. */
      readonly place: number;
      /** The first one's number on the CPU. */
      readonly first: number;
    }
  | {
      readonly type: 'event_hit_at';
      /** The expression. */
      readonly expression: string;
      /** The instant. */
      readonly at: Ns;
      /** The CPU; null: before (1) or after (-1) all of them. */
      readonly cpu: number | null;
      /** 1 or -1. */
      readonly direction: -1 | 1;
    }
  | {
      readonly type: 'event_numbers';
    }
  | {
      readonly type: 'event_counter';
      /** Which. */
      readonly number: EventNumber;
      /** Whose values. */
      readonly by: CounterBy;
    }
  | ({
      readonly type: 'tile';
    } & EventTileQuestion)
  | {
      readonly type: 'call_arguments';
      /** Which calls; no more than [`MAX_CALLS`] are told. */
      readonly calls: ReadonlyArray<EnteredCall>;
    }
  | {
      readonly type: 'pairs';
      /** The pair of a user; without it those built in that the trace has. */
      readonly own: OwnPair | null;
      /** What they are put together by. */
      readonly by: PairsBy;
      /** Only those that begin in it. Half-open. */
      readonly window: TimeWindow | null;
      /** Only those that begin on one of these CPUs; null: on any. */
      readonly cpus: ReadonlyArray<number> | null;
      /** Only those that begin in one of these threads, or in one of these commands; of all where both are empty. */
      readonly pids: ReadonlyArray<number>;
      /** Beginnings of the commands' names. */
      readonly comms: ReadonlyArray<string>;
      /** How many of the longest. */
      readonly top: number;
    };

/** What is written. */
export type ExportFormat = 'perfetto' | 'trace_dat';

/** What a [`Spec`] says, with times in ns since the trace's first record, as in the page's view. */
export type Figure = {
  readonly kind: FigureKind;
  readonly with: ReadonlyArray<FigurePart>;
  readonly window: TimeWindow | null;
  readonly forked: boolean;
  readonly after_sleep: boolean;
  readonly filter: string | null;
  readonly target: string | null;
  readonly cpus: ReadonlyArray<number> | null;
  readonly color_by: ColorBy;
  readonly legend: LegendOf;
  readonly topology: string | null;
  readonly width: number | null;
  readonly height: number | null;
  readonly title: string | null;
  readonly highlight: ReadonlyArray<string>;
  readonly moves: boolean;
  readonly notes: ReadonlyArray<FigureNote>;
  readonly arrows: FigureArrows | null;
  readonly runqueues: boolean;
  readonly calls: boolean;
  readonly interrupts: boolean;
  readonly counter: string | null;
  readonly task_lanes: FigureTaskLanes;
  readonly wakeup: FigurePlace | null;
  readonly top_down: boolean;
};

export type FigureArrows =
  | {
      readonly of: 'chain';
      readonly cpu: number;
      readonly at: Ns;
      readonly hops: number;
    }
  | {
      readonly of: 'cascade';
      readonly cpu: number;
      readonly at: Ns;
    };

/**
 * The counter of a figure of the page, whose values are given beside the request: two for each bucket, of each CPU, then of each
 * task.
 */
export type FigureCounter = {
  readonly name: string;
  readonly range: [number, number] | null;
  readonly grid: CounterGrid;
  readonly cpus: ReadonlyArray<number>;
  readonly pids: ReadonlyArray<number>;
};

/** A file format. */
export type FigureFormat = 'svg' | 'pdf' | 'png';

/** Kind of figure. */
export type FigureKind = 'timeline' | 'running-waiting' | 'wakeup';

/** Facts about a figure, besides its files. */
export type FigureMade = {
  /** The command line that makes the first of the files. */
  readonly command: string;
  /** Width in mm. */
  readonly width: number;
  /** Height in mm. */
  readonly height: number;
  /** Resolution of the preview in dots per inch; 0 if there is none. */
  readonly preview_dpi: number;
};

/** A text at an instant. */
export type FigureNote = {
  /** CPU on whose lane it is; `None`: at the panel's upper edge. */
  readonly cpu: number | null;
  /** ns since the trace's first record. */
  readonly at: Ns;
  /** The text; `A` and `B` are marks, whose distance is shown. */
  readonly text: string;
};

/** A panel below a timeline, on the same time axis. */
export type FigurePart = 'running-waiting' | 'tasks';

/** A place on the lanes, in ns since the trace's first record. */
export type FigurePlace = {
  /** The CPU. */
  readonly cpu: number;
  /** The time. */
  readonly at: Ns;
};

/** A figure, and the files to make of it. */
export type FigureRequest = {
  /** The figure. */
  readonly figure: Figure;
  /** The trace's file, as the command line is to name it. */
  readonly file: string;
  /** The fingerprint as 16 hexadecimal digits. */
  readonly fingerprint: string;
  /** Whether times are nanoseconds; if not, they are raw ticks. */
  readonly clock_is_ns: boolean;
  /** The file that the command line is to write. */
  readonly out: string;
  /** The formats to write. */
  readonly formats: ReadonlyArray<FigureFormat>;
  /** Resolution of PNG in dots per inch. */
  readonly dpi: number;
  /** What the figure's counter is, if it has one. */
  readonly counter: FigureCounter | null;
  /** Width and height in pixels of a box for a preview, which is another PNG. */
  readonly preview: [number, number] | null;
};

/** The tasks that have lanes. */
export type FigureTaskLanes = {
  /** Tasks with these PIDs. */
  readonly pids: ReadonlyArray<number>;
  /** All tasks that ever had one of these comms. */
  readonly comms: ReadonlyArray<string>;
};

/** What is answered; arrays and files come beside it. */
export type FileAnswer =
  | {
      readonly type: 'sched_ext_events';
      /** By name. */
      readonly events: ReadonlyArray<SchedExtCounter>;
      /** When the core ran all tasks itself. */
      readonly bypasses: ReadonlyArray<Bypass>;
      /** Schedulers that ended, and why. */
      readonly exits: ReadonlyArray<SchedExtLine>;
      /** The first lines of dumps. */
      readonly dumps: ReadonlyArray<SchedExtLine>;
      /** How many there are. */
      readonly dumps_total: number;
    }
  | {
      readonly type: 'sched_ext_runs';
      /** Each. */
      readonly windows: ReadonlyArray<WindowRuns>;
    }
  | {
      readonly type: 'queues';
      /** Each. */
      readonly queues: ReadonlyArray<QueueFacts>;
    }
  | {
      readonly type: 'export';
      /** How many are in it. */
      readonly records: number;
    };

/** What is asked. */
export type FileQuestion =
  | {
      readonly type: 'sched_ext_events';
      /** Only of it. Half-open. */
      readonly window: TimeWindow | null;
    }
  | {
      readonly type: 'sched_ext_runs';
      /** Half-open. */
      readonly windows: ReadonlyArray<TimeWindow>;
      /** The nominal slice. */
      readonly slice: number;
      /** What a run may last longer. */
      readonly tick: number;
      /** The machine, as it was given. */
      readonly topology: string | null;
    }
  | {
      readonly type: 'queues';
    }
  | {
      readonly type: 'export';
      /** Which. */
      readonly to: ExportFormat;
      /** Only of it. Half-open. */
      readonly window: TimeWindow | null;
      /** Only of these CPUs. */
      readonly cpus: ReadonlyArray<number> | null;
      /** Only of tasks that ran under one of these names, and all switches; of all tasks where there are none. */
      readonly comms: ReadonlyArray<string>;
    };

/** A step on the way to the runs that pass a filter, from the events that pass it. */
export type FilterStep =
  | 'begin'
  | {
      readonly add: number;
    }
  | 'finish';

/** A finding. */
export type Finding = {
  /** Its kind. */
  readonly kind: FindingKind;
  /** Its cost, in ns (times tasks). */
  readonly cost_ns: number;
  /** Begin of the time to look at. */
  readonly start_ns: Ns;
  /** End of that time. */
  readonly end_ns: Ns;
  /** The CPU to look at; null if the finding is about a command. */
  readonly cpu: number | null;
  /** The CPUs involved, the most important first. */
  readonly cpus: ReadonlyArray<number>;
  /** Number of tasks, moves, or runs of a preempting command; otherwise 1. */
  readonly count: number;
  /** The command that it is about. */
  readonly comm: string;
  /** The tasks that it is about, the most important first. */
  readonly tasks: ReadonlyArray<TaskName>;
  /** Of the two kinds of preemptions: whether they are certain. */
  readonly preempted?: Preempted;
  /** The system call that it is about, if it is about one. */
  readonly call?: string;
  /** The run to select. */
  readonly run: RunPlace | null;
  /** Of a gap: what is missing of what the command usually runs while its tasks slept, in ns times tasks. It is in no cost. */
  readonly slept_ns?: number;
  /** Number of findings that repeat this one at no higher cost, and are not listed: of the 256 costliest of each kind. */
  readonly folded: number;
  /** Whether missing records may have caused it. Uncertain findings are listed after all others. */
  readonly uncertain: boolean;
};

export type FindingKind =
  | 'overload'
  | 'wait'
  | 'gap'
  | 'moved_off_idle'
  | 'cascade'
  | 'latency'
  | 'kernel_preemption'
  | 'preemption'
  | 'call_wait'
  | 'call_blocked';

/** What distinguishes groups. */
export type GroupBy = 'command' | 'task' | 'cpu';

/** What a group is about. */
export type GroupName =
  | {
      /** Its comm. */
      readonly comm: string;
    }
  | TaskName
  | {
      /** Its number. */
      readonly cpu: number;
    };

/** Runs that must stay visible at any zoom. */
export type Highlight =
  | {
      readonly kind: 'none';
    }
  | {
      readonly kind: 'prefix';
      /** The prefix. */
      readonly prefix: string;
    }
  | {
      readonly kind: 'comms';
      /** The comms. */
      readonly comms: ReadonlyArray<string>;
    }
  | {
      readonly kind: 'task';
      /** Its id. */
      readonly task: number;
    };

/** A CPU that idled during the interval. */
export type Idled = {
  /** The CPU. */
  readonly cpu: number;
  /** How long it idled in the interval. */
  readonly idle_ns: number;
};

/** What a view shows. */
export type IndexSpec = {
  /** Only tasks that were forked in the trace; runs of others count as no task's. */
  readonly forked: boolean;
  /** Leave tasks that never ran on a second CPU out of work conservation, because they may be pinned. */
  readonly movable: boolean;
  /** Runs to highlight. */
  readonly highlight: Highlight;
};

/** JSON of `corelane at`, which prints instants as absolute trace times. */
export type InstantAnswer = {
  /** When. */
  readonly at_ns: Ns;
  /** The last instant before at which something happens; null if there is none. */
  readonly previous_ns: Ns | null;
  /** The next one after it. */
  readonly next_ns: Ns | null;
  /** What happens at this ns: in the order of CPUs. */
  readonly changes: ReadonlyArray<InstantChange>;
  /** All CPUs, ascending. */
  readonly cpus: ReadonlyArray<InstantCpu>;
  /** Tasks that wait on a runqueue that the trace does not tell, the longest waiting first. */
  readonly unplaced: ReadonlyArray<QueuedTask>;
};

/** A change. What does not belong to its kind is null. */
export type InstantChange = {
  /** What happens. */
  readonly kind: ChangeKind;
  /** Where: the CPU that switches, on which the wakeup is made, on whose runqueue the task waits, or to which it migrates. */
  readonly cpu: number | null;
  /** Of a migration: the CPU that the task leaves. */
  readonly from_cpu: number | null;
  /** The task that gets the CPU, is woken, becomes runnable, or migrates; null: the CPU idles, or it is not known. */
  readonly task: TaskName | null;
  /** The task that leaves the CPU, or that wakes; null: it idled, an interrupt wakes, or it is not known. */
  readonly other: TaskName | null;
  /** The letters of the state in which the other leaves; the context of a wakeup; why a task waits; why it migrates. */
  readonly why: string | null;
};

/** A CPU at an instant. */
export type InstantCpu = {
  /** Its number. */
  readonly cpu: number;
  /** Whether it runs a task, idles, or it is not known. */
  readonly state: CpuState;
  /** The task that it runs. */
  readonly task: TaskName | null;
  /** The task's kernel priority at its switch-in, -1 for deadline; null if it is not known. */
  readonly prio: number | null;
  /** Since when; null beyond the end of what is known of the CPU. */
  readonly since_ns: Ns | null;
  /** Until when. */
  readonly until_ns: Ns | null;
  /** Why the run then stops: the letters of `prev_state`. */
  readonly end_state: string | null;
  /** Tasks that wait on its runqueue, the longest waiting first. */
  readonly queue: ReadonlyArray<QueuedTask>;
};

/** The interval of a lane at an instant. While a trace loads, of a run only its name is known ([`RunName`]). */
export type IntervalFrame = {
  /** CPU number. */
  readonly cpu: number;
  /** First ns. */
  readonly start: Ns;
  /** First ns after it. */
  readonly end: Ns;
  /** What the interval is. */
  readonly kind: IntervalKind;
  /** It began before the trace, or its start was not seen. */
  readonly inferred: boolean;
  /** It lasts until the end of the trace. */
  readonly open: boolean;
};

/** What an interval is. */
export type IntervalKind = 'run' | 'idle' | 'unknown';

/** The kinds of handlers. */
export type IrqKind = 'hardirq' | 'vector' | 'softirq';

/** A handler at work. */
export type IrqPlace = {
  /** Its CPU. */
  readonly cpu: number;
  /** When it began. */
  readonly start_ns: Ns;
  /** When it ended. */
  readonly end_ns: Ns;
  /** The thread whose run it interrupted; null where the CPU idled, or that is not known. */
  readonly pid: number | null;
  /** What that was called. */
  readonly comm: string | null;
  /** The run. */
  readonly run: RunPlace | null;
  /** Its kind. */
  readonly kind: IrqKind;
  /** The number of the hardirq, or the vector of the softirq; null for vectors of x86, which have names. */
  readonly number: number | null;
  /** Its name; empty where no event tells. */
  readonly name: string;
};

/** How often a handler ran in a time, and for how long. */
export type IrqTime = {
  /** How often. */
  readonly count: number;
  /** How much of the time it took. */
  readonly ns: number;
  /** Its kind. */
  readonly kind: IrqKind;
  /** The number of the hardirq, or the vector of the softirq; null for vectors of x86, which have names. */
  readonly number: number | null;
  /** Its name; empty where no event tells. */
  readonly name: string;
};

/** What is at an instant of a track. */
export type Item = Interval | TaskInterval | number;

export type KernelThread = 'yes' | 'likely' | 'unknown';

/** What a label is about. */
export type Label = LabelRun | TaskRun;

/** A run wide enough for a label. */
export type LabelRun = {
  /** CPU number. */
  readonly cpu: number;
  /** First ns. */
  readonly start: Ns;
  /** First ns after it. */
  readonly end: Ns;
  /** Thread id. */
  readonly pid: number;
  /** The task's name at the switch-in. */
  readonly comm: string;
};

/** Runs of at least `min_width` that overlap a window, for texts in them. */
export type LabelsQuestion = {
  /** What kind of tracks. */
  readonly kind: TrackKind;
  /** Tracks from top to bottom. */
  readonly keys: ReadonlyArray<number>;
  /** The window. */
  readonly window: TimeWindow;
  /** The shortest. */
  readonly min_width: Ns;
};

/** The numbers of one command, task or CPU. */
export type LatencyGroup = {
  /** Wake-up latencies. */
  readonly wakeups: Measured;
  /** Waits. */
  readonly waits: Waits;
  /** Run lengths. */
  readonly runs: RunLengths;
} & (
  | {
      /** Its comm. */
      readonly comm: string;
    }
  | TaskName
  | {
      /** Its number. */
      readonly cpu: number;
    }
);

/** Durations that began at about the same time and are about as long: the longest of them, the first of equal ones. */
export type LatencyPoint = {
  /** When it began. */
  readonly at_ns: Ns;
  /** How long it is. */
  readonly ns: number;
  /** How many there are. */
  readonly count: number;
  /** Whose it is. */
  readonly task: TaskName;
  /** The run that it led to, or is. */
  readonly run: RunPlace;
};

/** Durations against time. */
export type LatencyPoints = {
  /** How many durations there are, without those that are uncertain. */
  readonly count: number;
  /** Those that are left out: records are missing meanwhile. */
  readonly uncertain: UncertainDurations;
  /** Begin of the time over which columns are spread. */
  readonly first_ns: Ns;
  /** Its end. */
  readonly last_ns: Ns;
  /** By column, then from short to long. */
  readonly points: ReadonlyArray<LatencyPoint>;
};

/** JSON of `corelane latency`, which prints instants as absolute trace times; durations are in ns. */
export type LatencyReport = {
  /** Wakeups that led to a switch-in, without those that are uncertain. */
  readonly count: number;
  /** The same by the event that the latency starts at. */
  readonly clock: ClockCounts;
  /** Their latencies: from the wakeup to the switch-in. */
  readonly latency_ns: Spread;
  /** The longest latencies, in descending order. */
  readonly worst: ReadonlyArray<WakeupEdge>;
  /** From any moment a task became runnable to the switch-in, without waits that are uncertain. */
  readonly waits: Waits;
  /** What counts and distributions leave out. */
  readonly uncertain: UncertainLatencies;
  /** Lengths of runs. */
  readonly runs: RunLengths;
  /** The same for each command, task or CPU, those with most wakeups first. */
  readonly groups: ReadonlyArray<LatencyGroup>;
  /** Number of groups, listed or not. */
  readonly groups_total: number;
};

/** What the legend of commands counts. */
export type LegendOf = 'window' | 'to-end' | 'trace' | 'none';

/** The longest call of a row; of several, the first. */
export type LongestCall = {
  /** When it was entered. */
  readonly at_ns: Ns;
  /** How long it took. */
  readonly duration_ns: number;
  /** Its thread. */
  readonly pid: number;
  /** Which of the tasks that had this pid. */
  readonly generation: number;
  /** The CPU on which it was entered. */
  readonly cpu: number;
  /** What it returned. */
  readonly ret: number;
};

/** One of the longest. */
export type LongestPair = {
  /** When it began: trace time. */
  readonly at_ns: Ns;
  /** How long. */
  readonly ns: number;
  /** The CPU of the start. */
  readonly cpu: number;
  /** The thread of the start. */
  readonly pid: number;
  /** Its name then. */
  readonly comm: string;
  /** Its group. */
  readonly group: string;
};

/** All pairs, with the smaller ends as one: the last row and the last column, where there are any. */
export type Matrix = {
  /** Its rows, the largest first. */
  readonly from: ReadonlyArray<EndSum>;
  /** Its columns, the largest first. */
  readonly to: ReadonlyArray<EndSum>;
  /** The cells, by row and column. */
  readonly cells: ReadonlyArray<MatrixCell>;
};

/** A cell that is not empty. */
export type MatrixCell = {
  /** Index of its row. */
  readonly from: number;
  /** Index of its column. */
  readonly to: number;
  /** As in [`RelatedPair`]. */
  readonly count: number;
  /** As in [`RelatedPair`]. */
  readonly ns: number;
  /** As in [`RelatedPair`]. */
  readonly behind_ns: number;
  /** As in [`RelatedPair`]. */
  readonly longest_ns: number;
  /** As in [`RelatedPair`]. */
  readonly run: RunPlace | null;
};

/** Mean over time and maximum. */
export type MeanMax = {
  /** Mean, weighted by time. */
  readonly mean: number;
  /** The most at any time, for at least one ns. */
  readonly max: number;
};

/** Some durations: their number and distribution. */
export type Measured = {
  /** How many there are. */
  readonly count: number;
  /** Their distribution, in ns. */
  readonly ns: Spread;
};

/** `sched_migrate_task` events by kind. */
export type MigrationCounts = {
  /** Placement, as part of a wakeup. */
  readonly placement: number;
  /** Load balancing, while the task was runnable. */
  readonly load_balance: number;
  /** NUMA balancing. */
  readonly numa: number;
  /** Anything else. */
  readonly other: number;
  /** Reported by no event, but derived from two runs that begin in the trace: not in the total. */
  readonly derived: number;
};

/** The part of the trace that is asked about; all of it must hold. */
export type ModelSelection = {
  /** Only this part of its time. */
  readonly window: TimeWindow | null;
  /** Only tasks that were forked in the trace. */
  readonly forked: boolean;
  /** Only tasks that ran on at least two CPUs: the others may be pinned. */
  readonly movable: boolean;
  /** Only runs whose comm starts so. */
  readonly target: string | null;
  /** Only runs with one of these comms; empty for all. */
  readonly comms: ReadonlyArray<string>;
  /** Only tasks with one of these pids; empty for all. */
  readonly pids: ReadonlyArray<number>;
  /** Only these CPUs. */
  readonly cpus: ReadonlyArray<number> | null;
};

/** The model's part of `Summary` in `web/engine/protocol.ts`. */
export type ModelSummary = {
  /** From the first to the last record. */
  readonly span: Ns;
  /** Records of every kind. */
  readonly records: number;
  /** Scheduling events. */
  readonly sched_events: number;
  /** Events that the trace does not hold at all, though numbers are made of them: see `missing_events`. */
  readonly missing_events: ReadonlyArray<'sched_switch' | 'sched_wakeup'>;
  /** Events that the kernel says were lost. */
  readonly lost_events: number;
  /** Number of gaps in the streams. */
  readonly lost_gaps: number;
  /** Exit of the first task named `sleep`. */
  readonly after_sleep: Ns | null;
  /** What is missing, if that concerns the whole trace. */
  readonly damage: Damage | null;
  /** Everything that was found wrong. */
  readonly diagnostics: ReadonlyArray<Diagnostic>;
  /** By comm id. */
  readonly comms: ReadonlyArray<string>;
};

/** Migrations by kind, and by distance. */
export type MoveCounts = {
  /** By kind. */
  readonly kinds: MigrationCounts;
  /** Also of those that are derived; `None` without a topology. */
  readonly distances: MoveDistances | null;
};

/** Migrations by the smallest part of the machine that they stayed in. */
export type MoveDistances = {
  /** From one thread of a core to another. */
  readonly core: number;
  /** To another core with the same last-level cache. */
  readonly llc: number;
  /** To another last-level cache of the socket. */
  readonly socket: number;
  /** To another socket. */
  readonly machine: number;
  /** Of all these, those to another NUMA node. */
  readonly nodes: number;
  /** From or to a CPU that is unknown, or not in the topology. */
  readonly unknown: number;
};

/** Numbers that cross beside the JSON, in which they are null: [`Answer::take_numbers`]. */
export type Numbers = Float64Array<ArrayBuffer>;

/** JSON of `corelane overload`, which prints instants as absolute trace times; durations are in ns. */
export type OverloadReport = {
  /** Number of violations of at least the minimum duration. */
  readonly count: number;
  /** Their total length. */
  readonly violation_ns: number;
  /** Their total cost. */
  readonly cost_task_ns: number;
  /** The costliest, costliest first. */
  readonly intervals: ReadonlyArray<Violation>;
  /** The same for tasks that wait behind another while some CPU is spare: idle, with nobody on its runqueue. */
  readonly behind_count: number;
  /** Total length of these. */
  readonly behind_ns: number;
  /** Total cost of these: integral of min(tasks that wait behind another, spare CPUs). */
  readonly behind_cost_task_ns: number;
  /** The costliest of these, costliest first, with the tasks that waited behind another and the spare CPUs. */
  readonly behind: ReadonlyArray<Violation>;
  /**
   * How long some kernel thread that is bound to its CPU waited behind another while some CPU was spare, whatever the minimum
   * duration. It is in no other number about waiting behind others.
   */
  readonly bound_ns: number;
  /** Integral of min(bound threads that wait behind another, spare CPUs). */
  readonly bound_task_ns: number;
  /** How long some task waited for its own CPU to leave idle, whatever the minimum duration. */
  readonly leaving_idle_ns: number;
  /** Integral of how many did. */
  readonly leaving_idle_task_ns: number;
  /** What the numbers cannot know. */
  readonly caveat: string;
};

/** A pair of a user, in the words of `corelane pairs`; what was not given is empty. */
export type OwnPair = {
  /** `SYSTEM:EVENT[FILTER]`. */
  readonly start: string;
  /** The same of the end. */
  readonly end: string;
  /** `FIELD[=ENDFIELD],...` */
  readonly key: string;
  /** `FIELD,...` */
  readonly group: string;
  /** A field, or the difference of two. */
  readonly value: string;
  /** Which start counts where a second one comes before the end. */
  readonly again: PairAgain;
};

/** What is wrong with a pair of a user. */
export type OwnPairError = {
  /** Which of its texts, as in `--start`. */
  readonly option: string;
  /** The first character that is wrong, as JavaScript counts them. */
  readonly start: number;
  /** The first one behind it; the same where something is missing. */
  readonly end: number;
  /** What is wrong, and what was expected. */
  readonly message: string;
};

/** What is done with a second start of a key whose first is open. */
export type PairAgain = 'last' | 'first' | 'nest';

/** One pair. */
export type PairAnswer = {
  /** Its name. */
  readonly name: string;
  /** The start, as it was declared. */
  readonly start: string;
  /** The end; nothing for a value of one event. */
  readonly end: string | null;
  /** Starts with an end. */
  readonly count: number;
  /** Starts that were left open. */
  readonly unmatched_starts: number;
  /** Ends without a start. */
  readonly unmatched_ends: number;
  /** Second starts of a key whose first was open. */
  readonly restarted: number;
  /** Pairs between whose events records were lost on one of their CPUs. */
  readonly across_loss: number;
  /** How long. */
  readonly ns: PairTimes;
  /** The same by group: those with the largest sum first, then by name. */
  readonly groups: ReadonlyArray<PairGroup>;
  /** The longest ones. */
  readonly longest: ReadonlyArray<LongestPair>;
};

/** One group of a pair. */
export type PairGroup = {
  /** Its name; empty where the pair has no groups. */
  readonly group: string;
  /** How many pairs. */
  readonly count: number;
  /** How long. */
  readonly ns: PairTimes;
};

/** Distribution of durations. Percentiles are nearest-rank; nothing where there is no value. */
export type PairTimes = {
  /** The sum of all. */
  readonly sum: number;
  /** The shortest. */
  readonly min: number | null;
  /** The mean. */
  readonly mean: number | null;
  /** Half are at most this. */
  readonly p50: number | null;
  /** 90 % are at most this. */
  readonly p90: number | null;
  /** 99 % are at most this. */
  readonly p99: number | null;
  /** 99.9 % are at most this. */
  readonly p999: number | null;
  /** The longest. */
  readonly max: number | null;
  /**
   * (from, count) for each bucket that is not empty: values of at least `from` and less than twice `from`; for 0 zeros; for
   * negative ones at most `from` and more than twice `from`.
   */
  readonly histogram: [number, number][];
};

/** What instances are put together by. */
export type PairsBy = 'group' | 'cpu' | 'task' | 'command';

/** A part of a run, before or after the thread took over its leader's pid by an exec. */
export type PartOfRun = {
  /** Thread id. */
  readonly pid: number;
  /** First ns under this pid. */
  readonly start: Ns;
};

/** An instant on a track. */
export type PointQuestion = {
  /** What kind of track. */
  readonly kind: TrackKind;
  /** Which one. */
  readonly key: number;
  /** The instant. */
  readonly at: Ns;
};

/** What is measured. */
export type PointsOf =
  | 'wakeup'
  | 'wait'
  | 'wait-woken'
  | 'wait-preempted'
  | 'run'
  | 'run-preempted'
  | 'run-yielded'
  | 'run-slept'
  | 'run-exited';

/** Whether tasks that left their CPU runnable were preempted. */
export type Preempted = {
  /**
   * How many of them the kernel marks as preempted (`R+`). The others left as `R`: preempted on the way back to user space, or
   * of their own accord.
   */
  readonly involuntary: number;
  /** `prev_state` with which the one before the longest run left, `R` or `R+`. */
  readonly end_state: string;
};

/** Minimum and maximum priority; -1 is deadline. */
export type Prios = {
  /** The most urgent. */
  readonly min: number;
  /** The least urgent. */
  readonly max: number;
};

/**
 * A question about an open trace.
 * In JSON it is `{"chain": {"cpu": 0, ...}}`: with the type first, what follows is read as it comes, where a `type` among the
 * other fields would have all of them kept in memory first, by twice the code.
 */
export type Question =
  | {
      readonly type: 'set_view';
      /** Which. */
      readonly spec: IndexSpec;
    }
  | {
      readonly type: 'filter_runs';
      /** How many these are; with the question comes which, as `StudyAnswer::PassingRuns` has it. Null: there is no filter. */
      readonly runs: number | null;
    }
  | {
      readonly type: 'parse_topology';
      /** A text; null: the bytes that come with the question. */
      readonly text: string | null;
    }
  | {
      readonly type: 'set_topology';
      /** A text; null: the topology is not known. */
      readonly text: string | null;
    }
  | ({
      readonly type: 'tile';
    } & TileQuestion)
  | ({
      readonly type: 'labels';
    } & LabelsQuestion)
  | ({
      readonly type: 'at';
    } & PointQuestion)
  | ({
      readonly type: 'step';
    } & StepQuestion)
  | {
      readonly type: 'chain';
      /** The CPU. */
      readonly cpu: number;
      /** The instant. */
      readonly at: Ns;
      /** How many hops to go back at most. */
      readonly hops: number;
    }
  | {
      readonly type: 'commands';
      /** The window. */
      readonly window: TimeWindow | null;
    }
  | {
      readonly type: 'stats';
      /** The window. */
      readonly window: TimeWindow;
    }
  | {
      readonly type: 'task_table';
      /** The window. */
      readonly window: TimeWindow | null;
    }
  | {
      readonly type: 'cpu_table';
      /** The window. */
      readonly window: TimeWindow | null;
    }
  | {
      readonly type: 'tasks';
      /** Task ids. */
      readonly ids: ReadonlyArray<number> | null;
      /** The comm. */
      readonly comm: string | null;
    }
  | {
      readonly type: 'moves';
      /** The window. */
      readonly window: TimeWindow;
      /** The CPUs. */
      readonly cpus: ReadonlyArray<number>;
      /** If there are more, they are only counted. */
      readonly most: number;
    }
  | {
      readonly type: 'wait';
      /** The CPU. */
      readonly cpu: number;
      /** The instant. */
      readonly at: Ns;
    }
  | {
      readonly type: 'placement';
      /** The CPU. */
      readonly cpu: number;
      /** The instant. */
      readonly at: Ns;
    }
  | {
      readonly type: 'findings';
      /** The part of the trace. */
      readonly selection: ModelSelection;
      /** How many of each kind. */
      readonly top: number;
    }
  | {
      readonly type: 'latency';
      /** The part of the trace. */
      readonly selection: ModelSelection;
      /** How to group. */
      readonly by: GroupBy;
      /** How many of the worst latencies. */
      readonly top: number;
    }
  | {
      readonly type: 'overload';
      /** The part of the trace. */
      readonly selection: ModelSelection;
      /** Shorter ones are not listed. */
      readonly min_duration: Ns;
      /** How many. */
      readonly top: number;
    }
  | {
      readonly type: 'behind';
      /** The part of the trace. */
      readonly selection: ModelSelection;
    }
  | {
      readonly type: 'domains';
      /** The part of the trace. */
      readonly selection: ModelSelection;
    }
  | {
      readonly type: 'cascades';
      /** The part of the trace. */
      readonly selection: ModelSelection;
      /** How many. */
      readonly top: number;
    }
  | {
      readonly type: 'cascade_of';
      /** The CPU. */
      readonly cpu: number;
      /** The instant. */
      readonly at: Ns;
    }
  | {
      readonly type: 'waits';
      /** The part of the trace. */
      readonly selection: ModelSelection;
      /** How many. */
      readonly top: number;
    };

/** A dispatch queue, in formats that have them. Its numbers over time come beside it. */
export type QueueFacts = {
  /** In decimal: JavaScript has no numbers of 64 bits. */
  readonly id: string;
  /** How often a wait in it is known. */
  readonly waits: number;
  /** The longest, in µs. */
  readonly latency_us_max: number | null;
  /** How often its length is known. */
  readonly lengths: number;
  /** The most tasks that were in it. */
  readonly nr_queued_max: number | null;
};

/** A task that waits. */
export type QueuedTask = {
  /** Since when. */
  readonly since_ns: Ns;
  /** `wakeup` or `preempted`. */
  readonly cause: WaitCause;
  /** The run that it waits for; null if the trace has none. */
  readonly run: RunPlace | null;
  /** Thread id. */
  readonly pid: number;
  /** Generation of the pid, from 0. */
  readonly generation: number;
  /** Its comm at that time, or its last. */
  readonly comm: string;
};

/** How far it is from one CPU to another. */
export type Reach = 'cpu' | 'core' | 'llc' | 'socket' | 'machine' | 'other' | 'unknown';

/** Wakeups that reached equally far. */
export type ReachRow = {
  /** How far. */
  readonly reach: Reach;
  /** From the CPU on which the wakeup was made to the chosen one. */
  readonly from_waker: Reached;
  /** From the CPU on which the task last ran to the chosen one. */
  readonly from_last: Reached;
};

/** How many, and their latencies in ns. */
export type Reached = {
  /** How many. */
  readonly count: number;
  /** The sum of their latencies. */
  readonly latency_ns: number;
  /** The longest. */
  readonly max_ns: number;
};

/** Which events tell of system calls. */
export type Recorded = 'raw' | 'named' | 'both';

/** Two ends and what is between them. Durations are in ns. */
export type RelatedPair = {
  /** Who wakes, or who has the CPU; by CPU: on which. */
  readonly from: RelationEnd;
  /** Who is woken, or who waits; by CPU: where it then runs. */
  readonly to: RelationEnd;
  /** How many wakeups, or waits. */
  readonly count: number;
  /** The sum of latencies, or how long it had the CPU while the other waited. */
  readonly ns: number;
  /** Of waits: how much of it while some CPU was spare. */
  readonly behind_ns?: number;
  /** The longest one. */
  readonly longest_ns: number;
  /** Of the longest: the run that the wakeup led to, or the run of who had the CPU. */
  readonly run: RunPlace | null;
  /** Of wakeups: how latencies are distributed. */
  readonly latency?: Measured;
};

/** What is related to something else. What does not belong to its kind is null. */
export type RelationEnd = {
  /** What it is. */
  readonly kind: EndKind;
  /** Of a command or a task: its comm; a task's last one. */
  readonly comm: string | null;
  /** Of a task. */
  readonly pid: number | null;
  /** Of a task: which of the tasks that had this pid. */
  readonly generation: number | null;
  /** Of a CPU. */
  readonly cpu: number | null;
};

/** Details of a run. */
export type RunDetails = {
  /** Task id. */
  readonly task: number;
  /** Thread id. */
  readonly pid: number;
  /** Generation of the pid. */
  readonly generation: number;
  /** The task's name at the switch-in. */
  readonly comm: string;
  /** Kernel priority at the switch-in, -1 for deadline. */
  readonly prio: number | null;
  /** The scheduling class of that priority. */
  readonly class: TaskClass | null;
  /** The letter of `prev_state` at the end of the run, with its `+`. */
  readonly end_state: string | null;
  /** Whether the task was off its runqueue after the run, until its next period. */
  readonly throttled: boolean;
  /** Whether the task is known to have yielded: the run ended inside `sched_yield`. */
  readonly yielded: boolean;
  /** The previous part of the run, if the task called exec and got another pid. */
  readonly exec_from: PartOfRun | null;
  /** The next part of the run, if the task called exec and got another pid. */
  readonly exec_to: PartOfRun | null;
  /** When the task became runnable before this run. */
  readonly waited_since: Ns | null;
  /** How the wait began. */
  readonly wait_cause: WaitCause | null;
  /** The wakeup that led to this run. */
  readonly wakeup: WakeupEdge | null;
};

/**
 * Lengths of runs whose begin and end are in the trace, by why they ended. The mean of all is not the time slice,
 * which shows at most in `preempted` runs.
 */
export type RunLengths = {
  /** All runs. */
  readonly all: Measured;
  /**
   * Runs whose task stayed runnable and is not known to have yielded: preempted (`R+`), or left as `R`, which kernels write for
   * preemptions on the way back to user space and for other ways to give up the CPU alike.
   */
  readonly preempted: Measured;
  /** Runs whose task is known to have yielded: it was inside `sched_yield`, as recorded system calls show. */
  readonly yielded: Measured;
  /** Runs whose task slept, blocked or stopped. */
  readonly slept: Measured;
  /** Runs whose task exited. */
  readonly exited: Measured;
  /** Runs of deadline tasks that were then off their runqueue until their next period. */
  readonly throttled: Measured;
  /** Number of runs that are not measured, because their begin or end is not in the trace. */
  readonly cut: number;
};

/** A run, by the CPU and the time at which it begins. */
export type RunPlace = {
  /** The CPU. */
  readonly cpu: number;
  /** When it begins. */
  readonly start_ns: Ns;
};

/** A run, by the CPU and the time at which it begins. */
export type RunStart = {
  /** CPU number. */
  readonly cpu: number;
  /** First ns. */
  readonly start: Ns;
};

/** Durations in ns. Percentiles are nearest-rank: values that were measured; null if there is none. */
export type Sample = {
  /** How many. */
  readonly count: number;
  /** Their sum. */
  readonly sum: number;
  /** Half are at most this. */
  readonly p50: number | null;
  /** Begin of the 95 % confidence interval of the median, of which it is an order statistic; null for fewer than six. */
  readonly p50_low: number | null;
  /** Its end. */
  readonly p50_high: number | null;
  /** 99 % are at most this. */
  readonly p99: number | null;
  /** The longest. */
  readonly max: number | null;
  /** (bucket, count), ascending: durations told apart to 3 %. For ranks. */
  readonly buckets: ReadonlyArray<[number, number]>;
};

/** A counter of sched_ext. */
export type SchedExtCounter = {
  /** Its name. */
  readonly name: string;
  /** How often it was raised. */
  readonly count: number;
  /** By how much in all. */
  readonly sum: number;
};

/** Something that the core said. */
export type SchedExtLine = {
  /** When. */
  readonly at: Ns;
  /** Its words. */
  readonly text: string;
};

/** How two samples differ. */
export type Shift = {
  /** The probability that a duration of the other is longer than one of the first, ties as half: 0.5 if they do not differ. */
  readonly other_longer: number;
  /**
   * How probable a difference at least as large would be by chance, if durations were independent (two-sided). They are not:
   * it is a lower bound.
   */
  readonly p: number;
};

/** A trace, or a part of one. Durations are in ns. */
export type Side = {
  /** How long it is. */
  readonly length_ns: number;
  /** How many CPUs it has, of those selected. */
  readonly cpus: number;
  /** How long some task waited behind another while some CPU was spare. */
  readonly behind_ns: number;
  /** The integral of min(tasks behind others, spare CPUs). */
  readonly behind_cost_task_ns: number;
  /** Its commands, in the order of their names. */
  readonly commands: ReadonlyArray<SideCommand>;
};

/** A command. */
export type SideCommand = {
  /** Its comm. */
  readonly comm: string;
  /** How long it ran. */
  readonly execution_ns: number;
  /** How long its tasks waited. */
  readonly waiting_ns: number;
  /** Of this, behind another while some CPU was spare. */
  readonly behind_ns: number;
  /** Runs that begin in the window. */
  readonly runs: number;
  /** Migrations of tasks whose last name it is. */
  readonly migrations: number;
  /** Wake-up latencies. */
  readonly latency: Sample;
  /** Waits that a run ended. */
  readonly wait: Sample;
};

/** A trace as a whole. */
export type SideTotals = {
  /** How long it is. */
  readonly length_ns: number;
  /** How many CPUs it has. */
  readonly cpus: number;
  /** How long its tasks ran, summed over them. */
  readonly execution_ns: number;
  /** How long they waited, summed over them. */
  readonly waiting_ns: number;
  /** How long some task waited behind another while some CPU was spare. */
  readonly behind_ns: number;
  /** The integral of min(tasks behind others, spare CPUs). */
  readonly behind_cost_task_ns: number;
  /** Runs. */
  readonly runs: number;
  /** Migrations. */
  readonly migrations: number;
};

/** Preempted runs. */
export type SliceCounts = {
  /** All whose begin and end are in the trace. */
  readonly preempted: number;
  /** Those from the slice to a tick more. */
  readonly within: number;
  /** Those, of all; `None` if there are none. */
  readonly share: number | null;
};

/** What is known of a file before anything is scanned. */
export type SourceDescription = {
  /** The name of the file's format, as in `trace.dat`. */
  readonly format: string;
  /** Its version. */
  readonly version: number;
  /** In hexadecimal. */
  readonly fingerprint: string;
  /** All CPUs of the traced system, with or without data. */
  readonly cpus: ReadonlyArray<number>;
  /** Absolute time of the first record in ns, as decimal digits: JavaScript has no numbers of 64 bits. */
  readonly base_ns: string;
  /** False for clocks that count raw ticks (x86-tsc, counter): "ns" are then ticks. */
  readonly clock_is_ns: boolean;
  /** Empty where it is not known. */
  readonly clock: string;
  /** The traced system. */
  readonly uname: string | null;
  /** The file holds the text of its records: there is a list of events. */
  readonly has_text: boolean;
  /** The program that wrote the file, where it leaves out what others write. */
  readonly writer: string | null;
  /** What the file has no way to say: `waker`, `context`, `chosen_cpu`, `migrations`, `preemption`, `loss`. */
  readonly cannot_tell: ReadonlyArray<string>;
  /** The machine's topology in its canonical text, where the file has it. */
  readonly topology: string | null;
};

/** A CPU, and its times in ns. */
export type SpareCpu = {
  /** Its number. */
  readonly cpu: number;
  /** How long it was spare while some task waited behind another. */
  readonly spare_ns: number;
  /** How long some task waited behind another on its runqueue while some CPU was spare. */
  readonly behind_ns: number;
  /** The same, summed over these tasks. */
  readonly behind_task_ns: number;
  /** How long tasks waited on its runqueue at all, summed over them. */
  readonly waiting_task_ns: number;
  /** Of this, while it was leaving idle for them. */
  readonly leaving_idle_task_ns: number;
  /** How long it was idle. */
  readonly idle_ns: number;
};

/** What CPUs had part in, while tasks waited behind others and some CPU was spare. */
export type SpareReport = {
  /** How long that was the case. */
  readonly behind_ns: number;
  /** Integral of min(tasks behind others, spare CPUs). */
  readonly behind_cost_task_ns: number;
  /** Each selected CPU, ascending. */
  readonly cpus: ReadonlyArray<SpareCpu>;
};

/** What is said of a sample. */
export type Spot = {
  /** How many. */
  readonly count: number;
  /** The median, and the 95 % confidence interval around it. */
  readonly p50: number | null;
  /** Its begin; null for fewer than six. */
  readonly p50_low: number | null;
  /** Its end. */
  readonly p50_high: number | null;
  /** 99 % are at most this. */
  readonly p99: number | null;
  /** The longest. */
  readonly max: number | null;
};

/**
 * Distribution of some durations. Percentiles are nearest-rank: the smallest value that at least that share of the
 * values does not exceed, so each is a value that was measured. Null if there is no value.
 */
export type Spread = {
  /** Half are at most this. */
  readonly p50: number | null;
  /** 90 % are at most this. */
  readonly p90: number | null;
  /** 99 % are at most this. */
  readonly p99: number | null;
  /** 99.9 % are at most this. */
  readonly p999: number | null;
  /** The longest. */
  readonly max: number | null;
  /** The sum of all. */
  readonly sum: number;
  /**
   * (from, count) for each bucket that is not empty: values of at least `from` and less than twice `from` (for 0:
   * zeros).
   */
  readonly histogram: ReadonlyArray<[number, number]>;
};

/** Which of the texts. */
export type StaktauLayout = 'raw' | 'tables';

/** What a text tells. */
export type StaktauText = {
  /** Which text it was. */
  readonly layout: StaktauLayout;
  /** All threads, by their ids, or in the order of the tables. */
  readonly threads: ReadonlyArray<ThreadTimes>;
  /** Enters and exits, without those that are repeated. */
  readonly records: number;
  /** Records that an earlier dump had already. */
  readonly repeated: number;
  /** Exits without an enter. */
  readonly unmatched_exits: number;
  /** Enters without an exit; their time is in no sum. */
  readonly left_open: number;
  /** How many lines were not read. */
  readonly damaged: number;
  /** The first of them, at most [`MOST_DAMAGE`]. */
  readonly damage: ReadonlyArray<DamagedLine>;
};

/** A step from what is at an instant on a track. */
export type StepQuestion = {
  /** To what comes before (-1) or after (1). */
  readonly direction: -1 | 1;
  /** What kind of track. */
  readonly kind: TrackKind;
  /** Which one. */
  readonly key: number;
  /** The instant. */
  readonly at: Ns;
};

/** What interrupts took of a time, a ns once however they nest. */
export type Stolen = {
  /** Hardirqs and vectors. */
  readonly hard_ns: number;
  /** Softirqs, without the hardirqs that interrupted them. */
  readonly soft_ns: number;
  /** The handlers, those that took most first. */
  readonly handlers: ReadonlyArray<IrqTime>;
  /** The longest that overlaps the time; of several, the first. */
  readonly longest: IrqPlace | null;
};

/** What interrupts took in a window. */
export type StolenIn = {
  /** Of CPUs, by their numbers, idle time too. */
  readonly cpus: ReadonlyArray<StolenPart>;
  /** Of tasks, by their ids; those of which they took nothing are left out. */
  readonly tasks: ReadonlyArray<StolenPart>;
  /** Of commands, by their ids; likewise. */
  readonly comms: ReadonlyArray<StolenPart>;
};

/** Whose time interrupts take. */
export type StolenOf = 'cpu' | 'task';

/** What interrupts took of one of them. */
export type StolenPart = {
  /** Number of the CPU, id of the task, or id of the command. */
  readonly key: number;
  /** Hardirqs and vectors. */
  readonly hard_ns: number;
  /** Softirqs, without the hardirqs that interrupted them. */
  readonly soft_ns: number;
};

/** An answer; its type is its question's. */
export type StudyAnswer =
  | {
      readonly type: 'wakes';
      readonly report: WakesReport;
    }
  | {
      readonly type: 'took';
      readonly report: TookReport;
    }
  | {
      readonly type: 'spare_cpus';
      readonly report: SpareReport;
    }
  | {
      readonly type: 'latency_points';
      readonly found: LatencyPoints;
    }
  | {
      readonly type: 'side';
      readonly side: Side;
    }
  | {
      readonly type: 'compare';
      readonly comparison: Comparison;
    }
  | {
      readonly type: 'instant';
      readonly instant: InstantAnswer;
    }
  | {
      readonly type: 'run_places';
    }
  | {
      readonly type: 'passing_runs';
      readonly runs: number;
    };

/** A question about an open trace that takes a walk over it. */
export type StudyQuestion =
  | {
      readonly type: 'wakes';
      /** The part of the trace. */
      readonly selection: ModelSelection;
      /** What to tell apart. */
      readonly by: GroupBy;
      /** How many pairs. */
      readonly top: number;
      /** How many rows and columns of the matrix have a name. */
      readonly ends: number;
      /** The machine, as `Topology.canonical`; null if it is not known. */
      readonly topology: string | null;
    }
  | {
      readonly type: 'took';
      /** The part of the trace. */
      readonly selection: ModelSelection;
      /** What to tell apart. */
      readonly by: GroupBy;
      /** How many pairs. */
      readonly top: number;
      /** How many rows and columns of the matrix have a name. */
      readonly ends: number;
    }
  | {
      readonly type: 'spare_cpus';
      /** The part of the trace. */
      readonly selection: ModelSelection;
    }
  | {
      readonly type: 'latency_points';
      /** The part of the trace. */
      readonly selection: ModelSelection;
      /** What is measured. */
      readonly of: PointsOf;
      /** Over how many columns of time. */
      readonly columns: number;
    }
  | {
      readonly type: 'side';
      /** The part of the trace. */
      readonly selection: ModelSelection;
    }
  | {
      readonly type: 'compare';
      /** The part of the trace. */
      readonly selection: ModelSelection;
      /** The first one, as `side` answers. */
      readonly first: Side;
    }
  | {
      readonly type: 'instant';
      /** When. */
      readonly at: Ns;
    }
  | {
      readonly type: 'run_places';
      /** The machine, as `Topology.canonical`; null if it is not known. */
      readonly topology: string | null;
    }
  | {
      readonly type: 'passing_runs';
      /** Which. */
      readonly step: FilterStep;
    };

export type TaskClass = 'deadline' | 'RT' | 'fair' | 'idle';

/** Facts about a task, in the shape of `TaskInfo`. */
export type TaskInfo = {
  /** Task id. */
  readonly task: number;
  /** Thread id. */
  readonly pid: number;
  /** Generation of the pid. */
  readonly generation: number;
  /** Its last comm. */
  readonly comm: string;
  /** Its comms, by first run. */
  readonly comms: ReadonlyArray<CommFrom>;
  /** Whether it was forked in the trace. */
  readonly forked: boolean;
  /** The task that forked it. */
  readonly parent: number | null;
  /** Whether it is a kernel thread. */
  readonly kernel: KernelThread;
  /** The class of its lowest priority. */
  readonly class: TaskClass | null;
  /** Its kernel priorities at switch-ins. */
  readonly prio: Prios | null;
  /** Number of runs. */
  readonly runs: number;
  /** Their total length. */
  readonly execution_ns: number;
  /** Start of the first run. */
  readonly first_run: Ns | null;
  /** End of the last run. */
  readonly last_run: Ns | null;
};

/** A state of a task, in the shape of the page's `TaskInterval`. */
export type TaskInterval = {
  /** Task id. */
  readonly task: number;
  /** Thread id. */
  readonly pid: number;
  /** Generation of the pid. */
  readonly generation: number;
  /** Name of the state. */
  readonly state: TaskState;
  /** First ns. */
  readonly start: Ns;
  /** First ns after it. */
  readonly end: Ns;
  /** The task's name in the run, or in the next one, or its last one. */
  readonly comm: string;
  /** The CPU of the run, or where the wait ended. */
  readonly cpu: number | null;
  /** `prev_state`, at the end of a run or at the begin of another state. */
  readonly letters: string | null;
  /** Whether the task was off its runqueue, until its next period, after a switch-out with these letters. */
  readonly throttled: boolean;
  /** Whether the task is known to have yielded, at the switch-out with these letters. */
  readonly yielded: boolean;
  /** What made the task runnable. */
  readonly cause: WaitCause | null;
  /** It lasts until the end of the trace. */
  readonly open: boolean;
  /** The run itself, the one that ended the wait, or the previous one. */
  readonly run: RunStart | null;
};

/** A task: pids are reused, so a pid needs its generation. */
export type TaskName = {
  /** Thread id. */
  readonly pid: number;
  /** Generation of the pid, from 0. */
  readonly generation: number;
  /** Its comm at that time, or its last. */
  readonly comm: string;
};

/** A task, by its id in the trace and by what people call it. */
export type TaskRef = {
  /** Task id. */
  readonly task: number;
  /** Thread id. */
  readonly pid: number;
  /** Generation of the pid, from 0. */
  readonly generation: number;
  /** Its comm at that time, or its last. */
  readonly comm: string;
};

/** A run of a task. */
export type TaskRun = {
  /** Task id. */
  readonly task: number;
  /** The CPU. */
  readonly cpu: number;
  /** First ns. */
  readonly start: Ns;
  /** First ns after it. */
  readonly end: Ns;
  /** The task's name at the switch-in. */
  readonly comm: string;
};

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

/** A thread. */
export type ThreadTimes = {
  /** Its thread id. */
  readonly tid: number;
  /**
   * From its first record to its last, ns. In tables that the original script made it is the first record's time since
   * the epoch.
   */
  readonly application_ns: number | null;
  /** The calls that it returned from, in the order of their first enters. */
  readonly calls: ReadonlyArray<CallTime>;
};

/** The numbers of a tile. */
export type TileAnswer = {
  /** As asked. */
  readonly kind: TrackKind;
  /** Some words for each track and bucket, as [`Track::tile`](super::Track::tile) lays them out. */
  readonly values: Words;
  /** The greatest value of the whole trace, for a scale that stays; 0 for kinds without one. */
  readonly most: number;
};

/**
 * Numbers for each track and bucket. Bucket `i` is `[i * 2^level, (i + 1) * 2^level)` ns since the trace's first event, so
 * buckets of one level tile and can be cached.
 */
export type TileQuestion = {
  /** What kind of tracks. */
  readonly kind: TrackKind;
  /** For kinds whose tiles come in variants. */
  readonly variant: TileVariant | null;
  /** Tracks from top to bottom; empty where a trace has one of the kind. */
  readonly keys: ReadonlyArray<number>;
  /** The width of a bucket, as a power of two. */
  readonly level: number;
  /** The first bucket. */
  readonly first_bucket: number;
  /** How many buckets. */
  readonly buckets: number;
};

/** What the keys in a CPU's cells are. */
export type TileVariant = 'task' | 'comm';

/** A task that ran on the CPU for which another one waited. */
export type Took = {
  /** How long it ran. */
  readonly ran_ns: number;
  /** Its first run there meanwhile. */
  readonly run: RunPlace;
  /** Thread id. */
  readonly pid: number;
  /** Generation of the pid, from 0. */
  readonly generation: number;
  /** Its comm at that time, or its last. */
  readonly comm: string;
};

/** JSON of `corelane antagonists`; durations are in ns, summed over tasks that wait. */
export type TookReport = {
  /** How long tasks waited. */
  readonly waiting_ns: number;
  /** Of this, while their CPU ran another task and some CPU was spare. */
  readonly behind_ns: number;
  /** Of this, while their CPU was idle: leaving idle for them. */
  readonly idle_ns: number;
  /** Of this, on no known CPU, or on one of which it is not known what it did. */
  readonly unknown_ns: number;
  /** Of `waiting_ns`, in waits that are uncertain: records are missing meanwhile. */
  readonly uncertain_ns: number;
  /** The pairs with most time, most first. */
  readonly pairs: ReadonlyArray<RelatedPair>;
  /** How many pairs there are. */
  readonly pairs_total: number;
  /** All of them. */
  readonly matrix: Matrix;
};

/** A topology, applied to the CPUs of a trace. */
export type Topology = {
  /** The trace's CPUs by socket, LLC, core and number; those that the topology does not have come last. */
  readonly order: ReadonlyArray<number>;
  /** CPUs of the trace that the topology does not have. */
  readonly unknown_cpus: ReadonlyArray<number>;
  /** CPUs of the topology that the trace does not have. */
  readonly other_cpus: ReadonlyArray<number>;
  /** Its shortest description. */
  readonly canonical: string;
  /** The topology in words. */
  readonly summary: string;
  /** Number of sockets. */
  readonly sockets: number;
  /** Number of NUMA nodes. */
  readonly nodes: number;
  /** Number of last-level caches. */
  readonly llcs: number;
  /** Number of cores. */
  readonly cores: number;
  /** The CPUs by number. */
  readonly cpus: ReadonlyArray<TopologyCpu>;
};

/**
 * Where a CPU is. Sockets, nodes, LLCs and cores are numbered over the whole machine from 0, by their lowest CPU (LLCs
 * within their socket, cores within their LLC), as `lscpu` numbers them on most machines.
 */
export type TopologyCpu = {
  /** The logical CPU. */
  readonly cpu: number;
  /** Its physical package. */
  readonly socket: number;
  /** Its NUMA node. */
  readonly node: number;
  /** Its last-level cache. */
  readonly llc: number;
  /** Its core. */
  readonly core: number;
};

/** Result of parsing a text or a tar. */
export type TopologySummary = {
  /** `None` if it was not understood. */
  readonly topology: Topology | null;
  /** What was found, where, and what was expected instead. */
  readonly error: string | null;
};

/** The kinds of tracks. */
export type TrackKind = 'cpu' | 'task' | 'runqueue' | 'curve' | 'conservation';

/** Uncertain durations, which percentiles and sums of durations leave out. */
export type UncertainDurations = {
  /** How many. */
  readonly count: number;
  /** Their sum, in ns. */
  readonly ns: number;
};

/** Durations that may be too long: records are missing meanwhile, in which the task may have run. [`Latency::worst`] lists and marks them. */
export type UncertainLatencies = {
  /** Wake-up latencies. */
  readonly wakeups: UncertainDurations;
  /** Waits. */
  readonly waits: UncertainDurations;
};

/** A maximal interval in which some task waits (behind another) and some CPU is idle (spare). */
export type Violation = {
  /** First ns. */
  readonly start_ns: Ns;
  /** First ns after it. */
  readonly end_ns: Ns;
  /** Its length. */
  readonly duration_ns: number;
  /** Integral of min(waiting tasks, idle CPUs). */
  readonly cost_task_ns: number;
  /** The most tasks that waited at any time. */
  readonly waiting_max: number;
  /** The tasks that waited, longest first. */
  readonly tasks: ReadonlyArray<Waited>;
  /** How many tasks waited, listed or not. */
  readonly tasks_total: number;
  /** The CPUs that idled, by number. */
  readonly idle_cpus: ReadonlyArray<Idled>;
  /** Records are missing while one of the tasks waited, so it may have run and slept, unseen. */
  readonly uncertain: boolean;
};

export type WaitCause = 'wakeup' | 'preempted' | 'replenished';

/** A wait, explained. */
export type WaitInfo = {
  /** When it became runnable. */
  readonly since_ns: Ns;
  /** Its switch-in. */
  readonly until_ns: Ns;
  /** How long it waited. */
  readonly wait_ns: number;
  /** `wakeup` or `preempted`. */
  readonly cause: WaitCause;
  /** Where it then ran. */
  readonly cpu: number;
  /** The CPUs on whose runqueues it waited, in order of time. */
  readonly queues: ReadonlyArray<WaitQueue>;
  /** The tasks that ran there meanwhile, longest first, at most 1000. */
  readonly took: ReadonlyArray<Took>;
  /** How many tasks ran there. */
  readonly took_total: number;
  /** How long the CPU that it waited for was idle: it was leaving idle for the task. */
  readonly own_idle_ns: number;
  /** How long it waited behind another while some CPU was spare: idle, with no task on its runqueue. */
  readonly behind_ns: number;
  /** The task is a kernel thread that is bound to the CPU it waited for: no other could take it, and `behind_ns` is 0. */
  readonly bound: boolean;
  /** How long it is unknown what that CPU did. */
  readonly unknown_ns: number;
  /** How long any CPU was idle meanwhile. */
  readonly any_idle_ns: number;
  /** Records are missing meanwhile, so the task may have run and waited anew, unseen. */
  readonly uncertain: boolean;
  /** Thread id. */
  readonly pid: number;
  /** Generation of the pid, from 0. */
  readonly generation: number;
  /** Its comm at that time, or its last. */
  readonly comm: string;
};

/** A part of a wait. */
export type WaitQueue = {
  /** The CPU of the runqueue. */
  readonly cpu: number;
  /** When it begins. */
  readonly from_ns: Ns;
  /** When it ends. */
  readonly to_ns: Ns;
};

/** JSON of `corelane waits`, which prints instants as absolute trace times; durations are in ns. */
export type WaitReport = {
  /** Number of waits that ended with a switch-in. */
  readonly count: number;
  /** The longest waits, in descending order. */
  readonly longest: ReadonlyArray<WaitInfo>;
};

/** A task that waited during the interval. */
export type Waited = {
  /** How long it waited in the interval. */
  readonly waited_ns: number;
  /** The run that the last of its waits led to; null if the trace has none. */
  readonly run: RunPlace | null;
  /** Thread id. */
  readonly pid: number;
  /** Generation of the pid, from 0. */
  readonly generation: number;
  /** Its comm at that time, or its last. */
  readonly comm: string;
};

/** Waits that ended with a switch-in. */
export type Waits = {
  /** All waits. */
  readonly all: Measured;
  /** Waits that began with a wakeup. */
  readonly woken: Measured;
  /** Waits that began with a switch-out as runnable (`R`, `R+`): a preemption or a yield. */
  readonly preempted: Measured;
  /** Waits of deadline tasks that were throttled and then moved: their next period had begun. */
  readonly replenished: Measured;
};

/**
 * What was on the CPU on which a wakeup was made. In interrupt context ([`WakeupEdge::context`]) it is what the interrupt
 * interrupted.
 */
export type Waker =
  | ({
      readonly kind: 'task';
    } & TaskRef)
  | {
      readonly kind: 'idle';
    }
  | {
      readonly kind: 'unknown';
    };

export type WakerContext = 'task' | 'hardirq' | 'softirq' | 'unknown';

/** JSON of `corelane wakes`; durations are in ns. */
export type WakesReport = {
  /** Wakeups that led to a switch-in, without those that are uncertain. */
  readonly count: number;
  /** The sum of their latencies. */
  readonly latency_ns: number;
  /** Wakeups that are left out: records are missing meanwhile, so another one may have led to the switch-in. */
  readonly uncertain: UncertainDurations;
  /** The pairs with most wakeups, most first. */
  readonly pairs: ReadonlyArray<RelatedPair>;
  /** How many pairs there are. */
  readonly pairs_total: number;
  /** All of them. */
  readonly matrix: Matrix;
  /** The machine's shortest description; null if it is not known. */
  readonly topology: string | null;
  /** How far wakeups reached, nearest first; a row for each distance that occurs. */
  readonly distances: ReadonlyArray<ReachRow>;
};

/** A wakeup edge: one shape for chains, placements, latencies and runs. */
export type WakeupEdge = {
  /** The event that `at_ns` is the time of. */
  readonly event: WakeupEvent;
  /** When the latency starts: at `sched_waking` where it exists. */
  readonly at_ns: Ns;
  /** When the wakee became runnable; null if no `sched_wakeup` tells. */
  readonly woken_ns: Ns | null;
  /** The wakee's switch-in; null if there is none. */
  readonly running_ns: Ns | null;
  /** From `at_ns` to `running_ns`. */
  readonly latency_ns: number | null;
  /** The CPU of the switch-in. */
  readonly cpu: number | null;
  /** The task that was woken. */
  readonly wakee: TaskRef;
  /** What woke it. */
  readonly waker: Waker;
  /** What the waker's CPU was doing. */
  readonly context: WakerContext;
  /** The CPU on which the wakeup was made. */
  readonly waker_cpu: number;
  /** Start of the waker's run that made the wakeup, if the trace has it. */
  readonly waker_run_ns: Ns | null;
  /** Where the wakee last ran, according to `sched_waking`. */
  readonly previous_cpu: number | null;
  /** Where the wakee was put, according to `sched_wakeup`. */
  readonly chosen_cpu: number | null;
  /**
   * What could be chosen; null in the hops of a chain, which leave it out for their number, and in picked runs, which
   * do not wait for the index that it needs (`placement` has it).
   */
  readonly choice: CpuChoice | null;
  /** Records are missing meanwhile, so the task may have run before, and been woken again, unseen. */
  readonly uncertain: boolean;
};

export type WakeupEvent = 'sched_waking' | 'sched_wakeup' | 'sched_wakeup_new';

/** A window. */
export type WindowRuns = {
  /** How long it is, in ns (ticks, where the clock counts such). */
  readonly length: number;
  /** Width of a histogram's bin; the last one holds all that are longer. */
  readonly bin: number;
  /** All commands together; its name is empty. */
  readonly all: CommandRuns;
  /** Those that ran, those with most runs first. */
  readonly commands: ReadonlyArray<CommandRuns>;
};

/** Numbers of a window, weighted by time. */
export type WindowStats = {
  /** Running tasks. */
  readonly running: MeanMax;
  /** Waiting tasks. */
  readonly waiting: MeanMax;
  /** Running tasks divided by the number of CPUs. */
  readonly utilisation: number;
  /** Mean number of CPUs of which it is known what they do. */
  readonly known_cpus: number;
  /** ns in which some task waits while some CPU is idle. */
  readonly violation_ns: number;
  /** Integral of min(waiting, idle). */
  readonly cost_task_ns: number;
  /**
   * ns in which some task waits behind another while some CPU is spare. This and the next three leave out tasks that
   * may be pinned, if the view does.
   */
  readonly behind_ns: number;
  /** Integral of min(tasks waiting behind another, spare CPUs). */
  readonly behind_cost_task_ns: number;
  /** ns in which some task waits for its own CPU to leave idle. */
  readonly leaving_idle_ns: number;
  /** Integral of how many do. */
  readonly leaving_idle_task_ns: number;
};

/** Words that cross beside the JSON, in which they are null: [`Answer::take_words`]. */
export type Words = Uint32Array<ArrayBuffer>;

/** The numbers of a task in a window. */
export const TASK_COLUMNS = [
  /** Its id. */
  'task',
  /** Generation of the pid, from 0. */
  'generation',
  /** How long it ran. */
  'execution_ns',
  /** How long it was runnable but did not run. */
  'waiting_ns',
  /** `sched_switch` events to it. */
  'switches_to',
  /** Wakeups whose latency starts in the window and that led to a switch-in. */
  'wakeups',
  /** The sum of their latencies. */
  'latency_ns',
  /** The longest of them. */
  'max_latency_ns',
  /** `sched_migrate_task` events that are part of a wakeup. */
  'placement',
  /** Those while it was runnable. */
  'load_balance',
  /** Those of NUMA balancing. */
  'numa',
  /** All others. */
  'other',
  /** For deadline tasks: how long it was off its runqueue, until the switch-in in its next period. */
  'throttled_ns',
] as const;

/** The numbers of a CPU in a window. */
export const CPU_COLUMNS = [
  /** Its number. */
  'cpu',
  /** How long a task ran. */
  'busy_ns',
  /** How long the idle task ran. */
  'idle_ns',
  /** How long is unknown. */
  'unknown_ns',
  /** `sched_switch` events to a task. */
  'switches_to',
  /** How long tasks waited on its runqueue, all together. */
  'waiting_ns',
  /** The most that waited at one time. */
  'max_waiting',
] as const;
