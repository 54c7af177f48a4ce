//! Queries of a screen or a command line, answered from an immutable trace.
//!
//! Objects for JavaScript are `serde` structs with the field names and shapes of `web/engine/protocol.ts`; their times
//! are ns since the trace's first record.

mod calls;
mod compare;
mod explain;
mod features;
mod instant;
mod jobs;
mod lanes;
mod relate;
mod select;
mod tables;

pub use calls::{
    call_findings, call_report, each_call, thread_times, CallBucket, CallCell, CallFindingsJob, CallInstance, CallItem,
    CallLabel, CallLanes, CallModel, CallNames, CallPlace, CallPoint, CallReport, CallRow, CallSpan, CallSpread,
    CallStates, CallStep, CallThread, CallsBy, CallsJob, CallsOfRow, CallsQuery, Doing, IrqHandler, IrqKind, IrqPlace,
    IrqTime, Longest, Of, OfRowJob, Split, StepJob, Stolen, StolenIn, StolenPart, ThreadTimesJob, CALL_FAILED,
    CALL_MERGED, CALL_OPEN, CALL_UNKNOWN,
};
pub use compare::{
    compare, side, CommandNumbers, ComparedCommand, Comparison, Sample, Shift, Side, SideCommand, SideTotals, Spot,
};
pub use explain::cascade::{Cascade, CascadeMove, CascadeReport, Cascades};
pub use explain::domains::{domain_overload, DomainOverload, DomainReport};
pub use explain::finding::{Finding, FindingKind, Preempted};
pub use explain::findings::findings;
pub use explain::latency::{
    ClockCounts, GroupBy, GroupName, Latency, LatencyGroup, RunEnd, RunLengths, Uncertain, Waits,
};
pub use explain::latency_job::{latency, net_latency};
pub use explain::moves::{moves, CommandMoves, Distances, MoveCounts, Moves};
pub use explain::overload::{overload, OverloadReport, AFFINITY_CAVEAT};
pub use explain::placement::{all_put_elsewhere, woken_at, PutElsewhere};
pub use explain::placement::{placements, Placements};
pub use explain::schbench::{schbench, Schbench, SchbenchCommand, SchbenchSpread};
pub use explain::slices::{preempted_runs, slices, CommandSlices, SliceCounts, Slices};
pub use explain::violations::{Idled, Violation, Waited};
pub use explain::waits::{waits, Queue, Took, WaitInfo, WaitReport};
pub use features::{features, FeatureRow, FeaturesQuery, More};
pub use instant::{Change, ChangeKind, CpuState, Instant, InstantCpu, QueuedTask, Standpoint};
pub use jobs::job::Model;
pub use jobs::shared::Shared;
pub use lanes::answer::{Chain, ChainEnd, IntervalAnswer, IntervalKind, LabelRun, RunDetails, RunName};
pub use lanes::arrivals::{CpuMove, CpuMoves};
pub use lanes::curve::CurveQuery;
pub use lanes::depth::DepthQuery;
pub use lanes::edge::{task_name, CpuChoice, TaskRef, Waker, WakeupEdge};
pub use lanes::indexes::{Highlight, IndexSpec, Indexes};
pub use lanes::instant::waker_run;
pub use lanes::preview::Preview;
pub use lanes::states::{each_state, StateRow};
pub use lanes::task_cells::{TaskCells, TaskCellsQuery};
pub use lanes::tasks::{CommFrom, Prios, RunStart, TaskInfo, TaskInterval, TaskRun, TaskRuns};
pub use relate::{
    latency_points, run_places, spare_cpus, took, wakes, End, EndKind, EndSum, LatencyPoint, LatencyPoints, Matrix,
    MatrixCell, PointsOf, Reach, ReachRow, Reached, RelatedPair, SpareCpu, SpareReport, TookReport, WakesReport,
};
pub use schedindex::{states_of, MigrationCounts};
pub use schedindex::{CellKey, CellsQuery, CELL_HIGHLIGHT, CELL_INFERRED, CELL_MERGED, CELL_UNKNOWN, NO_KEY};
pub use select::refs::{RunPlace, TaskName};
pub use select::selected::{Selected, Woken};
pub use select::selection::{cpu_list, Selection};
pub use select::spread::{Measured, Spread};
pub use select::time_window::TimeWindow;
pub use select::uncertain::UncertainDurations;
pub use tables::commands::CommandRow;
pub use tables::damage::{CpuEnd, Damage};
pub use tables::missing::{missing_events, nothing_to_count};
pub use tables::pair_sums::PairSums;
pub use tables::relations;
pub use tables::rows::{CpuRow, TaskRow};
pub use tables::stats::stats;
pub use tables::stats_answer::{Command, KnownCpus, Migrations, Overload, Percentiles, Stats, TaskStats, Wakeups};
pub use tables::summary::{DiagnosticAnswer, Summary};
pub use tables::topology::{TopologyFacts, TopologySummary, TraceTopology};
pub use tables::window::WindowStats;

pub(crate) use calls::{call_at, interrupt_word, stolen_of_cpu, stolen_of_task, Buckets, StolenJob};
pub(crate) use compare::SideJob;
pub(crate) use explain::cascade::{CascadeOfJob, CascadesJob};
pub(crate) use explain::domains::DomainsJob;
pub(crate) use explain::findings::FindingsJob;
pub(crate) use explain::latency_job::LatencyJob;
pub(crate) use explain::overload::OverloadJob;
pub(crate) use explain::waiting_behind::BehindJob;
pub(crate) use explain::waits::WaitsJob;
pub(crate) use instant::StandpointBuilder;
pub(crate) use jobs::job::Job;
pub(crate) use relate::{PointsJob, SpareJob, TookJob, WakesJob};
pub(crate) use select::selected::Scope;
pub(crate) use select::time_window::{whole, ALL_TIME};
pub(crate) use tables::commands::CommandSums;
