/**
 * What crosses between the page and the engine, written from the Rust types by `crates/tracecore/tests/it/contract.rs`:
 * change those, not this file. Times are ns since the trace's first event, durations are ns.
 */
import type { Ns, TimeWindow } from '../../base/units';

/** The interval of a CPU at an instant; what is said of a run is there for runs only. */
export type Interval = IntervalFrame & Partial<RunDetails>;

/**
 * An answer; its type is its question's.
 */
export type Answer = { "type": "set_view" } | { "type": "parse_topology" } & Understood | { "type": "set_topology" } & Understood | { "type": "tile" } & TileAnswer | { "type": "labels", kind: TrackKind, labels: Array<Label>, } | { "type": "at", kind: TrackKind, item: Item | null, } | { "type": "step", kind: TrackKind, item: Item | null, } | { "type": "chain", chain: Chain | null, } | { "type": "commands", rows: Array<CommandRow>, } | { "type": "stats", stats: WindowStats, } | { "type": "task_table", values: Numbers, } | { "type": "cpu_table", values: Numbers, } | { "type": "tasks", tasks: Array<TaskInfo>, } | { "type": "moves" } & CpuMoves | { "type": "wait", wait: WaitInfo | null, } | { "type": "placement", placement: WakeupEdge | null, } | { "type": "findings", findings: Array<Finding>, done: boolean, } | { "type": "latency", report: LatencyReport, } | { "type": "overload", report: OverloadReport, } | { "type": "domains", report: DomainReport | null, } | { "type": "cascades", report: CascadeReport, } | { "type": "cascade_of", cascade: Cascade | null, } | { "type": "waits", report: WaitReport, };

/**
 * A move and all moves that it caused, directly or not.
 */
export type Cascade = { 
/**
 * Number of moves on the longest path from the first move.
 */
length: number, 
/**
 * Number of moves.
 */
moves_total: number, 
/**
 * When the first move was decided.
 */
start_ns: Time, 
/**
 * When the last of the moved tasks runs.
 */
end_ns: Time, 
/**
 * How long the moved tasks had waited, in total.
 */
cost_ns: number, 
/**
 * Records are missing while one of the tasks waited, so it may have run before, unseen.
 */
uncertain: boolean, 
/**
 * The moves in order of time.
 */
moves: Array<CascadeMove>, };

/**
 * One move of a cascade.
 */
export type CascadeMove = { 
/**
 * When the kernel decided the move.
 */
at_ns: Time, 
/**
 * When the task ran there.
 */
running_ns: Time, 
/**
 * How long it had waited until then; 0 if the trace does not tell.
 */
wait_ns: number, 
/**
 * Where it ran before; null for a fork.
 */
from_cpu: number | null, 
/**
 * Where it was put.
 */
to_cpu: number, 
/**
 * `placement`, `load_balance`, `numa`, `other` or `fork`.
 */
kind: string, 
/**
 * Index, in the list, of the move that took the CPU which this one left; null for the first.
 */
displaced_by: number | null, 
/**
 * Thread id.
 */
pid: number, 
/**
 * Generation of the pid, from 0.
 */
generation: number, 
/**
 * Its comm at that time, or its last.
 */
comm: string, };

/**
 * JSON of `corelane cascades`, which prints instants as absolute trace times; durations are in ns.
 */
export type CascadeReport = { 
/**
 * Number of cascades with at least two moves.
 */
count: number, 
/**
 * The longest cascades, in descending order.
 */
cascades: Array<Cascade>, };

/**
 * A run, the wakeups that led to it, and the wakeups that it made.
 */
export type Chain = { 
/**
 * The run.
 */
run: IntervalFrame, 
/**
 * The hops from the run back to its cause.
 */
back: Array<WakeupEdge>, 
/**
 * Why it ends there.
 */
ends_at: ChainEnd, 
/**
 * The first wakeups made by this run, in time order.
 */
forward: Array<WakeupEdge>, 
/**
 * How many wakeups it made.
 */
forward_total: number, };

export type ChainEnd = "interrupt" | "idle" | "trace_start" | "unknown" | "limit";

/**
 * Wakeups by the event that their latency starts at.
 */
export type ClockCounts = { 
/**
 * `sched_waking`.
 */
sched_waking: number, 
/**
 * `sched_wakeup` without a `sched_waking`.
 */
sched_wakeup: number, 
/**
 * `sched_wakeup_new`: the first wakeup of a forked task.
 */
sched_wakeup_new: number, };

/**
 * What the colour of a run shows. With `Selection::target`, runs of other commands are black.
 */
export type ColorBy = "pid" | "command" | "parent";

/**
 * A comm, and the start of its first run.
 */
export type CommFrom = { 
/**
 * The name.
 */
comm: string, 
/**
 * Start of the first run in ns.
 */
from: Ns, };

/**
 * A row of the commands table.
 */
export type CommandRow = { 
/**
 * The command.
 */
comm: string, 
/**
 * Its comm id.
 */
comm_id: number, 
/**
 * First ns that it ran.
 */
first: Ns, 
/**
 * End of the last ns that it ran.
 */
last: Ns, 
/**
 * How long it ran.
 */
execution_ns: number, 
/**
 * How long its tasks were runnable but did not run.
 */
waiting_ns: number, 
/**
 * `sched_switch` events to it.
 */
switches_to: number, 
/**
 * Distinct thread ids.
 */
pids: number, };

/**
 * What the scheduler could choose from, and what it chose. The time is that of the edge.
 */
export type CpuChoice = { 
/**
 * CPUs known to be idle.
 */
idle_cpus: readonly Cpu[], 
/**
 * Whether the last CPU was idle, with no other task on its way to it; null if that is not known.
 */
previous_was_free: boolean | null, 
/**
 * The same of the chosen CPU.
 */
chosen_was_free: boolean | null, };

/**
 * Distance between two CPUs: the smallest part of the machine that they share.
 */
export type CpuDistance = "cpu" | "core" | "llc" | "socket" | "machine";

/**
 * From when on a CPU is unknown until the end.
 */
export type CpuEnd = { 
/**
 * The CPU.
 */
cpu: number, 
/**
 * When its known part ends.
 */
at_ns: Time, };

/**
 * A run that begins on another CPU than its task's previous run. Times are in ns since the trace's first record.
 */
export type CpuMove = { 
/**
 * The CPU of the run.
 */
cpu: number, 
/**
 * When the run begins.
 */
at: Ns, 
/**
 * The CPU of the previous run.
 */
from: number, 
/**
 * When the previous run ended.
 */
left: Ns, 
/**
 * Distance between the CPUs; `None` if the topology does not have both.
 */
distance: CpuDistance | null, };

/**
 * Their number by distance, and the runs themselves if there are few.
 */
export type CpuMoves = { 
/**
 * Number by distance between the CPUs.
 */
counts: MoveCounts, 
/**
 * Sorted by CPU as requested, then by time; `None` if there are too many.
 */
moves: Array<CpuMove> | null, };

/**
 * What is missing. Times have the same origin as the trace's other answers.
 */
export type Damage = { 
/**
 * Whether the file ends before its data does.
 */
cut: boolean, 
/**
 * Share of all CPU time that is unknown because records are missing, from 0 to 1.
 */
unknown_share: number, 
/**
 * CPUs with missing records, ascending.
 */
cpus: Array<number>, 
/**
 * Those that are unknown from the first to the last record of the trace.
 */
without_data: Array<number>, 
/**
 * Others that are unknown from some time to the end, by CPU.
 */
ends: Array<CpuEnd>, };

/**
 * A diagnostic, with its times relative to the trace's first record.
 */
export type Diagnostic = { 
/**
 * Its kind.
 */
kind: string, 
/**
 * The CPU, if it belongs to one.
 */
cpu: number | null, 
/**
 * When it first happened.
 */
at_ns: Time | null, 
/**
 * How many times it happened.
 */
count: number, 
/**
 * When some of the others happened; a few at most.
 */
more_ns: Array<Time>, 
/**
 * A text for people.
 */
text: string, };

/**
 * A part of the machine within which tasks are balanced.
 */
export type Domain = "socket" | "llc";

/**
 * Violations within one domain.
 */
export type DomainOverload = { 
/**
 * `socket` or `llc`.
 */
domain: Domain, 
/**
 * Its number.
 */
number: number, 
/**
 * Its CPUs that are in the trace and selected.
 */
cpus: Array<number>, 
/**
 * Task time of waits on its runqueues.
 */
wait_ns: number, 
/**
 * Maximal intervals in which a task waits in the domain and one of its CPUs is idle.
 */
intervals: number, 
/**
 * Their total length.
 */
violation_ns: number, 
/**
 * Integral of min(waiting tasks, idle CPUs) of the domain.
 */
cost_task_ns: number, 
/**
 * The same three for tasks that wait behind another, and spare CPUs of the domain.
 */
behind_intervals: number, 
/**
 * Their total length.
 */
behind_ns: number, 
/**
 * Their total cost.
 */
behind_cost_task_ns: number, 
/**
 * How long some task waits for its own CPU, one of these, to leave idle.
 */
leaving_idle_ns: number, 
/**
 * Integral of how many do.
 */
leaving_idle_task_ns: number, };

/**
 * Overload within the domains of a machine.
 */
export type DomainReport = { 
/**
 * The machine's shortest description.
 */
topology: string, 
/**
 * Sockets, then LLCs if there is not just one per socket; by number.
 */
domains: Array<DomainOverload>, 
/**
 * Task time of waits whose runqueue is unknown.
 */
unplaced_wait_ns: number, 
/**
 * CPUs of the trace that the topology does not have; they are in no domain.
 */
unknown_cpus: Array<number>, };

/**
 * Which events are listed: those to which all of it applies.
 */
export type EventFilter = { 
/**
 * By number.
 */
cpus: Array<number> | null, 
/**
 * The task that an event happened in, or one that its fields name.
 */
pids: Array<number> | null, 
/**
 * `system:name`, or a name in any system.
 */
events: Array<string> | null, 
/**
 * In the line as it is printed: `comm-pid name: text`. ASCII letters are the same in either case.
 */
text: string, 
/**
 * Half-open.
 */
window: TimeWindow | null, };

/**
 * An event of the trace.
 */
export type EventName = { 
/**
 * Its name.
 */
name: string, 
/**
 * The system it belongs to.
 */
system: string, 
/**
 * Records of it.
 */
count: number, };

/**
 * How far a filter or a search is.
 */
export type EventProgress = { 
/**
 * Events that were looked at.
 */
done: number, 
/**
 * Events there are to look at.
 */
all: number, 
/**
 * Whether that is all.
 */
complete: boolean, };

/**
 * One line of the list.
 */
export type EventRow = { 
/**
 * Number in the filtered list.
 */
row: number, 
/**
 * The CPU's number.
 */
cpu: number, 
/**
 * Which record of its CPU it is.
 */
record: number, 
/**
 * When.
 */
at: Ns, 
/**
 * `common_pid`.
 */
pid: number, 
/**
 * That task's name, as far as it is known.
 */
comm: string, 
/**
 * The event's name.
 */
event: string, 
/**
 * What is printed behind it.
 */
text: string, 
/**
 * Events that were lost on the CPU just before.
 */
lost: number | "some" | null, };

/**
 * How a record is printed.
 */
export type EventTextMode = "trace-cmd" | "kernel" | "raw";

/**
 * An answer.
 */
export type EventsAnswer = { "type": "event_rows", 
/**
 * Rows known so far.
 */
total: number, 
/**
 * As asked.
 */
first: number, 
/**
 * Fewer than requested if there are no more.
 */
rows: Array<EventRow>, 
/**
 * Events that were looked at.
 */
done: number, 
/**
 * Events there are to look at.
 */
all: number, 
/**
 * Whether that is all.
 */
complete: boolean, } | { "type": "event_row_at", 
/**
 * Its number in the filtered list.
 */
row: number | null, } | { "type": "event_search", 
/**
 * Its number in the filtered list.
 */
row: number | null, } | { "type": "event_lines", 
/**
 * Each ends with a newline.
 */
text: string, } | { "type": "event_names", 
/**
 * By system and name.
 */
names: Array<EventName>, };

/**
 * A question.
 */
export type EventsQuery = { "type": "event_rows", 
/**
 * The first one's number in the filtered list.
 */
first: number, 
/**
 * How many.
 */
count: number, 
/**
 * Which rows it has.
 */
filter: EventFilter, 
/**
 * How the rows are printed.
 */
mode: EventTextMode, } | { "type": "event_row_at", 
/**
 * The time.
 */
at: Ns, 
/**
 * Only rows of this CPU.
 */
cpu: number | null, 
/**
 * Which rows it has.
 */
filter: EventFilter, 
/**
 * How the rows are printed.
 */
mode: EventTextMode, } | { "type": "event_search", 
/**
 * ASCII letters are the same in either case.
 */
text: string, 
/**
 * Is not looked at itself; -1 is before the first row.
 */
from: number, 
/**
 * 1 or -1.
 */
direction: -1 | 1, 
/**
 * Which rows it has.
 */
filter: EventFilter, 
/**
 * How the rows are printed.
 */
mode: EventTextMode, } | { "type": "event_lines", 
/**
 * The first one's number in the filtered list.
 */
first: number, 
/**
 * How many; no more than [`MAX_LINES`] are given.
 */
count: number, 
/**
 * Which rows it has.
 */
filter: EventFilter, 
/**
 * How the rows are printed.
 */
mode: EventTextMode, } | { "type": "event_names" };

/**
 * What a [`Spec`] says, with times in ns since the trace's first record, as in the page's view.
 */
export type Figure = { kind: FigureKind, with: Array<FigurePart>, window: TimeWindow | null, forked: boolean, after_sleep: boolean, target: string | null, cpus: Array<number> | null, color_by: ColorBy, legend: LegendOf, topology: string | null, width: number | null, height: number | null, title: string | null, highlight: Array<string>, moves: boolean, notes: Array<FigureNote>, arrows: FigureArrows | null, runqueues: boolean, task_lanes: FigureTaskLanes, wakeup: FigurePlace | null, top_down: boolean, };

export type FigureArrows = { "of": "chain", cpu: number, at: Ns, hops: number, } | { "of": "cascade", cpu: number, at: Ns, };

/**
 * A file format.
 */
export type FigureFormat = "svg" | "pdf" | "png";

/**
 * Kind of figure.
 */
export type FigureKind = "timeline" | "running-waiting" | "wakeup";

/**
 * Facts about a figure, besides its files.
 */
export type FigureMade = { 
/**
 * The command line that makes the first of the files.
 */
command: string, 
/**
 * Width in mm.
 */
width: number, 
/**
 * Height in mm.
 */
height: number, 
/**
 * Resolution of the preview in dots per inch; 0 if there is none.
 */
preview_dpi: number, };

/**
 * A text at an instant.
 */
export type FigureNote = { 
/**
 * CPU on whose lane it is; `None`: at the panel's upper edge.
 */
cpu: number | null, 
/**
 * ns since the trace's first record.
 */
at: Ns, 
/**
 * The text; `A` and `B` are marks, whose distance is shown.
 */
text: string, };

/**
 * A panel below a timeline, on the same time axis.
 */
export type FigurePart = "running-waiting" | "tasks";

/**
 * A place on the lanes, in ns since the trace's first record.
 */
export type FigurePlace = { 
/**
 * The CPU.
 */
cpu: number, 
/**
 * The time.
 */
at: Ns, };

/**
 * A figure, and the files to make of it.
 */
export type FigureQuery = { 
/**
 * The figure.
 */
figure: Figure, 
/**
 * The trace's file, as the command line is to name it.
 */
file: string, 
/**
 * The fingerprint as 16 hexadecimal digits.
 */
fingerprint: string, 
/**
 * Whether times are nanoseconds; if not, they are raw ticks.
 */
clock_is_ns: boolean, 
/**
 * The file that the command line is to write.
 */
out: string, 
/**
 * The formats to write.
 */
formats: Array<FigureFormat>, 
/**
 * Resolution of PNG in dots per inch.
 */
dpi: number, 
/**
 * Width and height in pixels of a box for a preview, which is another PNG.
 */
preview: [number, number] | null, };

/**
 * The tasks that have lanes.
 */
export type FigureTaskLanes = { 
/**
 * Tasks with these PIDs.
 */
pids: Array<number>, 
/**
 * All tasks that ever had one of these comms.
 */
comms: Array<string>, };

/**
 * A finding.
 */
export type Finding = { 
/**
 * Its kind.
 */
kind: FindingKind, 
/**
 * Its cost, in ns (times tasks).
 */
cost_ns: number, 
/**
 * Begin of the time to look at.
 */
start_ns: Time, 
/**
 * End of that time.
 */
end_ns: Time, 
/**
 * The CPU to look at; null if the finding is about a command.
 */
cpu: number | null, 
/**
 * The CPUs involved, the most important first.
 */
cpus: Array<number>, 
/**
 * Number of tasks, preemptions or moves; otherwise 1.
 */
count: number, 
/**
 * The command that it is about.
 */
comm: string, 
/**
 * The tasks that it is about, the most important first.
 */
tasks: Array<TaskName>, 
/**
 * The run to select.
 */
run: RunPlace | null, 
/**
 * Number of less costly findings that tell the same and are not listed.
 */
folded: number, 
/**
 * Whether missing records may have caused it. Uncertain findings are listed after all others.
 */
uncertain: boolean, };

/**
 * Kind of a finding.
 */
export type FindingKind = "overload" | "wait" | "gap" | "moved_off_idle" | "cascade" | "latency" | "kernel_preemption" | "preemption";

/**
 * What distinguishes groups.
 */
export type GroupBy = "command" | "task" | "cpu";

/**
 * Runs that must stay visible at any zoom.
 */
export type Highlight = { "kind": "none" } | { "kind": "prefix", 
/**
 * The prefix.
 */
prefix: string, } | { "kind": "comms", 
/**
 * The comms.
 */
comms: Array<string>, } | { "kind": "task", 
/**
 * Its id.
 */
task: number, };

/**
 * A CPU that idled during the interval.
 */
export type Idled = { 
/**
 * The CPU.
 */
cpu: number, 
/**
 * How long it idled in the interval.
 */
idle_ns: number, };

/**
 * The interval of a lane at an instant.
 */
export type IntervalFrame = { 
/**
 * CPU number.
 */
cpu: number, 
/**
 * First ns.
 */
start: Ns, 
/**
 * First ns after it.
 */
end: Ns, 
/**
 * What the interval is.
 */
kind: IntervalKind, 
/**
 * It began before the trace, or its start was not seen.
 */
inferred: boolean, 
/**
 * It lasts until the end of the trace.
 */
open: boolean, };

/**
 * What an interval is.
 */
export type IntervalKind = "run" | "idle" | "unknown";

/**
 * What is at an instant of a track.
 */
export type Item = Interval | TaskInterval | number;

export type KernelThread = "yes" | "likely" | "unknown";

/**
 * What a label is about.
 */
export type Label = LabelRun | TaskRun;

/**
 * A run wide enough for a label.
 */
export type LabelRun = { 
/**
 * CPU number.
 */
cpu: number, 
/**
 * First ns.
 */
start: Ns, 
/**
 * First ns after it.
 */
end: Ns, 
/**
 * Thread id.
 */
pid: number, 
/**
 * The task's name at the switch-in.
 */
comm: string, };

/**
 * Runs of at least `min_width` that overlap a window, for texts in them.
 */
export type LabelsQuestion = { 
/**
 * What kind of tracks.
 */
kind: TrackKind, 
/**
 * Tracks from top to bottom.
 */
keys: Array<number>, 
/**
 * The window.
 */
window: TimeWindow, 
/**
 * The shortest.
 */
min_width: Ns, };

/**
 * The numbers of one command, task or CPU.
 */
export type LatencyGroup = { 
/**
 * Wake-up latencies.
 */
wakeups: Measured, 
/**
 * Waits.
 */
waits: Waits, 
/**
 * Run lengths.
 */
runs: RunLengths, } & ({ 
/**
 * Its comm.
 */
comm: string, } | TaskName | { 
/**
 * Its number.
 */
cpu: number, });

/**
 * JSON of `corelane latency`, which prints instants as absolute trace times; durations are in ns.
 */
export type LatencyReport = { 
/**
 * Wakeups that led to a switch-in.
 */
count: number, 
/**
 * The same by the event that the latency starts at.
 */
clock: ClockCounts, 
/**
 * Their latencies: from the wakeup to the switch-in.
 */
latency_ns: Spread, 
/**
 * The longest latencies, in descending order.
 */
worst: Array<WakeupEdge>, 
/**
 * From any moment a task became runnable to the switch-in.
 */
waits: Waits, 
/**
 * Lengths of runs.
 */
runs: RunLengths, 
/**
 * The same for each command, task or CPU, those with most wakeups first.
 */
groups: Array<LatencyGroup>, 
/**
 * Number of groups, listed or not.
 */
groups_total: number, };

/**
 * What the legend of commands counts.
 */
export type LegendOf = "window" | "to-end" | "trace" | "none";

/**
 * Mean over time and maximum.
 */
export type MeanMax = { 
/**
 * Mean, weighted by time.
 */
mean: number, 
/**
 * The most at any time, for at least one ns.
 */
max: number, };

/**
 * Some durations: their number and distribution.
 */
export type Measured = { 
/**
 * How many there are.
 */
count: number, 
/**
 * Their distribution, in ns.
 */
ns: Spread, };

/**
 * The part of the trace that is asked about; all of it must hold.
 */
export type ModelSelection = { 
/**
 * Only this part of its time.
 */
window: TimeWindow | null, 
/**
 * Only tasks that were forked in the trace.
 */
forked: boolean, 
/**
 * Only tasks that ran on at least two CPUs: the others may be pinned.
 */
movable: boolean, 
/**
 * Only runs whose comm starts so.
 */
target: string | null, 
/**
 * Only runs with one of these comms; empty for all.
 */
comms: Array<string>, 
/**
 * Only tasks with one of these pids; empty for all.
 */
pids: Array<number>, 
/**
 * Only these CPUs.
 */
cpus: Array<number> | null, };

/**
 * The model's part of `Summary` in `web/engine/protocol.ts`.
 */
export type ModelSummary = { 
/**
 * From the first to the last record.
 */
span: Ns, 
/**
 * Records of every kind.
 */
records: number, 
/**
 * Scheduling events.
 */
sched_events: number, 
/**
 * Events that the kernel says were lost.
 */
lost_events: number, 
/**
 * Number of gaps in the streams.
 */
lost_gaps: number, 
/**
 * Exit of the first task named `sleep`.
 */
after_sleep: Ns | null, 
/**
 * What is missing, if that concerns the whole trace.
 */
damage: Damage | null, 
/**
 * Everything that was found wrong.
 */
diagnostics: Array<Diagnostic>, 
/**
 * By comm id.
 */
comms: Array<string>, };

/**
 * Arrivals by the distance between the two CPUs.
 */
export type MoveCounts = { 
/**
 * From a thread of the same core.
 */
core: number, 
/**
 * From another core with the same last-level cache.
 */
llc: number, 
/**
 * From another last-level cache of the same socket.
 */
socket: number, 
/**
 * From another socket.
 */
machine: number, 
/**
 * The distance is not known.
 */
unknown: number, };

/**
 * Numbers that cross beside the JSON, in which they are null: [`Answer::take_numbers`].
 */
export type Numbers = Float64Array<ArrayBuffer>;

/**
 * JSON of `corelane overload`, which prints instants as absolute trace times; durations are in ns.
 */
export type OverloadReport = { 
/**
 * Number of violations of at least the minimum duration.
 */
count: number, 
/**
 * Their total length.
 */
violation_ns: number, 
/**
 * Their total cost.
 */
cost_task_ns: number, 
/**
 * The costliest, costliest first.
 */
intervals: Array<Violation>, 
/**
 * The same for tasks that wait behind another while some CPU is spare: idle, with nobody on its runqueue.
 */
behind_count: number, 
/**
 * Total length of these.
 */
behind_ns: number, 
/**
 * Total cost of these: integral of min(tasks that wait behind another, spare CPUs).
 */
behind_cost_task_ns: number, 
/**
 * The costliest of these, costliest first, with the tasks that waited behind another and the spare CPUs.
 */
behind: Array<Violation>, 
/**
 * How long some task waited for its own CPU to leave idle, whatever the minimum duration.
 */
leaving_idle_ns: number, 
/**
 * Integral of how many did.
 */
leaving_idle_task_ns: number, 
/**
 * What the numbers cannot know.
 */
caveat: string, };

/**
 * A part of a run, before or after the thread took over its leader's pid by an exec.
 */
export type PartOfRun = { 
/**
 * Thread id.
 */
pid: number, 
/**
 * First ns under this pid.
 */
start: Ns, };

/**
 * An instant on a track.
 */
export type PointQuestion = { 
/**
 * What kind of track.
 */
kind: TrackKind, 
/**
 * Which one.
 */
key: number, 
/**
 * The instant.
 */
at: Ns, };

/**
 * Minimum and maximum priority; -1 is deadline.
 */
export type Prios = { 
/**
 * The most urgent.
 */
min: number, 
/**
 * The least urgent.
 */
max: number, };

/**
 * A question about an open trace.
 */
export type Question = { "type": "set_view", 
/**
 * Which.
 */
spec: ViewSpec, } | { "type": "parse_topology", 
/**
 * A text; null: the bytes that come with the question.
 */
text: string | null, } | { "type": "set_topology", 
/**
 * A text; null: the topology is not known.
 */
text: string | null, } | { "type": "tile" } & TileQuestion | { "type": "labels" } & LabelsQuestion | { "type": "at" } & PointQuestion | { "type": "step" } & StepQuestion | { "type": "chain", 
/**
 * The CPU.
 */
cpu: number, 
/**
 * The instant.
 */
at: Ns, 
/**
 * How many hops to go back at most.
 */
hops: number, } | { "type": "commands", 
/**
 * The window.
 */
window: TimeWindow | null, } | { "type": "stats", 
/**
 * The window.
 */
window: TimeWindow, } | { "type": "task_table", 
/**
 * The window.
 */
window: TimeWindow | null, } | { "type": "cpu_table", 
/**
 * The window.
 */
window: TimeWindow | null, } | { "type": "tasks", 
/**
 * Task ids.
 */
ids: Array<number> | null, 
/**
 * The comm.
 */
comm: string | null, } | { "type": "moves", 
/**
 * The window.
 */
window: TimeWindow, 
/**
 * The CPUs.
 */
cpus: Array<number>, 
/**
 * If there are more, they are only counted.
 */
most: number, } | { "type": "wait", 
/**
 * The CPU.
 */
cpu: number, 
/**
 * The instant.
 */
at: Ns, } | { "type": "placement", 
/**
 * The CPU.
 */
cpu: number, 
/**
 * The instant.
 */
at: Ns, } | { "type": "findings", 
/**
 * The part of the trace.
 */
selection: ModelSelection, 
/**
 * How many of each kind.
 */
top: number, } | { "type": "latency", 
/**
 * The part of the trace.
 */
selection: ModelSelection, 
/**
 * How to group.
 */
by: GroupBy, 
/**
 * How many of the worst latencies.
 */
top: number, } | { "type": "overload", 
/**
 * The part of the trace.
 */
selection: ModelSelection, 
/**
 * Shorter ones are not listed.
 */
min_duration: Ns, 
/**
 * How many.
 */
top: number, } | { "type": "domains", 
/**
 * The part of the trace.
 */
selection: ModelSelection, } | { "type": "cascades", 
/**
 * The part of the trace.
 */
selection: ModelSelection, 
/**
 * How many.
 */
top: number, } | { "type": "cascade_of", 
/**
 * The CPU.
 */
cpu: number, 
/**
 * The instant.
 */
at: Ns, } | { "type": "waits", 
/**
 * The part of the trace.
 */
selection: ModelSelection, 
/**
 * How many.
 */
top: number, };

/**
 * Details of a run.
 */
export type RunDetails = { 
/**
 * Task id.
 */
task: number, 
/**
 * Thread id.
 */
pid: number, 
/**
 * Generation of the pid.
 */
generation: number, 
/**
 * The task's name at the switch-in.
 */
comm: string, 
/**
 * Kernel priority at the switch-in, -1 for deadline.
 */
prio: number | null, 
/**
 * The scheduling class of that priority.
 */
class: TaskClass | null, 
/**
 * The letter of `prev_state` at the end of the run, with its `+`.
 */
end_state: string | null, 
/**
 * Whether the task was off its runqueue after the run, until its next period.
 */
throttled: boolean, 
/**
 * The previous part of the run, if the task called exec and got another pid.
 */
exec_from: PartOfRun | null, 
/**
 * The next part of the run, if the task called exec and got another pid.
 */
exec_to: PartOfRun | null, 
/**
 * When the task became runnable before this run.
 */
waited_since: Ns | null, 
/**
 * How the wait began.
 */
wait_cause: WaitCause | null, 
/**
 * The wakeup that led to this run.
 */
wakeup: WakeupEdge | null, };

/**
 * Lengths of runs whose begin and end are in the trace, by why they ended. The mean of all is not the time slice,
 * which shows at most in runs that were preempted.
 */
export type RunLengths = { 
/**
 * All runs.
 */
all: Measured, 
/**
 * Runs whose task stayed runnable: it was preempted or yielded.
 */
preempted: Measured, 
/**
 * Runs whose task slept, blocked or stopped.
 */
slept: Measured, 
/**
 * Runs whose task exited.
 */
exited: Measured, 
/**
 * Runs of deadline tasks that were then off their runqueue until their next period.
 */
throttled: Measured, 
/**
 * Number of runs that are not measured, because their begin or end is not in the trace.
 */
cut: number, };

/**
 * A run, by the CPU and the time at which it begins.
 */
export type RunPlace = { 
/**
 * The CPU.
 */
cpu: number, 
/**
 * When it begins.
 */
start_ns: Time, };

/**
 * A run, by the CPU and the time at which it begins.
 */
export type RunStart = { 
/**
 * CPU number.
 */
cpu: number, 
/**
 * First ns.
 */
start: Ns, };

/**
 * Distribution of some durations. Percentiles are nearest-rank: the smallest value that at least that share of the
 * values does not exceed, so each is a value that was measured. Null if there is no value.
 */
export type Spread = { 
/**
 * Half are at most this.
 */
p50: number | null, 
/**
 * 90 % are at most this.
 */
p90: number | null, 
/**
 * 99 % are at most this.
 */
p99: number | null, 
/**
 * 99.9 % are at most this.
 */
p999: number | null, 
/**
 * The longest.
 */
max: number | null, 
/**
 * The sum of all.
 */
sum: number, 
/**
 * (from, count) for each bucket that is not empty: values of at least `from` and less than twice `from` (for 0:
 * zeros).
 */
histogram: Array<[number, number]>, };

/**
 * A step from what is at an instant on a track.
 */
export type StepQuestion = { 
/**
 * To what comes before (-1) or after (1).
 */
direction: -1 | 1, 
/**
 * What kind of track.
 */
kind: TrackKind, 
/**
 * Which one.
 */
key: number, 
/**
 * The instant.
 */
at: Ns, };

export type TaskClass = "deadline" | "RT" | "fair" | "idle";

/**
 * Facts about a task, in the shape of `TaskInfo`.
 */
export type TaskInfo = { 
/**
 * Task id.
 */
task: number, 
/**
 * Thread id.
 */
pid: number, 
/**
 * Generation of the pid.
 */
generation: number, 
/**
 * Its last comm.
 */
comm: string, 
/**
 * Its comms, by first run.
 */
comms: Array<CommFrom>, 
/**
 * Whether it was forked in the trace.
 */
forked: boolean, 
/**
 * The task that forked it.
 */
parent: number | null, 
/**
 * Whether it is a kernel thread.
 */
kernel: KernelThread, 
/**
 * The class of its lowest priority.
 */
class: TaskClass | null, 
/**
 * Its kernel priorities at switch-ins.
 */
prio: Prios | null, 
/**
 * Number of runs.
 */
runs: number, 
/**
 * Their total length.
 */
execution_ns: number, 
/**
 * Start of the first run.
 */
first_run: Ns | null, 
/**
 * End of the last run.
 */
last_run: Ns | null, };

/**
 * A state of a task, in the shape of the page's `TaskInterval`.
 */
export type TaskInterval = { 
/**
 * Task id.
 */
task: number, 
/**
 * Thread id.
 */
pid: number, 
/**
 * Generation of the pid.
 */
generation: number, 
/**
 * Name of the state.
 */
state: TaskState, 
/**
 * First ns.
 */
start: Ns, 
/**
 * First ns after it.
 */
end: Ns, 
/**
 * The task's name in the run, or in the next one, or its last one.
 */
comm: string, 
/**
 * The CPU of the run, or where the wait ended.
 */
cpu: number | null, 
/**
 * `prev_state`, at the end of a run or at the begin of another state.
 */
letters: string | null, 
/**
 * Whether the task was off its runqueue, until its next period, after a switch-out with these letters.
 */
throttled: boolean, 
/**
 * What made the task runnable.
 */
cause: WaitCause | null, 
/**
 * It lasts until the end of the trace.
 */
open: boolean, 
/**
 * The run itself, the one that ended the wait, or the previous one.
 */
run: RunStart | null, };

/**
 * A task: pids are reused, so a pid needs its generation.
 */
export type TaskName = { 
/**
 * Thread id.
 */
pid: number, 
/**
 * Generation of the pid, from 0.
 */
generation: number, 
/**
 * Its comm at that time, or its last.
 */
comm: string, };

/**
 * A task, by its id in the trace and by what people call it.
 */
export type TaskRef = { 
/**
 * Task id.
 */
task: TaskId, 
/**
 * Thread id.
 */
pid: number, 
/**
 * Generation of the pid, from 0.
 */
generation: number, 
/**
 * Its comm at that time, or its last.
 */
comm: string, };

/**
 * A run of a task.
 */
export type TaskRun = { 
/**
 * Task id.
 */
task: number, 
/**
 * The CPU.
 */
cpu: number, 
/**
 * First ns.
 */
start: Ns, 
/**
 * First ns after it.
 */
end: Ns, 
/**
 * The task's name at the switch-in.
 */
comm: string, };

export type TaskState = "unknown" | "unborn" | "new" | "running" | "runnable" | "sleeping" | "blocked" | "stopped" | "dead" | "throttled";

/**
 * The numbers of a tile.
 */
export type TileAnswer = { 
/**
 * As asked.
 */
kind: TrackKind, 
/**
 * Some words for each track and bucket, as [`Track::tile`](super::Track::tile) lays them out.
 */
values: Words, 
/**
 * The greatest value of the whole trace, for a scale that stays; 0 for kinds without one.
 */
most: number, };

/**
 * Numbers for each track and bucket. Bucket `i` is `[i * 2^level, (i + 1) * 2^level)` ns since the trace's first event, so
 * buckets of one level tile and can be cached.
 */
export type TileQuestion = { 
/**
 * What kind of tracks.
 */
kind: TrackKind, 
/**
 * For kinds whose tiles come in variants.
 */
variant: TileVariant | null, 
/**
 * Tracks from top to bottom; empty where a trace has one of the kind.
 */
keys: Array<number>, 
/**
 * The width of a bucket, as a power of two.
 */
level: number, 
/**
 * The first bucket.
 */
first_bucket: number, 
/**
 * How many buckets.
 */
buckets: number, };

/**
 * What the keys in a CPU's cells are.
 */
export type TileVariant = "task" | "comm";

/**
 * An instant: ns since the trace's first record of any kind (ticks for clocks without a scale).
 *
 * Everything between the file and the output counts from there. Code that prints absolute times adds
 * [`Trace::origin_ns`](crate::Trace::origin_ns); the type distinguishes instants, which need that, from durations, which
 * do not.
 */
export type Time = Ns;

/**
 * A task that ran on the CPU for which another one waited.
 */
export type Took = { 
/**
 * How long it ran.
 */
ran_ns: number, 
/**
 * Its first run there meanwhile.
 */
run: RunPlace, 
/**
 * Thread id.
 */
pid: number, 
/**
 * Generation of the pid, from 0.
 */
generation: number, 
/**
 * Its comm at that time, or its last.
 */
comm: string, };

/**
 * A topology, applied to the CPUs of a trace.
 */
export type Topology = { 
/**
 * Its shortest description.
 */
canonical: string, 
/**
 * The topology in words.
 */
summary: string, 
/**
 * Number of sockets.
 */
sockets: number, 
/**
 * Number of NUMA nodes.
 */
nodes: number, 
/**
 * Number of last-level caches.
 */
llcs: number, 
/**
 * Number of cores.
 */
cores: number, 
/**
 * The CPUs by number.
 */
cpus: Array<TopologyCpu>, 
/**
 * The trace's CPUs by socket, LLC, core and number; those that the topology does not have come last.
 */
order: Array<number>, 
/**
 * CPUs of the trace that the topology does not have.
 */
unknown_cpus: Array<number>, 
/**
 * CPUs of the topology that the trace does not have.
 */
other_cpus: Array<number>, };

/**
 * Where a CPU is. Sockets, nodes, LLCs and cores are numbered over the whole machine from 0, by their lowest CPU (LLCs
 * within their socket, cores within their LLC), as `lscpu` numbers them on most machines.
 */
export type TopologyCpu = { 
/**
 * The logical CPU.
 */
cpu: number, 
/**
 * Its physical package.
 */
socket: number, 
/**
 * Its NUMA node.
 */
node: number, 
/**
 * Its last-level cache.
 */
llc: number, 
/**
 * Its core.
 */
core: number, };

/**
 * The kinds of tracks.
 */
export type TrackKind = "cpu" | "task" | "runqueue" | "curve" | "conservation";

/**
 * Result of parsing a text or a tar.
 */
export type Understood = { 
/**
 * `None` if it was not understood.
 */
topology: Topology | null, 
/**
 * What was found, where, and what was expected instead.
 */
error: string | null, };

/**
 * What a view shows.
 */
export type ViewSpec = { 
/**
 * Only tasks that were forked in the trace; runs of others count as no task's.
 */
forked: boolean, 
/**
 * Leave tasks that never ran on a second CPU out of work conservation, because they may be pinned.
 */
movable: boolean, 
/**
 * Runs to highlight.
 */
highlight: Highlight, };

/**
 * A maximal interval in which some task waits (behind another) and some CPU is idle (spare).
 */
export type Violation = { 
/**
 * First ns.
 */
start_ns: Time, 
/**
 * First ns after it.
 */
end_ns: Time, 
/**
 * Its length.
 */
duration_ns: number, 
/**
 * Integral of min(waiting tasks, idle CPUs).
 */
cost_task_ns: number, 
/**
 * The most tasks that waited at any time.
 */
waiting_max: number, 
/**
 * The tasks that waited, longest first.
 */
tasks: Array<Waited>, 
/**
 * How many tasks waited, listed or not.
 */
tasks_total: number, 
/**
 * The CPUs that idled, by number.
 */
idle_cpus: Array<Idled>, 
/**
 * Records are missing while one of the tasks waited, so it may have run and slept, unseen.
 */
uncertain: boolean, };

export type WaitCause = "wakeup" | "preempted";

/**
 * A wait, explained.
 */
export type WaitInfo = { 
/**
 * When it became runnable.
 */
since_ns: Time, 
/**
 * Its switch-in.
 */
until_ns: Time, 
/**
 * How long it waited.
 */
wait_ns: number, 
/**
 * `wakeup` or `preempted`.
 */
cause: string, 
/**
 * Where it then ran.
 */
cpu: number, 
/**
 * The CPUs on whose runqueues it waited, in order of time.
 */
queues: Array<WaitQueue>, 
/**
 * The tasks that ran there meanwhile, longest first, at most 1000.
 */
took: Array<Took>, 
/**
 * How many tasks ran there.
 */
took_total: number, 
/**
 * How long the CPU that it waited for was idle: it was leaving idle for the task.
 */
own_idle_ns: number, 
/**
 * How long it waited behind another while some CPU was spare: idle, with nobody on its runqueue.
 */
behind_ns: number, 
/**
 * How long it is unknown what that CPU did.
 */
unknown_ns: number, 
/**
 * How long any CPU was idle meanwhile.
 */
any_idle_ns: number, 
/**
 * Records are missing meanwhile, so the task may have run and waited anew, unseen.
 */
uncertain: boolean, 
/**
 * Thread id.
 */
pid: number, 
/**
 * Generation of the pid, from 0.
 */
generation: number, 
/**
 * Its comm at that time, or its last.
 */
comm: string, };

/**
 * A part of a wait.
 */
export type WaitQueue = { 
/**
 * The CPU of the runqueue.
 */
cpu: number, 
/**
 * When it begins.
 */
from_ns: Time, 
/**
 * When it ends.
 */
to_ns: Time, };

/**
 * JSON of `corelane waits`, which prints instants as absolute trace times; durations are in ns.
 */
export type WaitReport = { 
/**
 * Number of waits that ended with a switch-in.
 */
count: number, 
/**
 * The longest waits, in descending order.
 */
longest: Array<WaitInfo>, };

/**
 * A task that waited during the interval.
 */
export type Waited = { 
/**
 * How long it waited in the interval.
 */
waited_ns: number, 
/**
 * The run that the last of its waits led to; null if the trace has none.
 */
run: RunPlace | null, 
/**
 * Thread id.
 */
pid: number, 
/**
 * Generation of the pid, from 0.
 */
generation: number, 
/**
 * Its comm at that time, or its last.
 */
comm: string, };

/**
 * Waits that ended with a switch-in.
 */
export type Waits = { 
/**
 * All waits.
 */
all: Measured, 
/**
 * Waits that began with a wakeup.
 */
woken: Measured, 
/**
 * Waits that began with a preemption (or a yield).
 */
preempted: Measured, };

/**
 * What was on the CPU on which a wakeup was made. In interrupt context ([`WakeupEdge::context`]) it is what the interrupt
 * interrupted.
 */
export type Waker = { "kind": "task" } & TaskRef | { "kind": "idle" } | { "kind": "unknown" };

export type WakerContext = "task" | "hardirq" | "softirq" | "unknown";

/**
 * A wakeup edge: one shape for chains, placements, latencies and runs.
 */
export type WakeupEdge = { 
/**
 * The event that `at_ns` is the time of.
 */
event: WakeupEvent, 
/**
 * When the latency starts: at `sched_waking` where it exists.
 */
at_ns: Time, 
/**
 * When the wakee became runnable; null if no `sched_wakeup` tells.
 */
woken_ns: Time | null, 
/**
 * The wakee's switch-in; null if there is none.
 */
running_ns: Time | null, 
/**
 * From `at_ns` to `running_ns`.
 */
latency_ns: number | null, 
/**
 * The CPU of the switch-in.
 */
cpu: Cpu | null, 
/**
 * The task that was woken.
 */
wakee: TaskRef, 
/**
 * What woke it.
 */
waker: Waker, 
/**
 * What the waker's CPU was doing.
 */
context: WakerContext, 
/**
 * The CPU on which the wakeup was made.
 */
waker_cpu: Cpu, 
/**
 * Start of the waker's run that made the wakeup, if the trace has it.
 */
waker_run_ns: Time | null, 
/**
 * Where the wakee last ran, according to `sched_waking`.
 */
previous_cpu: Cpu | null, 
/**
 * Where the wakee was put, according to `sched_wakeup`.
 */
chosen_cpu: Cpu | null, 
/**
 * What could be chosen; null in the hops of a chain, which leave it out for their number.
 */
choice: CpuChoice | null, 
/**
 * Records are missing meanwhile, so the task may have run before, and been woken again, unseen.
 */
uncertain: boolean, };

export type WakeupEvent = "sched_waking" | "sched_wakeup" | "sched_wakeup_new";

/**
 * Numbers of a window, weighted by time.
 */
export type WindowStats = { 
/**
 * Running tasks.
 */
running: MeanMax, 
/**
 * Waiting tasks.
 */
waiting: MeanMax, 
/**
 * Running tasks divided by the number of CPUs.
 */
utilisation: number, 
/**
 * Mean number of CPUs of which it is known what they do.
 */
known_cpus: number, 
/**
 * ns in which some task waits while some CPU is idle.
 */
violation_ns: number, 
/**
 * Integral of min(waiting, idle).
 */
cost_task_ns: number, 
/**
 * ns in which some task waits behind another while some CPU is spare. This and the next three leave out tasks that
 * may be pinned, if the view does.
 */
behind_ns: number, 
/**
 * Integral of min(tasks waiting behind another, spare CPUs).
 */
behind_cost_task_ns: number, 
/**
 * ns in which some task waits for its own CPU to leave idle.
 */
leaving_idle_ns: number, 
/**
 * Integral of how many do.
 */
leaving_idle_task_ns: number, };

/**
 * Words that cross beside the JSON, in which they are null: [`Answer::take_words`].
 */
export type Words = Uint32Array<ArrayBuffer>;
