//! Questions a screen or a command line asks, answered from an immutable trace.
//!
//! What goes to JavaScript as an object is a `serde` struct here, with the field names and shapes of
//! `web/engine/protocol.ts`; times are ns since the trace's first record.

mod answer;
mod arrivals;
mod cascade;
mod cells;
mod chain;
mod commands;
mod curve;
mod depth;
mod findings;
mod gaps;
mod labels;
mod latency;
mod machine;
mod moves;
mod name;
mod numbers;
mod overload;
mod pick;
mod placement;
mod preemption;
mod preview;
mod selected;
mod selection;
mod spread;
mod states;
mod stats;
mod summary;
mod tables;
mod task_cells;
mod tasks;
mod view;
mod waits;
mod window;

pub use answer::{
    ends_at_name, wake_event_name, waker_context_name, Chain, ChainEnd, CommandRow, EdgeWaker, Hop, IntervalAnswer,
    IntervalKind, LabelRun, TimeWindow, Wakeup, WindowStats,
};
pub use arrivals::{CpuMove, CpuMoves};
pub use cascade::{Cascade, CascadeMove, CascadeReport, Cascades};
pub use cells::{CellKey, CellsQuery, CELL_HIGHLIGHT, CELL_INFERRED, CELL_MERGED, CELL_UNKNOWN, NO_KEY};
pub use curve::CurveQuery;
pub use depth::DepthQuery;
pub use findings::{findings, Finding, FindingKind};
pub use latency::{latency, GroupBy, GroupName, Latency, LatencyGroup, RunEnd, RunLengths, Waits, WorstLatency};
pub use machine::{Machine, Understood};
pub use name::TaskName;
pub use numbers::{Command, Migrations, Overload, Percentiles, Stats, TaskStats, Wakeups};
pub use overload::{overload, Idled, OverloadReport, Violation, Waited, AFFINITY_CAVEAT};
pub use placement::{placements, Placement, Placements};
pub use preview::Preview;
pub use selection::Selection;
pub use spread::{Measured, Spread};
pub use states::{each_state, StateRow};
pub use stats::stats;
pub use summary::{DiagnosticAnswer, Summary};
pub use tables::{CpuRow, TaskRow};
pub use task_cells::{TaskCells, TaskCellsQuery, TASK_CELL_MERGED};
pub use tasks::{CommFrom, Prios, RunStart, TaskInfo, TaskInterval, TaskRun, TaskRuns};
pub use view::{Highlight, View, ViewSpec};
pub use waits::{explain_wait, waits, Queue, Took, WaitInfo, WaitReport};
