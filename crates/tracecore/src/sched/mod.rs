//! The scheduling model: rows of all CPUs, merged by time, become an immutable [`Trace`].
//!
//! An event is a claim about before and after. The policies for claims that contradict each other:
//!
//! - Lanes are per-CPU truth: what a CPU ran is what its own switches say. A `prev_pid` that is not the task that was
//!   thought to run leaves the earlier claim as it was up to this switch, and is counted.
//! - Lost events make the lane *unknown* from the last record before the gap to the CPU's next switch; what waited on
//!   other CPUs goes on waiting.
//! - A task is (pid, generation). A fork of a pid starts a generation; a switch-out as dead ends it, wakeups that come
//!   later are stale and counted, and a switch-in that comes later starts a generation of its own.
//!
//! All times are `u64` nanoseconds since the trace's first record ([`Trace::base_ns`]), all ranges half-open.

mod builder;
mod edge;
mod lane;
mod lane_builder;
mod live;
mod machine;
mod merge;
mod migration;
mod notes;
mod pids;
mod preview;
mod roster;
mod steps;
mod task;
mod trace;
mod wake;

pub use builder::{Meta, TraceBuilder};
pub use edge::{Edge, Edges, WakeEvent, WakerContext};
pub(crate) use lane::gallop;
pub use lane::{Interval, Lane, Wait, WaitCause, Who};
pub use migration::{Migration, MigrationKind};
pub use preview::PreviewLanes;
pub use steps::{Counts, Step, Steps};
pub use task::{CommId, Comms, Task, TaskComm, TaskCommId, TaskId};
pub use trace::{LooseWait, Trace};
