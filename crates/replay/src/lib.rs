//! What if: a recorded trace becomes a workload, and a simulator runs it under another scheduler.
//!
//! - [`engine`]: runs a workload under a [`policy`] on a [`machine`]; [`place`] chooses CPUs.
//! - [`recorded`]: a workload of a trace.
//! - [`workload`]: what tasks do, whatever the scheduler: CPU time between blocks, wakeups that hang on their waker.

pub mod affinity;
pub mod assume;
pub mod compare;
mod counts;
pub mod decisions;
pub mod engine;
pub mod fit;
pub mod generate;
pub mod ideal;
pub mod identity;
pub mod machine;
pub mod place;
pub mod policy;
pub mod recorded;
mod select;
mod table;
pub mod workload;

pub use counts::Counts;
pub use recorded::{from_rows, Recording};
pub use workload::{Costs, CpuSet, Ending, Start, Task, WorkEvent, WorkKind, Workload};
