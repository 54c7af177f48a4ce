//! Queries of a screen or a command line, answered from an immutable trace.
//!
//! Objects for JavaScript are `serde` structs with the field names and shapes of `web/engine/protocol.ts`; their times
//! are ns since the trace's first record.

mod answer;
mod arrivals;
mod behind;
mod cascade;
mod cells;
mod chain;
mod commands;
mod curve;
mod damage;
mod depth;
mod domains;
mod doubt;
mod edge;
mod explain;
mod findings;
mod gaps;
mod job;
mod kept;
mod labels;
mod latency;
mod latency_job;
mod moves;
mod name;
mod numbers;
mod overload;
mod pair_sums;
mod pick;
mod placement;
mod preemption;
mod prepared;
mod preview;
mod ranking;
pub mod relations;
mod samples;
mod selected;
mod selection;
mod spread;
mod states;
mod stats;
mod steps;
mod stretches;
mod summary;
mod tables;
mod task_cells;
mod tasks;
mod top;
mod topology;
mod view;
mod waits;
mod walk;
mod window;
mod worst;

pub use answer::{
    Chain, ChainEnd, CommandRow, IntervalAnswer, IntervalKind, LabelRun, RunDetails, TimeWindow, WindowStats,
};
pub use arrivals::{CpuMove, CpuMoves};
pub use cascade::{Cascade, CascadeMove, CascadeReport, Cascades};
pub use cells::{CellKey, CellsQuery, CELL_HIGHLIGHT, CELL_INFERRED, CELL_MERGED, CELL_UNKNOWN, NO_KEY};
pub use curve::CurveQuery;
pub use damage::{CpuEnd, Damage};
pub use depth::DepthQuery;
pub use domains::{domain_overload, DomainOverload, DomainReport};
pub use edge::{task_name, CpuChoice, TaskRef, Waker, WakeupEdge};
pub use findings::{findings, Finding, FindingKind};
pub use job::Model;
pub use kept::Kept;
pub use latency::{ClockCounts, GroupBy, GroupName, Latency, LatencyGroup, RunEnd, RunLengths, Waits};
pub use latency_job::latency;
pub use name::{RunPlace, TaskName};
pub use numbers::{Command, KnownCpus, Migrations, Overload, Percentiles, Stats, TaskStats, Wakeups};
pub use overload::{overload, Idled, OverloadReport, Violation, Waited, AFFINITY_CAVEAT};
pub use pair_sums::PairSums;
pub use pick::waker_run;
pub use placement::{all_put_elsewhere, woken_at, PutElsewhere};
pub use placement::{placements, Placements};
pub use preview::Preview;
pub use selected::{Selected, Woken};
pub use selection::{cpu_list, Selection};
pub use spread::{Measured, Spread};
pub use states::states_of;
pub use states::{each_state, StateRow};
pub use stats::stats;
pub use summary::{DiagnosticAnswer, Summary};
pub use tables::{CpuRow, TaskRow};
pub use task_cells::{TaskCells, TaskCellsQuery, TASK_CELL_MERGED};
pub use tasks::{CommFrom, Prios, RunStart, TaskInfo, TaskInterval, TaskRun, TaskRuns};
pub use topology::{TopologyFacts, TraceTopology, Understood};
pub use view::{Highlight, View, ViewSpec};
pub use waits::{waits, Queue, Took, WaitInfo, WaitReport};

/// What the jobs of [`ask`](crate::ask) are made of.
pub(crate) mod jobs {
    pub(crate) use super::cascade::{CascadeOfJob, CascadesJob};
    pub(crate) use super::domains::DomainsJob;
    pub(crate) use super::findings::FindingsJob;
    pub(crate) use super::job::{Job, Model};
    pub(crate) use super::latency_job::LatencyJob;
    pub(crate) use super::overload::OverloadJob;
    pub(crate) use super::selected::Scope;
    pub(crate) use super::waits::WaitsJob;
}
