//! The scheduling model: turns the rows of all CPUs, merged by time, into an immutable [`Trace`].
//!
//! An event is a claim about the states before and after it. Claims that contradict each other are resolved like this:
//!
//! - Lanes are true per CPU: a CPU ran what its own switches say. If `prev_pid` is not the task that was thought to
//!   run, the earlier claim holds up to this switch, and the conflict is counted.
//! - Lost events make the lane *unknown* from the last record before the gap to the CPU's next switch. Tasks that wait
//!   on other CPUs keep waiting.
//! - A task is (pid, generation). A fork of a pid starts a generation, a switch-out as dead ends it. Later wakeups are
//!   stale and counted; a later switch-in starts another generation.
//! - An exec by a thread that does not lead its process gives it its leader's pid. The thread continues as the next
//!   generation of that pid, and its run continues too: the lane has one interval for each of the two tasks, with no
//!   switch in between.
//!
//! What is measured, and from when:
//!
//! - A task waits from `sched_wakeup` or `sched_wakeup_new`, or from a switch-out as runnable, to its switch-in. A
//!   wakeup of a running task starts no wait; a wakeup of a task that waits already (preempted on its way to sleep)
//!   does not restart the wait.
//! - Wake-up latency runs from the wakeup's `sched_waking`, if there is one, to the switch-in. If both race, the waking
//!   may come before the wakee's own switch-out; the latency still starts there.
//! - The waker is the task that wrote the `sched_waking`, in the context given by its flags. For a `sched_wakeup`
//!   without one, see `current_task::context_of_wakeup`.
//! - A migration is placement between waking (or fork) and wakeup, NUMA balancing after an announcement by a `numa`
//!   event, load balancing while the task waits, and other otherwise; the first that applies counts.
//! - Before a CPU's first switch, its `prev_pid` has run since the trace's start, unless events were lost before.
//!
//! All times are `u64` nanoseconds since the trace's first record (which is at [`Trace::origin_ns`]), all ranges half-open.

#[cfg(not(target_family = "wasm"))]
mod ahead;
mod builder;
mod building;
mod claims;
mod codes;
mod conflicts;
mod current_task;
mod diagnostic;
mod edge;
mod holes;
mod kernel;
mod lane;
mod lane_builder;
mod lane_reader;
mod lane_sketch;
mod lengths;
mod merge;
mod migration;
pub mod named;
mod near;
mod offline;
mod pids;
mod preview;
mod prio;
mod roster;
mod sent;
mod state_machine;
mod steps;
pub mod stored;
mod switched_out;
mod table;
mod takeover;
mod task;
mod time;
mod trace;
mod traits;
mod wake;

pub use builder::{Meta, TraceBuilder};
pub use building::Building;
pub use claims::{Claim, ClaimKind};
pub use codes::Codes;
pub use diagnostic::Diagnostic;
pub use edge::{Edge, Edges, WakeEvent, WakerContext};
pub use holes::{Hole, Holes};
pub use kernel::{cpu_of_name, kernel_thread, BoundThreads, KernelThread};
pub use lane::{gallop, Interval, Lane, Wait, WaitCause, Who};
pub use lane_reader::LaneReader;
pub use merge::{Merge, Next, MAX_TIME};
pub use migration::{Migration, MigrationKind};
pub use near::{Near, Times};
pub use preview::PreviewLanes;
pub use prio::{Class, PrioRange};
pub use steps::{Counts, Step, Steps, StepsBuilder};
pub use switched_out::SwitchedOut;
pub use task::{CommId, Comms, Task, TaskComm, TaskCommId, TaskId};
pub use time::Time;
/// The machine that a trace was recorded on.
pub use topology;
pub use trace::{LooseWait, Throttle, Trace};
