//! What if: a recorded trace becomes a workload, and a simulator runs it under another scheduler.
//!
//! - [`workload`]: what tasks do, whatever the scheduler: CPU time between blocks, wakeups that hang on their waker.

pub mod workload;

pub use workload::{Costs, CpuSet, Ending, Start, Task, WorkEvent, WorkKind, Workload};
