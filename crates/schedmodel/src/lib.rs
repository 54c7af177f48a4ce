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
//! - An exec by a thread that does not lead its process gives it its leader's pid. It goes on as the next generation of that,
//!   and its run with it: the lane has an interval for each of the two tasks, with no switch between them.
//!
//! What is measured, and from where:
//!
//! - A task waits from `sched_wakeup` or `sched_wakeup_new`, or from a switch-out as runnable, until it is switched in. A
//!   wakeup of a running task makes no wait; a wakeup of one that waits already (preempted on its way to sleep) does not
//!   make it wait anew.
//! - Wake-up latency runs from the wakeup's `sched_waking`, where there is one, to the switch-in. A waking may come
//!   before the wakee's own switch-out, when both race: it is still the start.
//! - The waker is who wrote the `sched_waking`, with the context of its flags. What a `sched_wakeup` without one tells is
//!   said at `live::context_of_wakeup`.
//! - A migration is placement between waking (or fork) and wakeup, NUMA balancing after an announcement by a `numa` event,
//!   load balancing while the task waits, and something else otherwise; the first of these that holds counts.
//! - Before a CPU's first switch its `prev_pid` ran since the trace's start, unless events were lost before.
//!
//! All times are `u64` nanoseconds since the trace's first record ([`Trace::base_ns`]), all ranges half-open.

mod builder;
mod claims;
mod edge;
mod holes;
mod kernel;
mod lane;
mod lane_builder;
mod left;
mod live;
mod machine;
mod merge;
mod migration;
mod notes;
mod pids;
mod preview;
mod prio;
mod roster;
mod steps;
mod takeover;
mod task;
pub mod topology;
mod trace;
mod wake;

pub use builder::{Meta, TraceBuilder};
pub use claims::{Claim, ClaimKind};
pub use edge::{Edge, Edges, WakeEvent, WakerContext};
pub use holes::{Hole, Holes};
pub use kernel::{kernel_thread, KernelThread};
pub use lane::{gallop, Interval, Lane, Wait, WaitCause, Who};
pub use left::Left;
pub use migration::{Migration, MigrationKind};
pub use preview::PreviewLanes;
pub use prio::{Class, PrioRange};
pub use steps::{Counts, Step, Steps};
pub use task::{CommId, Comms, Task, TaskComm, TaskCommId, TaskId};
pub use trace::{LooseWait, Throttle, Trace};
