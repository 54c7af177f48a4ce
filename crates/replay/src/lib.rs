//! What if: a recorded trace becomes a workload, and a simulator runs it under another scheduler.
//!
//! - [`engine`]: runs a workload under a [`policy`] on a [`machine`]; [`place`] chooses CPUs.
//! - [`recorded`]: a workload of a trace.
//! - [`text`]: workloads as WARP's text. [`rtapp`]: as rt-app's JSON. [`combine`]: several as one, [`wsf`]: by a list.
//! - [`recipe`]: workloads that are made, by name.
//! - [`workload`]: what tasks do, whatever the scheduler: CPU time between blocks, wakeups that hang on their waker.

pub mod affinity;
mod arith;
pub mod assume;
pub mod combine;
pub mod compare;
mod counts;
pub mod decisions;
mod delay;
pub mod engine;
pub mod fit;
pub mod generate;
pub mod ideal;
pub mod identity;
pub mod machine;
pub mod place;
pub mod policy;
pub mod preemptions;
pub mod recipe;
pub mod recorded;
pub mod rtapp;
mod select;
mod table;
pub mod text;
pub mod workload;
pub mod wsf;

pub use counts::Counts;
pub use delay::Delay;
pub use recorded::{from_rows, Recording};
pub use workload::{Costs, CpuSet, Ending, Start, Task, WorkEvent, WorkKind, Workload};
